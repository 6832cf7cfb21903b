/* report_json.c - see report_json.h. Texts are as the recording has them: whoever shows them
 * escapes. */
#include "report/report_json.h"
#include "shared/version.h"
#include <math.h>
#include <string.h>

static cJSON *add_item(cJSON *list) {
  cJSON *x = cJSON_CreateObject();
  cJSON_AddItemToArray(list, x);
  return x;
}

static void add_number(cJSON *to, const char *key, double x) {
  if (isfinite(x))
    cJSON_AddNumberToObject(to, key, x);
  else
    cJSON_AddNullToObject(to, key);
}

/* ---- series: a number for each column ------------------------------------------------------- */

/* A list is one node: a tree of numbers would take many times its text. */
static void add_raw(cJSON *to, const char *key, strbuf *text) {
  strbuf_puts(text, "]");
  cJSON_AddRawToObject(to, key, text->at);
  strbuf_free(text);
}

static void put_double(strbuf *t, double x) {
  strbuf_puts(t, t->n ? "," : "[");
  if (isfinite(x))
    strbuf_printf(t, "%.6g", x);
  else
    strbuf_puts(t, "null");
}

static void put_integer(strbuf *t, int64_t x) {
  strbuf_printf(t, "%s%lld", t->n ? "," : "[", (long long)x);
}

static void add_doubles(cJSON *to, const char *key, const report_arg *arg, size_t n, size_t field) {
  strbuf t = {0};
  for (size_t i = 0; i < n; i++) {
    double x;
    memcpy(&x, (const char *)&arg->cells[i] + field, sizeof x);
    put_double(&t, x);
  }
  add_raw(to, key, &t);
}

/* Left out where all of it is 0. */
static void add_counts(cJSON *to, const char *key, const report_arg *arg, size_t n, size_t field) {
  strbuf t = {0};
  int64_t any = 0;
  for (size_t i = 0; i < n; i++) {
    int64_t x;
    memcpy(&x, (const char *)&arg->cells[i] + field, sizeof x);
    put_integer(&t, x);
    any |= x;
  }
  if (any)
    add_raw(to, key, &t);
  else
    strbuf_free(&t);
}

/* ---- arguments ------------------------------------------------------------------------------ */

static void add_sizes(cJSON *to, const ledger_arg *x) {
  strbuf t = {0};
  if (!x->ndim) strbuf_puts(&t, "[");
  for (uint32_t i = 0; i < x->ndim; i++) put_integer(&t, recorded_sizes(x)[i]);
  add_raw(to, "sizes", &t);
}

static void add_totals(cJSON *to, const report_arg *arg) {
  const report_cell *c = &arg->all;
  cJSON *x = cJSON_AddObjectToObject(to, "all");
  add_number(x, "min", c->min);
  add_number(x, "max", c->max);
  cJSON_AddNumberToObject(x, "nan", (double)c->nan);
  cJSON_AddNumberToObject(x, "pos_inf", (double)c->pos_inf);
  cJSON_AddNumberToObject(x, "neg_inf", (double)c->neg_inf);
  cJSON_AddNumberToObject(x, "zero", (double)c->zero);
  cJSON_AddNumberToObject(x, "elements", (double)c->numel);
  cJSON_AddNumberToObject(x, "runs", (double)arg->runs);
  cJSON_AddNumberToObject(x, "scanned", c->scanned);
  cJSON_AddNumberToObject(x, "runs_with_nan", (double)arg->runs_with_nan);
  cJSON_AddNumberToObject(x, "runs_with_inf", (double)arg->runs_with_inf);
  cJSON_AddNumberToObject(x, "runs_with_pos_inf", (double)arg->runs_with_pos_inf);
}

static void add_series(cJSON *to, const report_arg *arg, size_t n) {
  add_doubles(to, "min", arg, n, offsetof(report_cell, min));
  add_doubles(to, "max", arg, n, offsetof(report_cell, max));
  add_counts(to, "nan", arg, n, offsetof(report_cell, nan));
  add_counts(to, "pos_inf", arg, n, offsetof(report_cell, pos_inf));
  add_counts(to, "neg_inf", arg, n, offsetof(report_cell, neg_inf));
  add_counts(to, "zero", arg, n, offsetof(report_cell, zero));
}

