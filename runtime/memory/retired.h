/* retired.h - poisoned buffers that were released in their run. Inside the library only.
 *
 * Their elements are filled with a pattern that identifies the buffer, and their memory is retained
 * until the run's end, so that a later read shows the pattern: state/released_buffers.h. At most
 * 256 MiB are retained, including blocks (poison_block.h); the buffers that were released first are
 * freed first. On the run's thread.
 *
 * A fill waits for the next launch, whose scan can do it on the way: a call less. */
#ifndef AOTIGEN_RETIRED_H
#define AOTIGEN_RETIRED_H

#include "state/buffers.h"
#include "state/run_state.h"

/* The last tensor over the buffer is gone: fills its elements, if it was poisoned. */
void ag_retired_poison(aotigen_run *run, ag_buffer *b);
/* Executes the pending fills. */
void ag_retired_fill(aotigen_run *run);
/* Executes them if the tensor may read the memory. */
void ag_retired_fill_before(aotigen_run *run, const ag_view *read);
/* Nothing reads its red zones any more: retains the memory, or frees it. */
void ag_retired_take(aotigen_run_state *s, ag_buffer *b);
/* Frees all of it: the run is over. */
void ag_retired_end(aotigen_run_state *s);

#endif
