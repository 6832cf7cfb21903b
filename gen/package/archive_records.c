/* archive_records.c - see archive_records.h, and archive_detect() of archive.h. */
#include "package/archive_records.h"
#include "base/file.h"
#include "package/archive.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* libzip keeps a few hundred bytes for each member. */
enum { DIRECTORY_MAX = 32 << 20 };

#define MEMBER_MARK "PK\3\4"
#define ENTRY_MARK "PK\1\2"
#define END_MARK "PK\5\6"
#define END64_MARK "PK\6\6"
#define SIZES_MARK "PK\7\10"
#define LOCATOR_MARK "PK\6\7"

/* Offsets in the records (APPNOTE.TXT 4.3.12, 4.3.14 to 4.3.16), and their sizes. */
enum {
  MARK_SIZE = 4,
  END_DISKS = 4,       /* 2 bytes each, and the members on this one */
  END_MEMBERS = 10,    /* 2 bytes */
  END_DIR_SIZE = 12,   /* 4 bytes */
  END_DIR_OFFSET = 16, /* 4 bytes */
  END_COMMENT = 20,    /* 2 bytes: the length of what follows */
  END_SIZE = 22,
  COMMENT_MAX = 65535,
  END64_MEMBERS = 32, /* 8 bytes each */
  END64_DIR_SIZE = 40,
  END64_DIR_OFFSET = 48,
  END64_SIZE = 56,
  LOCATOR_END64 = 8, /* 8 bytes: where the ZIP64 end record is */
  LOCATOR_SIZE = 20,
  ENTRY_FLAGS = 8, /* 2 bytes each: these, and the method */
  ENTRY_METHOD = 10,
  ENTRY_SIZES = 16, /* 4 bytes each: the sum, the size packed and unpacked */
  ENTRY_NAME = 28,  /* 2 bytes each: the lengths of what follows */
  ENTRY_EXTRA = 30,
  ENTRY_COMMENT = 32,
  ENTRY_OFFSET = 42, /* 4 bytes */
  ENTRY_SIZE = 46,
  MEMBER_FLAGS = 6,
  MEMBER_SIZES = 14,
  MEMBER_NAME = 26,
  MEMBER_EXTRA = 28,
  MEMBER_SIZE = 30,
  FLAG_ENCRYPTED = 1,
  FLAG_SIZES_BEHIND = 8, /* a record behind the bytes has the sum and the sizes */
  BEHIND_SIZE = 16,
  UNICODE_PATH = 0x7075, /* for an extra field */
  ZIP64_FIELD = 1        /* another: of those that are too large, 8 bytes each */
};

/* A little-endian number of n bytes. */
static uint64_t read_number(const unsigned char *at, int n) {
  uint64_t x = 0;
  while (n-- > 0) x = x << 8 | at[n];
  return x;
}

static bool has_mark(const unsigned char *at, const char *mark) {
  return !memcmp(at, mark, MARK_SIZE);
}

bool archive_detect(const char *path) {
  unsigned char head[MARK_SIZE] = "";
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  ssize_t n = fd < 0 ? 0 : read(fd, head, sizeof head);
  if (fd >= 0) close(fd);
  bool begins = n == MARK_SIZE && (has_mark(head, MEMBER_MARK) || has_mark(head, END_MARK));
  return begins || file_ends_with(path, ".pt2");
}

/* The last bytes of the file. */
typedef struct file_tail {
  int fd;
  uint64_t offset; /* the offset of `at` in the file */
  const unsigned char *at;
  size_t n;
  size_t end; /* the offset of the end record in `at` */
} file_tail;

static bool fits_limits(uint64_t members, uint64_t directory_size) {
  return members <= ARCHIVE_MEMBERS_MAX && directory_size <= DIRECTORY_MAX;
}

/* libzip reads the directory into memory, so no record that libzip may believe may claim more than
 * a package has: neither an end record nor the ZIP64 record that a locator points to. It believes
 * none whose directory would reach beyond the record: a member's bytes may hold such a mark. */
static bool claims_fit(const file_tail *t, size_t i) {
  const unsigned char *at = t->at + i;
  unsigned char end64[END64_SIZE];
  if (has_mark(at, END_MARK)) {
    uint64_t size = read_number(at + END_DIR_SIZE, 4), offset = read_number(at + END_DIR_OFFSET, 4);
    return size == UINT32_MAX || offset + size > t->offset + i ||
           fits_limits(read_number(at + END_MEMBERS, 2), size);
  }
  if (!has_mark(at, LOCATOR_MARK)) return true;
  off_t offset = (off_t)read_number(at + LOCATOR_END64, 8);
  if (pread(t->fd, end64, sizeof end64, offset) != sizeof end64 || !has_mark(end64, END64_MARK))
    return true;
  return fits_limits(read_number(end64 + END64_MEMBERS, 8), read_number(end64 + END64_DIR_SIZE, 8));
}

