/* file.h - reading a small file whole, writing all of a buffer, and asking what a path is. An input
 * of the user's is read by input.h. */
#ifndef GEN_FILE_H
#define GEN_FILE_H

#include "base/arena.h"

/* Reads a regular file of at most `max` bytes, silently: false where it cannot be read. The text is
 * freed by the caller. */
bool file_slurp(const char *path, size_t max, strbuf *out);

/* Writes all n bytes; false with errno where it cannot. */
bool file_write(int fd, const char *at, size_t n);

/* Does this name end in `end`, with something before it. */
bool file_ends_with(const char *name, const char *end);

bool file_is_dir(const char *path);
bool file_is_file(const char *path); /* a regular file that can be read */

/* "…/gen/file.h" -> "…/gen"; "." where it has no directory. */
const char *file_dir(arena *a, const char *path);

/* The directory in which the running binary stands, or NULL. */
const char *file_home(arena *a);

#endif
