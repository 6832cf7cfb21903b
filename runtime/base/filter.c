/* filter.c - pattern lists against names. Knows strings alone. */
#include "base/filter.h"

#include <ctype.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct span {
  const char *s;
  size_t n;
} span;

static int lower(char c) { return tolower((unsigned char)c); }

/* Goes back to the last star alone, so the time is at most the product of the lengths. */
static bool glob(span pattern, span name) {
  size_t p = 0, i = 0, star = SIZE_MAX, from = 0;
  while (i < name.n) {
    if (p < pattern.n && pattern.s[p] == '*') {
      star = p++;
      from = i;
    } else if (p < pattern.n && (pattern.s[p] == '?' || lower(pattern.s[p]) == lower(name.s[i]))) {
      p++;
      i++;
    } else if (star != SIZE_MAX) {
      p = star + 1;
      i = ++from;
    } else {
      return false;
    }
  }
  while (p < pattern.n && pattern.s[p] == '*') p++;
  return p == pattern.n;
}

static span trim(span x) {
  while (x.n && isspace((unsigned char)x.s[0])) x.s++, x.n--;
  while (x.n && isspace((unsigned char)x.s[x.n - 1])) x.n--;
  return x;
}

/* The next item of a comma list; *rest moves past it. */
static bool next(const char **rest, span *item) {
  if (!*rest || !**rest) return false;
  size_t n = strcspn(*rest, ",");
  *item = trim((span){*rest, n});
  *rest += n + ((*rest)[n] == ',');
  return true;
}

static bool matches(span pattern, const char *kernel, const char *aten, const char *nodes) {
  span name;
  if (kernel && glob(pattern, (span){kernel, strlen(kernel)})) return true;
  while (next(&aten, &name)) {
    if (name.n && glob(pattern, name)) return true;
    if (name.n > 5 && !strncmp(name.s, "aten.", 5) && glob(pattern, (span){name.s + 5, name.n - 5}))
      return true;
  }
  while (next(&nodes, &name))
    if (name.n && glob(pattern, name)) return true;
  return false;
}

bool ag_filter(const char *list, const char *kernel, const char *aten, const char *nodes) {
  bool wanted = false, any = false;
  span item;
  while (next(&list, &item)) {
    bool excludes = item.n && item.s[0] == '!';
    if (excludes) item = trim((span){item.s + 1, item.n - 1});
    if (!item.n) continue;
    if (excludes) {
      if (matches(item, kernel, aten, nodes)) return false;
    } else {
      any = true;
      wanted = wanted || matches(item, kernel, aten, nodes);
    }
  }
  return wanted || !any;
}