/* True if a whole end record stands at i, directly behind the directory that it describes. If a
 * ZIP64 locator precedes it, the directory ends where the ZIP64 record begins. */
static bool is_end_record(const file_tail *t, size_t i) {
  const unsigned char *at = t->at + i;
  if (!has_mark(at, END_MARK)) return false;
  uint64_t size = read_number(at + END_DIR_SIZE, 4), offset = read_number(at + END_DIR_OFFSET, 4),
           here = t->offset + i, directory_end = here;
  if (i >= LOCATOR_SIZE && has_mark(at - LOCATOR_SIZE, LOCATOR_MARK)) {
    directory_end = read_number(at - LOCATOR_SIZE + LOCATOR_END64, 8);
    if (directory_end < t->offset || directory_end > here ||
        here - directory_end < END64_SIZE + LOCATOR_SIZE)
      return false;
    const unsigned char *end64 = t->at + (directory_end - t->offset);
    if (!has_mark(end64, END64_MARK)) return false;
    if (size == UINT32_MAX) size = read_number(end64 + END64_DIR_SIZE, 8);
    if (offset == UINT32_MAX) offset = read_number(end64 + END64_DIR_OFFSET, 8);
  }
  return size <= directory_end && offset == directory_end - size;
}

static size_t find_comment(const file_tail *t) {
  return (size_t)read_number(t->at + t->end + END_COMMENT, 2);
}

/* Finds what looks like the last end record. All readers search for it from the file's end. */
static bool find_end(file_tail *t) {
  if (t->n < END_SIZE) return false;
  t->end = t->n - END_SIZE;
  while (t->end && !has_mark(t->at + t->end, END_MARK)) t->end--;
  return is_end_record(t, t->end) && find_comment(t) <= t->n - t->end - END_SIZE;
}

/* True for what a reader may take for a record. */
static bool has_any_mark(const unsigned char *at) {
  return has_mark(at, MEMBER_MARK) || has_mark(at, ENTRY_MARK) || has_mark(at, END_MARK) ||
         has_mark(at, END64_MARK) || has_mark(at, LOCATOR_MARK);
}

/* The file must begin with an archive, and hold no other, neither in its comment nor behind it: two
 * readers must not find two directories in it. */
static const char *check_directory(file_tail *t) {
  if (!find_end(t))
    return "is not a ZIP archive, or is cut off: the record at its end is missing or wrong";
  for (size_t i = 0; i + END_SIZE <= t->n; i++) {
    if (!claims_fit(t, i)) return "its directory claims more members than a package has";
    if (i < t->end && is_end_record(t, i)) return "holds two archives, one behind the other";
  }
  for (size_t i = t->end + END_SIZE; i + MARK_SIZE <= t->n; i++)
    if (has_any_mark(t->at + i)) return "holds records of an archive behind its end";
  return NULL;
}

/* True if a reader such as libzip finds a second name: it uses the extra field with a member's path
 * in Unicode, which torch does not know. */
static bool has_second_name(const unsigned char *name, size_t name_n, const unsigned char *extra,
                            size_t extra_n) {
  for (size_t i = 0, n; i + 4 <= extra_n; i += 4 + n) {
    n = (size_t)read_number(extra + i + 2, 2);
    if (n > extra_n - i - 4) return false;
    const size_t head = 5; /* its version and a sum */
    if (read_number(extra + i, 2) == UNICODE_PATH && n >= head &&
        (n - head != name_n || memcmp(extra + i + 4 + head, name, name_n) != 0))
      return true;
  }
  return false;
}

static const char *check_entries(const unsigned char *at, size_t n) {
  for (size_t i = 0; i + ENTRY_SIZE <= n && has_mark(at + i, ENTRY_MARK);) {
    size_t name = (size_t)read_number(at + i + ENTRY_NAME, 2),
           extra = (size_t)read_number(at + i + ENTRY_EXTRA, 2),
           comment = (size_t)read_number(at + i + ENTRY_COMMENT, 2);
    if (name + extra > n - i - ENTRY_SIZE) break; /* libzip refuses it */
    const unsigned char *begin = at + i + ENTRY_SIZE;
    if (has_second_name(begin, name, begin + name, extra))
      return "has a member with a second name in Unicode that differs from its first";
    i += ENTRY_SIZE + name + extra + comment;
  }
  return NULL;
}

