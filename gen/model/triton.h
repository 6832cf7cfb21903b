/* triton.h - the metadata of a Triton kernel, from its Python source: wrappers of torch 2.8 and
 * later hold that in a comment or in a raw string. */
#ifndef GEN_TRITON_H
#define GEN_TRITON_H

#include "base/arena.h"
#include <stdint.h>

typedef struct triton_param {
  const char *name;
  const char *type; /* in the signature: "*fp32", "i32", "constexpr", "tensordesc<fp32[32, 64]>" */
  bool divisible16; /* tt.divisibility: the kernel assumes that the value is a multiple of 16 */
  bool mutated;     /* in mutated_arg_names */
  bool constant;    /* its `value` is in 'constants' */
  int64_t value;
  bool loaded, stored; /* the source has a load or store, or an atomic, of it or of a descriptor
                          that it makes of it */
} triton_param;

typedef struct triton {
  const char *name;
  const char *source;                /* without the wrapper's indentation */
  arena_list(triton_param) params;   /* in order of the signature, constexpr ones included */
  bool makes_neg_inf, makes_pos_inf; /* the kernel holds such a constant of the model */
} triton;

/* Reads the kernel called `name` from n bytes of text, which include the indentation of its first
 * line. False if they hold no Triton source. */
bool triton_read(triton *k, const char *name, const char *at, size_t n, arena *a);

/* NULL if there is no such parameter. */
const triton_param *triton_find_param(const triton *k, const char *name);

/* torch's name of the elements of a Triton type: "float32" for "*fp32" and for
 * "tensordesc<fp32[32, 64]>"; NULL if it has none. */
const char *triton_find_dtype(const char *type);

#endif
