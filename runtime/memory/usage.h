/* usage.h - AOTIGEN_MEMORY=1: the memory of a run by launch, and what stays from run to run. Inside
 * the library only. All on the run's thread. */
#ifndef AOTIGEN_USAGE_H
#define AOTIGEN_USAGE_H

#include "state/buffers.h"
#include "state/run_state.h"

bool ag_usage_is_on(void);

/* The wrapper allocated a buffer; what it hands over counts up to the run's end. */
void ag_usage_allocated(aotigen_run *run, uint32_t row, size_t bytes);
/* The last tensor over a buffer of this run is gone. */
void ag_usage_released(aotigen_run *run, const ag_buffer *b);

/* Before a launch: which buffers an operator is given. */
void ag_usage_before(aotigen_run *run);

/* The run is over: the table of its memory, where its peak is the highest so far; and
 * buffers that stayed in each of the last runs. */
void ag_usage_end(aotigen_run *run, bool unwinding);

#endif
