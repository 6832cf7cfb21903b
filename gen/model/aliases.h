/* aliases.h - which site of a wrapper destroys a tensor that is still needed, if an operator's
 * output has the same memory as another argument of its call. Part of the model stage.
 */
#ifndef GEN_ALIASES_H
#define GEN_ALIASES_H

#include "model/model.h"

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
typedef struct uses {
  use *at;
  size_t n, cap;
} uses;

/* True if the tensor is the one called `name`, not a buffer that took over its memory. */
bool aliases_is_same(const char *name, const argument *arg);

/* The site that would overwrite one of two tensors while the other is still needed; NO_SITE if none
 * surely does. x: an output of site `maker`; y: another of its arguments. by_root: for each
 * variable that owns memory. reads: that site, a kernel, is the only one that needs it. */
int aliases_find_destroyer(const model *m, const uses *by_root, int maker, const argument *x,
                           const argument *y, bool *reads);

#endif