/* ---- whether the members fill the file ------------------------------------------------------ */

/* True if the record behind the bytes of an entry's member, which ends at *at, repeats its sizes.
 */
static bool skip_sizes(int fd, const unsigned char *entry, uint64_t *at) {
  unsigned char sizes[BEHIND_SIZE];
  if (pread(fd, sizes, sizeof sizes, (off_t)*at) != sizeof sizes) return false;
  *at += sizeof sizes;
  return has_mark(sizes, SIZES_MARK) && !memcmp(sizes + MARK_SIZE, entry + ENTRY_SIZES, 12);
}

/* True if an entry's member begins at *at; then *at is its end. */
static bool skip_member(int fd, const unsigned char *entry, uint64_t *at) {
  static const unsigned char none[12];
  static unsigned char head[MEMBER_SIZE + 2 * UINT16_MAX];
  const bool behind = read_number(entry + ENTRY_FLAGS, 2) & FLAG_SIZES_BEHIND;
  const unsigned char *sizes = entry + ENTRY_SIZES;
  ssize_t n = pread(fd, head, sizeof head, (off_t)*at);
  size_t name = (size_t)read_number(entry + ENTRY_NAME, 2),
         extra = n < MEMBER_SIZE ? 0 : (size_t)read_number(head + MEMBER_EXTRA, 2);
  if (read_number(entry + ENTRY_OFFSET, 4) != *at || n < (ssize_t)(MEMBER_SIZE + name + extra) ||
      !has_mark(head, MEMBER_MARK) || read_number(head + MEMBER_NAME, 2) != name ||
      memcmp(head + MEMBER_FLAGS, entry + ENTRY_FLAGS, 4) != 0 ||
      memcmp(head + MEMBER_SIZE, entry + ENTRY_SIZE, name) != 0 ||
      has_second_name(head + MEMBER_SIZE, name, head + MEMBER_SIZE + name, extra))
    return false;
  for (int i = 0; i < 12; i += 4) /* each is there, or 0 */
    if (memcmp(head + MEMBER_SIZES + i, sizes + i, 4) != 0 &&
        (!behind || memcmp(head + MEMBER_SIZES + i, none, 4) != 0))
      return false;
  *at += MEMBER_SIZE + name + extra + read_number(sizes + 4, 4);
  return !behind || skip_sizes(fd, entry, at);
}

/* Not of ZIP64. `at` is the directory. */
static bool is_whole(const file_tail *t, const unsigned char *at, size_t n) {
  const unsigned char *end = t->at + t->end;
  uint64_t next = 0, count = 0;
  size_t i = 0;
  while (i + ENTRY_SIZE <= n && has_mark(at + i, ENTRY_MARK)) {
    size_t length = ENTRY_SIZE + (size_t)(read_number(at + i + ENTRY_NAME, 2) +
                                          read_number(at + i + ENTRY_EXTRA, 2) +
                                          read_number(at + i + ENTRY_COMMENT, 2));
    if (length > n - i || !skip_member(t->fd, at + i, &next)) return false;
    i += length;
    count++;
  }
  return i == n && next == read_number(end + END_DIR_OFFSET, 4) &&
         !read_number(end + END_DISKS, 4) && count == read_number(end + END_MEMBERS - 2, 2) &&
         count == read_number(end + END_MEMBERS, 2);
}

/* The directory ends with the end record; libzip checks the rest. */
static const char *check_names(const file_tail *t, archive_extent *extent) {
  const unsigned char *end = t->at + t->end;
  uint64_t size = read_number(end + END_DIR_SIZE, 4), offset = read_number(end + END_DIR_OFFSET, 4);
  if (t->end >= LOCATOR_SIZE && has_mark(end - LOCATOR_SIZE, LOCATOR_MARK)) {
    const unsigned char *end64 = t->at +
                                 (read_number(end - LOCATOR_SIZE + LOCATOR_END64, 8) - t->offset);
    if (size == UINT32_MAX) size = read_number(end64 + END64_DIR_SIZE, 8);
    if (offset == UINT32_MAX) offset = read_number(end64 + END64_DIR_OFFSET, 8);
  }
  if (size > DIRECTORY_MAX) return NULL; /* it was refused */
  unsigned char *at = malloc(size + 1);
  if (!at) return strerror(ENOMEM);
  const char *why = pread(t->fd, at, size, (off_t)offset) == (ssize_t)size ? check_entries(at, size)
                                                                           : "cannot be read";
  if (!why) extent->is_whole = is_whole(t, at, size);
  if (!why) extent->directory = offset;
  if (!why) extent->directory_n = size;
  free(at);
  return why;
}

