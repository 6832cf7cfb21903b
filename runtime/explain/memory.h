/* memory.h - what a kernel loads: from a tensor as it is now, or from what the kernel itself stored
 * there before. Inside the library only. */
#ifndef AOTIGEN_EXPLAIN_MEMORY_H
#define AOTIGEN_EXPLAIN_MEMORY_H

#include "explain/interpret.h"

/* Which store of the kernel wrote the element before the load, NULL for none. enter: the loops are
 * then bound to its iteration. False where that is not decided, and where the kernel overwrote the
 * element after the load. */
bool ag_memory_find_store(ag_interpreter *m, const ag_graph_access *load, int64_t index, bool enter,
                          const ag_graph_access **store);

/* What that store wrote. */
bool ag_memory_compute_stored(ag_interpreter *m, const ag_graph_access *load, int64_t index,
                              ag_number *value);

/* Element `index` from the pointer that the kernel was given. False where that is outside of the
 * storage. */
bool ag_memory_read(ag_interpreter *m, int32_t memory, int64_t index, ag_number *value);

/* A row-major index of the tensor's sizes, for a place in memory; -1 where there is none. */
int64_t ag_memory_find_element(const ag_view *view, int64_t index);

/* The bits of an element, as a number of its type. */
bool ag_memory_decode(const ag_dtype *d, const void *at, ag_number *value);

#endif
