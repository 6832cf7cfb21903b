/* growth.h - memory that grows from run to run: buffers that are still held when their run is over.
 * Inside the library only. */
#ifndef AOTIGEN_GROWTH_H
#define AOTIGEN_GROWTH_H

#include "state/run_state.h"

/* The run is over: reports, once, each row of buffers of which every one of the last runs left one
 * more. */
void ag_growth_end_run(aotigen_run *run);

#endif
