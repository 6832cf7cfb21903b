/* member.h - the members of a ZIP archive that stands in memory. Whatever its bytes are, nothing
 * outside of it is read. Allocates nothing, keeps errno.
 */
#ifndef PRELOAD_MEMBER_H
#define PRELOAD_MEMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct archive_bytes {
  const unsigned char *at;
  uint64_t n;
} archive_bytes;

typedef struct member {
  const char *name; /* in the archive, not terminated */
  size_t name_n;
  uint64_t size, packed; /* in bytes */
  uint64_t header;       /* where the local header stands */
  uint32_t crc;          /* of the unpacked bytes, where the writer computed one */
  bool stored;           /* without compression */
} member;

/* A walk over the directory of an archive, in its order. */
typedef struct member_walk {
  archive_bytes archive;
  uint64_t at, left;
} member_walk;

/* A walk over none where there is no directory. */
void member_begin(member_walk *w, archive_bytes archive);

/* False behind the last. */
bool member_next(member_walk *w, member *m);

bool member_is_shared_object(const member *m);

/* The bytes of a stored member; n 0 if they do not lie in the archive, or it is compressed. */
archive_bytes member_bytes(archive_bytes archive, const member *m);

/* True if the member holds these bytes: all are compared, or of a compressed one the checksum. */
bool member_holds(archive_bytes archive, const member *m, archive_bytes bytes);

#endif
