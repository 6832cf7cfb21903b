/* archive.c - see archive.h: reading. Writing is archive_write.c's. */
#include "package/archive.h"
#include "base/file.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

/* A model of thousands of kernels has thousands of members; libzip keeps a few hundred bytes of
 * each. */
enum {
  MEMBERS_MAX = 100000,
  DIRECTORY_MAX = 32 << 20,
  NAME_MAX_BYTES = 1024,
  TEXT_MAX = 32 << 20,
  RATIO_MAX = 200,
  RATIO_FREE = 16 << 20
};

#define END_MARK "PK\5\6"
#define END64_MARK "PK\6\6"
#define LOCATOR_MARK "PK\6\7"
enum { END_SIZE = 22, END64_SIZE = 56, LOCATOR_SIZE = 20, COMMENT_MAX = 65535 };

static bool refuse(const archive *z, const char *name, const char *why, arena *a, diags *d) {
  diag_error(d, STATUS_INPUT, name ? arena_printf(a, "%s/%.300s", z->path, name) : z->path, "%s",
             why);
  return false;
}

static uint64_t little(const unsigned char *at, int n) {
  uint64_t x = 0;
  while (n-- > 0) x = x << 8 | at[n];
  return x;
}

/* ---- before libzip sees it */

bool archive_is(const char *path) {
  char head[4] = "";
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  ssize_t n = fd < 0 ? 0 : read(fd, head, sizeof head);
  if (fd >= 0) close(fd);
  return file_ends_with(path, ".pt2") ||
         (n == 4 && (!memcmp(head, "PK\3\4", 4) || !memcmp(head, END_MARK, 4)));
}

/* The last bytes of the file: where they begin, and how many they are. */
typedef struct tail {
  int fd;
  uint64_t from;
  const unsigned char *at;
  size_t n;
} tail;

static bool has_mark(const unsigned char *at, const char *mark) { return !memcmp(at, mark, 4); }

static bool modest(uint64_t entries, uint64_t size) {
  return entries <= MEMBERS_MAX && size <= DIRECTORY_MAX;
}

/* No record of the directory's extent, whichever libzip will believe, may ask for more than a
 * package has: libzip reads the directory into memory. */
static bool is_modest(const tail *t, size_t i) {
  const unsigned char *at = t->at + i;
  unsigned char big[END64_SIZE];
  if (has_mark(at, END_MARK))
    return little(at + 12, 4) == UINT32_MAX || modest(little(at + 10, 2), little(at + 12, 4));
  if (!has_mark(at, LOCATOR_MARK) ||
      pread(t->fd, big, sizeof big, (off_t)little(at + 8, 8)) != sizeof big ||
      !has_mark(big, END64_MARK))
    return true;
  return modest(little(big + 32, 8), little(big + 40, 8));
}

/* Is there an end record at `i`, right behind the directory that it speaks of. */
static bool is_end(const tail *t, size_t i) {
  const unsigned char *at = t->at + i,
                      *locator = i >= LOCATOR_SIZE && has_mark(at - LOCATOR_SIZE, LOCATOR_MARK)
                                     ? at - LOCATOR_SIZE
                                     : NULL;
  if (!has_mark(at, END_MARK)) return false;
  uint64_t size = little(at + 12, 4), offset = little(at + 16, 4), here = t->from + i,
           end = locator ? little(locator + 8, 8) : here;
  if (locator) {
    if (end < t->from || end > here || here - end < END64_SIZE + LOCATOR_SIZE ||
        !has_mark(t->at + (end - t->from), END64_MARK))
      return false;
    if (size == UINT32_MAX) size = little(t->at + (end - t->from) + 40, 8);
    if (offset == UINT32_MAX) offset = little(t->at + (end - t->from) + 48, 8);
  }
  return size <= end && offset == end - size;
}

/* One archive, from the first byte to the last, without a comment: two readers must not find two
 * directories in it. */
