/* archive_write.h - a new PT2 package from an old one, laid out as torch writes one.
 *
 * Every member of the old archive is copied in its order, unless it is replaced; new members may be
 * added. The same input gives the same bytes.
 */
#ifndef GEN_ARCHIVE_WRITE_H
#define GEN_ARCHIVE_WRITE_H

#include "package/so_hash.h"

/* Of a member that is copied, once it is written. */
typedef struct archive_written {
  uint64_t offset; /* where its bytes begin in the new archive */
  so_hash *hash;   /* begun with the member, and given its bytes */
} archive_written;

/* The new content of a member: the bytes of a file, or a text of n bytes. The member is copied
 * unchanged if both are NULL. */
typedef struct archive_replacement {
  const char *file;
  const char *text;
  size_t n;
  const char *name;         /* its new name, or NULL */
  archive_written *written; /* of a copied member; or NULL */
  bool left_out;            /* there is no such member then */
} archive_replacement;

/* Makes the n bytes of an added member when all members before it are written: the file `written`,
 * which is open to be read, has them. False with an error in the writer's `d`. */
typedef bool archive_make(void *data, int written, char *to, size_t n);

/* A member that the old archive does not have: `text`, the bytes of `file`, or the n bytes that
 * `make` gives, as `name`, directly behind member `after`. */
typedef struct archive_addition {
  const char *name, *file, *text;
  size_t after;
  archive_make *make;
  void *data; /* for `make` */
  size_t n;
} archive_addition;

typedef arena_list(archive_addition) archive_additions;

/* Writes `target` whole or not at all. `with` has one replacement for each member of `z`. Members
 * are stored without compression, their data aligned to 64 bytes. */
bool archive_write(const archive *z, const archive_replacement *with, const archive_additions *more,
                   const char *target, arena *a, diags *d);

/* Writes a new package of these files, in their order; `after` is not looked at. */
bool archive_pack(const archive_additions *files, const char *target, arena *a, diags *d);

#endif
