/* selection.c - see selection.h. */
#include "model/selection.h"
#include "base/shown.h"
#include "shared/filter.h"
#include "shared/nearest.h"
#include <string.h>

enum { PATTERNS_SHOWN = 3 };

bool selection_has(const site *s, const char *filter, arena *a) {
  const aotigen_site row = {.kernel = s->kernel,
                            .aten = strings_join(a, &s->aten, ", "),
                            .nodes = strings_join(a, &s->nodes, ", "),
                            .lines = s->lines.at,
                            .nlines = (uint16_t)s->lines.n};
  return ag_filter_selects(filter, &row);
}

size_t selection_count(const model *m, const char *filter, arena *a) {
  size_t n = 0;
  for (size_t i = 0; i < m->sites.n; i++) n += selection_has(&m->sites.at[i], filter, a);
  return n;
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

const char *selection_nearest_kernels(const model *m, const char *name, arena *a) {
  const char *text = "";
  ag_nearest n;
  ag_nearest_begin(&n, name, strlen(name));
  for (size_t i = 0; i < m->kernels.n; i++) add_name(&n, m->kernels.at[i].name);
  for (size_t i = 0; i < m->sites.n; i++) add_name(&n, m->sites.at[i].kernel);
  for (int i = 0; i < n.count; i++)
    text = arena_printf(a, "%s%s'%s'", text,
                        i             ? ", "
                        : n.count > 1 ? "; the nearest are "
                                      : "; the nearest is ",
                        shown_name(n.best[i].name, a));
  return text;
}
