/* load.c - where a program loads a '.so' that is byte for byte that of a model in a package,
 * wherever it stands, dlopen() loads the debug package's.
 *
 * It is written to a directory of its own below the notes, for each file that is loaded, with links
 * to what stands beside that file: a program may look there for the model's other files. A second
 * load of the file gives the same object, as it does without this.
 *
 * Few descriptors may be free: one is used at a time. errno is the program's own. The caller of
 * dlopen() decides where a library is looked for. So the C library's function is left to, not
 * called, and sees the program as its caller.
 *
 * What is mapped is not truncated meanwhile: the loader itself maps such files. */
#include "preload/member.h"
#include "preload/named.h"
#include "preload/next.h"
#include "preload/table.h"
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shared/limits.h"

#if defined __has_attribute
#if __has_attribute(musttail)
#define LEAVE_TO __attribute__((musttail)) return
#endif
#endif
#ifndef LEAVE_TO /* gcc before 15 makes it a jump where it optimizes */
#define LEAVE_TO return
#endif

/* The sizes of a package's shared objects: most files that a program loads have another. */
enum { SIZES = 64 };
static _Atomic uint64_t sizes[AG_RUN_MODELS][SIZES];
static atomic_int known[AG_RUN_MODELS]; /* 0: not read yet; else 1 + their number */

/* The name lives until the thread's next load, which may come from within this one, but only once
 * the object has been found. */
static _Thread_local char chosen[PATH_MAX];

/* ---- files in memory */

static bool map(archive_bytes *z, const char *path) {
  struct stat s;
  void *at = MAP_FAILED;
  int fd = table_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return false;
  if (table_status(fd, &s) == 0 && S_ISREG(s.st_mode) && s.st_size > 0)
    at = mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  close(fd);
  if (at == MAP_FAILED) return false;
  *z = (archive_bytes){at, (uint64_t)s.st_size};
  return true;
}

static void unmap(archive_bytes z) { munmap((void *)(uintptr_t)z.at, z.n); }

/* The package as it was when its debug package was made. */
static bool map_package(archive_bytes *z, int i) {
  char path[PATH_MAX];
  struct stat s;
  return table_path(path, (char[]){'p', (char)('0' + i), '\0'}) && table_status_of(path, &s) == 0 &&
         table_is_unchanged(table_model(i), &s) && map(z, path);
}

/* ---- which file is a model's */

/* Two threads that do this at once write the same. */
static void read_sizes(int i) {
  archive_bytes z;
  member_walk w;
  member m;
  int n = 0;
  if (!map_package(&z, i)) return;
  member_begin(&w, z);
  while (member_next(&w, &m))
    if (member_is_shared_object(&m)) {
      if (n < SIZES) atomic_store_explicit(&sizes[i][n], m.size, memory_order_relaxed);
      n++;
    }
  unmap(z);
  atomic_store_explicit(&known[i], 1 + n, memory_order_release);
}

static bool may_hold(int i, uint64_t size) {
  if (!atomic_load_explicit(&known[i], memory_order_acquire)) read_sizes(i);
  const int n = atomic_load_explicit(&known[i], memory_order_acquire) - 1;
  for (int k = 0; k < n && k < SIZES; k++)
    if (atomic_load_explicit(&sizes[i][k], memory_order_relaxed) == size) return true;
  return n > SIZES;
}

/* Finds the member with the content of the file at `path`; its name goes to `name`. Returns its
 * number among the package's shared objects, from 1; 0 if there is none. */
static int find_member(char name[PATH_MAX], int i, const char *path) {
  archive_bytes z, file;
  member_walk w;
  member m;
  bool found = false;
  int number = 0;
  if (!map_package(&z, i)) return 0;
  if (map(&file, path)) {
    member_begin(&w, z);
    while (!found && member_next(&w, &m)) {
      if (!member_is_shared_object(&m)) continue;
      number++;
      found = m.name_n < PATH_MAX && member_holds(z, &m, file);
    }
    unmap(file);
  }
  if (found) {
    memcpy(name, m.name, m.name_n);
    name[m.name_n] = '\0';
  }
  unmap(z);
  return found ? number : 0;
}

/* ---- the debug model's file */

static bool write_all(int fd, archive_bytes bytes) {
  while (bytes.n) {
    ssize_t n = write(fd, bytes.at, bytes.n < 1 << 30 ? bytes.n : 1 << 30);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes.at += n;
    bytes.n -= (uint64_t)n;
  }
  return true;
}

/* Writes the file whole, or not at all. */
static bool write_file(const char *path, archive_bytes bytes) {
  char made[PATH_MAX + 64];
  snprintf(made, sizeof made, "%s.%ld", path, syscall(SYS_gettid));
  int fd = table_open(made, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC);
  if (fd < 0) return false;
  bool ok = fchmod(fd, 0600) == 0 && write_all(fd, bytes);
  ok = close(fd) == 0 && ok && rename(made, path) == 0;
  if (!ok) unlink(made);
  return ok;
}

