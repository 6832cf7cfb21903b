/* growth.h - memory that grows from run to run: buffers that stay when their run is over. Inside
 * the library only. */
#ifndef AOTIGEN_GROWTH_H
#define AOTIGEN_GROWTH_H

#include "state/run_state.h"

/* The run is over: reports, once each, the buffers of which one more stayed in each of the last
 * runs. */
void ag_growth_end_run(aotigen_run *run);

#endif
