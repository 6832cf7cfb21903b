/* debug_package.c - see debug_package.h. */
#include "run/debug_package.h"
#include "base/file.h"
#include "base/version.h"
#include "build/companions.h"
#include "package/archive.h"
#include "package/repackage.h"
#include "system/atomic_output.h"
#include "system/cache.h"
#include "system/cleanup.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* How many are kept where none is in use: each is as large as its package. */
enum { KEPT = 8, BLOCK = 64 << 10 };

static const char suffix[] = ".debug.pt2";

/* ---- the key */

/* A block is summed with the sum of those before it. Nothing is mapped: another process may cut the
 * file meanwhile. False with errno. */
static bool sum_content(FILE *from, uint64_t *sum) {
  struct {
    uint64_t before;
    char text[BLOCK];
  } block = {.before = CACHE_KEY};
  for (size_t n; (n = fread(block.text, 1, BLOCK, from)) > 0;)
    block.before = cache_sum((const char *)&block, sizeof block.before + n);
  *sum = block.before;
  return !ferror(from);
}

/* Of a file's content. False with errno. */
static bool sum_file(const char *path, uint64_t *sum, struct stat *s) {
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  FILE *from = fd >= 0 ? fdopen(fd, "r") : NULL;
  bool ok = from && fstat(fd, s) == 0;
  if (ok && (!S_ISREG(s->st_mode) || s->st_size == 0)) {
    errno = EINVAL;
    ok = false;
  }
  ok = ok && sum_content(from, sum);
  int error = errno;
  if (from)
    fclose(from);
  else if (fd >= 0)
    close(fd);
  errno = error;
  return ok;
}

static uint64_t add_sum(uint64_t key, const char *path, arena *a) {
  struct stat s;
  uint64_t sum = 0;
  if (!path || !sum_file(path, &sum, &s)) return cache_key(key, "none");
  return cache_key(key, arena_printf(a, "%016" PRIx64, sum));
}

/* What of the options decides on the debug package. */
static uint64_t add_options(uint64_t key, const options *o, arena *a) {
  const levels *l = &o->levels;
  const char *const texts[] = {l->guard_buffers, l->kernels,  l->explain, o->torch,
                               o->path,          o->cxx,      o->home,    o->cuda_home,
                               o->parts_from,    o->libraries};
  key = cache_key(key, arena_printf(a, "%d %d %d %d %d %u", l->printer, l->check_inputs,
                                    l->nan_asserts, l->sync, (int)o->confining, l->guard));
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    key = cache_key(key, texts[i] ? texts[i] : "\n");
  key = add_sum(key, o->exported, a);
  return add_sum(key, o->provenance, a);
}

/* A library that was built anew is another, though its version is not. */
static uint64_t add_program(uint64_t key, const char *runtime, arena *a) {
  const char *const files[] = {runtime, "/proc/self/exe"};
  key = cache_key(key, AOTIGEN_VERSION);
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    struct stat s = {0};
    if (stat(files[i], &s) != 0) continue;
    key = cache_key(key, arena_printf(a, "%lld %lld %ld", (long long)s.st_size,
                                      (long long)s.st_mtim.tv_sec, s.st_mtim.tv_nsec));
  }
  return key;
}

/* ---- the cache */

typedef struct kept {
  char *path;
  struct timespec used;
} kept;

static int by_use(const void *a, const void *b) {
  const struct timespec x = ((const kept *)a)->used, y = ((const kept *)b)->used;
  if (x.tv_sec != y.tv_sec) return x.tv_sec < y.tv_sec ? 1 : -1;
  return x.tv_nsec < y.tv_nsec ? 1 : x.tv_nsec > y.tv_nsec ? -1 : 0;
}

/* The lock of a package is on the file with its sum: another run that makes the same one puts its
 * own file in the place of the package, but adds a line to this one. */
static int open_lock(const char *path, arena *a) {
  return open(arena_printf(a, "%s.sum", path), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
}

/* Locks it until this process ends: no other drops it. False where that cannot be, or where it is
 * gone. */
static bool hold(const char *path, arena *a) {
  struct stat s;
  int fd = open_lock(path, a), failed = -1;
  while (fd >= 0 && (failed = flock(fd, LOCK_SH)) != 0 && errno == EINTR) continue;
  if (!failed && fstat(fd, &s) == 0 && S_ISREG(s.st_mode) && s.st_nlink > 0 && file_is_file(path))
    return true;
  if (fd >= 0) close(fd);
  return false;
}

/* Unless a process holds it, or may. The lock is kept until the files are gone, so that hold() sees
 * it. */
static void drop(const char *path, arena *a) {
  int fd = open_lock(path, a);
  if (fd < 0 && errno != ENOENT) return;
  if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) == 0) {
    unlink(path);
    unlink(arena_printf(a, "%s.sum", path));
  }
  if (fd >= 0) close(fd);
}

/* Drops those that were used least lately. */
static void drop_oldest(const options *o, arena *a) {
  struct {
    kept *at;
    size_t n, cap;
  } all = {0};
  DIR *dir = opendir(o->cache);
  for (struct dirent *e; dir && (e = readdir(dir));) {
    struct stat s;
    if (!file_ends_with(e->d_name, suffix)) continue;
    char *path = arena_printf(a, "%s/%s", o->cache, e->d_name);
    if (lstat(path, &s) == 0 && S_ISREG(s.st_mode)) *arena_push(a, &all) = (kept){path, s.st_mtim};
  }
  if (dir) closedir(dir);
  if (all.n) qsort(all.at, all.n, sizeof *all.at, by_use);
  for (size_t i = KEPT; i < all.n; i++) drop(all.at[i].path, a);
}

