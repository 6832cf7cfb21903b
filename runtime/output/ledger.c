/* ledger.c - what of each launch is recorded in a ledger: AOTIGEN_RECORD. */
#define _GNU_SOURCE
#include <pthread.h>
#include <string.h>

#include "base/fork_lock.h"
#include "output/ledger_file.h"
#include "output/recorded_weights.h"
#include "state/launch_hooks.h"
#include "state/timing.h"
#include "tensor/element_hash.h"

enum { MOST_MODELS = 64 };

/* ---- names ---------------------------------------------------------------------------------- */

/* The models that have a number in the file of this number. */
static struct {
  const aotigen_model *list[MOST_MODELS];
  unsigned n, file;
} models;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
AG_FORK_LOCK(lock)

static void add_text(ag_text *t, const char *s) {
  ag_text_add_bytes(t, s ? s : "", (s ? strlen(s) : 0) + 1);
}

/* Of a site all that decides what it computes, as far as its tables tell. */
static void add_tables(ag_text *t, const aotigen_site *s) {
  add_text(t, s->kernel);
  add_text(t, s->nodes);
  ag_text_addf(t, "%d %d %d", s->line, s->form, s->nparams);
  for (unsigned i = 0; i < s->nparams; i++) {
    add_text(t, s->params[i].name);
    ag_text_addf(t, "%d %d", s->params[i].role, s->params[i].kind);
  }
  add_text(t, s->graph ? s->graph->text : NULL);
}

static uint64_t build_of(const aotigen_model *m) {
  ag_text t = {0};
  uint64_t h = 0;
  for (uint32_t i = 0; i < m->nsites; i++) {
    ag_text_clear(&t);
    add_tables(&t, &m->sites[i]);
    ag_text_add_bytes(&t, "\0\0\0\0\0\0\0", 7); /* the sum is of whole words */
    h = h * 31 + (t.data ? ledger_sum(t.data, t.length) : 0);
  }
  ag_text_free(&t);
  return h;
}

static void add_line(ag_text *t, const aotigen_site *s) {
  const aotigen_line *line = s->nlines ? &s->lines[s->nlines - 1] : NULL;
  if (line) ag_text_addf(t, "%s:%d", line->file, line->line);
  add_text(t, "");
  add_text(t, line ? line->module : NULL);
}

static void write_site(ag_text *t, const aotigen_model *m, uint32_t model, uint32_t site) {
  const aotigen_site *s = &m->sites[site];
  const ledger_site x = {model, site, (uint32_t)s->line, s->nparams};
  ag_ledger_begin(t);
  ag_text_add_bytes(t, &x, sizeof x);
  add_text(t, s->kernel);
  add_text(t, s->nodes);
  add_text(t, s->aten);
  add_line(t, s);
  for (unsigned i = 0; i < s->nparams; i++) {
    add_text(t, s->params[i].name);
    add_text(t, s->params[i].python_name);
  }
  ag_ledger_write(LEDGER_SITE, t);
}

static void write_names(const aotigen_model *m, uint32_t number) {
  const ledger_model x = {number, m->nsites, build_of(m)};
  ag_text t = {0};
  ag_ledger_begin(&t);
  ag_text_add_bytes(&t, &x, sizeof x);
  add_text(&t, m->source);
  ag_ledger_write(LEDGER_MODEL, &t);
  for (uint32_t i = 0; i < m->nsites; i++) write_site(&t, m, number, i);
  ag_text_free(&t);
}

/* The model's number in the file; MOST_MODELS: it has none. */
static uint32_t number_of(const aotigen_model *m) {
  const unsigned file = ag_ledger_number();
  if (!file) return MOST_MODELS;
  pthread_mutex_lock(&lock);
  if (models.file != file) models.n = 0;
  models.file = file;
  uint32_t i = 0;
  while (i < models.n && models.list[i] != m) i++;
  if (i == models.n && i < MOST_MODELS) {
    models.list[models.n++] = m;
    write_names(m, i);
  }
  pthread_mutex_unlock(&lock);
  return i;
}

/* ---- arguments ------------------------------------------------------------------------------ */

/* What an operator leaves undefined, as the padding of attention's logsumexp, is not recorded. */
static bool is_recorded(const ag_arg *a, enum ag_when when) {
  if (a->view.state < AG_VIEW_OPAQUE || a->param->flags & AOTIGEN_UNASSERTED) return false;
  return when == AG_AFTER ? ag_arg_may_be_written(a) : ag_arg_is_set_before(a);
}

/* Of another one it is recorded that there was something that was not read. */
static bool is_scanned(const ag_arg *a, enum ag_when when) {
  return a->view.state == AG_VIEW_OK && is_recorded(a, when);
}

static void take_summary(ledger_arg *x, const ag_stats *s) {
  x->has |= LEDGER_HAS_SUMMARY;
  x->nan = s->nan;
  x->pos_inf = s->pos_inf;
  x->neg_inf = s->neg_inf;
  x->zero = s->zero;
  x->subnormal = s->subnormal;
  x->min = s->min;
  x->max = s->max;
  x->sum = s->sum;
  x->sum_squares = s->sum_squares;
}

