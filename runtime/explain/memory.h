/* memory.h - the value that a kernel loads: a tensor's current value, or one that the kernel itself
 * stored there before. Inside the library only. */
#ifndef AOTIGEN_EXPLAIN_MEMORY_H
#define AOTIGEN_EXPLAIN_MEMORY_H

#include "explain/interpret.h"

/* The place that a load reads. */
typedef struct ag_place {
  const ag_graph_access *store; /* the kernel's store that wrote the element before; or NULL */
  bool is_other;                /* the load is not made: its condition does not hold */
  bool later;    /* the kernel stores to that memory behind the load: a copy from before counts */
  int64_t index; /* elements from the parameter's pointer */
} ag_place;

/* Finds where the load's value comes from. enter: if a store wrote it, binds the loops to the
 * iteration of that store. */
bool ag_memory_find_place(ag_interpreter *m, int32_t node, bool enter, ag_place *place);

/* The value of a load, or its replacement. False if the kernel overwrote the element since, or if
 * it is outside of the storage. For another node, the value that the kernel stored; false if that
 * is not known. */
bool ag_memory_load(ag_interpreter *m, int32_t node, ag_number *value);

/* What element `index` of the access's memory held before the access first touched it: what an
 * earlier store of the kernel wrote, or a copy of what the launch overwrote. False if neither is
 * known. */
bool ag_memory_find_before(ag_interpreter *m, const ag_graph_access *x, int64_t index,
                           ag_number *value);

/* True if the node is a load whose value is known from a copy of what the launch overwrote. */
bool ag_memory_is_from_before(ag_interpreter *m, int32_t node);

/* True if there are stores behind the load, so that memory may hold something else by now. */
bool ag_memory_has_later(const ag_interpreter *m, const ag_graph_access *load);

/* The row-major index of a place in memory, in the tensor's sizes; -1 if there is none. */
int64_t ag_memory_find_element(const ag_view *view, int64_t index);

/* Decodes the bits of an element as a number of its type. */
bool ag_memory_decode(const ag_dtype *d, const void *at, ag_number *value);

#endif
