/* literal.h - reads a string literal of C++: a plain one with the escapes that Inductor writes, or
 * a raw one. */
#ifndef GEN_LITERAL_H
#define GEN_LITERAL_H

#include "base/arena.h"

/* The text of the literal at `at`, in the arena; NULL if there is none. `*past` is the offset
 * behind it. Reads nothing at or past `end`. */
const char *literal_read(const char *source, size_t at, size_t end, size_t *past, arena *a);

#endif
