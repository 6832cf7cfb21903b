/* selection.c - see selection.h. */
#include "model/selection.h"
#include "base/shown.h"
#include "shared/filter.h"
#include "shared/nearest.h"
#include <string.h>

enum { PATTERNS_SHOWN = 3 };

bool selection_has_any(const model *m, const char *filter, arena *a) {
  for (size_t i = 0; i < m->sites.n; i++) {
    const site *s = &m->sites.at[i];
    const aotigen_site row = {.kernel = s->kernel,
                              .aten = strings_join(a, &s->aten, ", "),
                              .nodes = strings_join(a, &s->nodes, ", "),
                              .lines = s->lines.at,
                              .nlines = (uint16_t)s->lines.n};
    if (ag_filter_selects(filter, &row)) return true;
  }
  return false;
}

static void add_name(ag_nearest *n, const char *name) {
  if (name) ag_nearest_add(n, name, strlen(name));
}

static void find_nearest(ag_nearest *n, const model *m) {
  for (size_t i = 0; i < m->sites.n; i++) {
    const site *x = &m->sites.at[i];
    for (size_t k = 0; k < x->nodes.n; k++) add_name(n, x->nodes.at[k]);
    for (size_t k = 0; k < x->aten.n; k++) add_name(n, x->aten.at[k]);
    for (size_t k = 0; k < x->lines.n; k++) add_name(n, x->lines.at[k].module);
    add_name(n, x->kernel);
  }
}

const char *selection_nearest(const model *m, const char *filter, arena *a) {
  const char *text = "", *pattern;
  size_t length;
  bool excludes;
  for (int shown = 0;
       shown < PATTERNS_SHOWN && ag_filter_next(&filter, &pattern, &length, &excludes);) {
    ag_nearest n;
    if (excludes || !length) continue;
    shown++;
    ag_nearest_begin(&n, pattern, length);
    find_nearest(&n, m);
    for (int i = 0; i < n.count; i++)
      text = i ? arena_printf(a, "%s, '%s'", text, shown_name(n.best[i].name, a))
               : arena_printf(a, "%s; nearest to '%.*s': '%s'", text, (int)length, pattern,
                              shown_name(n.best[i].name, a));
  }
  return text;
}
