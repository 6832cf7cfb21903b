/* words.h - a recorded command as a shell would split it, without a shell.
 *
 * Knows quotes and backslashes. Refuses what would make a shell do more than start one program: ; |
 * & ` $ < > ( ) outside of single quotes, quotes that do not close, control characters. Linear.
 */
#ifndef GEN_WORDS_H
#define GEN_WORDS_H

#include "base/diag.h"

typedef struct word {
  const char *at;  /* without its quotes, NUL-terminated */
  unsigned column; /* where it stands in its line, from 1 */
} word;

typedef struct words {
  word *at;
  size_t n, cap;
} words;

/* Splits the n bytes at `at`, which stand in `line` of `file` from `column` on. A refusal is in
 * `d`. */
bool words_split(words *w, const char *at, size_t n, const char *file, unsigned line,
                 unsigned column, arena *a, diags *d);

#endif
