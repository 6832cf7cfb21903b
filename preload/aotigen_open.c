/* aotigen_open.c - libaotigen-open.so, which `aotigen run` preloads: a program that opens a package
 * for reading gets the debug package that was made from it.
 *
 * A file is opened as the program asks, and then compared by device and inode. So any spelling of a
 * path works, and there is no query before. A package that has changed since the debug package was
 * made is not replaced. No replaced function allocates. errno is the program's own. A path that was
 * opened for writing is never replaced.
 *
 * aotigen itself, if the program runs it, calls aotigen_open_nothing(): it needs the original
 * packages.
 *
 * AOTIGEN_OPEN has the line "NOTES", and "DEVICE INODE SIZE SECONDS NANOSECONDS PATH" for each
 * package. Each action is noted once per process, as an empty file in the directory NOTES, named by
 * a letter and the package's number. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shared/limits.h"

/* The actions that are noted. */
enum what { OPENED, WRITTEN, CHANGED, MISSING, WHATS };

typedef struct model {
  unsigned long long device, inode, size, seconds, nanoseconds;
  const char *debug;
  atomic_flag noted[WHATS];
} model;

#define EXPORT __attribute__((visibility("default")))

static char table[AG_RUN_TABLE]; /* a copy, since a program may overwrite its environment */
static model models[AG_RUN_MODELS];
static int nmodels; /* set last: 0 until all entries are read */
static const char *notes;

/* ---- the functions behind these, of another preloaded library or of the C library */

/* clang-format takes these for calls, and never terminates. */
/* clang-format off */
#define EACH(X) \
  X(open) X(open64) X(__open_2) X(__open64_2) \
  X(openat) X(openat64) X(__openat_2) X(__openat64_2) \
  X(fopen) X(fopen64) X(freopen) X(freopen64) \
  X(stat) X(stat64) X(lstat) X(lstat64) \
  X(fstatat) X(fstatat64) X(statx) X(__xstat) \
  X(__xstat64) X(__lxstat) X(__lxstat64) X(__fxstatat) \
  X(__fxstatat64)
/* clang-format on */

#define NUMBER_OF(f) N_##f,
enum { EACH(NUMBER_OF) FUNCTIONS };
#define NAME_OF(f) [N_##f] = #f,
static const char *const names[FUNCTIONS] = {EACH(NAME_OF)};
static void *_Atomic next[FUNCTIONS];

/* Looks a function up at its first use: a constructor of another library may open a file before
 * ours has run. */
static void *find_next(int i) {
  void *f = atomic_load_explicit(&next[i], memory_order_relaxed);
  if (f) return f;
  f = dlsym(RTLD_NEXT, names[i]);
  atomic_store_explicit(&next[i], f, memory_order_relaxed);
  return f;
}

/* Stands for a function that the C library lacks: nothing calls it there. */
static long lacks(void) {
  errno = ENOSYS;
  return -1;
}

#define NEXT(f, type) ((type)(uintptr_t)find_next(N_##f))

/* ---- reading the table */

/* Parses one package's line, cut from `text`. Returns what follows it, or NULL. */
static char *read_model(model *m, char *text) {
  unsigned long long *const fields[] = {&m->device, &m->inode, &m->size, &m->seconds,
                                        &m->nanoseconds};
  char *end = strchr(text, '\n');
  if (end) *end = '\0';
  for (int i = 0; i < 5; i++) {
    char *after;
    *fields[i] = strtoull(text, &after, 10);
    if (after == text || *after != ' ') return NULL;
    text = after + 1;
  }
  m->debug = text;
  return end ? end + 1 : NULL;
}

__attribute__((constructor)) static void read_table(void) {
  int saved = errno, n = 0;
  const char *given = secure_getenv("AOTIGEN_OPEN");
  for (int i = 0; i < FUNCTIONS; i++) find_next(i);
  size_t length = given ? strlen(given) : 0;
  if (length && length < AG_RUN_TABLE) {
    memcpy(table, given, length + 1);
    char *line = strchr(table, '\n');
    if (line) *line++ = '\0';
    notes = table;
    while (line && *line && n < AG_RUN_MODELS) {
      line = read_model(&models[n], line);
      n += models[n].debug != NULL;
    }
  }
  nmodels = n;
  errno = saved;
}

void aotigen_open_nothing(void);
EXPORT void aotigen_open_nothing(void) { nmodels = 0; }

/* ---- comparing */

/* Uses the system calls: the functions of these names are replaced below, and differ between C
 * libraries. */
static int status_of(int fd, struct stat *s) { return (int)syscall(SYS_fstat, fd, s); }

static model *find_model(unsigned long long device, unsigned long long inode) {
  for (int i = 0; i < nmodels; i++)
    if (models[i].inode == inode && models[i].device == device) return &models[i];
  return NULL;
}

