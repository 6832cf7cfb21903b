/* filter.c - compares lists of patterns with lists of names. */
#include "shared/filter.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { PLACE_MOST = 1024 };

static ag_slice span_of(const char *s) { return (ag_slice){s, s ? strlen(s) : 0}; }

/* Reads the next item of a list, and advances *rest. */
static bool next_item(ag_slice *rest, ag_slice *item) {
  if (!rest->n) return false;
  const char *comma = memchr(rest->s, ',', rest->n);
  size_t n = comma ? (size_t)(comma - rest->s) : rest->n;
  *item = ag_slice_trim((ag_slice){rest->s, n});
  n += comma != NULL;
  rest->s += n;
  rest->n -= n;
  return true;
}

/* The names that a pattern is compared with. */
typedef struct names {
  const char *kernel, *aten, *nodes;
  const aotigen_line *lines;
  unsigned nlines;
} names;

/* Matches "model.py:15" for "/home/me/model.py", with as many folders as the pattern names. */
static bool match_place(ag_slice pattern, const aotigen_line *line) {
  char place[PLACE_MOST];
  const char *file = line->file;
  size_t n = strlen(file);
  if (n > PLACE_MOST / 2) file += n - PLACE_MOST / 2;
  n = (size_t)snprintf(place, sizeof place, "%s:%d", file, (int)line->line);
  for (const char *at = place, *slash; at; at = slash ? slash + 1 : NULL) {
    if (ag_glob_any_case(pattern, (ag_slice){at, n - (size_t)(at - place)})) return true;
    slash = strchr(at, '/');
  }
  return false;
}

/* Matches the module or one that contains it; "encoder.*" matches encoder itself, too. */
static bool match_module(ag_slice pattern, const char *module) {
  bool below = pattern.n > 2 && !strncmp(pattern.s + pattern.n - 2, ".*", 2);
  for (const char *at = module; at;) {
    at = strchr(at, '.');
    ag_slice path = {module, at ? (size_t)(at - module) : strlen(module)};
    if (ag_glob_any_case(pattern, path) ||
        (below && ag_glob_any_case((ag_slice){pattern.s, pattern.n - 2}, path)))
      return true;
    if (at) at++;
  }
  return false;
}

static bool match_names(ag_slice pattern, const names *x) {
  ag_slice name;
  ag_slice aten = span_of(x->aten), nodes = span_of(x->nodes);
  if (x->kernel && ag_glob_any_case(pattern, (ag_slice){x->kernel, strlen(x->kernel)})) return true;
  while (next_item(&aten, &name)) {
    if (name.n && ag_glob_any_case(pattern, name)) return true;
    if (name.n > 5 && !strncmp(name.s, "aten.", 5) &&
        ag_glob_any_case(pattern, (ag_slice){name.s + 5, name.n - 5}))
      return true;
  }
  while (next_item(&nodes, &name))
    if (name.n && ag_glob_any_case(pattern, name)) return true;
  for (unsigned i = 0; i < x->nlines; i++)
    if (match_place(pattern, &x->lines[i]) ||
        (x->lines[i].module && match_module(pattern, x->lines[i].module)))
      return true;
  return false;
}

/* Reads the next pattern of a list, without its '!'; it may be empty. */
static bool next_pattern(ag_slice *rest, ag_slice *pattern, bool *excludes) {
  if (!next_item(rest, pattern)) return false;
  *excludes = pattern->n && pattern->s[0] == '!';
  if (*excludes) *pattern = ag_slice_trim((ag_slice){pattern->s + 1, pattern->n - 1});
  return true;
}

static bool select_names(ag_slice list, const names *x) {
  bool wanted = false, any = false, excludes;
  ag_slice pattern;
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
  return select_names(span_of(list), &(names){.kernel = kernel, .aten = aten, .nodes = nodes});
}

bool ag_filter_selects(const char *list, const aotigen_site *s) {
  return select_names(span_of(list), &(names){s->kernel, s->aten, s->nodes, s->lines, s->nlines});
}

bool ag_filter_next(const char **list, const char **pattern, size_t *n, bool *excludes) {
  if (!*list || !**list) return false;
  const size_t end = strcspn(*list, ","); /* stops there: a long list is read once */
  ag_slice rest = {*list, end + ((*list)[end] == ',')}, next;
  if (!next_pattern(&rest, &next, excludes)) return false;
  *list = rest.s;
  *pattern = next.s;
  *n = next.n;
  return true;
}

bool ag_filter_part_is_valid(ag_slice list) {
  bool excludes;
  ag_slice pattern;
  while (next_pattern(&list, &pattern, &excludes))
    if (excludes && !pattern.n) return false;
  return true;
}

bool ag_filter_is_valid(const char *list) { return ag_filter_part_is_valid(span_of(list)); }
