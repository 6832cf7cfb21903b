/* archive.h - a PT2 package as a ZIP archive: opened with suspicion, read by the stream, written as
 * torch writes one.
 *
 * Knows ZIP and nothing of what a member means. What a stranger's archive may try is refused when
 * it is opened, before any member is read: paths that climb or are absolute, links, names twice or
 * of a file and its own directory, encryption, methods other than stored and deflated, sizes that
 * lie or that unpack without end. Reading through libzip; memory does not grow with a member's
 * size.
 */
#ifndef GEN_ARCHIVE_H
#define GEN_ARCHIVE_H

#include "base/diag.h"
#include <stdint.h>

typedef struct archive_member {
  const char *
      name; /* as the archive has it, checked: relative, without "..", without control characters */
  uint64_t size; /* unpacked, in bytes */
} archive_member;

typedef struct archive {
  const char *path;
  void *zip; /* libzip's */
  struct {
    archive_member *at;
    size_t n, cap;
  } members; /* in the archive's order; a directory's entry is one too, its name ends in '/' */
} archive;

/* Is this file meant as a package: it is called .pt2, or begins as a ZIP archive does. */
bool archive_is(const char *path);

/* False with one line in `d` where it cannot be read, or is refused. Closed by archive_close() in
 * either case. */
bool archive_open(archive *z, const char *path, arena *a, diags *d);
void archive_close(archive *z);

/* "PATH/MEMBER", for messages. */
const char *archive_name(const archive *z, size_t i, arena *a);

/* A text member whole, NUL-terminated, in the arena; NULL with an error where it is binary, too
 * large for a source text, or does not unpack to what its header says. */
const char *archive_text(const archive *z, size_t i, size_t *n, arena *a, diags *d);

/* Unpacks a member into the file `to`. */
bool archive_extract(const archive *z, size_t i, const char *to, arena *a, diags *d);

/* What the new archive holds in place of member i: a file's bytes or a text. Neither: the member as
 * it is. */
typedef struct replacement {
  const char *file;
  const char *text;
  size_t n;
} replacement;

/* A member that the old archive has not: a file's bytes under `name`, right behind member `after`.
 */
typedef struct addition {
  const char *name, *file;
  size_t after;
} addition;

typedef struct additions {
  addition *at;
  size_t n, cap;
} additions;

/* Writes `target` whole or not at all: every member of `z` in its order, stored, its data aligned
 * to 64 bytes by an extra field as torch's writer does it; `with[i]` replaces member i. */
bool archive_write(const archive *z, const replacement *with, const additions *more,
                   const char *target, arena *a, diags *d);

#endif
