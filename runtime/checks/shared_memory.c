/* shared_memory.c - see shared_memory.h. */
#define _GNU_SOURCE
#include "checks/shared_memory.h"

#include <stdlib.h>
#include <string.h>

#include "state/model_state.h"

/* ---- operators ------------------------------------------------------------------------------ */

static const ag_shared *find_shared(const aotigen_run_state *s, const aotigen_alias *alias) {
  for (size_t i = 0; i < s->shared.count; i++)
    if (s->shared.list[i].site == alias->site && s->shared.list[i].param == alias->param)
      return &s->shared.list[i];
  return NULL;
}

void ag_shared_memory_add(ag_finding *f, const ag_item *item, const char *other) {
  ag_text found = {0};
  ag_text_addf(&found, "that of '%s'", other);
  ag_finding_add(f, item, AG_CHECK_MEMORY, "memory of its own", ag_text_string(&found));
  ag_text_free(&found);
}

static void add_sharing(const aotigen_run *run, ag_finding *f, const ag_item *item,
                        const aotigen_alias *alias, const ag_shared *earlier) {
  const aotigen_model *m = run->model;
  const aotigen_site *site = &m->sites[alias->site], *writer = &m->sites[alias->writer];
  ag_shared_memory_add(f, item, site->params[alias->param].name);
  if (earlier)
    ag_text_addf(&f->lines, "                which %s (%s:%d) returned as '%s'\n",
                 ag_site_name(site), m->source, site->line, earlier->output);
  ag_text_addf(&f->lines,
               "                %s (%s:%d) overwrites the one while the other is needed\n",
               ag_site_name(writer), m->source, writer->line);
}

static bool is_harmless(const aotigen_alias *alias, const ag_view *a, const ag_view *b) {
  return alias->reads && ag_view_is_same(a, b);
}

/* True if another argument of the same call has the view's memory. */
static bool has_memory_of(const ag_view *view, const ag_arg *other, const ag_view *before) {
  ag_view now;
  if (before && ag_view_overlaps(before, &other->view))
    return false; /* the wrapper has them share it */
  if (!before || other->value.kind != AOTIGEN_V_HANDLE) return ag_view_overlaps(view, &other->view);
  ag_view_of_value(&now, &other->value, other->param);
  return ag_view_overlaps(view, &now);
}

void ag_shared_memory_check(const aotigen_run *run, ag_finding *f, const ag_item *item,
                            const ag_view *before) {
  const ag_record *r = run->state->record;
  const aotigen_expected *e = item->arg->param->expected;
  for (uint32_t i = 0; e && i < e->naliases; i++) {
    const aotigen_alias *alias = &e->aliases[i];
    if (alias->site == run->site) {
      if (alias->param < r->nargs &&
          has_memory_of(&item->arg->view, &r->args[alias->param], before) &&
          !is_harmless(alias, &item->arg->view, &r->args[alias->param].view))
        add_sharing(run, f, item, alias, NULL);
    } else {
      const ag_shared *earlier = find_shared(run->state, alias);
      if (earlier && ag_view_overlaps(&item->arg->view, &earlier->view) &&
          !is_harmless(alias, &item->arg->view, &earlier->view))
        add_sharing(run, f, item, alias, earlier);
    }
  }
}

/* Forgets the site's arguments: a loop may make the call again. */
static void forget_site(aotigen_run_state *s, uint32_t site) {
  size_t kept = 0;
  for (size_t i = 0; i < s->shared.count; i++)
    if (s->shared.list[i].site != site) s->shared.list[kept++] = s->shared.list[i];
  s->shared.count = kept;
}

/* The output that has the argument's memory, or NULL. */
static const ag_arg *find_output(const ag_record *record, const ag_arg *of) {
  for (size_t i = 0; i < record->nargs; i++) {
    const ag_arg *a = &record->args[i];
    if (a != of && ag_param_is_made(a->param) && ag_view_overlaps(&a->view, &of->view)) return a;
  }
  return NULL;
}

void ag_shared_memory_note(aotigen_run *run) {
  aotigen_run_state *s = run->state;
  const ag_record *r = s->record;
  if (!r) return;
  forget_site(s, run->site);
  for (size_t i = 0; i < r->nargs; i++) {
    const ag_arg *a = &r->args[i], *output = NULL;
    if (!ag_param_is_made(a->param)) output = find_output(r, a);
    if (!output || !ag_list_grow((void **)&s->shared.list, &s->shared.room, s->shared.count,
                                 sizeof *s->shared.list))
      continue;
    s->shared.list[s->shared.count++] = (ag_shared){
        .site = run->site, .param = (uint32_t)i, .output = output->param->name, .view = a->view};
  }
}

