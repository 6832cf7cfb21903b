/* memory_limit.c - see memory_limit.h, and cgroups(7). */
#include "system/memory_limit.h"
#include "base/arena.h"
#include "base/file.h"
#include "shared/glob.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 64 << 10 };

/* The limit in a file with a number, or "max". */
static uint64_t read_limit(const char *path) {
  strbuf t = {0};
  uint64_t limit = UINT64_MAX;
  if (file_read(path, TEXT_MAX, &t) && isdigit((unsigned char)*t.at))
    limit = strtoull(t.at, NULL, 10);
  strbuf_free(&t);
  return limit;
}

/* The least limit of "/a/b", "/a" and the top: a container may have only the top. */
static uint64_t find_least(const char *top, const char *group, const char *file, arena *a) {
  uint64_t least = UINT64_MAX;
  for (size_t n = strlen(group);;) {
    uint64_t limit = read_limit(arena_printf(a, "%s%.*s/%s", top, (int)n, group, file));
    if (limit < least) least = limit;
    if (!n) return least;
    while (n && group[--n] != '/') continue;
  }
}

/* The limit by a line of /proc/self/cgroup: "0::/a/b", or in version 1 "2:cpuset,memory:/a/b". */
static uint64_t find_of_line(char *line, const char *root, arena *a) {
  char *controllers = strchr(line, ':'), *group = controllers ? strchr(controllers + 1, ':') : NULL;
  if (!group || group[1] != '/') return UINT64_MAX;
  *group++ = '\0';
  if (!*++controllers)
    return find_least(arena_printf(a, "%s/sys/fs/cgroup", root), group, "memory.max", a);
  if (!ag_word_find(controllers, "memory", strncmp)) return UINT64_MAX;
  return find_least(arena_printf(a, "%s/sys/fs/cgroup/memory", root), group,
                    "memory.limit_in_bytes", a);
}

uint64_t memory_limit_find_below(const char *root) {
  arena *a = arena_new();
  strbuf t = {0};
  uint64_t least = UINT64_MAX;
  if (file_read(arena_printf(a, "%s/proc/self/cgroup", root), TEXT_MAX, &t)) {
    for (char *line = t.at, *next; line; line = next) {
      next = strchr(line, '\n');
      if (next) *next++ = '\0';
      uint64_t limit = find_of_line(line, root, a);
      if (limit < least) least = limit;
    }
  }
  strbuf_free(&t);
  arena_free(a);
  return least;
}

uint64_t memory_limit_find(void) { return memory_limit_find_below(""); }
