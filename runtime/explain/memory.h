/* memory.h - what a kernel loads: from a tensor as it is now, or from what the kernel itself stored
 * there before. Inside the library only. */
#ifndef AOTIGEN_EXPLAIN_MEMORY_H
#define AOTIGEN_EXPLAIN_MEMORY_H

#include "explain/interpret.h"

/* The place of what a load reads. */
typedef struct ag_place {
  const ag_graph_access *store; /* of this kernel, that wrote the element before; or NULL */
  bool is_other;                /* it is not loaded: its condition does not hold */
  int64_t index;                /* in elements, from the parameter's pointer */
} ag_place;

/* Where the load has its value from. With a store the loops are bound to the iteration that stored,
 * if `enter` says so. */
bool ag_memory_find_place(ag_interpreter *m, int32_t node, bool enter, ag_place *place);

/* The value of a load: of its place, or its replacement. False where the kernel overwrote the
 * element since, and where it is outside of the storage. Of another node, what the kernel stored of
 * it; false where that is not known. */
bool ag_memory_load(ag_interpreter *m, int32_t node, ag_number *value);

/* Are there stores behind the load, so that memory may hold something else by now. */
bool ag_memory_has_later(const ag_interpreter *m, const ag_graph_access *load);

/* A row-major index of the tensor's sizes, for a place in memory; -1 where there is none. */
int64_t ag_memory_find_element(const ag_view *view, int64_t index);

/* The bits of an element, as a number of its type. */
bool ag_memory_decode(const ag_dtype *d, const void *at, ag_number *value);

#endif
