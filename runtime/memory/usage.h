/* usage.h - AOTIGEN_MEMORY=1: tracks the memory of a run by launch, and what is retained from run
 * to run. Inside the library only. On the run's thread. */
#ifndef AOTIGEN_USAGE_H
#define AOTIGEN_USAGE_H

#include "state/buffers.h"
#include "state/run_state.h"

/* True if the setting is given. Otherwise ag_usage_allocated() must not be called. */
bool ag_usage_is_on(void);

/* The wrapper allocated a buffer; torch has it at this address. is_ours: it gets memory of the
 * library's own instead, and torch's is free again. The release of torch's memory that is handed
 * over is not seen: it counts until an allocation of the run gets its memory, or up to the run's
 * end. */
void ag_usage_allocated(aotigen_run *run, uint32_t row, const void *data, size_t bytes,
                        bool is_ours);
/* The last tensor over a buffer of this run is gone. */
void ag_usage_released(aotigen_run *run, const ag_buffer *b);

#endif
