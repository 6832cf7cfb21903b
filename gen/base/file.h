/* file.h - reading a small file whole, writing a buffer whole, and the parts of a path. A file that
 * the user names is read by input.h, which reports errors. */
#ifndef GEN_FILE_H
#define GEN_FILE_H

#include "base/arena.h"
#include <stdint.h>
#include <sys/types.h>

/* Reads a regular file of at most `max` bytes. False where that fails, without a message. The
 * caller frees the text. */
bool file_read(const char *path, size_t max, strbuf *out);

/* Writes all n bytes; false with errno where that fails. */
bool file_write(int fd, const char *at, size_t n);

/* True where `name` ends in `end` and is longer. */
bool file_ends_with(const char *name, const char *end);

bool file_is_dir(const char *path);
bool file_is_file(const char *path); /* a regular file that can be read */

/* In bytes; 0 where there is none. */
uint64_t file_size(const char *path);

/* Makes a directory and those above it, as `mkdir -p` does. True where it exists and is writable
 * afterwards, else false with errno. */
bool file_make_dirs(const char *path, mode_t mode);

/* The directory of a path: "a/b" of "a/b/c", "/" of "/c", "." of "c". */
const char *file_dir(arena *a, const char *path);
void file_copy_dir(char *dir, size_t size, const char *path);

/* What follows the last slash; the whole path where it has none. */
const char *file_name(const char *path);

/* What an editor that was started here opens: the path, without the working directory where it lies
 * below that. The name alone where no such file can be read. */
const char *file_here(const char *path, arena *a);

/* The running binary, and its directory; NULL where they are not known. */
const char *file_program(arena *a);
const char *file_program_dir(arena *a);

#endif