static const char *check_directory(const tail *t) {
  if (t->n < END_SIZE || !is_end(t, t->n - END_SIZE) || little(t->at + t->n - 2, 2) != 0)
    return "is no ZIP archive, or is cut off: the record at its end is missing, or does not fit it";
  for (size_t i = 0; i + END_SIZE <= t->n; i++) {
    if (!is_modest(t, i)) return "its directory claims more members than a package has";
    if (i < t->n - END_SIZE && is_end(t, i)) return "holds two archives, one behind the other";
  }
  return NULL;
}

static const char *check_tail(int fd, uint64_t size) {
  const size_t most = COMMENT_MAX + END_SIZE + END64_SIZE + LOCATOR_SIZE,
               n = size < most ? (size_t)size : most;
  unsigned char *at = malloc(n + 1);
  if (!at) return strerror(ENOMEM);
  const tail t = {fd, size - n, at, n};
  const char *why = pread(fd, at, n, (off_t)t.from) == (ssize_t)n ? check_directory(&t)
                                                                  : "cannot be read";
  free(at);
  return why;
}

static bool open_zip(archive *z, uint64_t *size, arena *a, diags *d) {
  struct stat st;
  int error = 0, fd = open(z->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  const char *why = NULL;
  if (fd < 0 || fstat(fd, &st) != 0)
    why = arena_printf(a, "cannot be read: %s", strerror(errno));
  else if (S_ISDIR(st.st_mode))
    why = "is a directory: name the package, or the wrapper's '.cpp' file in it";
  else if (!S_ISREG(st.st_mode))
    why = "is no regular file";
  else if (st.st_size == 0)
    why = "is empty: no package";
  else
    why = check_tail(fd, *size = (uint64_t)st.st_size);
  if (!why && !(z->zip = zip_fdopen(fd, ZIP_CHECKCONS, &error))) {
    zip_error_t e;
    zip_error_init_with_code(&e, error);
    why = error == ZIP_ER_EXISTS
              ? "holds two members of one name: which one is meant cannot be told"
              : arena_printf(a, "is no ZIP archive that can be read: %s", zip_error_strerror(&e));
    zip_error_fini(&e);
  }
  if (fd >= 0 && !z->zip) close(fd);
  return !why || refuse(z, NULL, why, a, d);
}

/* ---- members */

static const char *check_name(const char *name) {
  size_t n = strlen(name);
  if (n == 0) return "its directory has a member without a name";
  if (n > NAME_MAX_BYTES) return "has a name longer than a package has";
  if (name[0] == '/' || strchr(name, '\\') || name[1] == ':')
    return "has an absolute path, or one of another system: no package of torch's";
  if (!diag_is_printable(name))
    return "has a control character in its name, or bytes that are no UTF-8";
  for (const char *s = name; *s;) {
    size_t part = strcspn(s, "/");
    if (part == 0 || (part == 1 && *s == '.') || (part == 2 && s[0] == '.' && s[1] == '.'))
      return "has a path that climbs, or with empty parts: no package of torch's";
    s += part;
    if (*s == '/') s++;
  }
  return NULL;
}

static bool is_directory(const char *name) { return name[strlen(name) - 1] == '/'; }

static const char *check_kind(zip_t *zip, uint64_t i, const zip_stat_t *st) {
  enum { FORMAT = 0170000, REGULAR = 0100000, DIRECTORY = 0040000 };
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
  unsigned mode = system == ZIP_OPSYS_UNIX ? attributes >> 16 & FORMAT : 0;
  if (mode && mode != REGULAR && mode != DIRECTORY)
    return "is a link or a device: no package of torch's holds one";
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
      return refuse(z, NULL, zip_strerror(zip), a, d);
    const char *why = st.valid & ZIP_STAT_NAME ? check_name(st.name)
                                               : "its directory has a member without a name";
    if (!why) why = check_kind(zip, (zip_uint64_t)i, &st);
    if (!why) why = check_size(&st, size);
    if (why) return refuse(z, st.valid & ZIP_STAT_NAME && *st.name ? st.name : NULL, why, a, d);
    size -= st.comp_size;
    *arena_push(a, &z->members) = (archive_member){arena_strdup(a, st.name), st.size};
  }
  return n > 0 || refuse(z, NULL, "holds no member: no package", a, d);
}

