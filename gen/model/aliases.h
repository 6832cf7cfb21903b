/* aliases.h - which site of a wrapper destroys a tensor that is still needed, if an output of an
 * operator has the same memory as another argument of its call. Part of the model stage.
 */
#ifndef GEN_ALIASES_H
#define GEN_ALIASES_H

#include "model/model.h"

/* A place in the text that uses a variable's memory. */
typedef struct use {
  int site; /* or NO_SITE */
  const argument *arg;
  size_t asserted; /* where the arguments of assert_size_stride() begin; 0: it is none */
  int var;
  bool carried; /* through a variable that a loop or a branch gives another tensor */
  size_t offset;
} use;

enum { NO_SITE = -1 };

/* In the order of the text. */
typedef struct uses {
  use *at;
  size_t n, cap;
} uses;

/* Is the tensor the one that is called `name`: not a buffer that took over its memory. */
bool aliases_is_same(const char *name, const argument *arg);

/* x: an output of site `maker`; y: another of its arguments. by_root: for each variable that owns
 * memory. The site that would overwrite one of the two while the other is needed behind it; NO_SITE
 * where none surely does. reads: it is needed by that site alone, a kernel. */
int aliases_find_destroyer(const model *m, const uses *by_root, int maker, const argument *x,
                           const argument *y, bool *reads);

#endif
