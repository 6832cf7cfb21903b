/* input.h - reads the files that the user names, and refuses at once what cannot be a wrapper. */
#ifndef GEN_INPUT_H
#define GEN_INPUT_H

#include "base/diag.h"

/* In bytes; hundreds of times the largest wrapper known. */
#define INPUT_LIMIT ((size_t)256 << 20)

/* Removes a byte-order mark (UTF-8) from the begin of a text, which a NUL follows: what is inserted
 * before the text would leave it in the middle. */
void input_drop_mark(char *text, size_t *n);

/* The text of `path` without a byte-order mark, NUL-terminated, in the arena; its length in `n`.
 * NULL where it cannot be read, or is a directory, a device, empty, binary or larger than
 * INPUT_LIMIT: `d` says which. */
const char *input_read(const char *path, size_t *n, arena *a, diags *d);

/* The same; NULL without an error where `path` is NULL. */
const char *input_read_beside(const char *path, arena *a, diags *d);

/* False, with an error, where aotigen made this text. */
bool input_is_original(const char *path, const char *source, diags *d);

/* The first of the names (NULL-terminated) that is a file beside `path`, with its directory, or
 * NULL.
 * "%s" at the beginning of a name stands for the stem of `path`: "m" of "m.cpp" and
 * "m.wrapper.cpp".
 */
const char *input_sibling(const char *path, const char *const *names, arena *a);

#endif
