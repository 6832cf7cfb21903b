/* own_dir.c - see command_parts.h. */
#include "command/command_parts.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* True where one component is root's or the user's, and no other user can put another in its place:
 * in a directory that all may write to, as /tmp, only a file's owner can. */
static bool is_own(const char *path) {
  struct stat s;
  return lstat(path, &s) == 0 && (s.st_uid == 0 || s.st_uid == geteuid()) &&
         (!S_ISDIR(s.st_mode) || !(s.st_mode & S_IWOTH) || (s.st_mode & S_ISVTX));
}

static bool is_own_all_the_way(const char *path) {
  char part[PATH_MAX];
  size_t n = 0;
  if (strlen(path) >= sizeof part || *path != '/' || !is_own("/")) return false;
  for (const char *s = path; *(s += strspn(s, "/"));) {
    size_t name = strcspn(s, "/");
    bool itself = name == 1 && *s == '.'; /* thousands of "/." would each be looked up */
    part[n] = '/';
    memcpy(part + n + 1, s, name);
    s += name;
    if (itself) continue;
    n += name + 1;
    part[n] = '\0';
    if (!is_own(part)) return false;
  }
  return true;
}

static bool climbs(const char *path) {
  for (const char *s = path; (s = strstr(s, "/..")); s += 3)
    if (s[3] == '/' || !s[3]) return true;
  return false;
}

const char *own_dir_resolve(const char *dir, arena *a) {
  char whole[PATH_MAX];
  struct stat s;
  if (climbs(dir) || !is_own_all_the_way(dir) || !realpath(dir, whole) ||
      !is_own_all_the_way(whole) || stat(whole, &s) != 0 || !S_ISDIR(s.st_mode))
    return NULL;
  return arena_strdup(a, whole);
}

bool own_dir_is_within(const char *dir, const char *outer) {
  char inner[PATH_MAX], whole[PATH_MAX];
  if (!realpath(dir, inner) || !realpath(outer, whole)) return false;
  size_t n = strlen(whole);
  return !strncmp(inner, whole, n) && (inner[n] == '/' || !inner[n] || n == 1);
}
