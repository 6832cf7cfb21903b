/* archive_write.h - a new PT2 package from an old one, laid out as torch writes one.
 *
 * Every member of the old archive is copied in its order, unless it is replaced; new members may be
 * added. The same input gives the same bytes.
 */
#ifndef GEN_ARCHIVE_WRITE_H
#define GEN_ARCHIVE_WRITE_H

#include "package/archive.h"

/* The new content of a member: the bytes of a file, or a text of n bytes. The member is copied
 * unchanged if both are NULL. */
typedef struct archive_replacement {
  const char *file;
  const char *text;
  size_t n;
} archive_replacement;

/* A member that the old archive does not have: `text`, or the bytes of `file` if that is NULL, as
 * `name`, directly behind member `after`. */
typedef struct archive_addition {
  const char *name, *file, *text;
  size_t after;
} archive_addition;

typedef arena_list(archive_addition) archive_additions;

/* Writes `target` whole or not at all. `with` has one replacement for each member of `z`. Members
 * are stored without compression, their data aligned to 64 bytes. */
bool archive_write(const archive *z, const archive_replacement *with, const archive_additions *more,
                   const char *target, arena *a, diags *d);

/* Writes a new package of these files, in their order; `after` is not looked at. */
bool archive_pack(const archive_additions *files, const char *target, arena *a, diags *d);

#endif
