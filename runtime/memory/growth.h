/* growth.h - memory that grows from run to run: buffers that stay when their run is over, and
 * operators whose calls leave more on the heap. Inside the library only. */
#ifndef AOTIGEN_GROWTH_H
#define AOTIGEN_GROWTH_H

#include "state/run_state.h"

/* The call of an operator is over, and the heap has grown by this, beside its results. */
void ag_growth_note_call(const aotigen_run *run, size_t bytes);

/* The run is over: reports, once each, buffers and operators that left more in each of the last
 * runs. */
void ag_growth_end_run(aotigen_run *run);

#endif
