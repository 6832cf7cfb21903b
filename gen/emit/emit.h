/* emit.h - the plan as text: one edit an insertion. Pure: reads model and plan, makes strings.
 */
#ifndef GEN_EMIT_H
#define GEN_EMIT_H

#include "emit/plan.h"

typedef struct edit {
  size_t at;          /* the offset it goes to */
  const char *before; /* what precedes the line: a brace, a line break */
  const char *line;   /* the line itself, without its break; of a top or inline edit, all of it */
  const char *after;  /* what follows the #line */
  unsigned resume; /* the line number that the text after it has; 0 for an inline edit, which needs
                      none */
  bool top;
} edit;

typedef struct edits {
  edit *at;
  size_t n, cap;
} edits;

void emit(edits *e, const plan *p, const model *m, const options *o, arena *a);

/* "41 triton, 61 extern, 1 copy instrumented, 0 left alone" */
const char *emit_summary(const plan *p, arena *a);

#endif
