/* here_table.h - the table of `aotigen list --here`: what a model needs, what this machine has,
 * whether that fits, and the cure.
 */
#ifndef GEN_HERE_TABLE_H
#define GEN_HERE_TABLE_H

#include "base/arena.h"
#include <stdio.h>

/* A row is "no" only if it is known to fail. Otherwise, if it cannot be told, it is
 * FITS_UNKNOWN. */
enum fits { FITS_YES, FITS_NO, FITS_UNKNOWN };

typedef struct here_row {
  enum fits fits;
  const char *what;        /* "glibc" */
  const char *needs, *has; /* either may be NULL: not known */
  const char *cure;        /* NULL: none is needed */
} here_row;

typedef struct here_table {
  const char *model; /* its name in the package */
  arena *a;
  arena_list(here_row) rows;
} here_table;

/* Texts are kept, not copied. */
void here_table_add(here_table *t, here_row row);

/* The number of rows that do not fit. */
size_t here_table_misfits(const here_table *t);

/* As text, or as JSON Lines: an object for each row. */
void here_table_print(const here_table *t, bool json, FILE *to);

#endif
