/* unwritten.c - see parts.h. */
#include "model/parts.h"

#include <string.h>

#include "model/expected.h"

/* Inductor's kernels write all of their outputs. If a kernel's text is missing, its name tells
 * whose it is. */
static bool is_inductors(const site *s) {
  return !s->by_user &&
         (strncmp(s->kernel, "cpp_", 4) == 0 || strncmp(s->kernel, "triton_", 7) == 0);
}

bool unwritten_is_filled(const site *s, const argument *arg) {
  if (!(s->flags & AOTIGEN_KERNEL)) return arg->role == AOTIGEN_OUT;
  if (arg->role == AOTIGEN_IN) return false;
  return arg->text && arg->text->told.stored ? arg->text->fills : is_inductors(s);
}

/* A result is memory that the operator allocates. Torch's own operators write all of it; for an
 * operator of a library that is not known. */
static bool is_made_by_library(storage *st, const site *s, const argument *arg) {
  return s->flags & AOTIGEN_OF_LIBRARY && expected_is_made(st, s, arg);
}

void unwritten_read(model *m, storage *st) {
  for (size_t i = 0; i < m->sites.n; i++) {
    site *s = &m->sites.at[i];
    for (size_t k = 0; k < s->args.n; k++) {
      argument *x = &s->args.at[k];
      bool given = x->flags & AOTIGEN_FRESH && !(x->flags & AOTIGEN_LATE) && x->root >= 0 &&
                   !storage_at(st, x->root)->empty;
      if (given && !unwritten_is_filled(s, x)) x->flags |= AOTIGEN_UNWRITTEN;
      if (is_made_by_library(st, s, x)) x->flags |= AOTIGEN_MADE_BY_LIBRARY;
    }
  }
}
