/* retired.h - poisoned buffers that were released in their run. Inside the library only.
 *
 * Their elements are filled with a pattern that tells which buffer it was, and their memory is kept
 * until the run's end, so that what is read there later shows it: state/released_buffers.h. At most
 * 256 MiB are kept, blocks (poison_block.h) among them; the buffers that were released first go
 * first. On the run's thread.
 *
 * A fill waits for the next launch, whose scan can do it on the way: a call less.
 */
#ifndef AOTIGEN_RETIRED_H
#define AOTIGEN_RETIRED_H

#include "state/buffers.h"
#include "state/run_state.h"

/* The last tensor over the buffer is gone: fills its elements, where it was poisoned. */
void ag_retired_poison(aotigen_run *run, ag_buffer *b);
/* Does the fills that wait. */
void ag_retired_fill(aotigen_run *run);
/* Does them where the tensor may read the memory. */
void ag_retired_fill_before(aotigen_run *run, const ag_view *read);
/* Nothing reads its red zones any more: keeps the memory, or gives it back. */
void ag_retired_take(aotigen_run_state *s, ag_buffer *b);
/* Gives all of it back: the run is over. */
void ag_retired_end(aotigen_run_state *s);

#endif
