/* open.c - libaotigen-open.so, which `aotigen run` preloads: where torch loads a package, it opens
 * the debug package that was made from it.
 *
 * A file is opened as the program asks, and then compared by device and inode. So any spelling of a
 * path works, and there is no query before. Only torch's loader gets the debug package: what the
 * program itself reads, copies or unpacks is the package, and a model that it loads from there is
 * replaced by load.c. A package that has changed since the debug package was made is not replaced,
 * nor is one that is opened for writing. errno is the program's own.
 *
 * The debug package is opened when the package is closed again: one free descriptor will do.
 *
 * aotigen itself, if the program runs it, calls aotigen_open_nothing(): it needs the original
 * packages. */
#include "preload/next.h"
#include "preload/table.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CALLER __builtin_return_address(0)

void aotigen_open_nothing(void);
EXPORT void aotigen_open_nothing(void) { table_clear(); }

/* ---- which opens are replaced */

/* True if torch's loader of packages called, or that of `aotigen replay`: the code of the first is
 * in libtorch*.so. FileAdapter there is the reader by which a program looks at single members. */
static bool is_loader(const void *caller) {
  Dl_info at;
  if (!dladdr(caller, &at) || !at.dli_fname) return false;
  const char *slash = strrchr(at.dli_fname, '/'), *name = slash ? slash + 1 : at.dli_fname;
  if (!strcmp(name, "aotigen-replay-host")) return true;
  return !strncmp(name, "libtorch", 8) && !(at.dli_sname && strstr(at.dli_sname, "FileAdapter"));
}

/* The package that was opened as `fd`, if its debug package must replace it; NULL for any other
 * file. */
static model *find_opened(int fd, bool writes, const void *caller) {
  const int saved = errno;
  struct stat s;
  model *m = fd >= 0 && table_models() && table_status(fd, &s) == 0 ? table_find(&s) : NULL;
  bool unchanged = m && table_is_unchanged(m, &s),
       loads = unchanged && !writes && is_loader(caller);
  if (m && !loads) table_note(m, writes ? WRITTEN : unchanged ? READ : CHANGED);
  errno = saved;
  return loads ? m : NULL;
}

static model *find_by_flags(int fd, int flags, const void *caller) {
  bool writes = (flags & O_ACCMODE) != O_RDONLY || (flags & O_TRUNC);
  return flags & O_PATH ? NULL : find_opened(fd, writes, caller);
}

/* The debug package's descriptor, which the caller opened, or tried to. */
static bool is_handed(model *m, bool opened, int saved) {
  table_note(m, opened ? OPENED : MISSING);
  errno = saved;
  return opened;
}

/* Closes the package, and opens the debug package. -1 if that fails. */
static int open_debug(model *m, int fd, int flags) {
  const int saved = errno;
  close(fd);
  int debug = table_open(m->debug, flags & ~(O_CREAT | O_EXCL));
  return is_handed(m, debug >= 0, saved) ? debug : -1;
}

/* ---- open */

static bool has_mode(int flags) { return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE; }

#define MODE(flags, mode)                                                                          \
  do {                                                                                             \
    va_list rest;                                                                                  \
    va_start(rest, flags);                                                                         \
    if (has_mode(flags)) mode = va_arg(rest, mode_t);                                              \
    va_end(rest);                                                                                  \
  } while (0)

/* Opens by the call `again`, and once more where there is no debug package. */
#define EXCHANGE(again)                                                                            \
  int fd = again;                                                                                  \
  model *m = find_by_flags(fd, flags, CALLER);                                                     \
  int debug = m ? open_debug(m, fd, flags) : -1;                                                   \
  return !m ? fd : debug >= 0 ? debug : again

#define OPEN(name)                                                                                 \
  EXPORT int name(const char *path, int flags, ...) {                                              \
    mode_t mode = 0;                                                                               \
    MODE(flags, mode);                                                                             \
    int (*f)(const char *, int, ...) = NEXT(name, int (*)(const char *, int, ...));                \
    if (!f) return (int)next_lacks();                                                              \
    EXCHANGE(f(path, flags, mode));                                                                \
  }

#define OPENAT(name)                                                                               \
  EXPORT int name(int dir, const char *path, int flags, ...) {                                     \
    mode_t mode = 0;                                                                               \
    MODE(flags, mode);                                                                             \
    int (*f)(int, const char *, int, ...) = NEXT(name, int (*)(int, const char *, int, ...));      \
    if (!f) return (int)next_lacks();                                                              \
    EXCHANGE(f(dir, path, flags, mode));                                                           \
  }

/* The functions that _FORTIFY_SOURCE calls. */
#define OPEN_2(name)                                                                               \
  EXPORT int name(const char *path, int flags) {                                                   \
    int (*f)(const char *, int) = NEXT(name, int (*)(const char *, int));                          \
    if (!f) return (int)next_lacks();                                                              \
    EXCHANGE(f(path, flags));                                                                      \
  }

#define OPENAT_2(name)                                                                             \
  EXPORT int name(int dir, const char *path, int flags) {                                          \
    int (*f)(int, const char *, int) = NEXT(name, int (*)(int, const char *, int));                \
    if (!f) return (int)next_lacks();                                                              \
    EXCHANGE(f(dir, path, flags));                                                                 \
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

static model *find_by_mode(FILE *stream, const char *mode, const void *caller) {
  bool writes = strcspn(mode, "wa+") < strcspn(mode, ","); /* ",ccs=latin1" */
  return stream && table_models() ? find_opened(fileno(stream), writes, caller) : NULL;
}

typedef FILE *opener(const char *path, const char *mode);

static FILE *open_stream(opener *f, const char *path, const char *mode, const void *caller) {
  FILE *stream = f ? f(path, mode) : NULL, *debug;
  if (!f) next_lacks();
  model *m = find_by_mode(stream, mode, caller);
  if (!m) return stream;
  const int saved = errno;
  fclose(stream);
  debug = f(m->debug, mode);
  return is_handed(m, debug, saved) ? debug : f(path, mode);
}

#define FOPEN(name)                                                                                \
  EXPORT FILE *name(const char *path, const char *mode) {                                          \
    return open_stream(NEXT(name, opener *), path, mode, CALLER);                                  \
  }

FOPEN(fopen)
FOPEN(fopen64)

__attribute__((constructor)) static void begin(void) {
  next_find_all();
  table_read();
}
