/* rewrite.h - takes one wrapper through the stages command, translation unit, scan, model, plan,
 * emit, edit.
 *
 * The caller reads the texts and writes the result.
 */
#ifndef GEN_REWRITE_H
#define GEN_REWRITE_H

#include "emit/plan.h"
#include "model/model.h"
#include "parse/translation_unit.h"

typedef struct rewriting {
  const options *o;
  arena *a;
  diags *d;
  const char *path; /* what messages and the #line of the result name */
  const char *source;
  size_t n;
  bool untrusted; /* the caller's: it is a package's */
  command command;
  companion_texts beside; /* set by the caller before rewrite_parse() */
  translation_unit tu;
  facts facts;
  model model;
  plan plan;
} rewriting;

/* Reads the recorded command of `source`; `o`, `a`, `d`, `path`, `source` and `n` are set. False
 * with the reason in `d`. */
bool rewrite_command(rewriting *w);

/* Parses the text and builds the model. False with the reason in `d`. */
bool rewrite_parse(rewriting *w);

/* The instrumented text, which the caller frees; with --dump none, and the dump is printed. Each
 * site and each end of a run function that is left alone is a warning in `d`. */
strbuf rewrite_emit(rewriting *w);

/* "41 triton, 61 extern instrumented, 0 left alone"; after rewrite_emit(). */
const char *rewrite_summary(const rewriting *w);

void rewrite_free(rewriting *w);

#endif
