/* file.c - see file.h. */
#include "base/file.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool read_regular(int fd, size_t max, strbuf *out) {
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

bool file_read(const char *path, size_t max, strbuf *out) {
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  bool ok = fd >= 0 && read_regular(fd, max, out);
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

uint64_t file_size(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 ? (uint64_t)st.st_size : 0;
}

/* The first that cannot be made is the reason: those below it lack their directory. */
static void make_dir(const char *path, mode_t mode, int *error) {
  if (mkdir(path, mode) != 0 && errno != EEXIST && !*error) *error = errno;
}

bool file_make_dirs(const char *path, mode_t mode) {
  char part[PATH_MAX];
  int error = 0;
  if (strlen(path) >= sizeof part) {
    errno = ENAMETOOLONG;
    return false;
  }
  strcpy(part, path);
  for (char *slash = part; *slash && (slash = strchr(slash + 1, '/'));) {
    *slash = '\0';
    make_dir(part, mode, &error);
    *slash = '/';
  }
  make_dir(part, mode, &error);
  if (file_is_dir(path)) return access(path, W_OK) == 0;
  errno = error ? error : ENOTDIR;
  return false;
}

void file_copy_dir(char *dir, size_t size, const char *path) {
  const char *slash = strrchr(path, '/');
  if (!slash)
    snprintf(dir, size, ".");
  else
    snprintf(dir, size, "%.*s", slash == path ? 1 : (int)(slash - path), path);
}

const char *file_dir(arena *a, const char *path) {
  size_t size = strlen(path) + 2;
  char *dir = arena_alloc(a, size);
  file_copy_dir(dir, size, path);
  return dir;
}

const char *file_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

const char *file_here(const char *path, arena *a) {
  char cwd[PATH_MAX];
  if (access(path, R_OK) != 0) return file_name(path);
  const size_t n = getcwd(cwd, sizeof cwd) ? strlen(cwd) : 0;
  const bool below = n > 1 && !strncmp(path, cwd, n) && path[n] == '/' && path[n + 1];
  return arena_strdup(a, below ? path + n + 1 : path);
}

const char *file_program(arena *a) {
  char exe[PATH_MAX];
  ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
  return n > 0 ? arena_strndup(a, exe, (size_t)n) : NULL;
}

const char *file_program_dir(arena *a) {
  const char *program = file_program(a);
  return program ? file_dir(a, program) : NULL;
}
