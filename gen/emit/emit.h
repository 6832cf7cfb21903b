/* emit.h - turns the plan into text: one edit for each insertion. Reads the model and the plan, and
 * makes strings in the arena. */
#ifndef GEN_EMIT_H
#define GEN_EMIT_H

#include "base/options.h"
#include "emit/plan.h"
#include "emit/tables.h"

typedef struct edit {
  size_t offset;      /* where it is inserted */
  const char *before; /* what precedes the line: a brace, a line break */
  const char *line;   /* the line without its break; for an inline edit, all of it */
  const char *after;  /* what follows the #line */
  unsigned resume;    /* the original's line number behind it; 0 for an inline edit */
  bool top; /* before the first byte: `line` holds the tables, `before` and `after` the rest */
} edit;

typedef arena_list(edit) edits;

/* In the order of the plan, which is that of the text. */
void emit_edits(edits *e, const plan *p, const model *m, const options *o,
                const kernel_tables *kernels, arena *a);

/* "41 triton, 61 extern, 1 copy instrumented, 0 left alone" */
const char *emit_summary(const plan *p, arena *a);

/* ---- applies edits to a text, whatever they contain */

/* Writes the edited text, which has edit_length() bytes. `e` is in the order of the text. */
void edit_apply(const edits *e, const char *source, size_t n, FILE *to);
size_t edit_length(const edits *e, const char *source, size_t n);

/* --dump=edits. */
void edit_dump(const edits *e, const facts *f, FILE *to);

/* ---- how much more memory a run takes with --guard, told before any run */

/* "at most 14 buffers at a time, with 2048 KiB more each (28 MiB)"; NULL if it takes none. */
const char *guard_memory_describe(const model *m, const levels *l, arena *a);

/* "'buf99', 'buf100'": names of --guard=page:BUF without memory of that name in the model; else
 * NULL. */
const char *guard_memory_find_unknown(const model *m, const levels *l, arena *a);

#endif
