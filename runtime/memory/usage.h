/* usage.h - AOTIGEN_MEMORY=1: the memory of a run by launch, and what stays from run to run. Inside
 * the library only. All on the run's thread. */
#ifndef AOTIGEN_USAGE_H
#define AOTIGEN_USAGE_H

#include "state/buffers.h"
#include "state/run_state.h"

/* Is the setting given. Without it ag_usage_allocated() may not be called. */
bool ag_usage_is_on(void);

/* The wrapper allocated a buffer; torch has it at this address. is_ours: it gets memory of the
 * library's own instead, and torch's is free again. Of a buffer of torch's memory that is handed
 * over no release is seen: it counts until an allocation of the run gets its memory, or up to the
 * run's end. */
void ag_usage_allocated(aotigen_run *run, uint32_t row, const void *data, size_t bytes,
                        bool is_ours);
/* The last tensor over a buffer of this run is gone. */
void ag_usage_released(aotigen_run *run, const ag_buffer *b);

#endif
