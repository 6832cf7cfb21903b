/* shared_memory.h - tensors that have the memory of others though the wrapper takes them for apart.
 * Reads no element. Inside the library only.
 */
#ifndef AOTIGEN_SHARED_MEMORY_H
#define AOTIGEN_SHARED_MEMORY_H

#include "checks/finding.h"
#include "state/run_state.h"

/* Adds that the item has memory of another tensor, which is named, and not its own. */
void ag_shared_memory_add(ag_finding *f, const ag_item *item, const char *other);

/* Behind the call of an operator: has the item's argument, which the call made or gave other
 * memory, that of an alias. before: the argument as it was before the call, or NULL. */
void ag_shared_memory_check(const aotigen_run *run, ag_finding *f, const ag_item *item,
                            const ag_view *before);

/* Behind the call, and its checks: remembers, until the run is over, the arguments whose memory an
 * output has. */
void ag_shared_memory_note(aotigen_run *run);

/* Warns, once a model, of two weights in the same memory where a launch writes to one and a launch
 * uses the other. values: one for each of n weights. */
void ag_shared_memory_check_weights(const aotigen_run *run, const aotigen_value *values, size_t n);

#endif
