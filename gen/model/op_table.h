/* shapes.h - the table of call shapes: every name of AOTInductor's and torch's that the generator
 * knows.
 *
 * What launches is decided by declaration (scan.h); these tables only say what takes tensor handles
 * and launches nothing, what a few families of calls are, and what ATen leaves undefined. A call
 * that is in no table is a launch.
 */
#ifndef GEN_SHAPES_H
#define GEN_SHAPES_H

#include <stdbool.h>
#include <stddef.h>

enum effect {
  EFFECT_LAUNCH,        /* in no table: a launch */
  EFFECT_NONE,          /* metadata, ownership, checks, PyTorch's own printers */
  EFFECT_ALLOCATES,     /* its output is new memory that nothing has written */
  EFFECT_UNINITIALIZED, /* its output is a tensor without storage yet */
  EFFECT_ALIASES        /* its output shares the storage of its first tensor */
};

enum effect shapes_effect(const char *callee);

bool shapes_is_copy(const char *callee);
bool shapes_is_item(const char *callee);
bool shapes_is_proxy(const char *callee);

/* Is output `index` (from 0) of this function or op one that ATen leaves partly undefined. */
bool shapes_unasserted(const char *callee, size_t index);

/* Does an op put -inf into its result on purpose. op: "aten.where" or "where". */
bool shapes_makes_neg_inf(const char *op);

/* The length of the longest ATen op name with an underscore in it that `name` begins with, up to an
 * underscore or its end; 0 for none. For kernels that tell their ops by their name alone. */
size_t shapes_op_prefix(const char *name);

/* Glob with * and ?; the whole of `name` must match. */
bool shapes_match(const char *pattern, const char *name);

/* torch's name of a C++ element type ("float32" for "float", "bfloat16" for "c10::BFloat16"); NULL
 * where it is none. */
const char *shapes_dtype(const char *element);

#endif
