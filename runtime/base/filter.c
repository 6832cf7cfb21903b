/* filter.c - compares lists of patterns with lists of names. */
#include "base/filter.h"

#include <ctype.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { PLACE_MOST = 1024 };

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

/* What a pattern is compared with. */
typedef struct names {
  const char *kernel, *aten, *nodes;
  const aotigen_line *lines;
  unsigned nlines;
} names;

/* "model.py:15" of "/home/me/model.py", with as many folders as the pattern names. */
static bool match_place(span pattern, const aotigen_line *line) {
  char place[PLACE_MOST];
  const char *file = line->file;
  size_t n = strlen(file);
  if (n > PLACE_MOST / 2) file += n - PLACE_MOST / 2;
  n = (size_t)snprintf(place, sizeof place, "%s:%d", file, (int)line->line);
  for (const char *at = place, *slash; at; at = slash ? slash + 1 : NULL) {
    if (match_glob(pattern, (span){at, n - (size_t)(at - place)})) return true;
    slash = strchr(at, '/');
  }
  return false;
}

/* The module or one that it is in; "encoder.*" is also encoder itself. */
static bool match_module(span pattern, const char *module) {
  bool below = pattern.n > 2 && !strncmp(pattern.s + pattern.n - 2, ".*", 2);
  for (const char *at = module; at;) {
    at = strchr(at, '.');
    span path = {module, at ? (size_t)(at - module) : strlen(module)};
    if (match_glob(pattern, path) || (below && match_glob((span){pattern.s, pattern.n - 2}, path)))
      return true;
    if (at) at++;
  }
  return false;
}

static bool match_names(span pattern, const names *x) {
  span name;
  const char *aten = x->aten, *nodes = x->nodes;
  if (x->kernel && match_glob(pattern, (span){x->kernel, strlen(x->kernel)})) return true;
  while (next_item(&aten, &name)) {
    if (name.n && match_glob(pattern, name)) return true;
    if (name.n > 5 && !strncmp(name.s, "aten.", 5) &&
        match_glob(pattern, (span){name.s + 5, name.n - 5}))
      return true;
  }
  while (next_item(&nodes, &name))
    if (name.n && match_glob(pattern, name)) return true;
  for (unsigned i = 0; i < x->nlines; i++)
    if (match_place(pattern, &x->lines[i]) ||
        (x->lines[i].module && match_module(pattern, x->lines[i].module)))
      return true;
  return false;
}

/* The next pattern of a list, without its '!'; it may be empty. */
static bool next_pattern(const char **rest, span *pattern, bool *excludes) {
  if (!next_item(rest, pattern)) return false;
  *excludes = pattern->n && pattern->s[0] == '!';
  if (*excludes) *pattern = trim_span((span){pattern->s + 1, pattern->n - 1});
  return true;
}

static bool select_names(const char *list, const names *x) {
  bool wanted = false, any = false, excludes;
  span pattern;
  while (next_pattern(&list, &pattern, &excludes)) {
    if (!pattern.n) continue;
    bool matches = match_names(pattern, x);
    if (excludes && matches) return false;
    any = any || !excludes;
    wanted = wanted || (!excludes && matches);
  }
  return wanted || !any;
}

bool ag_filter_matches(const char *list, const char *kernel, const char *aten, const char *nodes) {
  return select_names(list, &(names){.kernel = kernel, .aten = aten, .nodes = nodes});
}

bool ag_filter_selects(const char *list, const aotigen_site *s) {
  return select_names(list, &(names){s->kernel, s->aten, s->nodes, s->lines, s->nlines});
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
