/* filter.c - compares lists of patterns with lists of names. */
#include "base/filter.h"

#include <ctype.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct span {
  const char *s;
  size_t n;
} span;

static int to_lower(char c) { return tolower((unsigned char)c); }

/* Backtracks to the last star only, so the time is at most the product of the lengths. */
static bool match_glob(span pattern, span name) {
  size_t p = 0, i = 0, star = SIZE_MAX, from = 0;
  while (i < name.n) {
    if (p < pattern.n && pattern.s[p] == '*') {
      star = p++;
      from = i;
    } else if (p < pattern.n &&
               (pattern.s[p] == '?' || to_lower(pattern.s[p]) == to_lower(name.s[i]))) {
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

static span trim_span(span x) {
  while (x.n && isspace((unsigned char)x.s[0])) x.s++, x.n--;
  while (x.n && isspace((unsigned char)x.s[x.n - 1])) x.n--;
  return x;
}

/* The next item of a list; *rest moves past it. */
static bool next_item(const char **rest, span *item) {
  if (!*rest || !**rest) return false;
  size_t n = strcspn(*rest, ",");
  *item = trim_span((span){*rest, n});
  *rest += n + ((*rest)[n] == ',');
  return true;
}

static bool match_names(span pattern, const char *kernel, const char *aten, const char *nodes) {
  span name;
  if (kernel && match_glob(pattern, (span){kernel, strlen(kernel)})) return true;
  while (next_item(&aten, &name)) {
    if (name.n && match_glob(pattern, name)) return true;
    if (name.n > 5 && !strncmp(name.s, "aten.", 5) &&
        match_glob(pattern, (span){name.s + 5, name.n - 5}))
      return true;
  }
  while (next_item(&nodes, &name))
    if (name.n && match_glob(pattern, name)) return true;
  return false;
}

/* The next pattern of a list, without its '!'; it may be empty. */
static bool next_pattern(const char **rest, span *pattern, bool *excludes) {
  if (!next_item(rest, pattern)) return false;
  *excludes = pattern->n && pattern->s[0] == '!';
  if (*excludes) *pattern = trim_span((span){pattern->s + 1, pattern->n - 1});
  return true;
}

bool ag_filter_matches(const char *list, const char *kernel, const char *aten, const char *nodes) {
  bool wanted = false, any = false, excludes;
  span pattern;
  while (next_pattern(&list, &pattern, &excludes)) {
    if (!pattern.n) continue;
    bool matches = match_names(pattern, kernel, aten, nodes);
    if (excludes && matches) return false;
    any = any || !excludes;
    wanted = wanted || (!excludes && matches);
  }
  return wanted || !any;
}

bool ag_filter_next(const char **list, const char **pattern, size_t *n, bool *excludes) {
  span next;
  if (!next_pattern(list, &next, excludes)) return false;
  *pattern = next.s;
  *n = next.n;
  return true;
}

bool ag_filter_is_valid(const char *list) {
  bool excludes;
  span pattern;
  while (next_pattern(&list, &pattern, &excludes))
    if (excludes && !pattern.n) return false;
  return true;
}
