/* record.h - numbers and texts that one process writes and another of the same build reads. The
 * reader trusts nothing: what is missing or too long makes the record fail.
 */
#ifndef GEN_RECORD_H
#define GEN_RECORD_H

#include "base/arena.h"
#include <stdint.h>
#include <stdio.h>

void record_put_number(FILE *to, uint64_t value);
void record_put_text(FILE *to, const char *at, size_t n);
void record_put_string(FILE *to, const char *s); /* NULL is kept apart from "" */

/* The bytes that are still to be read. */
typedef struct record {
  const char *at;
  size_t n;
  bool failed; /* from here on every number is 0 and every text is empty */
} record;

uint64_t record_number(record *r);

/* NUL-terminated, in the arena; a string holds no other NUL. */
const char *record_text(record *r, size_t *n, arena *a);
const char *record_string(record *r, arena *a);

#endif
