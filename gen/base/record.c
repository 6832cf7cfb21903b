/* record.c - see record.h. A text follows its length; a string has one more than its length, and 0
 * stands for NULL. */
#include "base/record.h"
#include <string.h>

void record_put_number(FILE *to, uint64_t value) { fwrite(&value, sizeof value, 1, to); }

void record_put_text(FILE *to, const char *at, size_t n) {
  record_put_number(to, n);
  if (n) fwrite(at, 1, n, to);
}

void record_put_string(FILE *to, const char *s) {
  record_put_number(to, s ? strlen(s) + 1 : 0);
  if (s) fwrite(s, 1, strlen(s), to);
}

/* The next n bytes; NULL where there are fewer. */
static const char *take_bytes(record *r, uint64_t n) {
  const char *at = r->at;
  if (r->failed || n > r->n) {
    r->failed = true;
    return NULL;
  }
  r->at += n;
  r->n -= n;
  return at;
}

uint64_t record_number(record *r) {
  uint64_t value = 0;
  const char *at = take_bytes(r, sizeof value);
  if (at) memcpy(&value, at, sizeof value);
  return value;
}

const char *record_text(record *r, size_t *n, arena *a) {
  uint64_t length = record_number(r);
  const char *at = take_bytes(r, length);
  *n = at ? (size_t)length : 0;
  return arena_strndup(a, at ? at : "", *n);
}

const char *record_string(record *r, arena *a) {
  uint64_t length = record_number(r);
  if (length == 0) return NULL;
  const char *at = take_bytes(r, length - 1);
  if (at && memchr(at, '\0', length - 1)) r->failed = true;
  return r->failed ? "" : arena_strndup(a, at, length - 1);
}
