/* archive.c - see archive.h. Knows the records at the end of a ZIP file, which it checks before
 * libzip sees them, and what a member of a PT2 package may look like. */
#include "package/archive.h"
#include "base/file.h"
#include "base/shown.h"
#include "system/input.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

/* A model of thousands of kernels has thousands of members; libzip keeps a few hundred bytes for
 * each. */
enum {
  MEMBERS_MAX = 100000,
  DIRECTORY_MAX = 32 << 20,
  NAME_MAX_BYTES = 1024,
  TEXT_MAX = 32 << 20,
  RATIO_MAX = 200, /* unpacked size to packed size, of members larger than: */
  RATIO_FREE = 16 << 20
};

static bool refuse_member(const archive *z, const char *name, const char *why, arena *a, diags *d) {
  const char *subject = name ? arena_printf(a, "%s/%.300s", z->path, name) : z->path;
  diag_error(d, STATUS_INPUT, subject, "%s", why);
  return false;
}

static bool refuse_archive(const archive *z, const char *why, arena *a, diags *d) {
  return refuse_member(z, NULL, why, a, d);
}

/* ---- the records at the end, before libzip reads them */

#define MEMBER_MARK "PK\3\4"
#define ENTRY_MARK "PK\1\2"
#define END_MARK "PK\5\6"
#define END64_MARK "PK\6\6"
#define LOCATOR_MARK "PK\6\7"

/* Offsets in the records (APPNOTE.TXT 4.3.12, 4.3.14 to 4.3.16), and their sizes. */
enum {
  MARK_SIZE = 4,
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
  ENTRY_NAME = 28, /* 2 bytes each: the lengths of what follows */
  ENTRY_EXTRA = 30,
  ENTRY_COMMENT = 32,
  ENTRY_SIZE = 46,
  UNICODE_PATH = 0x7075 /* for an extra field */
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
} file_tail;

static bool fits_limits(uint64_t members, uint64_t directory_size) {
  return members <= MEMBERS_MAX && directory_size <= DIRECTORY_MAX;
}

/* libzip reads the directory into memory, so no record that libzip may believe may claim more than
 * a package has: neither an end record nor the ZIP64 record that a locator points to. */
