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

/* The number, from 1, of a word among words separated by single blanks, commas, tabs or ends of
 * lines; 0 if it is none of them. The word is not empty.
 * compare: strncmp or strncasecmp. */
unsigned ag_word_find(const char *words, const char *word,
                      int (*compare)(const char *, const char *, size_t));

/* True if an expression has the name, of letters, digits and '_'; false for an empty name. */
bool ag_has_name(const char *text, const char *name);

#endif
