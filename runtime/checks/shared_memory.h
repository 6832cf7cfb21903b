/* shared_memory.h - tensors that have the memory of others though the wrapper takes them for apart.
 * Reads no element. Inside the library only.
 */
#ifndef AOTIGEN_SHARED_MEMORY_H
#define AOTIGEN_SHARED_MEMORY_H

#include "checks/finding.h"
#include "state/run_state.h"

/* Adds that the item has memory of another tensor, which is named, and not its own. */
void ag_shared_memory_add(ag_finding *f, const ag_item *item, const char *other);

/* After an operator's call: adds a violation if the item's argument, which the call made or moved
 * to other memory, has the memory of an alias. before: the argument before the call, or NULL. */
void ag_shared_memory_check(const aotigen_run *run, ag_finding *f, const ag_item *item,
                            const ag_view *before);

/* After the call and its checks: remembers, until the run ends, the arguments whose memory an
 * output has. */
void ag_shared_memory_note(aotigen_run *run);

/* Warns, once a model, of two weights in the same memory where a launch writes to one and a launch
 * uses the other. values: one for each of n weights. */
void ag_shared_memory_check_weights(const aotigen_run *run, const aotigen_value *values, size_t n);

#endif
