/* own_path.c - see own_path.h. */
#include "system/own_path.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINKS_MOST = 40 };

typedef struct walk {
  char *done; /* without links, and without a slash at its end */
  char rest[PATH_MAX];
  int links;
} walk;

bool own_path_trusts(uid_t owner) {
  struct stat root;
  return owner == geteuid() || owner == 0 || (lstat("/", &root) == 0 && owner == root.st_uid);
}

static bool append(char *path, const char *part, size_t n) {
  size_t length = strlen(path);
  if (length + n + 2 > PATH_MAX) {
    errno = ENAMETOOLONG;
    return false;
  }
  path[length] = '/';
  memcpy(path + length + 1, part, n);
  path[length + 1 + n] = '\0';
  return true;
}

static void cut_last(char *path) {
  char *slash = strrchr(path, '/');
  if (slash) *slash = '\0';
}

/* Puts the link's text in the place of its name. */
static bool follow_link(walk *w) {
  char text[PATH_MAX];
  ssize_t n = readlink(w->done, text, sizeof text - 1);
  if (n < 0) return false;
  text[n] = '\0';
  if (++w->links > LINKS_MOST) {
    errno = ELOOP;
    return false;
  }
  if (*text == '/')
    *w->done = '\0';
  else
    cut_last(w->done);
  if (*w->rest && !append(text, w->rest, strlen(w->rest))) return false;
  strcpy(w->rest, text);
  return true;
}

/* Removes the first part of the rest, and returns its length: 0 at the end. */
static size_t take_part(walk *w, char *part) {
  const char *begin = w->rest + strspn(w->rest, "/");
  size_t n = strcspn(begin, "/");
  memcpy(part, begin, n);
  part[n] = '\0';
  begin += n;
  memmove(w->rest, begin, strlen(begin) + 1);
  return n;
}

/* Takes over one part of the rest. *missing: there is no such file. */
static bool step(walk *w, const char *part, size_t n, char *odd, bool *missing) {
  struct stat s;
  if (!strcmp(part, ".")) return true;
  if (!strcmp(part, "..")) {
    cut_last(w->done);
    return true;
  }
  if (!append(w->done, part, n)) return false;
  if (*missing) return true;
  if (lstat(w->done, &s) != 0) return *missing = errno == ENOENT;
  if (!S_ISLNK(s.st_mode)) return true;
  if (own_path_trusts(s.st_uid)) return follow_link(w);
  strcpy(odd, w->done);
  errno = EPERM;
  return false;
}

bool own_path_follow(const char *path, char *real, char *odd) {
  walk w = {.done = real};
  char part[PATH_MAX];
  bool missing = false;
  if (strlen(path) >= sizeof w.rest) {
    errno = ENAMETOOLONG;
    return false;
  }
  strcpy(w.rest, path);
  if (*path == '/')
    *real = '\0';
  else if (!getcwd(real, PATH_MAX))
    return false;
  if (!strcmp(real, "/")) *real = '\0';
  for (size_t n; (n = take_part(&w, part));)
    if (!step(&w, part, n, odd, &missing)) return false;
  if (!*real) strcpy(real, "/");
  return true;
}

static bool is_fixed(const char *dir) {
  struct stat s;
  if (lstat(dir, &s) != 0) return errno == ENOENT;
  return own_path_trusts(s.st_uid) && (!(s.st_mode & S_IWOTH) || s.st_mode & S_ISVTX);
}

bool own_path_is_fixed(const char *dir, char *odd) {
  char real[PATH_MAX];
  if (!own_path_follow(dir, real, odd)) return errno != EPERM;
  for (char *slash = real; (slash = strchr(slash + 1, '/'));) {
    *slash = '\0';
    bool fixed = is_fixed(real);
    if (!fixed) strcpy(odd, real);
    *slash = '/';
    if (!fixed) return false;
  }
  return true;
}

bool own_path_is_shared(const char *dir) {
  struct stat s;
  return stat(dir, &s) != 0 || !own_path_trusts(s.st_uid) || s.st_mode & (S_IWGRP | S_IWOTH);
}
