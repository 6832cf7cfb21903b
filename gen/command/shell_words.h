/* shell_words.h - splits a recorded command as a shell would, without a shell.
 *
 * Knows quotes and backslashes. Refuses what would make a shell do more than start one program: ; |
 * & ` $ < > ( ) outside of single quotes, quotes that do not close, control characters. Linear.
 */
#ifndef GEN_SHELL_WORDS_H
#define GEN_SHELL_WORDS_H

#include "base/diag.h"

typedef struct shell_word {
  const char *at;  /* without its quotes, NUL-terminated */
  unsigned column; /* where it begins in its line, from 1 */
} shell_word;

typedef arena_list(shell_word) shell_words;

/* A command, and where its first byte stands. */
typedef struct shell_text {
  const char *at;
  size_t n;
  const char *file;
  unsigned line, column;
} shell_text;

/* Appends the words. False where the command is refused: `d` says why. */
bool shell_words_split(shell_words *words, const shell_text *text, arena *a, diags *d);

#endif
