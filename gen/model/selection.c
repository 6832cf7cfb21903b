/* selection.c - see selection.h. */
#include "model/selection.h"
#include "model/op_table.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { PATTERNS_SHOWN = 3, NAMES_SHOWN = 3, PATTERN_MOST = 64, PLACE_MOST = 1024 };

static char *to_lower(const char *s, size_t n, arena *a) {
  char *copy = arena_printf(a, "%.*s", (int)n, s);
  for (char *p = copy; *p; p++) *p = (char)tolower((unsigned char)*p);
  return copy;
}

/* The next pattern of *list in lower case, without its '!'; NULL at the end. */
static const char *next_pattern(const char **list, bool *excludes, arena *a) {
  const char *at = *list + strspn(*list, " \t,");
  size_t n = strcspn(at, ",");
  *list = at + n;
  if (!*at) return NULL;
  while (n && isspace((unsigned char)at[n - 1])) n--;
  *excludes = *at == '!';
  size_t skipped = *excludes ? 1 + strspn(at + 1, " \t") : 0;
  return to_lower(at + skipped, n > skipped ? n - skipped : 0, a);
}

/* ---- what is selected ----------------------------------------------------------------------- */

static bool matches_name(const char *pattern, const char *name, arena *a) {
  const char *lower = to_lower(name, strlen(name), a);
  return op_table_match(pattern, lower) ||
         (strncmp(lower, "aten.", 5) == 0 && op_table_match(pattern, lower + 5));
}

/* Copies n letters in lower case, as many as there is room for. */
static void copy_lower(char *to, size_t size, const char *from, size_t n) {
  size_t i = 0;
  for (; i < n && i + 1 < size; i++) to[i] = (char)tolower((unsigned char)from[i]);
  to[i] = '\0';
}

/* "model.py:15" of "/home/me/model.py", with as many folders as the pattern names. */
static bool matches_place(const char *pattern, const aotigen_line *line) {
  char place[PLACE_MOST], lower[PLACE_MOST];
  const char *file = line->file;
  size_t n = strlen(file);
  if (n > PLACE_MOST / 2) file += n - PLACE_MOST / 2;
  n = (size_t)snprintf(place, sizeof place, "%s:%u", file, line->line);
  copy_lower(lower, sizeof lower, place, n);
  for (const char *at = lower, *slash; at; at = slash ? slash + 1 : NULL) {
    if (op_table_match(pattern, at)) return true;
    slash = strchr(at, '/');
  }
  return false;
}

/* The module or one that it is in; "encoder.*" is also encoder itself. */
static bool matches_module(const char *pattern, const char *module) {
  char path[PLACE_MOST], own[PLACE_MOST];
  size_t n = strlen(pattern);
  bool below = n > 2 && !strcmp(pattern + n - 2, ".*");
  copy_lower(own, sizeof own, pattern, below ? n - 2 : n);
  for (const char *at = module; at;) {
    at = strchr(at, '.');
    copy_lower(path, sizeof path, module, at ? (size_t)(at - module) : strlen(module));
    if (op_table_match(pattern, path) || op_table_match(own, path)) return true;
    if (at) at++;
  }
  return false;
}

static bool matches_line(const char *pattern, const aotigen_line *line) {
  return matches_place(pattern, line) || (line->module && matches_module(pattern, line->module));
}

static bool matches_site(const char *pattern, const site *s, arena *a) {
  if (op_table_match(pattern, to_lower(s->kernel, strlen(s->kernel), a))) return true;
  for (size_t i = 0; i < s->aten.n; i++)
    if (matches_name(pattern, s->aten.at[i], a)) return true;
  for (size_t i = 0; i < s->nodes.n; i++)
    if (op_table_match(pattern, to_lower(s->nodes.at[i], strlen(s->nodes.at[i]), a))) return true;
  for (size_t i = 0; i < s->lines.n; i++)
    if (matches_line(pattern, &s->lines.at[i])) return true;
  return false;
}

