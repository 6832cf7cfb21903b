/* descriptor_call.h - how Triton spells the accesses through a tensor descriptor: methods of it,
 * and functions of tl.
 */
#ifndef GEN_KERNEL_DESCRIPTOR_CALL_H
#define GEN_KERNEL_DESCRIPTOR_CALL_H

#include <stdbool.h>

typedef struct descriptor_call {
  const char *name;   /* "store"; "atomic_" begins one */
  bool method;        /* descriptor.name(...), else tl.name(descriptor, ...) */
  bool loads, stores; /* an atomic does both */
  int offsets, value; /* the places of these arguments; -1: it has none, or rows by index */
} descriptor_call;

/* NULL for another call. */
const descriptor_call *descriptor_call_find(const char *name, bool method);

/* True for the function of tl that makes a descriptor. */
bool descriptor_call_makes(const char *function);

#endif