/* ---- making it */

/* The sum and the debug package are of one content. */
static bool is_unchanged(const debug_package *p) {
  const struct stat *before = &p->original;
  struct stat s;
  return stat(p->model, &s) == 0 && s.st_dev == before->st_dev && s.st_ino == before->st_ino &&
         s.st_size == before->st_size && s.st_mtim.tv_sec == before->st_mtim.tv_sec &&
         s.st_mtim.tv_nsec == before->st_mtim.tv_nsec;
}

static void warn_not_kept(const char *path, diags *d) {
  diag_warning(d, path, "could not be kept in the cache: the next run makes it again");
}

/* Keeps what was made at p->path in the cache. Where it cannot be held there, it is moved to
 * `private`. */
static bool keep(debug_package *p, const char *private, const options *o, arena *a, diags *d) {
  bool summed = false, held = false;
  /* Another run may drop, the first time, what it took for an old one. */
  for (int i = 0; i < 2 && !held; i++) {
    summed = cache_keep_with_sum(o, p->path, p->path, a);
    held = hold(p->path, a);
  }
  if (!summed || !held) warn_not_kept(p->path, d);
  drop_oldest(o, a);
  if (held) return true;
  if (!atomic_output_move(p->path, private, d)) return false;
  p->path = private;
  return true;
}

/* Is there room in the cache for a package like this one, with what is added to it. */
static bool has_room(const debug_package *p, const options *o) {
  enum { ADDED = 16 << 20 };
  struct statvfs s;
  if (statvfs(o->cache, &s) != 0) return true;
  return (uint64_t)s.f_bavail * s.f_frsize >= (uint64_t)p->original.st_size + ADDED;
}

static bool find_room(const debug_package *p, const options *o, arena *a) {
  if (has_room(p, o)) return true;
  drop_oldest(o, a);
  return has_room(p, o);
}

/* Makes it, in the cache where that can be written to, and else in the private directory, whose
 * files end with this process. */
static bool make_package(debug_package *p, size_t i, const char *kept_as, const options *o,
                         arena *a, diags *d) {
  const char *dir = cleanup_private_dir(d);
  options r = *o;
  if (!dir) return false;
  const char *private = arena_printf(a, "%s/%zu%s", dir, i, suffix);
  if (kept_as && !file_make_dirs(o->cache, 0700)) kept_as = NULL;
  if (kept_as && !find_room(p, o, a)) {
    warn_not_kept(kept_as, d);
    kept_as = NULL;
  }
  p->path = kept_as ? kept_as : private;
  r.verb = VERB_REWRITE;
  r.input = p->model;
  r.model = NULL;
  r.output = p->path;
  repackage_rewrite(&r, a, d);
  if (diags_status(d) != STATUS_OK) return false;
  if (!is_unchanged(p)) {
    unlink(p->path);
    diag_error(d, STATUS_INPUT, p->model,
               "changed while its debug package was made: run it again when it is written whole");
    return false;
  }
  return !kept_as || keep(p, private, o, a, d);
}

static bool find_or_make(debug_package *p, size_t i, uint64_t key, const options *o, arena *a,
                         diags *d) {
  const char *kept_as = cache_path(o, key, suffix, a);
  if (!kept_as || !cache_has_with_sum(kept_as, a) || !hold(kept_as, a))
    return make_package(p, i, kept_as, o, a, d);
  p->path = kept_as;
  utimensat(AT_FDCWD, kept_as, NULL, 0);
  if (o->verbosity >= 0) fprintf(stderr, "aotigen: '%s': made before, and unchanged\n", kept_as);
  return true;
}

/* Says why not. */
static bool is_package(const char *path, arena *a, diags *d) {
  archive z;
  if (!archive_detect(path) && access(path, R_OK) == 0) {
    diag_error(d, STATUS_INPUT, path,
               "is not a package: --model of 'run' wants the '.pt2' that the program opens");
    return false;
  }
  bool opened = archive_open(&z, path, a, d);
  archive_close(&z);
  return opened;
}

bool debug_package_make(debug_package *p, size_t i, const options *o, arena *a, diags *d) {
  const char *runtime, *include;
  uint64_t sum;
  *p = (debug_package){.model = o->models[i]};
  if (!is_package(p->model, a, d)) return false;
  if (!sum_file(p->model, &sum, &p->original)) {
    diag_error(d, STATUS_INPUT, p->model, "cannot be read: %s", strerror(errno));
    return false;
  }
  if (!companions_find_runtime(&runtime, &include, p->model, a, d)) return false;
  uint64_t key = cache_key(CACHE_KEY, arena_printf(a, "debug package %016" PRIx64 " %lld", sum,
                                                   (long long)p->original.st_size));
  key = cache_key(key, p->model); /* which its reports name */
  key = add_program(add_options(key, o, a), runtime, a);
  return find_or_make(p, i, key, o, a, d);
}
