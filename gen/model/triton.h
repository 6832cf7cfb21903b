/* triton.h - the metadata of a Triton kernel, read from the source that a wrapper of torch 2.8 and
 * later holds as a comment, or as a raw string. Text to struct; knows nothing of the wrapper around
 * it.
 */
#ifndef GEN_TRITON_H
#define GEN_TRITON_H

#include "base/arena.h"

typedef struct triton_param {
  const char *name;
  const char *type;    /* of the signature: "*fp32", "i32", "constexpr" */
  bool divisible16;    /* tt.divisibility: the pointer, or the integer, is a multiple of 16 */
  bool mutated;        /* in mutated_arg_names */
  bool loaded, stored; /* a tl.load or tl.store, or an atomic, of it was seen */
} triton_param;

typedef struct triton {
  const char *name;
  const char *source; /* without the wrapper's indentation */
  struct {
    triton_param *at;
    size_t n, cap;
  } params; /* in order of the signature, constexpr ones included */
  bool has_signature, has_mutated;
  bool makes_neg_inf, makes_pos_inf; /* a constant infinity of the model stands in it */
} triton;

/* Reads the kernel called `name` out of n bytes; false where they hold no Triton source. */
bool triton_read(triton *k, const char *name, const char *at, size_t n, arena *a);

const triton_param *triton_param_named(const triton *k, const char *name);

/* torch's name of a Triton element type: "float32" for "*fp32"; NULL where there is none. */
const char *triton_dtype(const char *type);

#endif