static bool selects_site(const char *filter, const site *s, arena *a) {
  bool selected = false, any = false, excludes;
  for (const char *pattern; (pattern = next_pattern(&filter, &excludes, a));) {
    bool matches = *pattern && matches_site(pattern, s, a);
    if (excludes && matches) return false;
    if (!excludes && *pattern) any = true;
    if (!excludes && matches) selected = true;
  }
  return selected || !any;
}

bool selection_has_any(const model *m, const char *filter, arena *a) {
  for (size_t i = 0; i < m->sites.n; i++)
    if (selects_site(filter, &m->sites.at[i], a)) return true;
  return false;
}

/* ---- the nearest names ---------------------------------------------------------------------- */

typedef struct search {
  char pattern[PATTERN_MOST + 1]; /* without wildcards */
  size_t length;
  const char *best[NAMES_SHOWN]; /* of the nearest, the shortest first */
  size_t n, distance;
} search;

static size_t smaller_of(size_t x, size_t y) { return x < y ? x : y; }

/* Letters to change, leave out or put in, between the pattern and the part of the name that is most
 * like it. */
static size_t measure_distance(const search *s, const char *name) {
  size_t row[PATTERN_MOST + 1], best = s->length;
  for (size_t i = 0; i <= s->length; i++) row[i] = i;
  for (; *name; name++) {
    size_t diagonal = row[0];
    for (size_t i = 1; i <= s->length; i++) {
      size_t changed = diagonal + (tolower((unsigned char)*name) != s->pattern[i - 1]);
      diagonal = row[i];
      row[i] = smaller_of(changed, smaller_of(row[i - 1], row[i]) + 1);
    }
    best = smaller_of(best, row[s->length]);
  }
  return best;
}

static void add_name(search *s, const char *name) {
  size_t distance = measure_distance(s, name);
  if (!s->length || distance * 2 > s->length || (s->n && distance > s->distance)) return;
  for (size_t i = 0; i < s->n; i++)
    if (strcasecmp(s->best[i], name) == 0) return;
  if (s->n && distance < s->distance) s->n = 0;
  s->distance = distance;
  size_t at = s->n;
  while (at && strlen(name) < strlen(s->best[at - 1])) at--;
  if (at == NAMES_SHOWN) return;
  if (s->n < NAMES_SHOWN) s->n++;
  memmove(&s->best[at + 1], &s->best[at], (s->n - 1 - at) * sizeof *s->best);
  s->best[at] = name;
}

static void find_nearest(search *s, const model *m, const char *pattern) {
  *s = (search){0};
  for (; *pattern && s->length < PATTERN_MOST; pattern++)
    if (*pattern != '*' && *pattern != '?') s->pattern[s->length++] = *pattern;
  for (size_t i = 0; i < m->sites.n; i++) {
    const site *x = &m->sites.at[i];
    for (size_t k = 0; k < x->nodes.n; k++) add_name(s, x->nodes.at[k]);
    for (size_t k = 0; k < x->aten.n; k++) add_name(s, x->aten.at[k]);
    for (size_t k = 0; k < x->lines.n; k++)
      if (x->lines.at[k].module) add_name(s, x->lines.at[k].module);
    add_name(s, x->kernel);
  }
}

const char *selection_nearest(const model *m, const char *filter, arena *a) {
  const char *text = "", *pattern;
  bool excludes;
  search s;
  for (int shown = 0; shown < PATTERNS_SHOWN && (pattern = next_pattern(&filter, &excludes, a));) {
    if (excludes || !*pattern) continue;
    shown++;
    find_nearest(&s, m, pattern);
    for (size_t i = 0; i < s.n; i++)
      text = i ? arena_printf(a, "%s, '%s'", text, s.best[i])
               : arena_printf(a, "%s; nearest to '%s': '%s'", text, pattern, s.best[i]);
  }
  return text;
}
