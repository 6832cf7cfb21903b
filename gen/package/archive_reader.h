/* archive_reader.h - libzip, in a confined child that has a package's file open and nothing else:
 * what it makes of the records and the packed bytes comes back as data, within the parser's limits.
 * A member that is stored as it is is read from the file itself, where the child says that it is,
 * and its sum is computed here.
 *
 * The functions return NULL, or why they failed. A child that was taken over may answer anything:
 * names and texts are of a bounded length and of any content, and a member has no more bytes than
 * the list said, or is refused. Not thread-safe.
 */
#ifndef GEN_ARCHIVE_READER_H
#define GEN_ARCHIVE_READER_H

#include "base/options.h"
#include "package/archive_records.h"
#include "system/process.h"

typedef struct archive_reader {
  process child;
  int socket;                 /* -1: none */
  unsigned seconds;           /* without an answer, after which it is given up; 0: none */
  bool reading;               /* a member */
  uint64_t left;              /* of that member */
  uint32_t piece;             /* of the piece that is being read */
  int file;                   /* -1: none */
  uint64_t size;              /* of the file */
  archive_place *places;      /* of each member */
  const archive_place *place; /* of the member that is read from the file; or NULL */
  uint32_t sum;               /* of its bytes so far */
} archive_reader;

/* Starts it on an open file of `size` bytes. "": the error is in `d`. */
const char *archive_reader_start(archive_reader *r, int file, uint64_t size, const options *o,
                                 arena *a, diags *d);

/* Takes a member of the list: why it is refused, or NULL. */
typedef const char *archive_reader_take(void *to, const char *name, uint64_t size);

/* Reads the list, once. *member: the one that is refused, or "". */
const char *archive_reader_list(archive_reader *r, archive_reader_take *take, void *to,
                                const char **member, arena *a);

/* Begins to read a member of `size` bytes; the one before has been read to its end. */
const char *archive_reader_begin(archive_reader *r, uint64_t member, uint64_t size);

/* Reads at most *n bytes, and sets *n: 0 at the member's end. */
const char *archive_reader_next(archive_reader *r, void *to, size_t *n, arena *a);

void archive_reader_stop(archive_reader *r);

/* What the child does: answers the numbers of members that it reads from `from`. For itself, and
 * for fuzzers, which see no other process. Closes `file`. */
void archive_reader_serve(int file, uint64_t size, int from, FILE *to);

#endif
