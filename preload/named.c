/* named.c - see named.h. Knows the order in which glibc's loader looks for a library. */
#include "preload/named.h"
#include "preload/table.h"
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SEARCHED = 16 << 10 }; /* the bytes of a list of directories */

/* The object that this code is in, or NULL. */
static struct link_map *find_object(const void *caller) {
  Dl_info unused;
  void *object = NULL;
  return dladdr1(caller, &unused, &object, RTLD_DL_LINKMAP) ? object : NULL;
}

/* The directory of the caller's object, as an absolute path. */
static bool find_origin(char origin[PATH_MAX], const void *caller) {
  const struct link_map *object = find_object(caller);
  if (!object) return false;
  if (!*object->l_name) {
    const ssize_t n = readlink("/proc/self/exe", origin, PATH_MAX - 1);
    if (n <= 0) return false;
    origin[n] = '\0';
  } else if (snprintf(origin, PATH_MAX, "%s", object->l_name) >= PATH_MAX) {
    return false;
  }
  char *slash = *origin == '/' ? strrchr(origin, '/') : NULL;
  if (slash) *slash = '\0';
  return slash;
}

/* The bytes of "$ORIGIN" or "${ORIGIN}" at the begin of the text; 0: another. */
static size_t measure_origin(const char *text) {
  static const char *const words[] = {"$ORIGIN/", "${ORIGIN}/"};
  for (int i = 0; i < 2; i++)
    if (!strncmp(text, words[i], strlen(words[i]))) return strlen(words[i]) - 1;
  return 0;
}

static bool expand(char path[PATH_MAX], const char *name, const void *caller) {
  char origin[PATH_MAX];
  const size_t n = measure_origin(name);
  return n && !strchr(name + n, '$') && find_origin(origin, caller) &&
         snprintf(path, PATH_MAX, "%s%s", origin, name + n) < PATH_MAX;
}

static bool exists(const char *path) {
  struct stat s;
  return table_status_of(path, &s) == 0;
}

/* The system's own directories come last, and behind the loader's cache. glibc says of none where
 * it is from. */
static bool is_systems(const char *dir) {
  return !strncmp(dir, "/lib", 4) || !strncmp(dir, "/usr/lib", 8);
}

/* The first directory of the list that has the file. False where one comes before it of which that
 * cannot be told. */
static bool search(char path[PATH_MAX], const Dl_serinfo *list, const char *name) {
  for (unsigned i = 0; i < list->dls_cnt; i++) {
    const Dl_serpath *dir = &list->dls_serpath[i];
    if (is_systems(dir->dls_name)) return false;
    if (snprintf(path, PATH_MAX, "%s/glibc-hwcaps", dir->dls_name) >= PATH_MAX || exists(path) ||
        snprintf(path, PATH_MAX, "%s/%s", *dir->dls_name ? dir->dls_name : ".", name) >= PATH_MAX)
      return false;
    if (exists(path)) return true;
  }
  return false;
}

static bool look_up(char path[PATH_MAX], const char *name, const void *caller) {
  struct link_map *object = find_object(caller);
  Dl_serinfo size;
  union {
    Dl_serinfo list;
    char bytes[SEARCHED];
  } all;
  if (!object || dlinfo(object, RTLD_DI_SERINFOSIZE, &size) != 0 || size.dls_size > sizeof all)
    return false;
  memcpy(&all.list, &size, sizeof size);
  return dlinfo(object, RTLD_DI_SERINFO, &all) == 0 && search(path, &all.list, name);
}

bool named_find(char path[PATH_MAX], const char *name, const void *caller) {
  const int saved = errno;
  const bool found = !strchr(name, '/')  ? *name && look_up(path, name, caller)
                     : strchr(name, '$') ? expand(path, name, caller)
                                         : snprintf(path, PATH_MAX, "%s", name) < PATH_MAX;
  errno = saved;
  return found;
}
