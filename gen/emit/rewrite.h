/* rewrite.h - one wrapper through the stages: command -> tu -> scan -> model -> plan -> emit ->
 * edit.
 *
 * Where the texts come from, and where the result goes, is the caller's.
 */
#ifndef GEN_REWRITE_H
#define GEN_REWRITE_H

#include "model/model.h"
#include "emit/plan.h"
#include "parse/translation_unit.h"

typedef struct rewriting {
  const options *o;
  arena *a;
  diags *d;
  const char *path; /* for messages, and what the result's #line names */
  const char *source;
  size_t n;
  command command;
  companions beside; /* the caller's, before rewrite_parse() */
  translation_unit tu;
  facts facts;
  model model;
  plan plan;
} rewriting;

/* Reads the recorded command of `source`, which is set with `path`. False with the reason in `d`.
 */
bool rewrite_command(rewriting *w);

/* From the text to the model. */
bool rewrite_parse(rewriting *w);

/* From the model to the instrumented text, freed by the caller; what --dump asks for is printed on
 * the way. Each site left alone, and each end of a run function, is a warning in `d`. */
strbuf rewrite_emit(rewriting *w);

/* "41 triton, 61 extern instrumented, 0 left alone", after rewrite_emit(). */
const char *rewrite_summary(const rewriting *w);

void rewrite_free(rewriting *w);

#endif
