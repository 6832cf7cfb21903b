/* requested.c - see requested.h. */
#define _GNU_SOURCE
#include "launch/requested.h"

#include <string.h>

#include "shared/filter.h"
#include "base/sink.h"
#include "checks/finding.h"
#include "explain/request.h"
#include "shared/variables.h"
#include "launch/evaluate.h"
#include "state/launch_hooks.h"
#include "tensor/layout.h"

/* Flags of a request, in ag_model_state. */
enum { SELECTED = 1, SAID = 2 };

static const char *name_setting(const ag_model_state *m) {
  return m->explain.built ? "--explain" : variable_name(VARIABLE_AOTIGEN_EXPLAIN);
}

static bool say_once(ag_model_state *m, int i) {
  return !(atomic_fetch_or(&m->explain.flags[i], SAID) & SAID);
}

static bool is_output(const ag_arg *a) {
  return ag_arg_is_written(a) && a->view.state == AG_VIEW_OK;
}

static bool is_named(const ag_arg *a, const char *name) {
  return strcmp(a->param->name, name) == 0 ||
         (a->param->python_name && strcmp(a->param->python_name, name) == 0);
}

static const ag_arg *find_output(const ag_record *record, const char *name) {
  for (size_t i = 0; i < record->nargs; i++)
    if (is_output(&record->args[i]) && is_named(&record->args[i], name)) return &record->args[i];
  return NULL;
}

/* ---- outputs that do not exist -------------------------------------------------------------- */

static void warn_unnamed(ag_model_state *m, const ag_record *record, const ag_element_request *q) {
  ag_text names = {0};
  for (size_t i = 0; i < record->nargs; i++)
    if (is_output(&record->args[i]))
      ag_text_addf(&names, "%s%s", names.length ? ", " : "", record->args[i].param->name);
  ag_warn("%s='%s': launch %llu, %s, writes no '%s'; it writes %s", name_setting(m), q->text,
          (unsigned long long)record->launch.number, ag_site_name(ag_launch_site(&record->launch)),
          q->name, names.length ? ag_text_string(&names) : "no tensor");
  ag_text_free(&names);
}

static void warn_outside(ag_model_state *m, const ag_arg *a, const ag_element_request *q) {
  ag_text t = {0};
  ag_report_arg(&t, a);
  ag_warn("%s='%s': the tensor has no such element: it is %s", name_setting(m), q->text,
          ag_text_string(&t));
  ag_text_free(&t);
}

static void warn_unknown(ag_model_state *m, const ag_record *record, const ag_element_request *q) {
  const aotigen_site *s = ag_launch_site(&record->launch);
  ag_warn("%s='%s': launch %llu, %s, %s", name_setting(m), q->text,
          (unsigned long long)record->launch.number, ag_site_name(s),
          s->graph ? "is over, and its output is not in memory any more: use --sync"
                   : "is no kernel whose text is understood: how it computes is not known");
}

/* ---- reports -------------------------------------------------------------------------------- */

/* The row-major index; -1 if the tensor has no such element. */
static int64_t find_flat(const ag_tensor *t, const ag_element_request *q) {
  int64_t flat = 0;
  if (q->rank != t->ndim) return -1;
  for (int i = 0; i < q->rank; i++) {
    if (q->index[i] >= t->sizes[i]) return -1;
    flat = flat * t->sizes[i] + q->index[i];
  }
  return flat;
}

static const char *read_bytes(void *data, const ag_arg *a, int64_t at, size_t size, void *to,
                              bool *late) {
  ag_evaluation *e = data;
  return e->results->bytes(e, a, at, size, to, late);
}

static bool read_element(void *data, const ag_arg *a, int64_t flat, void *to) {
  const ag_tensor *t = &a->view.t;
  int64_t at = ag_layout_offset(t->ndim, t->sizes, t->strides, flat) * t->dtype->item_size;
  bool late;
  return !read_bytes(data, a, at, (size_t)t->dtype->item_size, to, &late);
}

static void report(ag_evaluation *e, int i, const ag_arg *a) {
  ag_model_state *m = e->model;
  const ag_element_request *q = &m->explain.list.at[i];
  const ag_record *r = e->record;
  const ag_element_source from = {.read = read_bytes, .stored = read_element, .data = e};
  ag_text t = {0};
  int64_t flat = find_flat(&a->view.t, q);
  if (flat < 0) {
    if (say_once(m, i)) warn_outside(m, a, q);
    return;
  }
  ag_report_head(&t, &e->launch, "explained as asked");
  ag_report_site(&t, &e->launch);
  ag_text_add(&t, "  output        ");
  ag_report_arg(&t, a);
  ag_text_add(&t, "\n");
  if (ag_request_explain(&t, r, &from, (size_t)(a - r->args), flat))
    ag_sink_write_stderr(ag_text_string(&t));
  else if (say_once(m, i))
    warn_unknown(m, r, q);
  ag_text_free(&t);
}

