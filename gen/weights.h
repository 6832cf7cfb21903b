/* weights.h - the weights of a model as an object file that can be linked.
 *
 * They stand in the old .so between the symbols _binary_constants_bin_start and _end. Where they are large torch appended
 * them to the file instead (USE_MMAP_SELF), and what stands between the symbols is their size and a magic number.
 */
#ifndef GEN_WEIGHTS_H
#define GEN_WEIGHTS_H

#include "diag.h"
#include <stdint.h>

typedef struct weights {
  const char *object; /* to be linked: the object file named, or the one that was made */
  const char *from;   /* the file named, or NULL */
  uint64_t size;      /* bytes between the symbols */
  uint64_t tail;      /* bytes at the end of `from` that belong at the end of the result, page aligned; 0: none */
} weights;

/* What the wrapper's constructor says of its constants. */
typedef struct weights_declared {
  uint64_t bytes;  /* their sizes together, folded ones aside */
  bool left_out;   /* it was emitted without weights: who loads it hands them in */
  bool model;      /* there is such a constructor: a JIT wrapper has none */
} weights_declared;

void weights_declare(weights_declared *w, const char *at, size_t n);

/* From an object file, which is linked as it is, or from a shared object: then they are copied into the object file `made`.
 * Streamed: memory does not grow with them. `appended`: the wrapper is built with USE_MMAP_SELF. */
bool weights_take(weights *w, const char *from, const char *made, bool appended, arena *a, diags *d);

/* An object file with no weights in it. */
bool weights_none(weights *w, const char *made, diags *d);

/* Does this object file define them. */
bool weights_defines(const char *object);

/* Appends the tail, if there is one, to the linked `so`. */
bool weights_append(const weights *w, const char *so, diags *d);

#endif
