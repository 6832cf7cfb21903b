/* rewrite.h - takes one wrapper through all stages: command in this process; translation unit,
 * scan, model, plan, emit and edit in a child, which runs confined (confined_parser.h).
 *
 * The caller reads the texts and writes the result.
 */
#ifndef GEN_STAGES_REWRITE_H
#define GEN_STAGES_REWRITE_H

#include "command/command.h"
#include "stages/rewritten.h"

typedef struct rewriting {
  const options *o;
  arena *a;
  diags *d;
  const char *path; /* what messages and the #line of the result name */
  const char *source;
  size_t n;
  bool untrusted; /* the caller's: it is a package's */
  command command;
  companion_texts companions; /* set by the caller before rewrite_run() */
  FILE *to; /* gets what is printed, as it is; NULL: standard output gets it, escaped */
  rewritten result;
} rewriting;

/* Reads the recorded command of `source`; `o`, `a`, `d`, `path`, `source` and `n` are set. False
 * with the reason in `d`. */
bool rewrite_command(rewriting *w);

/* Makes `result` of the text. With --dump the dump is printed, and result.text is empty. False with
 * the reason in `d`: also where the child died, or took too long. */
bool rewrite_run(rewriting *w);

/* Prints the model as the verb `list` does, or what is proved of it as the verb `check` does;
 * `name` is the model's in its package, or NULL. */
bool rewrite_list(rewriting *w, const char *name);

/* The error of a check that refuted that many accesses, result.refuted of each wrapper together;
 * none of 0. */
void rewrite_report_refuted(const options *o, size_t refuted, diags *d);

/* "41 triton, 61 extern instrumented, 0 left alone"; after rewrite_run(). */
const char *rewrite_summary(const rewriting *w);

#endif