const char *archive_records_check(int fd, uint64_t size, archive_extent *extent) {
  const size_t most = COMMENT_MAX + END_SIZE + END64_SIZE + LOCATOR_SIZE,
               n = size < most ? (size_t)size : most;
  unsigned char *at = malloc(n + 1);
  if (!at) return strerror(ENOMEM);
  file_tail t = {fd, size - n, at, n, 0};
  const char *why = pread(fd, at, n, (off_t)t.offset) == (ssize_t)n ? check_directory(&t)
                                                                    : "cannot be read";
  *extent = (archive_extent){0};
  if (!why) why = check_names(&t, extent);
  if (!why) extent->end = t.offset + t.end + END_SIZE + find_comment(&t);
  free(at);
  return why;
}

/* ---- where the bytes of a member are -------------------------------------------------------- */

/* A number of an entry, of 4 bytes, or where these are too few of 8 in its field of ZIP64, whose
 * numbers follow in one order. */
typedef struct entry_numbers {
  const unsigned char *at;
  size_t n;
} entry_numbers;

static entry_numbers find_numbers(const unsigned char *extra, size_t extra_n) {
  for (size_t i = 0, n; i + 4 <= extra_n; i += 4 + n) {
    n = (size_t)read_number(extra + i + 2, 2);
    if (n > extra_n - i - 4) break;
    if (read_number(extra + i, 2) == ZIP64_FIELD) return (entry_numbers){extra + i + 4, n};
  }
  return (entry_numbers){0};
}

/* UINT64_MAX for one that is missing. */
static uint64_t take_number(const unsigned char *at, entry_numbers *large) {
  const uint64_t x = read_number(at, 4);
  if (x != UINT32_MAX) return x;
  if (large->n < 8) return UINT64_MAX;
  large->n -= 8;
  large->at += 8;
  return read_number(large->at - 8, 8);
}

static archive_place find_place(int fd, const archive_extent *extent, const unsigned char *entry) {
  unsigned char head[MEMBER_SIZE];
  const size_t name = (size_t)read_number(entry + ENTRY_NAME, 2),
               extra = (size_t)read_number(entry + ENTRY_EXTRA, 2);
  entry_numbers large = find_numbers(entry + ENTRY_SIZE + name, extra);
  archive_place p = {.sum = (uint32_t)read_number(entry + ENTRY_SIZES, 4)};
  p.size = take_number(entry + ENTRY_SIZES + 8, &large);
  const uint64_t packed = take_number(entry + ENTRY_SIZES + 4, &large),
                 at = take_number(entry + ENTRY_OFFSET, &large);
  if (read_number(entry + ENTRY_METHOD, 2) || packed != p.size || at >= extent->directory ||
      read_number(entry + ENTRY_FLAGS, 2) & FLAG_ENCRYPTED ||
      pread(fd, head, sizeof head, (off_t)at) != sizeof head || !has_mark(head, MEMBER_MARK))
    return p;
  const uint64_t begin = at + sizeof head + read_number(head + MEMBER_NAME, 2) +
                         read_number(head + MEMBER_EXTRA, 2);
  if (begin <= extent->directory && p.size <= extent->directory - begin) p.at = begin;
  return p;
}

uint64_t archive_records_find(int fd, const archive_extent *extent, archive_place *places,
                              uint64_t most) {
  const size_t n = (size_t)extent->directory_n;
  uint64_t count = 0;
  unsigned char *at = malloc(n + 1);
  if (at && pread(fd, at, n, (off_t)extent->directory) != (ssize_t)n) {
    free(at);
    at = NULL;
  }
  for (size_t i = 0, length; at && count < most && i + ENTRY_SIZE <= n; i += length) {
    const unsigned char *entry = at + i;
    length = ENTRY_SIZE +
             (size_t)(read_number(entry + ENTRY_NAME, 2) + read_number(entry + ENTRY_EXTRA, 2) +
                      read_number(entry + ENTRY_COMMENT, 2));
    if (!has_mark(entry, ENTRY_MARK) || length > n - i) break;
    places[count++] = find_place(fd, extent, entry);
  }
  free(at);
  return count;
}