static void scan(ag_evaluation *e, const ag_arg *a, enum ag_when when, ledger_arg *x) {
  const ag_tensor *t = &a->view.t;
  ag_reader r;
  ag_stats s;
  if (!t->numel) {
    take_summary(x, &ag_nothing_bad);
    x->has |= LEDGER_HAS_HASH;
    return;
  }
  if (e->results->open(e, a, when, &r)) return;
  if (!ag_reader_stats(&r, AG_WANT_BAD | AG_WANT_SUMMARY, &s) && t->dtype->cls != AG_COMPLEX)
    take_summary(x, &s);
  ag_reader_close(&r);
  if (t->device_type != ag_backend_cpu.device_type) return;
  x->has |= LEDGER_HAS_HASH;
  x->hash = ag_hash_part(t, 0, t->numel);
}

static void add_tensor(ag_text *t, ag_evaluation *e, const ag_arg *a, enum ag_when when,
                       ledger_arg *x) {
  const ag_tensor *tensor = &a->view.t;
  x->kind = LEDGER_TENSOR;
  if (!is_scanned(a, when)) {
    ag_text_add_bytes(t, x, sizeof *x);
    return;
  }
  x->ndim = (uint32_t)tensor->ndim;
  x->numel = tensor->numel;
  x->begin = a->view.begin;
  x->end = a->view.end;
  strncpy(x->dtype, tensor->dtype->name, sizeof x->dtype - 1);
  const bool keeps = ag_is_recorded_weight(e->model, a);
  if (!keeps || !ag_recorded_weight_find(e->model, a, x)) {
    scan(e, a, when, x);
    if (keeps) ag_recorded_weight_keep(e->model, a, x);
  }
  ag_text_add_bytes(t, x, sizeof *x);
  ag_text_add_bytes(t, tensor->sizes, (size_t)tensor->ndim * sizeof *tensor->sizes);
}

static void add_scalar(ag_text *t, const aotigen_value *value, ledger_arg *x) {
  x->kind = LEDGER_SCALAR;
  x->has = LEDGER_HAS_HASH;
  x->hash = value->v.u;
  strcpy(x->dtype, value->kind == AOTIGEN_V_FLOAT  ? "float64"
                   : value->kind == AOTIGEN_V_UINT ? "uint64"
                   : value->kind == AOTIGEN_V_BOOL ? "bool"
                                                   : "int64");
  ag_text_add_bytes(t, x, sizeof *x);
}

/* Returns the number of arguments. */
static uint32_t add_args(ag_text *t, ag_evaluation *e, enum ag_when when) {
  uint32_t n = 0;
  for (size_t i = 0; i < e->record->nargs; i++) {
    const ag_arg *a = &e->record->args[i];
    ledger_arg x = {.param = (uint16_t)i};
    if (ag_value_is_scalar(&a->value) && when == AG_BEFORE)
      add_scalar(t, &a->value, &x);
    else if (is_recorded(a, when))
      add_tensor(t, e, a, when, &x);
    else
      continue;
    n++;
  }
  return n;
}

/* ---- at a launch ---------------------------------------------------------------------------- */

static void write_run(ag_evaluation *e, uint32_t model, enum ledger_kind kind) {
  const ledger_run x = {.model = model, .run = e->recorded.run, .at_us = ag_ledger_time_us()};
  ag_text *t = &e->report;
  ag_ledger_begin(t);
  ag_text_add_bytes(t, &x, sizeof x);
  ag_ledger_write(kind, t);
}

static void record(ag_evaluation *e, enum ag_when when) {
  const ag_launch *l = &e->launch; /* of a replayed graph the replay's */
  const uint32_t model = number_of(l->model);
  if (model == MOST_MODELS || l->site == AG_NO_SITE) return;
  if (!e->recorded.begun || e->recorded.run != l->run) {
    e->recorded.begun = true;
    e->recorded.run = l->run;
    write_run(e, model, LEDGER_RUN);
  }
  ag_text *t = &e->report;
  ledger_launch x = {model, l->site, l->run, l->number, ag_ledger_time_us(), 0, 0};
  ag_ledger_begin(t);
  const size_t at = t->length;
  ag_text_add_bytes(t, &x, sizeof x);
  x.nargs = add_args(t, e, when);
  if (when == AG_AFTER) x.took_us = (float)ag_timing_of_record(e->record) / 1000;
  if (t->length >= at + sizeof x) memcpy(t->data + at, &x, sizeof x);
  ag_ledger_write(when == AG_AFTER ? LEDGER_AFTER : LEDGER_BEFORE, t);
}

/* What a launch wrote may be a weight by another name. */
static void note_written(ag_evaluation *e) {
  for (size_t i = 0; i < e->record->nargs; i++)
    if (ag_view_is_described(&e->record->args[i].view) &&
        ag_arg_may_be_written(&e->record->args[i]))
      ag_recorded_weights_write(e->model, &e->record->args[i].view);
}

static void record_before(ag_evaluation *e) { record(e, AG_BEFORE); }
static void record_after(ag_evaluation *e) {
  note_written(e);
  record(e, AG_AFTER);
}

static void record_end(ag_evaluation *e) {
  if (!e->recorded.begun) return; /* a run that recorded nothing makes no file */
  const uint32_t model = number_of(e->model->model);
  if (model != MOST_MODELS) write_run(e, model, LEDGER_END);
  e->recorded.begun = false;
}

static unsigned want(const ag_arg *a, enum ag_when when, ag_edges *edges) {
  (void)edges;
  return is_scanned(a, when) ? AG_WANT_SUMMARY : 0;
}

static bool is_wanted(const ag_model_state *m) {
  (void)m;
  return ag_ledger_is_wanted();
}

AG_LAUNCH_HOOKS(ledger) = {.wanted = is_wanted,
                           .evaluate_before = record_before,
                           .evaluate_after = record_after,
                           .evaluate_end = record_end,
                           .wants = want};