static void add_arg(cJSON *x, const report_arg *arg, size_t columns, arena *a) {
  const bool scalar = arg->form->kind == LEDGER_SCALAR;
  cJSON_AddStringToObject(x, "name", arg->param->name);
  if (*arg->param->given_name) cJSON_AddStringToObject(x, "given_name", arg->param->given_name);
  cJSON_AddStringToObject(x, "use", arg->is_written ? "wrote" : "read");
  cJSON_AddStringToObject(x, "kind", scalar ? "scalar" : "tensor");
  cJSON_AddStringToObject(x, "dtype", arg->form->dtype);
  if (!scalar) add_sizes(x, arg->form);
  if (arg->varies) cJSON_AddTrueToObject(x, "varies");
  if (scalar && arg->all.min == arg->all.max && arg->all.scanned == arg->runs)
    cJSON_AddStringToObject(x, "value", recorded_scalar_text(arg->form, a));
  add_totals(x, arg);
  if (arg->all.scanned && !(scalar && cJSON_HasObjectItem(x, "value"))) add_series(x, arg, columns);
}

/* ---- launches ------------------------------------------------------------------------------- */

static void add_text(cJSON *to, const char *key, const char *text) {
  if (*text) cJSON_AddStringToObject(to, key, text);
}

static size_t columns_of(const launch_table *t, const report_row *row) {
  return t->models.at[row->model].ncolumns;
}

static cJSON *add_launch(cJSON *list, const report_row *row) {
  cJSON *x = add_item(list);
  cJSON_AddNumberToObject(x, "model", (double)row->model);
  cJSON_AddNumberToObject(x, "launch", (double)row->number);
  cJSON_AddStringToObject(x, "kernel", row->site->kernel);
  add_text(x, "nodes", row->site->nodes);
  add_text(x, "operators", row->site->aten);
  add_text(x, "model_line", row->site->model_line);
  add_text(x, "module", row->site->module);
  cJSON_AddNumberToObject(x, "wrapper_line", row->site->line);
  cJSON_AddNumberToObject(x, "runs", (double)row->runs);
  cJSON_AddNumberToObject(x, "ended", (double)row->over);
  if (row->median_us > 0) add_number(x, "median_us", row->median_us);
  if (row->median_us > 0) add_number(x, "least_us", row->least_us);
  return x;
}

/* ---- beside another recording --------------------------------------------------------------- */

/* other: its row in B, or NULL. */
static void add_pair(cJSON *to, const pairing *of, const launch_pair *p, const report_row *other,
                     arena *a) {
  static const char *const outcomes[] = {"agrees",     "by_itself", "follows",
                                         "may_follow", "mended",    "unknown"};
  cJSON *x = cJSON_AddObjectToObject(to, "pair");
  const bool is_alone = !p->a || !p->b;
  const char *given = p->origin == ORIGIN_GIVEN     ? "given"
                      : p->origin == ORIGIN_CHANGED ? "changed"
                                                    : outcomes[p->outcome];
  /* A run that is not over may not have come so far. */
  const char *alone = !of->of->shown.alone ? "unknown" : p->a ? "only_a" : "only_b";
  cJSON_AddStringToObject(x, "outcome", is_alone ? alone : given);
  if (is_alone) return;
  if (difference_has_cause(p)) {
    difference_notes doubts = {0};
    cJSON_AddStringToObject(x, "cause", difference_cause(p, a));
    difference_add_doubts(p, &doubts, a);
    cJSON *list = doubts.n ? cJSON_AddArrayToObject(x, "perhaps") : NULL;
    for (size_t i = 0; i < doubts.n; i++)
      cJSON_AddItemToArray(list, cJSON_CreateString(doubts.at[i].text));
  }
  cJSON_AddNumberToObject(x, "launch", (double)p->b->number);
  cJSON_AddStringToObject(x, "kernel", p->b->site->kernel);
  if (other) cJSON_AddNumberToObject(x, "model", (double)other->model);
}

static void add_other(cJSON *to, const pairing *p, const paired_row *row, const report_row *mine,
                      const report_arg *arg, arena *a) {
  static const char *const words[] = {"agrees", "differs", "unknown"};
  const arg_pair *pair = row->pair ? pairing_arg(row->pair, mine, arg) : NULL;
  if (!pair) return;
  cJSON_AddStringToObject(to, "agreement", words[pair->agreement]);
  const report_arg *other = pairing_other(row, pair, arg->is_written);
  if (other) add_arg(cJSON_AddObjectToObject(to, "other"), other, columns_of(p->b, row->other), a);
}

