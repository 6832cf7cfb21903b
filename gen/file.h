/* file.h - reading a small file whole, and asking what a path is. An input of the user's is read by input.h. */
#ifndef GEN_FILE_H
#define GEN_FILE_H

#include "arena.h"

/* Reads a regular file of at most `max` bytes, silently: false where it cannot be read. The text is freed by the caller. */
bool file_slurp(const char *path, size_t max, strbuf *out);

bool file_is_dir(const char *path);
bool file_is_file(const char *path); /* a regular file that can be read */

/* "…/gen/file.h" -> "…/gen"; "." where it has no directory. */
const char *file_dir(arena *a, const char *path);

/* The directory in which the running binary stands, or NULL. */
const char *file_home(arena *a);

#endif
