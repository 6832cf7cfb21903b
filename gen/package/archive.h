/* archive.h - a PT2 package as a ZIP archive, read through libzip in a confined child process
 * (archive_reader.h). Not thread-safe.
 *
 * archive_open() refuses a hostile archive before any member is read: paths that lead elsewhere,
 * names that clash, links, encryption, foreign compression, sizes that lie or unpack without end.
 * Members are streamed, so memory does not grow with their size. */
#ifndef GEN_ARCHIVE_H
#define GEN_ARCHIVE_H

#include "base/diag.h"
#include "base/options.h"
#include <stdint.h>

typedef struct archive_member {
  const char *name; /* checked: relative, without ".." and control characters, valid UTF-8 */
  uint64_t size;    /* in bytes, unpacked */
} archive_member;

typedef struct archive {
  const char *path;
  const char *below; /* what messages leave out at the begin of members' names; or NULL */
  struct archive_reader *reader;
  arena_list(archive_member) members; /* in the archive's order; a directory's name ends in '/' */
} archive;

/* True if this file is meant to be a package: its name ends in .pt2, or it begins like a ZIP
 * archive. */
bool archive_detect(const char *path);

/* Opens and checks `path`, which must outlive `z`, within the limits of `o`. False with one error
 * in `d` if the file cannot be read or is refused. Call archive_close() in either case. */
bool archive_open(archive *z, const char *path, const options *o, arena *a, diags *d);
void archive_close(archive *z);

/* "PATH/MEMBER", for messages; MEMBER without z->below. */
const char *archive_member_path(const archive *z, size_t i, arena *a);

/* The whole text of member i without a byte-order mark, NUL-terminated, in the arena; *n is its
 * length. NULL with an error if
 * it is empty, binary, larger than 32 MiB, or does not unpack to the size in its header. */
const char *archive_read_text(const archive *z, size_t i, size_t *n, arena *a, diags *d);

/* The same of a text of at most `most` bytes; `too_large` is the message for a larger one. */
const char *archive_read_long_text(const archive *z, size_t i, uint64_t most, const char *too_large,
                                   size_t *n, arena *a, diags *d);

/* Takes the next n bytes of a member. */
typedef void archive_take(void *to, const char *at, size_t n);

/* Hands all bytes of member i on, piece by piece. */
bool archive_read_bytes(const archive *z, size_t i, archive_take *take, void *to, arena *a,
                        diags *d);

/* Unpacks member i into the file `to`, which is created or truncated; a symbolic link is refused.
 */
bool archive_extract(const archive *z, size_t i, const char *to, arena *a, diags *d);

#endif