static bool is_selected(const ag_record *record, const ag_element_request *q) {
  return q->launch ? q->launch == record->launch.number
                   : ag_filter_selects(q->kernels, ag_launch_site(&record->launch));
}

bool ag_requested_selects(const ag_model_state *m, const ag_record *record) {
  for (int i = 0; i < m->explain.list.n; i++)
    if (is_selected(record, &m->explain.list.at[i])) return true;
  return false;
}

/* Warns, once, of a requested element of the launch that does not exist. A pattern may select
 * launches that write something else. */
static void note(aotigen_run *run) {
  ag_model_state *m = run->state->model;
  const ag_record *r = run->state->record;
  for (int i = 0; i < m->explain.list.n && r; i++) {
    const ag_element_request *q = &m->explain.list.at[i];
    if (!is_selected(r, q)) continue;
    bool writes = find_output(r, q->name) != NULL;
    if (writes || q->launch) atomic_fetch_or(&m->explain.flags[i], SELECTED);
    if (!writes && q->launch && say_once(m, i)) warn_unnamed(m, r, q);
  }
}

void ag_requested_report(ag_evaluation *e) {
  const ag_record *r = e->record;
  for (int i = 0; i < e->model->explain.list.n; i++) {
    const ag_element_request *q = &e->model->explain.list.at[i];
    const ag_arg *a = is_selected(r, q) ? find_output(r, q->name) : NULL;
    if (a) report(e, i, a);
  }
}

/* In an async run, the elements are read when the launch has ended. */
static const char *explain(aotigen_run *run, const char *fault) {
  aotigen_run_state *s = run->state;
  if (run->error) return fault;
  note(run);
  if (!s->record || s->record->page) return fault;
  ag_evaluate_begin(&s->evaluation, s->record);
  ag_requested_report(&s->evaluation);
  return fault;
}

/* ---- requests that no run had --------------------------------------------------------------- */

/* The models with requests that no run had so far; they are checked at the end, since a later run
 * may have them. */
static _Atomic(ag_model_state *) incomplete;

static bool is_missing(const ag_model_state *m, int i) {
  return !atomic_load(&m->explain.flags[i]);
}

/* Remembers requests that selected no launch of any run. A warning names them when the process
 * exits or the model is unloaded. */
static void end_run(aotigen_run *run, bool unwinding) {
  ag_model_state *m = run->state->model;
  bool missing = false;
  if (unwinding) return;
  for (int i = 0; i < m->explain.list.n; i++) missing = missing || is_missing(m, i);
  if (!missing || !run->number || !run->launch || run->wanted == m->none) return;
  atomic_store(&m->explain.unexplained.run, run->number);
  atomic_store(&m->explain.unexplained.launches, run->launch);
  if (atomic_exchange(&m->explain.unexplained.listed, true)) return;
  m->explain.unexplained.next = atomic_load(&incomplete);
  while (!atomic_compare_exchange_weak(&incomplete, &m->explain.unexplained.next, m)) continue;
}

static void warn_missing(const ag_model_state *m, const ag_element_request *q) {
  unsigned long long run = m->explain.unexplained.run, launches = m->explain.unexplained.launches;
  if (q->launch)
    ag_warn("%s='%s': run %llu of %s checked no launch %llu; it has %llu launches", name_setting(m),
            q->text, run, m->model->source, (unsigned long long)q->launch, launches);
  else
    ag_warn("%s='%s': no checked launch of run %llu of %s that '%s' selects writes '%s'",
            name_setting(m), q->text, run, m->model->source, q->kernels, q->name);
}

/* Runs when the process exits or the model is unloaded. */
__attribute__((destructor)) static void warn_of_missing(void) {
  for (const ag_model_state *m = incomplete; m; m = m->explain.unexplained.next)
    for (int i = 0; i < m->explain.list.n; i++)
      if (is_missing(m, i)) warn_missing(m, &m->explain.list.at[i]);
}

static bool is_wanted(const ag_model_state *m) { return m->explain.list.n; }

AG_LAUNCH_HOOKS(requested) = {.wanted = is_wanted, .over = explain, .end_run = end_run};
