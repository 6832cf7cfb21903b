/* input.h - reads the files that a rewrite is made from, and refuses what can be no wrapper before
 * anything looks at it.
 */
#ifndef GEN_INPUT_H
#define GEN_INPUT_H

#include "base/diag.h"

/* The largest wrapper that is read: hundreds of times the largest one known. */
#define INPUT_LIMIT ((size_t)256 << 20)

/* The bytes of `path`, NUL-terminated, in the arena. NULL where it is missing, unreadable, a
 * directory, a device, empty, binary or larger than INPUT_LIMIT: then `d` says so. */
const char *input_read(const char *path, size_t *n, arena *a, diags *d);

/* The same for a file that may be missing: NULL without an error where it is. */
const char *input_read_beside(const char *path, arena *a, diags *d);

/* Refuses a text that aotigen made. */
bool input_is_original(const char *path, const char *source, diags *d);

/* "DIR/NAME" beside `path`: the first of the names (NULL-terminated; "%s" stands for the stem) that
 * exists, or NULL. */
const char *input_sibling(const char *path, const char *const *names, arena *a);

#endif
