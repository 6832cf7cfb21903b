/* file.c - see file.h. */
#include "base/file.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool slurp(int fd, size_t max, strbuf *out) {
  struct stat st;
  char buffer[16 * 1024];
  if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) return false;
  strbuf_add(out, "", 0);
  for (;;) {
    ssize_t n = read(fd, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n == 0;
    if (out->n + (size_t)n > max) return false;
    strbuf_add(out, buffer, (size_t)n);
  }
}

bool file_slurp(const char *path, size_t max, strbuf *out) {
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  bool ok = fd >= 0 && slurp(fd, max, out);
  if (fd >= 0) close(fd);
  if (!ok) strbuf_free(out);
  return ok;
}

bool file_write(int fd, const char *at, size_t n) {
  while (n > 0) {
    ssize_t k = write(fd, at, n < (1u << 30) ? n : 1u << 30);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) return false;
    at += k;
    n -= (size_t)k;
  }
  return true;
}

bool file_ends_with(const char *name, const char *end) {
  size_t n = strlen(name), k = strlen(end);
  return n > k && !strcmp(name + n - k, end);
}

bool file_is_dir(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool file_is_file(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, R_OK) == 0;
}

const char *file_dir(arena *a, const char *path) {
  const char *slash = strrchr(path, '/');
  if (!slash) return ".";
  return slash == path ? "/" : arena_strndup(a, path, (size_t)(slash - path));
}

const char *file_home(arena *a) {
  char exe[PATH_MAX];
  ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
  if (n <= 0) return NULL;
  exe[n] = '\0';
  return file_dir(a, exe);
}
