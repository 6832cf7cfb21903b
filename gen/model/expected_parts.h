/* expected_parts.h - the parts of expected.c: it and they alone include it. */
#ifndef GEN_EXPECTED_PARTS_H
#define GEN_EXPECTED_PARTS_H

#include "model/model.h"
#include "model/storage.h"

/* ---- which site of a wrapper destroys a tensor that is still needed, if an operator's
 * output has the same memory as another argument of its call */

/* A place in the text that uses a variable's memory. */
typedef struct use {
  int site; /* or NO_SITE */
  const argument *arg;
  size_t asserted; /* the offset of the arguments of assert_size_stride(); 0 for another use */
  int var;
  bool carried; /* through a variable that a loop or a branch sets to another tensor */
  size_t offset;
} use;

enum { NO_SITE = -1 };

/* In the order of the text. */
typedef arena_list(use) uses;

/* True if the tensor is the one called `name`, not a buffer that took over its memory. */
bool aliases_is_same(const char *name, const argument *arg);

/* The site that would overwrite one of two tensors while the other is still needed; NO_SITE if none
 * surely does. x: an output of site `maker`; y: another of its arguments. by_root: for each
 * variable that owns memory. reads: that site, a kernel, is the only one that needs it. */
int aliases_find_destroyer(const model *m, const uses *by_root, int maker, const argument *x,
                           const argument *y, bool *reads);

/* ---- the number of elements that an output must have where sizes are symbols: the
 * elements that the next kernel touches, computed from the sizes of the call's own tensors. Part of
 * the model stage. */

typedef struct expected_sizes {
  const facts *f;
  storage *storage;
  arena *a;
} expected_sizes;

/* The text `least_of` of an argument of `user`, with `offset` elements more. Each argument of the
 * user is replaced by "#2.0", the size of dimension 0 of argument 2 of `maker`. NULL where the
 * wrapper does not show that one of the maker's tensors has such a size. */
const char *expected_size_read(const expected_sizes *sizes, const site *maker, const site *user,
                               const char *least_of, int64_t offset);

#endif
