/* package.h - which members of a package make a model: data/aotinductor/NAME/ holds its wrapper,
 * its kernels, its .so.
 *
 * Knows what torch calls its members, from 2.6 on (no directory of the archive's own before
 * "data/", one .cpp) to 2.15.
 */
#ifndef GEN_PACKAGE_H
#define GEN_PACKAGE_H

#include "package/archive.h"

#define NO_MEMBER ((size_t)-1)

typedef struct packaged {
  const char *name;        /* of the model: what torch's loader is given; may hold '/' */
  const char *dir;         /* where its members are, with a '/' behind it */
  size_t wrapper, so, ops; /* places in the archive's list; NO_MEMBER where there is none */
  struct {
    size_t *at;
    size_t n, cap;
  } kernels; /* .kernel.cpp */
  struct {
    size_t *at;
    size_t n, cap;
  } objects; /* .o: of a package that holds sources only */
} packaged;

typedef struct packages {
  packaged *at;
  size_t n, cap;
} packages;

/* The models, in the archive's order; `only` (NULL: all) narrows. False with the reason in `d`
 * where there is none of that name, none at all, or one that cannot be told apart from its own
 * parts. */
bool package_find(packages *p, const archive *z, const char *only, arena *a, diags *d);

#endif
