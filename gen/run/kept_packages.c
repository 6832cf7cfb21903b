/* kept_packages.c - see kept_packages.h. */
#include "run/kept_packages.h"
#include "base/file.h"
#include "system/cache.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The number of packages that are kept if none is in use: each is as large as its package. */
enum { KEPT = 8 };

const char kept_packages_suffix[] = ".debug.pt2";

/* "CACHE/KEY" of a package. */
static const char *find_stem(const char *path, arena *a) {
  return arena_strndup(a, path, strlen(path) - strlen(kept_packages_suffix));
}

const char *kept_packages_checked(const char *path, arena *a) {
  return arena_printf(a, "%s.checked.jsonl", find_stem(path, a));
}

static const char wrapper_suffix[] = ".wrapper.cpp";

const char *kept_packages_wrapper(const char *path, const char *name, arena *a) {
  return arena_printf(a, "%s.%08x%s", find_stem(path, a),
                      (unsigned)(cache_key(CACHE_KEY, name) & UINT32_MAX), wrapper_suffix);
}

static void drop_wrappers(const char *path, arena *a) {
  const char *stem = find_stem(path, a), *key = file_name(stem);
  const char *cache = arena_strndup(a, stem, (size_t)(key - stem));
  DIR *dir = opendir(cache);
  for (struct dirent *e; dir && (e = readdir(dir));)
    if (!strncmp(e->d_name, key, strlen(key)) && file_ends_with(e->d_name, wrapper_suffix))
      unlink(arena_printf(a, "%s%s", cache, e->d_name));
  if (dir) closedir(dir);
}

typedef struct kept {
  char *path;
  struct timespec used;
} kept;

static int by_use(const void *a, const void *b) {
  const struct timespec x = ((const kept *)a)->used, y = ((const kept *)b)->used;
  if (x.tv_sec != y.tv_sec) return x.tv_sec < y.tv_sec ? 1 : -1;
  return x.tv_nsec < y.tv_nsec ? 1 : x.tv_nsec > y.tv_nsec ? -1 : 0;
}

/* The lock of a package is on the file with its checksum. Another run that makes the same package
 * replaces the package's file, but adds a line to this one. */
static int open_lock(const char *path, arena *a) {
  return open(arena_printf(a, "%s.sum", path), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
}

const char *kept_packages_hold(const char *path, arena *a) {
  const char *why = NULL;
  struct stat s;
  int fd = open_lock(path, a), failed;
  if (fd < 0) return strerror(errno);
  while ((failed = flock(fd, LOCK_SH)) != 0 && errno == EINTR) continue;
  if (failed)
    why = arena_printf(a, "it cannot be locked: %s", strerror(errno));
  else if (fstat(fd, &s) != 0 || !S_ISREG(s.st_mode) || !s.st_nlink)
    why = "another process removed it";
  if (why) close(fd);
  return why;
}

/* Removes a package, unless a process holds it, or may. The lock is kept until the files are gone,
 * so that a process that waits for it sees that. */
static void drop(const char *path, arena *a) {
  int fd = open_lock(path, a);
  if (fd < 0 && errno != ENOENT) return;
  if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) == 0) {
    const char *checked = kept_packages_checked(path, a);
    unlink(path);
    unlink(arena_printf(a, "%s.sum", path));
    unlink(checked);
    unlink(arena_printf(a, "%s.sum", checked));
    drop_wrappers(path, a);
  }
  if (fd >= 0) close(fd);
}

/* True for a file "KEY.debug.pt2.PID" of a process that was killed before it renamed the file. */
static bool is_left_behind(const char *name, const char *path) {
  enum { DAY = 24 * 60 * 60 };
  const char *found = strstr(name, kept_packages_suffix);
  struct stat s;
  return found && found[sizeof kept_packages_suffix - 1] == '.' && !file_ends_with(name, ".sum") &&
         lstat(path, &s) == 0 && S_ISREG(s.st_mode) && time(NULL) - s.st_mtim.tv_sec > DAY;
}

void kept_packages_drop_oldest(const options *o, arena *a) {
  arena_list(kept) all = {0};
  DIR *dir = opendir(o->env.cache);
  for (struct dirent *e; dir && (e = readdir(dir));) {
    struct stat s;
    char *path = arena_printf(a, "%s/%s", o->env.cache, e->d_name);
    if (is_left_behind(e->d_name, path)) unlink(path);
    if (!file_ends_with(e->d_name, kept_packages_suffix)) continue;
    if (lstat(path, &s) == 0 && S_ISREG(s.st_mode)) *arena_push(a, &all) = (kept){path, s.st_mtim};
  }
  if (dir) closedir(dir);
  if (all.n) qsort(all.at, all.n, sizeof *all.at, by_use);
  for (size_t i = KEPT; i < all.n; i++) drop(all.at[i].path, a);
}