/* Writes the debug package's member of this name. */
static bool write_member(const char *path, const model *of, const char *name) {
  archive_bytes z;
  member_walk w;
  member m;
  bool ok = false;
  if (!map(&z, of->debug)) return false;
  member_begin(&w, z);
  while (!ok && member_next(&w, &m)) {
    if (m.name_n != strlen(name) || memcmp(m.name, name, m.name_n) != 0) continue;
    const archive_bytes bytes = member_bytes(z, &m);
    ok = bytes.n && write_file(path, bytes);
    break;
  }
  unmap(z);
  return ok;
}

/* Links what stands beside the file at `path`, of `n` characters before its name, in `to`. */
static void link_neighbours(const char *to, const char *path, size_t n) {
  char from[PATH_MAX], real[PATH_MAX], link[PATH_MAX], target[PATH_MAX];
  snprintf(from, sizeof from, "%.*s", (int)n, path);
  if (!realpath(from, real) || !strncmp(real, "/proc/", 6)) return;
  DIR *dir = opendir(real);
  for (struct dirent *e; dir && (e = readdir(dir));) {
    if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..") || !strcmp(e->d_name, path + n))
      continue;
    if (snprintf(link, sizeof link, "%s/%s", to, e->d_name) < (int)sizeof link &&
        snprintf(target, sizeof target, "%s/%s", real, e->d_name) < (int)sizeof target &&
        symlink(target, link) != 0 && errno != EEXIST)
      break;
  }
  if (dir) closedir(dir);
}

static bool can_execute(const char *dir) {
  struct statvfs s;
  return statvfs(dir, &s) != 0 || !(s.f_flag & ST_NOEXEC);
}

/* Gives the debug model's file the name `chosen`, also where a neighbour's link has it: under each
 * name of the program's file the loader finds one object. */
static bool name_file(const char *file) {
  char made[PATH_MAX + 96];
  snprintf(made, sizeof made, "%s.name.%ld", file, syscall(SYS_gettid));
  bool ok = (link(file, made) == 0 || symlink(file, made) == 0) && rename(made, chosen) == 0;
  unlink(made); /* rename() leaves it where `chosen` is the same file */
  return ok;
}

/* The debug model's file for the file at `path`, in `chosen`: of one file it is the same, but of
 * each member that the file has held another. */
static bool make_file(const model *of, const char *name, int number, const char *path,
                      const struct stat *s) {
  char below[96], dir[PATH_MAX], file[PATH_MAX + 32];
  const size_t n = (size_t)(strrchr(path, '/') + 1 - path);
  snprintf(below, sizeof below, "so%d-%d-%llx-%llx", table_number(of), number,
           (unsigned long long)s->st_dev, (unsigned long long)s->st_ino);
  if (!table_path(dir, below) ||
      snprintf(chosen, sizeof chosen, "%s/%s", dir, path + n) >= (int)sizeof chosen)
    return false;
  snprintf(file, sizeof file, "%s/.aotigen-debug-model", dir);
  if (mkdir(dir, 0700) != 0 && errno != EEXIST) return false;
  if (access(file, R_OK) != 0) {
    if (!can_execute(dir) || !write_member(file, of, name)) return false;
    link_neighbours(dir, path, n);
  }
  return name_file(file);
}

typedef void *loader(const char *path, int flags);

/* True if a name without a directory is that of an object that is loaded: it is no file's then. */
static bool is_loaded(const char *name) {
  loader *f = NEXT(dlopen, loader *);
  void *object = strchr(name, '/') || !f ? NULL : f(name, RTLD_LAZY | RTLD_NOLOAD);
  if (object) dlclose(object);
  return object;
}

/* What to load in the place of the file at `path`, which the program calls `name`. */
static const char *choose_for(const char *path, const char *name, int flags) {
  struct stat s;
  char held[PATH_MAX];
  if (table_status_of(path, &s) != 0) return name;
  for (int i = 0; i < table_models(); i++) {
    const int number = may_hold(i, (uint64_t)s.st_size) ? find_member(held, i, path) : 0;
    if (!number) continue;
    if (is_loaded(name)) return name;
    const bool made = make_file(table_model(i), held, number, path, &s);
    if (!(flags & RTLD_NOLOAD)) table_note(table_model(i), made ? LOADED : FAILED);
    return made ? chosen : name;
  }
  return name;
}

static const char *choose(const char *name, int flags, const void *caller) {
  char path[PATH_MAX];
  const int saved = errno;
  if (name && table_models() && named_find(path, name, caller))
    name = choose_for(path, name, flags);
  errno = saved;
  return name;
}

/* ---- dlopen */

typedef void *loader_apart(Lmid_t in, const char *path, int flags);

EXPORT void *dlopen(const char *path, int flags) {
  loader *f = NEXT(dlopen, loader *);
  if (!f) return (void)next_lacks(), NULL;
  path = choose(path, flags, __builtin_return_address(0));
  LEAVE_TO f(path, flags);
}

EXPORT void *dlmopen(Lmid_t in, const char *path, int flags) {
  loader_apart *f = NEXT(dlmopen, loader_apart *);
  if (!f) return (void)next_lacks(), NULL;
  path = choose(path, flags, __builtin_return_address(0));
  LEAVE_TO f(in, path, flags);
}
