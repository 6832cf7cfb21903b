/* poison_block.h - memory for poisoned buffers of a device, filled once for many of them. Inside
 * the library only.
 *
 * The memory of a run's own buffers is allocated together, and filled with the pattern of unwritten
 * memory by one call. It is retained until the run's end, like that of released buffers
 * (retired.h). On the run's thread. */
#ifndef AOTIGEN_POISON_BLOCK_H
#define AOTIGEN_POISON_BLOCK_H

#include "state/buffers.h"
#include "state/run_state.h"

/* Gives the buffer a part of a block: its elements, and `handle`, which keeps the block's memory.
 * False if it needs memory of its own. */
bool ag_poison_block_take(aotigen_run *run, ag_buffer *b);

/* The run is over. Memory stays alive under a buffer that an operator retains. */
void ag_poison_block_end(aotigen_run_state *s);

#endif