static void add_row(cJSON *list, const launch_table *t, size_t i, const pairing *p, arena *a) {
  const report_row *row = &t->rows.at[i];
  cJSON *x = add_launch(list, row);
  if (p && p->rows[i].pair) add_pair(x, p, p->rows[i].pair, p->rows[i].other, a);
  cJSON *args = cJSON_AddArrayToObject(x, "arguments");
  for (size_t k = 0; k < row->args.n; k++) {
    cJSON *arg = add_item(args);
    add_arg(arg, &row->args.at[k], columns_of(t, row), a);
    if (p) add_other(arg, p, &p->rows[i], row, &row->args.at[k], a);
  }
}

/* ---- the recording -------------------------------------------------------------------------- */

static void add_model(cJSON *list, const report_model *m) {
  cJSON *x = add_item(list);
  cJSON_AddStringToObject(x, "wrapper", m->model->wrapper);
  cJSON_AddNumberToObject(x, "runs", (double)m->runs);
  cJSON *columns = cJSON_AddArrayToObject(x, "columns");
  for (size_t i = 0; i < m->ncolumns; i++) {
    cJSON *c = add_item(columns);
    cJSON_AddNumberToObject(c, "first", (double)m->columns[i].first);
    cJSON_AddNumberToObject(c, "last", (double)m->columns[i].last);
    cJSON_AddNumberToObject(c, "runs", (double)m->columns[i].runs);
  }
}

static void add_verdict(cJSON *list, const verdict_line *line) {
  static const char *const kinds[] = {"good", "bad", "warning", "note"};
  cJSON *x = add_item(list);
  cJSON_AddStringToObject(x, "kind", kinds[line->kind]);
  cJSON_AddStringToObject(x, "text", line->text);
  if (!line->launch) return;
  cJSON_AddNumberToObject(x, "run", (double)line->run->number);
  cJSON_AddNumberToObject(x, "launch", (double)line->launch->number);
  cJSON_AddStringToObject(x, "kernel", line->launch->site->kernel);
}

static void add_recording(cJSON *to, const launch_table *t) {
  const recording *r = t->of;
  const ledger_header *h = r->header;
  cJSON *x = cJSON_AddObjectToObject(to, "recording");
  cJSON_AddStringToObject(x, "path", r->path);
  cJSON_AddStringToObject(x, "host", h->host);
  cJSON_AddNumberToObject(x, "process", (double)h->process);
  if (h->rank >= 0) cJSON_AddNumberToObject(x, "rank", (double)h->rank);
  cJSON_AddStringToObject(x, "library", h->library);
  cJSON_AddNumberToObject(x, "began_us", (double)h->began_us);
  cJSON_AddNumberToObject(x, "runs", (double)r->runs.n);
  cJSON *models = cJSON_AddArrayToObject(x, "models");
  for (size_t i = 0; i < t->models.n; i++) add_model(models, &t->models.at[i]);
}

/* Of B what A has no partner for. */
static void add_second(cJSON *to, const pairing *p, arena *a) {
  cJSON *x = cJSON_AddObjectToObject(to, "other");
  add_recording(x, p->b);
  cJSON_AddNumberToObject(x, "run_of_a", (double)p->of->shown.a->number);
  cJSON_AddNumberToObject(x, "run_of_b", (double)p->of->shown.b->number);
  cJSON *launches = cJSON_AddArrayToObject(x, "launches");
  for (size_t i = 0; i < p->b->rows.n; i++) {
    if (!p->only[i]) continue;
    add_row(launches, p->b, i, NULL, a);
    add_pair(launches->child->prev, p, p->only[i], NULL, a);
  }
}

cJSON *report_json(const launch_table *t, const verdict *v, const pairing *p, arena *a) {
  cJSON *to = cJSON_CreateObject();
  cJSON_AddStringToObject(to, "aotigen", AOTIGEN_VERSION);
  cJSON *lines = cJSON_AddArrayToObject(to, "verdict");
  for (size_t i = 0; i < v->n; i++) add_verdict(lines, &v->at[i]);
  add_recording(to, t);
  cJSON *launches = cJSON_AddArrayToObject(to, "launches");
  for (size_t i = 0; i < t->rows.n; i++) add_row(launches, t, i, p, a);
  if (p) add_second(to, p, a);
  return to;
}
