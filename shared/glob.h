/* glob.h - patterns of names, with * and ? as in a shell; lists of words. Any thread may call. */
#ifndef AOTIGEN_SHARED_GLOB_H
#define AOTIGEN_SHARED_GLOB_H

#include <stdbool.h>
#include <stddef.h>

/* A part of a text, which does not end with NUL. */
typedef struct ag_slice {
  const char *s;
  size_t n;
} ag_slice;

/* The same without the blanks around it. */
ag_slice ag_slice_trim(ag_slice x);

/* True if the whole name matches. The time is at most the product of the lengths. */
bool ag_glob(ag_slice pattern, ag_slice name);
/* The same, ignoring the case of letters. */
bool ag_glob_any_case(ag_slice pattern, ag_slice name);

/* The number, from 1, of a word among words separated by single blanks; 0 if it is none of them.
 * compare: strncmp or strncasecmp. */
unsigned ag_word_find(const char *words, const char *word,
                      int (*compare)(const char *, const char *, size_t));

#endif
