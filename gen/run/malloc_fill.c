/* malloc_fill.c - see diagnosis_parts.h. */
#include "run/diagnosis_parts.h"
#include <stdlib.h>

/* From 0x7c on, half-precision numbers of such bytes are Inf and NaN. The byte 0x80 is NaN in a
 * float8 without negative zero. */
static bool is_number(unsigned long byte) { return byte && byte != 0x80 && (byte & 0x7f) < 0x7c; }

/* glibc reads 0x and 0 before the number, and ignores a number larger than a byte. It fills
 * allocated memory with the complement, and freed memory with the byte itself. */
bool malloc_fill_is_finite(const char *set) {
  char *end = NULL;
  const unsigned long byte = set ? strtoul(set, &end, 0) : 0;
  return set && !*end && byte <= 0xff && is_number(byte) && is_number(~byte & 0xff);
}