static bool is_unchanged(const model *m, unsigned long long size, long long seconds,
                         long long nanoseconds) {
  return m->size == size && m->seconds == (unsigned long long)seconds &&
         m->nanoseconds == (unsigned long long)nanoseconds;
}

/* Makes a file, since that raises no signal, as a write can. If it fails, the next call tries
 * again. */
static void note(model *m, enum what what) {
  char name[PATH_MAX + 4];
  size_t n = strlen(notes);
  if (atomic_flag_test_and_set(&m->noted[what]) || n > PATH_MAX) return;
  memcpy(name, notes, n);
  memcpy(name + n, (char[]){'/', "owcm"[what], (char)('0' + (m - models)), '\0'}, 4);
  int fd = (int)syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (fd >= 0)
    close(fd);
  else
    atomic_flag_clear(&m->noted[what]);
}

/* The package that was opened as `fd`, if its debug package must replace it; NULL for any other
 * file. */
static model *find_opened(int fd, bool writes) {
  struct stat s;
  if (!nmodels || status_of(fd, &s) != 0) return NULL;
  model *m = find_model(s.st_dev, s.st_ino);
  if (!m) return NULL;
  if (writes) {
    note(m, WRITTEN);
    return NULL;
  }
  if (is_unchanged(m, (unsigned long long)s.st_size, s.st_mtim.tv_sec, s.st_mtim.tv_nsec)) return m;
  note(m, CHANGED);
  return NULL;
}

/* ---- open */

/* Opens the debug package under the same descriptor. */
static int exchange(int fd, int flags) {
  int saved = errno;
  bool writes = (flags & O_ACCMODE) != O_RDONLY || (flags & O_TRUNC);
  model *m = fd >= 0 && !(flags & O_PATH) ? find_opened(fd, writes) : NULL;
  if (m) {
    int debug = (int)syscall(SYS_openat, AT_FDCWD, m->debug, (flags & ~(O_CREAT | O_EXCL)));
    bool ok = debug >= 0 && dup3(debug, fd, flags & O_CLOEXEC) == fd;
    if (debug >= 0) close(debug);
    note(m, ok ? OPENED : MISSING);
  }
  errno = saved;
  return fd;
}

static bool has_mode(int flags) { return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE; }

#define MODE(flags, mode)                                                                          \
  do {                                                                                             \
    va_list rest;                                                                                  \
    va_start(rest, flags);                                                                         \
    if (has_mode(flags)) mode = va_arg(rest, mode_t);                                              \
    va_end(rest);                                                                                  \
  } while (0)

#define OPEN(name)                                                                                 \
  EXPORT int name(const char *path, int flags, ...) {                                              \
    mode_t mode = 0;                                                                               \
    MODE(flags, mode);                                                                             \
    int (*f)(const char *, int, ...) = NEXT(name, int (*)(const char *, int, ...));                \
    return f ? exchange(f(path, flags, mode), flags) : (int)lacks();                               \
  }

#define OPENAT(name)                                                                               \
  EXPORT int name(int dir, const char *path, int flags, ...) {                                     \
    mode_t mode = 0;                                                                               \
    MODE(flags, mode);                                                                             \
    int (*f)(int, const char *, int, ...) = NEXT(name, int (*)(int, const char *, int, ...));      \
    return f ? exchange(f(dir, path, flags, mode), flags) : (int)lacks();                          \
  }

/* The functions that _FORTIFY_SOURCE calls. */
#define OPEN_2(name)                                                                               \
  EXPORT int name(const char *path, int flags) {                                                   \
    int (*f)(const char *, int) = NEXT(name, int (*)(const char *, int));                          \
    return f ? exchange(f(path, flags), flags) : (int)lacks();                                     \
  }

#define OPENAT_2(name)                                                                             \
  EXPORT int name(int dir, const char *path, int flags) {                                          \
    int (*f)(int, const char *, int) = NEXT(name, int (*)(int, const char *, int));                \
    return f ? exchange(f(dir, path, flags), flags) : (int)lacks();                                \
  }

/* The C library's headers may not declare them. */
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int dir, const char *path, int flags);
int __openat64_2(int dir, const char *path, int flags);

OPEN(open)
OPEN(open64)
OPEN_2(__open_2)
OPEN_2(__open64_2)
OPENAT(openat)
OPENAT(openat64)
OPENAT_2(__openat_2)
OPENAT_2(__openat64_2)

/* ---- fopen: nothing has been read yet */

static FILE *exchange_stream(FILE *stream, const char *mode) {
  int saved = errno;
  if (!stream || !nmodels) return stream;
  int fd = fileno(stream), cloexec = fcntl(fd, F_GETFD);
  bool writes = strcspn(mode, "wa+") < strcspn(mode, ","); /* ",ccs=latin1" */
  if (fd >= 0) exchange(fd, writes ? O_RDWR : cloexec > 0 ? O_CLOEXEC : 0);
  errno = saved;
  return stream;
}