static bool claims_fit(const file_tail *t, size_t i) {
  const unsigned char *at = t->at + i;
  unsigned char end64[END64_SIZE];
  if (has_mark(at, END_MARK)) {
    uint64_t size = read_number(at + END_DIR_SIZE, 4);
    return size == UINT32_MAX || fits_limits(read_number(at + END_MEMBERS, 2), size);
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

/* The file must be one archive from its first byte to its last, without a comment: two readers must
 * not find two directories in it. */
static const char *check_directory(const file_tail *t) {
  if (t->n < END_SIZE || !is_end_record(t, t->n - END_SIZE) ||
      read_number(t->at + t->n - END_SIZE + END_COMMENT, 2) != 0)
    return "is not a ZIP archive, or is cut off: the record at its end is missing or wrong";
  for (size_t i = 0; i + END_SIZE <= t->n; i++) {
    if (!claims_fit(t, i)) return "its directory claims more members than a package has";
    if (i < t->n - END_SIZE && is_end_record(t, i))
      return "holds two archives, one behind the other";
  }
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

/* The directory ends with the record at the file's end; libzip checks the rest. */
static const char *check_names(const file_tail *t) {
  const unsigned char *end = t->at + t->n - END_SIZE;
  uint64_t size = read_number(end + END_DIR_SIZE, 4), offset = read_number(end + END_DIR_OFFSET, 4);
  if (t->n >= END_SIZE + LOCATOR_SIZE && has_mark(end - LOCATOR_SIZE, LOCATOR_MARK)) {
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
  free(at);
  return why;
}

static const char *check_tail(int fd, uint64_t size) {
  const size_t most = COMMENT_MAX + END_SIZE + END64_SIZE + LOCATOR_SIZE,
               n = size < most ? (size_t)size : most;
  unsigned char *at = malloc(n + 1);
  if (!at) return strerror(ENOMEM);
  const file_tail t = {fd, size - n, at, n};
  const char *why = pread(fd, at, n, (off_t)t.offset) == (ssize_t)n ? check_directory(&t)
                                                                    : "cannot be read";
  if (!why) why = check_names(&t);
  free(at);
  return why;
}

/* The reason to refuse the file, or NULL; *size is its size. */
static const char *check_file(int fd, uint64_t *size, arena *a) {
  struct stat st;
  if (fd < 0 || fstat(fd, &st) != 0) return arena_printf(a, "cannot be read: %s", strerror(errno));
  if (S_ISDIR(st.st_mode))
    return "is a directory: name the package, or the wrapper's '.cpp' file in it";
  if (!S_ISREG(st.st_mode)) return "is not a regular file";
  if (st.st_size == 0) return "is empty, not a package";
  *size = (uint64_t)st.st_size;
  return check_tail(fd, *size);
}

static const char *describe_zip_error(int code, arena *a) {
  zip_error_t e;
  if (code == ZIP_ER_EXISTS)
    return "holds two members of one name: aotigen cannot tell which one is meant";
  zip_error_init_with_code(&e, code);
  const char *why =
      arena_printf(a, "is not a ZIP archive that can be read: %s", zip_error_strerror(&e));
  zip_error_fini(&e);
  return why;
}

static bool open_zip(archive *z, uint64_t *size, arena *a, diags *d) {
  int error = 0, fd = open(z->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  const char *why = check_file(fd, size, a);
  if (!why && !(z->zip = zip_fdopen(fd, ZIP_CHECKCONS, &error))) why = describe_zip_error(error, a);
  if (fd >= 0 && !z->zip) close(fd);
  return !why || refuse_archive(z, why, a, d);
}

/* ---- members */

static const char *check_name(const char *name) {
  size_t n = strlen(name);
  if (n == 0) return "its directory has a member without a name";
  if (n > NAME_MAX_BYTES) return "has a name longer than a package has";
  if (name[0] == '/' || strchr(name, '\\') || name[1] == ':')
    return "has an absolute path, or one of another system: torch writes no such package";
  if (!shown_is_one_line(name)) return "has a control character or invalid UTF-8 in its name";
  for (const char *s = name; *s;) {
    size_t part = strcspn(s, "/");
    if (part == 0 || (part == 1 && *s == '.') || (part == 2 && s[0] == '.' && s[1] == '.'))
      return "has a path that climbs, or with empty parts: torch writes no such package";
    s += part;
    if (*s == '/') s++;
  }
  return NULL;
}

static bool is_directory(const char *name) { return name[strlen(name) - 1] == '/'; }

static const char *check_kind(zip_t *zip, uint64_t i, const zip_stat_t *st) {
  zip_uint8_t system;
  zip_uint32_t attributes;
  const zip_uint64_t wanted = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE |
                              ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
  if ((st->valid & wanted) != wanted) return "has no sizes";
  if (st->encryption_method != ZIP_EM_NONE) return "is encrypted: decrypt the package first";
  if (st->comp_method != ZIP_CM_STORE && st->comp_method != ZIP_CM_DEFLATE)
    return "is compressed by a method that torch does not read";
  if (zip_file_get_external_attributes(zip, i, 0, &system, &attributes) != 0)
    return "has no attributes";
  mode_t kind = system == ZIP_OPSYS_UNIX ? attributes >> 16 & S_IFMT : 0;
  if (kind && kind != S_IFREG && kind != S_IFDIR)
    return "is a link or a device: torch writes no such package";
  return NULL;
}

static const char *check_size(const zip_stat_t *st, uint64_t left) {
  if (st->comp_size > left) return "claims more bytes than the archive has";
  if (st->comp_method == ZIP_CM_STORE && st->comp_size != st->size)
    return "is stored, and claims two different sizes";
  if (is_directory(st->name) && st->size > 0) return "is a directory that claims to hold bytes";
  if (st->size > RATIO_FREE && st->size / RATIO_MAX > st->comp_size)
    return "claims to unpack to more than 200 times its size: torch stores members as they are";
  return NULL;
}

static bool read_members(archive *z, uint64_t size, arena *a, diags *d) {
  zip_t *zip = z->zip;
  zip_int64_t n = zip_get_num_entries(zip, 0);
  for (zip_int64_t i = 0; i < n; i++) {
    zip_stat_t st;
    if (zip_stat_index(zip, (zip_uint64_t)i, ZIP_FL_ENC_RAW, &st) != 0)
      return refuse_archive(z, zip_strerror(zip), a, d);
    const char *name = st.valid & ZIP_STAT_NAME ? st.name : "", *why = check_name(name);
    if (!why) why = check_kind(zip, (zip_uint64_t)i, &st);
    if (!why) why = check_size(&st, size);
    if (why) return refuse_member(z, *name ? name : NULL, why, a, d);
    size -= st.comp_size;
    *arena_push(a, &z->members) = (archive_member){arena_strdup(a, name), st.size};
  }
  return n > 0 || refuse_archive(z, "holds no member, so it is not a package", a, d);
}

/* The place of a character in the order of names: the end first, then '/', then all others. */
static int character_rank(unsigned char c) { return c == '/' ? 1 : c ? c + 1 : 0; }

/* '/' sorts before all other characters, so that "a/b" directly follows "a". */
static int compare_names(const void *x, const void *y) {
  const unsigned char *a = *(const unsigned char *const *)x, *b = *(const unsigned char *const *)y;
  while (*a && *a == *b) a++, b++;
  return character_rank(*a) - character_rank(*b);
}

/* Refuses a file that is also the directory of another member. libzip has refused equal names. */
static bool check_clashes(const archive *z, arena *a, diags *d) {
  size_t n = z->members.n;
  const char **names = arena_alloc(a, (n + 1) * sizeof *names);
  for (size_t i = 0; i < n; i++) names[i] = z->members.at[i].name;
  qsort(names, n, sizeof *names, compare_names);
  for (size_t i = 0; i + 1 < n; i++) {
    size_t k = strlen(names[i]);
    if (!is_directory(names[i]) && !strncmp(names[i], names[i + 1], k) && names[i + 1][k] == '/')
      return refuse_member(z, names[i], "is both a file and a directory", a, d);
  }
  return true;
}

bool archive_open(archive *z, const char *path, arena *a, diags *d) {
  uint64_t size = 0;
  *z = (archive){.path = path};
  return open_zip(z, &size, a, d) && read_members(z, size, a, d) && check_clashes(z, a, d);
}

void archive_close(archive *z) {
  if (z->zip) zip_discard(z->zip);
  z->zip = NULL;
}

const char *archive_member_path(const archive *z, size_t i, arena *a) {
  return arena_printf(a, "%s/%s", z->path, z->members.at[i].name);
}

/* ---- reading one member */

/* The receiver of unpacked bytes. */
typedef struct unpack_target {
  char *memory; /* NULL: to fd */
  int fd;
} unpack_target;

static bool store_piece(const unpack_target *to, uint64_t offset, const char *at, size_t n) {
  if (!to->memory) return file_write(to->fd, at, n);
  memcpy(to->memory + offset, at, n);
  return true;
}

/* Unpacks all of the open member through `buffer`. NULL, or the reason for a failure. */
static const char *unpack_pieces(zip_file_t *f, uint64_t size, const unpack_target *to,
                                 char *buffer, size_t buffer_size, arena *a) {
  for (uint64_t done = 0;;) {
    zip_int64_t n = zip_fread(f, buffer, buffer_size);
    if (n < 0) return arena_printf(a, "cannot be unpacked: %s", zip_file_strerror(f));
    if (n == 0) return done == size ? NULL : "unpacks to fewer bytes than it claims";
    if ((uint64_t)n > size - done) return "unpacks to more bytes than it claims";
    if (!store_piece(to, done, buffer, (size_t)n))
      return arena_printf(a, "cannot be unpacked: %s", strerror(errno));
    done += (uint64_t)n;
  }
}

static const char *unpack_member(const archive *z, size_t i, const unpack_target *to, arena *a) {
  enum { BUFFER = 256 * 1024 };
  zip_file_t *f = zip_fopen_index(z->zip, i, 0);
  char *buffer = malloc(BUFFER);
  const char *why;
  if (!f)
    why = arena_printf(a, "cannot be unpacked: %s", zip_strerror(z->zip));
  else if (!buffer)
    why = arena_printf(a, "cannot be unpacked: %s", strerror(ENOMEM));
  else
    why = unpack_pieces(f, z->members.at[i].size, to, buffer, BUFFER, a);
  free(buffer);
  if (f) zip_fclose(f);
  return why;
}

const char *archive_read_long_text(const archive *z, size_t i, uint64_t most, const char *too_large,
                                   size_t *n, arena *a, diags *d) {
  const archive_member *m = &z->members.at[i];
  const char *why = m->size == 0 ? "is empty" : NULL;
  char *text = NULL;
  *n = m->size;
  if (m->size > most) why = too_large;
  if (!why) {
    text = arena_alloc(a, m->size + 1);
    why = unpack_member(z, i, &(unpack_target){.memory = text}, a);
  }
  if (!why && memchr(text, '\0', m->size)) why = "is binary, where a text is expected";
  if (why) return refuse_member(z, m->name, why, a, d), NULL;
  input_drop_mark(text, n);
  return text;
}

const char *archive_read_text(const archive *z, size_t i, size_t *n, arena *a, diags *d) {
  return archive_read_long_text(
      z, i, TEXT_MAX, "is too large to be what AOTInductor emits (more than 32 MiB)", n, a, d);
}

bool archive_extract(const archive *z, size_t i, const char *to, arena *a, diags *d) {
  unpack_target t = {.fd = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600)};
  const char *why = t.fd < 0 ? arena_printf(a, "cannot be unpacked: %s", strerror(errno))
                             : unpack_member(z, i, &t, a);
  if (t.fd >= 0 && close(t.fd) != 0 && !why)
    why = arena_printf(a, "cannot be unpacked: %s", strerror(errno));
  return !why || refuse_member(z, z->members.at[i].name, why, a, d);
}
