/* cache.c - see cache.h. */
#include "system/cache.h"
#include "base/file.h"
#include "system/atomic_output.h"
#include "system/own_path.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SUMS_MAX = 1 << 20, LANES = 4 };

static const uint64_t factor = 1099511628211u; /* FNV's */

uint64_t cache_key(uint64_t key, const char *s) {
  for (; *s; s++) key = (key ^ (unsigned char)*s) * factor;
  return (key ^ 0xff) * factor;
}

const char *cache_path(const options *o, uint64_t key, const char *suffix, arena *a) {
  return o->env.cache
             ? arena_printf(a, "%s/%016llx%s", o->env.cache, (unsigned long long)key, suffix)
             : NULL;
}

/* Removes a path that is not a regular file, since it would be written in place: a FIFO waits
 * for a reader. */
static void remove_odd(const char *path) {
  struct stat s;
  if (lstat(path, &s) == 0 && !S_ISREG(s.st_mode)) unlink(path);
}

bool cache_keep(const options *o, const char *made, const char *path, arena *a) {
  remove_odd(path);
  return file_make_dirs(o->env.cache, 0700) && chmod(made, 0600) == 0 &&
         atomic_output_move(made, path, diags_new(a));
}

/* ---- what is in it */

bool cache_is_own(const char *dir, diags *d) {
  struct stat s;
  char odd[PATH_MAX];
  if (!own_path_is_fixed(dir, odd)) {
    diag_warning(d, dir, "could be replaced by another user, by '%s': nothing is kept there", odd);
    return false;
  }
  if (stat(dir, &s) != 0) return true; /* it is made once something is kept */
  if (s.st_uid == geteuid() && (!(s.st_mode & 077) || chmod(dir, 0700) == 0)) return true;
  diag_warning(d, dir, "belongs to another user: nothing that is kept there is used");
  return false;
}

/* Each lane is a hash like FNV over 8 bytes at a time. Their order counts, and the processor works
 * on all lanes at once. */
uint64_t cache_sum(const char *at, size_t n) {
  uint64_t lanes[LANES] = {CACHE_KEY, 1, 2, 3}, words[LANES], sum = n;
  size_t i = 0;
  for (; i + sizeof words <= n; i += sizeof words) {
    memcpy(words, at + i, sizeof words);
    for (int k = 0; k < LANES; k++) {
      lanes[k] = (lanes[k] ^ words[k]) * factor;
      lanes[k] ^= lanes[k] >> 29;
    }
  }
  for (int k = 0; k < LANES; k++) sum = (sum ^ lanes[k]) * factor;
  for (; i < n; i++) sum = (sum ^ (unsigned char)at[i]) * factor;
  return sum ^ sum >> 32;
}

static bool is_own_file(const struct stat *s) {
  return S_ISREG(s->st_mode) && s->st_uid == geteuid() && !(s->st_mode & 022);
}

bool cache_read(const char *path, size_t max, strbuf *out) {
  struct stat s;
  return lstat(path, &s) == 0 && is_own_file(&s) && file_read(path, max, out);
}

bool cache_sum_made(const char *path, uint64_t *sum) {
  return chmod(path, 0600) == 0 && cache_sum_file(path, sum);
}

bool cache_sum_file(const char *path, uint64_t *sum) {
  struct stat s;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  bool opened = fd >= 0 && fstat(fd, &s) == 0, ok = opened && is_own_file(&s) && s.st_size > 0;
  size_t n = ok ? (size_t)s.st_size : 0;
  void *at = ok ? mmap(NULL, n, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0) : MAP_FAILED;
  if (fd >= 0) close(fd);
  if (opened && !ok) errno = EPERM;
  if (at == MAP_FAILED) return false;
  *sum = cache_sum(at, n);
  munmap(at, n);
  return true;
}

int cache_lock(const options *o) {
  if (!file_make_dirs(o->env.cache, 0700)) return -1;
  int fd = open(o->env.cache, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  while (fd >= 0 && flock(fd, LOCK_EX) != 0 && errno == EINTR) continue;
  return fd;
}

static const char *sums_path(const char *path, arena *a) { return arena_printf(a, "%s.sum", path); }

/* Adds a line for each file of that name: two processes may keep theirs at the same time. */
bool cache_add_sum(const options *o, const char *made, const char *path, arena *a) {
  uint64_t sum;
  if (!cache_sum_made(made, &sum) || !file_make_dirs(o->env.cache, 0700)) return false;
  const char *line = arena_printf(a, "%016" PRIx64 "\n", sum);
  remove_odd(sums_path(path, a));
  int fd = open(sums_path(path, a), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
  bool ok = fd >= 0 && file_write(fd, line, strlen(line));
  int error = errno;
  if (fd >= 0) close(fd);
  errno = error;
  return ok;
}

bool cache_keep_with_sum(const options *o, const char *made, const char *path, arena *a) {
  return cache_add_sum(o, made, path, a) && cache_keep(o, made, path, a);
}

bool cache_has_with_sum(const char *path, arena *a) {
  uint64_t sum;
  strbuf t = {0};
  bool ok = cache_read(sums_path(path, a), SUMS_MAX, &t) && cache_sum_file(path, &sum) &&
            strstr(t.at, arena_printf(a, "%016" PRIx64 "\n", sum));
  strbuf_free(&t);
  return ok;
}