/* '/' before all else, so that "a/b" follows "a" at once. */
static int by_name(const void *x, const void *y) {
  const unsigned char *a = *(const unsigned char *const *)x, *b = *(const unsigned char *const *)y;
  while (*a && *a == *b) a++, b++;
  int p = *a == '/' ? 1 : *a ? *a + 1 : 0, q = *b == '/' ? 1 : *b ? *b + 1 : 0;
  return p - q;
}

/* One name twice is refused by libzip. */
static bool check_clashes(const archive *z, arena *a, diags *d) {
  size_t n = z->members.n;
  const char **names = arena_alloc(a, (n + 1) * sizeof *names);
  for (size_t i = 0; i < n; i++) names[i] = z->members.at[i].name;
  qsort(names, n, sizeof *names, by_name);
  for (size_t i = 0; i + 1 < n; i++) {
    size_t k = strlen(names[i]);
    if (!is_directory(names[i]) && !strncmp(names[i], names[i + 1], k) && names[i + 1][k] == '/')
      return refuse(z, names[i], "is both a file and a directory", a, d);
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

const char *archive_name(const archive *z, size_t i, arena *a) {
  return arena_printf(a, "%s/%s", z->path, z->members.at[i].name);
}

/* ---- reading one */

typedef struct sink {
  char *memory; /* or NULL: */
  int fd;
} sink;

static bool put(const sink *to, uint64_t done, const char *at, size_t n) {
  if (to->memory) {
    memcpy(to->memory + done, at, n);
    return true;
  }
  return file_write(to->fd, at, n);
}

/* The member's bytes, exactly as many as its header says. NULL, or why not. */
static const char *stream(const archive *z, size_t i, const sink *to, arena *a) {
  enum { BUFFER = 256 * 1024 };
  const uint64_t size = z->members.at[i].size;
  zip_file_t *f = zip_fopen_index(z->zip, i, 0);
  char *buffer = malloc(BUFFER);
  const char *why = f && buffer ? NULL
                                : arena_printf(a, "cannot be unpacked: %s",
                                               f ? strerror(ENOMEM) : zip_strerror(z->zip));
  for (uint64_t done = 0; !why;) {
    zip_int64_t n = zip_fread(f, buffer, BUFFER);
    if (n < 0)
      why = arena_printf(a, "cannot be unpacked: %s", zip_file_strerror(f));
    else if (n == 0 && done != size)
      why = "unpacks to fewer bytes than it claims";
    else if ((uint64_t)n > size - done)
      why = "unpacks to more bytes than it claims";
    else if (n == 0)
      break;
    else if (!put(to, done, buffer, (size_t)n))
      why = arena_printf(a, "cannot be unpacked: %s", strerror(errno));
    else
      done += (uint64_t)n;
  }
  free(buffer);
  if (f) zip_fclose(f);
  return why;
}

const char *archive_text(const archive *z, size_t i, size_t *n, arena *a, diags *d) {
  const archive_member *m = &z->members.at[i];
  const char *why = m->size > TEXT_MAX
                        ? "is too large to be what AOTInductor emits (more than 32 MiB)"
                    : m->size == 0 ? "is empty"
                                   : NULL;
  char *text = why ? NULL : arena_alloc(a, m->size + 1);
  if (text) why = stream(z, i, &(sink){.memory = text}, a);
  if (!why && memchr(text, '\0', m->size)) why = "is binary, where a text is expected";
  *n = m->size;
  return why ? (refuse(z, m->name, why, a, d), NULL) : text;
}

bool archive_extract(const archive *z, size_t i, const char *to, arena *a, diags *d) {
  sink s = {.fd = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600)};
  const char *why = s.fd < 0 ? arena_printf(a, "cannot be unpacked: %s", strerror(errno))
                             : stream(z, i, &s, a);
  if (s.fd >= 0 && close(s.fd) != 0 && !why)
    why = arena_printf(a, "cannot be unpacked: %s", strerror(errno));
  return !why || refuse(z, z->members.at[i].name, why, a, d);
}
