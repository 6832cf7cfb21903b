/* input.h - reads the files that the user names, and refuses at once those that cannot be a
 * wrapper. */
#ifndef GEN_INPUT_H
#define GEN_INPUT_H

#include "base/diag.h"

/* In bytes; hundreds of times the largest known wrapper. */
#define INPUT_LIMIT ((size_t)256 << 20)

/* Removes a byte-order mark (UTF-8) from the start of a text, which a NUL follows: text that is
 * inserted before it would leave the mark in the middle. */
void input_drop_mark(char *text, size_t *n);

/* The text of `path` without a byte-order mark, NUL-terminated, in the arena; its length in `n`.
 * NULL, with the reason in `d`, if it cannot be read, or is a directory, a device, empty, binary or
 * larger than INPUT_LIMIT. */
const char *input_read(const char *path, size_t *n, arena *a, diags *d);

/* The same; NULL without an error if `path` is NULL. */
const char *input_read_beside(const char *path, arena *a, diags *d);

/* False, with an error, if aotigen made this text. */
bool input_is_original(const char *path, const char *source, diags *d);

/* False, with an error, if aotigen made this text of n bytes for another ABI of the library. */
bool input_is_of_abi(const char *path, const char *source, size_t n, diags *d);

/* The first of the names (NULL-terminated) that is a file in the directory of `path`, with that
 * directory, or NULL. "%s" at the start of a name stands for the stem of `path`: "m" of "m.cpp" and
 * "m.wrapper.cpp". */
const char *input_sibling(const char *path, const char *const *names, arena *a);

#endif
