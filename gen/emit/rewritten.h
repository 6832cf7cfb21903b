/* rewritten.h - what the child process that parses a wrapper made of it: the text, and the few
 * numbers that its parent goes on with. The parent trusts none of it.
 */
#ifndef GEN_REWRITTEN_H
#define GEN_REWRITTEN_H

#include "emit/plan.h"
#include "model/weights_declared.h"

typedef struct rewritten {
  const char *text; /* instrumented, NUL-terminated; empty where only something is printed */
  size_t n;
  const char *printed; /* for standard output */
  size_t printed_n;
  size_t sites;
  unsigned counts[FORM_COUNT], left_alone; /* as in a plan */
  weights_declared weights;
  size_t refuted; /* of a check: accesses */
  bool pch_failed; /* the precompiled headers could not be used */
} rewritten;

/* Writes it, and the messages in `d`. */
void rewritten_put(const rewritten *w, const diags *d, FILE *to);

/* Reads what rewritten_put() wrote; the messages go to `d`. False where n bytes are of another
 * form. */
bool rewritten_take(rewritten *w, const char *at, size_t n, arena *a, diags *d);

#endif
