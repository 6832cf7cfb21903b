/* own_path.c - see own_path.h. */
#define _GNU_SOURCE
#include "base/own_path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_trusted(uid_t owner) {
  struct stat root;
  return owner == geteuid() || !owner || (!lstat("/", &root) && owner == root.st_uid);
}

/* Whether each link of the path is trusted, and whether its last part is a link. */
static bool look_at_links(const char *path, bool *ends_in_link) {
  char part[PATH_MAX];
  struct stat st;
  size_t n = strnlen(path, PATH_MAX);
  *ends_in_link = false;
  if (n == PATH_MAX) return true; /* no file has the name */
  memcpy(part, path, n + 1);
  for (size_t i = 1; i <= n; i++) {
    if (part[i] && part[i] != '/') continue;
    char end = part[i];
    part[i] = '\0';
    *ends_in_link = !lstat(part, &st) && S_ISLNK(st.st_mode);
    if (*ends_in_link && !is_trusted(st.st_uid)) return false;
    part[i] = end;
  }
  return true;
}

bool ag_own_path_is_own(const char *path) {
  bool ends_in_link;
  return look_at_links(path, &ends_in_link);
}

/* The directory of the path, by its status. */
static bool find_directory(const char *path, struct stat *st) {
  char dir[PATH_MAX];
  const char *slash = strrchr(path, '/');
  size_t n = slash ? (size_t)(slash - path) : 0;
  if (n >= sizeof dir) return false;
  memcpy(dir, path, n);
  dir[n] = '\0';
  return !stat(!slash ? "." : n ? dir : "/", st);
}

/* A device belongs to who uses the terminal, or to root. */
static bool is_laid_by_another(const char *path, int fd) {
  struct stat file, dir;
  if (fstat(fd, &file) || is_trusted(file.st_uid)) return false;
  if (!find_directory(path, &dir)) return true;
  return file.st_uid != dir.st_uid &&
         (dir.st_mode & (S_IWGRP | S_IWOTH) || !is_trusted(dir.st_uid));
}

/* In a directory with the sticky bit others may replace their own files alone. */
static const char *refuse_part(const char *path, bool is_last) {
  struct stat st;
  if (lstat(path, &st)) return strerror(errno);
  if (is_last && !S_ISREG(st.st_mode)) return "it is no regular file";
  if (!is_trusted(st.st_uid))
    return is_last ? "it belongs to another user" : "its directory belongs to another user";
  if (!(st.st_mode & (S_IWGRP | S_IWOTH)) || (!is_last && st.st_mode & S_ISVTX)) return NULL;
  return is_last ? "others may write to it" : "others may write to its directory";
}

const char *ag_own_path_refuse_program(const char *path) {
  char part[PATH_MAX];
  const char *why = NULL;
  const size_t n = strnlen(path, PATH_MAX);
  if (n == PATH_MAX || *path != '/') return "it is no absolute name";
  memcpy(part, path, n + 1);
  for (size_t i = 1; i < n && !why; i++) {
    if (part[i] != '/') continue;
    part[i] = '\0';
    why = refuse_part(part, false);
    part[i] = '/';
  }
  if (!why) why = refuse_part(part, true);
  if (!why && access(path, X_OK)) why = strerror(errno);
  return why;
}

const char *ag_own_path_error(int error) {
  return error == ELOOP ? "its path has a link of another user's, or too many links"
                        : strerror(error);
}

int ag_own_path_open(const char *path, int flags, mode_t mode) {
  bool ends_in_link;
  if (!look_at_links(path, &ends_in_link)) {
    errno = ELOOP;
    return -1;
  }
  int fd = open(path, flags | (ends_in_link ? 0 : O_NOFOLLOW), mode);
  if (fd < 0 || ends_in_link || !is_laid_by_another(path, fd)) return fd;
  close(fd);
  errno = EACCES;
  return -1;
}
