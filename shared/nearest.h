/* nearest.h - finds the names that are most similar to a pattern that matches none, or to a word
 * that is none of a few.
 *
 * A name's distance from a pattern is that of its most similar part: "gelu" and "cpp_fused_gelu_0"
 * both are one letter away from "gelo". From a word it is that of the whole name: "list" is one
 * letter away from "lst", and "listing" four. */
#ifndef AOTIGEN_SHARED_NEAREST_H
#define AOTIGEN_SHARED_NEAREST_H

#include <stdbool.h>
#include <stddef.h>

enum { AG_NEAREST = 3, AG_NEAREST_PATTERN = 64 };

typedef struct ag_nearest {
  char pattern[AG_NEAREST_PATTERN + 1]; /* without wildcards, in lower case */
  size_t length;
  bool whole; /* a word: names are compared as wholes */
  struct {
    const char *name;
    size_t length;
  } best[AG_NEAREST]; /* the nearest; among equals the shortest first */
  int count;
  size_t distance; /* the distance, in letters, of all of them */
} ag_nearest;

void ag_nearest_begin(ag_nearest *s, const char *pattern, size_t n);
void ag_nearest_begin_word(ag_nearest *s, const char *word, size_t n);
/* Adds a name, which must live as long as the search. A name that shares too little is skipped. */
void ag_nearest_add(ag_nearest *s, const char *name, size_t n);

#endif