/* ---- weights -------------------------------------------------------------------------------- */

typedef struct extent {
  uintptr_t begin, end;
  uint32_t index;
} extent;

static int compare_extents(const void *a, const void *b) {
  const extent *x = a, *y = b;
  return (x->begin > y->begin) - (x->begin < y->begin);
}

/* The first site that uses the weight, or, if `writes`, surely writes to it; NULL if there is
 * none. */
static const aotigen_site *find_user(const aotigen_model *m, const aotigen_weight *weight,
                                     bool writes) {
  for (uint32_t i = 0; i < m->nsites; i++)
    for (uint32_t k = 0; k < m->sites[i].nparams; k++) {
      const aotigen_param *p = &m->sites[i].params[k];
      if ((ag_param_is_overwritten(p) || !writes) && p->kind != AOTIGEN_SCALAR &&
          strcmp(p->name, weight->name) == 0)
        return &m->sites[i];
    }
  return NULL;
}

static const char *name_weight(const aotigen_weight *weight) {
  return weight->fqn ? weight->fqn : weight->name;
}

/* Warns if a launch writes to weight `of` while weight `beside` is used. True if one does. */
static bool warn_of(const aotigen_run *run, uint32_t of, uint32_t beside) {
  const aotigen_model *m = run->model;
  const aotigen_weight *written = &m->weights[of], *other = &m->weights[beside];
  const aotigen_site *writer = find_user(m, written, true);
  if (!writer || !find_user(m, other, false)) return false;
  if (!atomic_exchange(&run->state->model->said.warned.shared_weights, true))
    ag_warn(
        "run %llu of %s: the weights '%s' and '%s' share memory, and %s (%s:%d) writes to '%s': "
        "the model was compiled for weights that are apart",
        (unsigned long long)run->number, m->source, name_weight(written), name_weight(other),
        ag_site_name(writer), m->source, writer->line, name_weight(written));
  return true;
}

static bool writes_weights(const aotigen_model *m) {
  for (uint32_t i = 0; i < m->nsites; i++)
    for (uint32_t k = 0; k < m->sites[i].nparams; k++) {
      const aotigen_param *p = &m->sites[i].params[k];
      if (p->kind == AOTIGEN_WEIGHT && ag_param_is_overwritten(p)) return true;
    }
  return false;
}

/* Checks two weights: warns if they have an element in common and one is written. */
static bool check_pair(const aotigen_run *run, const aotigen_value *values, const extent *a,
                       const extent *b) {
  ag_view *x = &run->state->texts.view, y;
  if (a->end <= b->begin) return false;
  ag_view_of_value(x, &values[a->index], NULL);
  ag_view_of_value(&y, &values[b->index], NULL);
  if (!ag_view_shares(x, &y)) return false;
  return warn_of(run, a->index, b->index) || warn_of(run, b->index, a->index);
}

static void check_extents(const aotigen_run *run, const aotigen_value *values, extent *list,
                          size_t n) {
  uintptr_t end = 0; /* the end of all extents so far */
  bool warned = false;
  qsort(list, n, sizeof *list, compare_extents);
  for (size_t i = 0; i < n && !warned; i++) {
    for (size_t k = 0; k < i && list[i].begin < end && !warned; k++)
      warned = check_pair(run, values, &list[k], &list[i]);
    if (list[i].end > end) end = list[i].end;
  }
}

void ag_shared_memory_check_weights(const aotigen_run *run, const aotigen_value *values, size_t n) {
  ag_view *v = &run->state->texts.view;
  size_t count = 0;
  if (atomic_load(&run->state->model->said.warned.shared_weights) || !writes_weights(run->model))
    return;
  extent *list = calloc(n + 1, sizeof *list);
  for (size_t i = 0; i < n && list; i++) {
    ag_view_of_value(v, &values[i], NULL);
    if (v->state == AG_VIEW_OK && v->begin < v->end)
      list[count++] = (extent){v->begin, v->end, (uint32_t)i};
  }
  if (list) check_extents(run, values, list, count);
  free(list);
}