static FILE *lacks_stream(void) {
  lacks();
  return NULL;
}

#define FOPEN(name)                                                                                \
  EXPORT FILE *name(const char *path, const char *mode) {                                          \
    FILE *(*f)(const char *, const char *) = NEXT(name, FILE * (*)(const char *, const char *));   \
    return f ? exchange_stream(f(path, mode), mode) : lacks_stream();                              \
  }

#define FREOPEN(name)                                                                              \
  EXPORT FILE *name(const char *path, const char *mode, FILE *stream) {                            \
    FILE *(*f)(const char *, const char *, FILE *) =                                               \
        NEXT(name, FILE * (*)(const char *, const char *, FILE *));                                \
    return f ? exchange_stream(f(path, mode, stream), mode) : lacks_stream();                      \
  }

FOPEN(fopen)
FOPEN(fopen64)
FREOPEN(freopen)
FREOPEN(freopen64)

/* ---- stat: the debug package has another length, and a program may read that many bytes. struct
 * stat64 is struct stat if a pointer has 64 bits. */

static int exchange_status(int status, struct stat *s) {
  int saved = errno;
  model *m = status == 0 && nmodels ? find_model(s->st_dev, s->st_ino) : NULL;
  struct stat debug;
  if (m && is_unchanged(m, (unsigned long long)s->st_size, s->st_mtim.tv_sec, s->st_mtim.tv_nsec) &&
      syscall(SYS_newfstatat, AT_FDCWD, m->debug, &debug, 0) == 0)
    *s = debug;
  errno = saved;
  return status;
}

#define STAT(name, type)                                                                           \
  EXPORT int name(const char *path, struct type *s) {                                              \
    int (*f)(const char *, struct type *) = NEXT(name, int (*)(const char *, struct type *));      \
    return f ? exchange_status(f(path, s), (struct stat *)(void *)s) : (int)lacks();               \
  }

#define STATAT(name, type)                                                                         \
  EXPORT int name(int dir, const char *path, struct type *s, int flags) {                          \
    int (*f)(int, const char *, struct type *, int) =                                              \
        NEXT(name, int (*)(int, const char *, struct type *, int));                                \
    return f ? exchange_status(f(dir, path, s, flags), (struct stat *)(void *)s) : (int)lacks();   \
  }

/* The functions that programs call if they were linked with a C library before 2.33. */
#define XSTAT(name, type)                                                                          \
  int name(int version, const char *path, struct type *s);                                         \
  EXPORT int name(int version, const char *path, struct type *s) {                                 \
    int (*f)(int, const char *, struct type *) =                                                   \
        NEXT(name, int (*)(int, const char *, struct type *));                                     \
    return f ? exchange_status(f(version, path, s), (struct stat *)(void *)s) : (int)lacks();      \
  }

#define XSTATAT(name, type)                                                                        \
  int name(int version, int dir, const char *path, struct type *s, int flags);                     \
  EXPORT int name(int version, int dir, const char *path, struct type *s, int flags) {             \
    int (*f)(int, int, const char *, struct type *, int) =                                         \
        NEXT(name, int (*)(int, int, const char *, struct type *, int));                           \
    if (!f) return (int)lacks();                                                                   \
    return exchange_status(f(version, dir, path, s, flags), (struct stat *)(void *)s);             \
  }

STAT(stat, stat)
STAT(stat64, stat64)
STAT(lstat, stat)
STAT(lstat64, stat64)
STATAT(fstatat, stat)
STATAT(fstatat64, stat64)
XSTAT(__xstat, stat)
XSTAT(__xstat64, stat64)
XSTAT(__lxstat, stat)
XSTAT(__lxstat64, stat64)
XSTATAT(__fxstatat, stat)
XSTATAT(__fxstatat64, stat64)

EXPORT int statx(int dir, const char *path, int flags, unsigned mask, struct statx *s) {
  int (*f)(int, const char *, int, unsigned, struct statx *) =
      NEXT(statx, int (*)(int, const char *, int, unsigned, struct statx *));
  const unsigned needed = nmodels ? STATX_INO | STATX_SIZE | STATX_MTIME : 0;
  int status = f ? f(dir, path, flags, mask | needed, s) : (int)lacks(), saved = errno;
  model *m = status == 0 && nmodels && (s->stx_mask & needed) == needed
                 ? find_model(makedev(s->stx_dev_major, s->stx_dev_minor), s->stx_ino)
                 : NULL;
  struct statx debug;
  if (m && is_unchanged(m, s->stx_size, s->stx_mtime.tv_sec, s->stx_mtime.tv_nsec) &&
      syscall(SYS_statx, AT_FDCWD, m->debug, 0, mask, &debug) == 0)
    *s = debug;
  errno = saved;
  return status;
}
