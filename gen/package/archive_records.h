/* archive_records.h - the records of a ZIP file that libzip would believe, checked before it does:
 * how much they claim, that there is one directory, and that each member has one name.
 */
#ifndef GEN_ARCHIVE_RECORDS_H
#define GEN_ARCHIVE_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

/* A model of thousands of kernels has thousands of members. libzip looks names up by a hash whose
 * collisions a package may choose: their time grows with the square of this. */
enum { ARCHIVE_MEMBERS_MAX = 10000 };

typedef struct archive_extent {
  uint64_t end; /* where the archive ends, its comment included; bytes may stand behind it */
  /* The members fill the file up to the directory, in its order, and all that stands before and
   * behind the bytes of each says what the directory does, or nothing: no reader finds others. */
  bool is_whole;
  uint64_t directory, directory_n; /* where its directory is, and its bytes */
} archive_extent;

/* The reason to refuse the open file of `size` bytes, or NULL. */
const char *archive_records_check(int fd, uint64_t size, archive_extent *extent);

/* A member that is stored as it is. */
typedef struct archive_place {
  uint64_t at; /* where its bytes begin in the file; 0: it must be unpacked, or is not found */
  uint64_t size;
  uint32_t sum; /* the CRC-32 of its bytes, as the directory has it */
} archive_place;

/* Finds the members of a file that was checked, in the directory's order: at most `most`. Gives
 * their number. */
uint64_t archive_records_find(int fd, const archive_extent *extent, archive_place *places,
                              uint64_t most);

#endif
