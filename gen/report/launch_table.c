/* launch_table.c - see launch_table.h. */
#include "report/launch_table.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Cells of all arguments: with many arguments there are fewer columns. */
enum { CELLS_MOST = 600000, COLUMNS_LEAST = 8 };

/* A launch of a run, where it stands in the table. */
typedef struct launch_ref {
  const recorded_launch *launch;
  size_t model, run; /* its index in the table, and that of the run among those of its model */
} launch_ref;

typedef arena_list(launch_ref) launch_refs;

typedef struct table_maker {
  launch_table *to;
  launch_refs refs;
  size_t nargs;
  /* Of the row that is made: one more than the index of an argument, by parameter and by whether it
   * is written; 0: it has none yet. */
  uint32_t *index;
  arena_list(double) times; /* microseconds that its launches took, in the order of the runs */
  arena *a;
} table_maker;

/* ---- models and columns --------------------------------------------------------------------- */

static size_t model_index(table_maker *t, const recorded_model *m) {
  for (size_t i = 0; i < t->to->models.n; i++)
    if (t->to->models.at[i].model == m) return i;
  *arena_push(t->a, &t->to->models) = (report_model){.model = m};
  return t->to->models.n - 1;
}

static void add_run(table_maker *t, const recorded_run *run) {
  const size_t m = model_index(t, run->model);
  const size_t number = t->to->models.at[m].runs++;
  for (size_t i = 0; i < run->launches.n; i++)
    if (run->launches.at[i].site)
      *arena_push(t->a, &t->refs) = (launch_ref){&run->launches.at[i], m, number};
}

static size_t column_of(const report_model *m, size_t run) { return run * m->ncolumns / m->runs; }

static void make_columns(table_maker *t, size_t most) {
  arena *a = t->a;
  size_t *seen = arena_alloc(a, t->to->models.n * sizeof *seen + 1);
  for (size_t i = 0; i < t->to->models.n; i++) {
    report_model *m = &t->to->models.at[i];
    m->ncolumns = m->runs < most ? m->runs : most;
    m->columns = arena_alloc(a, m->ncolumns * sizeof *m->columns);
  }
  for (size_t i = 0; i < t->to->of->runs.n; i++) {
    const recorded_run *run = &t->to->of->runs.at[i];
    const size_t k = model_index(t, run->model);
    report_model *m = &t->to->models.at[k];
    report_column *c = &m->columns[column_of(m, seen[k]++)];
    if (!c->runs++) c->first = run->number;
    c->last = run->number;
  }
}

/* ---- order ---------------------------------------------------------------------------------- */

static int compare_sizes(size_t x, size_t y) { return x < y ? -1 : x > y; }

static int by_place(const void *a, const void *b) {
  const launch_ref *x = a, *y = b;
  int order = compare_sizes(x->model, y->model);
  if (!order) order = compare_sizes(x->launch->number, y->launch->number);
  if (!order) order = compare_sizes(x->launch->site->line, y->launch->site->line);
  if (!order) order = strcmp(x->launch->site->kernel, y->launch->site->kernel);
  return order ? order : compare_sizes(x->run, y->run);
}

static bool begins_row(const launch_refs *refs, size_t i) {
  const launch_ref *x = &refs->at[i], *y = x - 1;
  return i == 0 || x->model != y->model || x->launch->number != y->launch->number ||
         x->launch->site != y->launch->site;
}

/* The columns for which there is room. */
static size_t most_columns(const launch_refs *refs) {
  size_t nargs = 1, rows = 0;
  for (size_t i = 0; i < refs->n && rows < REPORT_ROWS; i++)
    if (begins_row(refs, i)) {
      rows++;
      nargs += refs->at[i].launch->before.n + refs->at[i].launch->after.n;
    }
  const size_t n = CELLS_MOST / nargs;
  return n < COLUMNS_LEAST ? COLUMNS_LEAST : n > REPORT_COLUMNS ? REPORT_COLUMNS : n;
}

/* ---- arguments ------------------------------------------------------------------------------ */

static bool is_known(const ledger_arg *x) {
  return x->kind == LEDGER_SCALAR || x->has & LEDGER_HAS_SUMMARY;
}

static bool has_form(const ledger_arg *x, const ledger_arg *y) {
  return x->ndim == y->ndim && !strcmp(x->dtype, y->dtype) &&
         !memcmp(recorded_sizes(x), recorded_sizes(y), x->ndim * sizeof(int64_t));
}

static const report_cell empty_cell = {.min = INFINITY, .max = -INFINITY};

static report_cell cell_of(const ledger_arg *x) {
  report_cell c = empty_cell;
  if (x->kind == LEDGER_SCALAR) {
    const double value = recorded_scalar(x);
    if (isfinite(value)) c.min = c.max = value;
    c.nan = isnan(value);
    c.pos_inf = value == INFINITY;
    c.neg_inf = value == -INFINITY;
    c.numel = 1;
  } else if (x->numel > x->nan + x->pos_inf + x->neg_inf) {
    c.min = x->min;
    c.max = x->max;
  }
  c.scanned = 1;
  if (x->kind == LEDGER_SCALAR) return c;
  c.nan = x->nan;
  c.pos_inf = x->pos_inf;
  c.neg_inf = x->neg_inf;
  c.zero = x->zero;
  c.numel = x->numel;
  return c;
}

static int64_t add_counts(int64_t x, int64_t y) {
  int64_t sum;
  return x < 0 || y < 0 || __builtin_add_overflow(x, y, &sum) ? INT64_MAX : sum;
}

static void add_cell(report_cell *to, const report_cell *x) {
  to->min = fmin(to->min, x->min);
  to->max = fmax(to->max, x->max);
  to->nan = add_counts(to->nan, x->nan);
  to->pos_inf = add_counts(to->pos_inf, x->pos_inf);
  to->neg_inf = add_counts(to->neg_inf, x->neg_inf);
  to->zero = add_counts(to->zero, x->zero);
  to->numel = add_counts(to->numel, x->numel);
  to->scanned += x->scanned;
}

/* NULL where there is no room for another one. */
static report_arg *arg_of(table_maker *t, report_row *row, const ledger_arg *x, bool written) {
  const size_t n = t->to->models.at[row->model].ncolumns;
  uint32_t *index = &t->index[2 * x->param + written];
  if (*index) return &row->args.at[*index - 1];
  if (t->nargs == REPORT_ARGS) return NULL;
  t->nargs++;
  report_arg *arg = arena_push(t->a, &row->args);
  *arg = (report_arg){.param = &row->site->params[x->param],
                      .form = x,
                      .is_written = written,
                      .all = empty_cell,
                      .cells = arena_alloc(t->a, n * sizeof *arg->cells)};
  for (size_t i = 0; i < n; i++) arg->cells[i] = empty_cell;
  *index = (uint32_t)row->args.n;
  return arg;
}

static void add_args(table_maker *t, report_row *row, const launch_ref *ref, bool written) {
  const recorded_args *list = written ? &ref->launch->after : &ref->launch->before;
  const report_model *m = &t->to->models.at[row->model];
  for (size_t i = 0; i < list->n; i++) {
    const ledger_arg *x = list->at[i];
    report_arg *arg = arg_of(t, row, x, written);
    if (!arg) continue;
    arg->runs++;
    if (!is_known(x)) continue;
    if (!is_known(arg->form)) arg->form = x;
    arg->varies |= !has_form(arg->form, x);
    const report_cell c = cell_of(x);
    arg->runs_with_nan += c.nan != 0;
    arg->runs_with_inf += c.pos_inf || c.neg_inf;
    arg->runs_with_pos_inf += c.pos_inf != 0;
    arg->runs_with_neg_inf += c.neg_inf != 0;
    add_cell(&arg->all, &c);
    add_cell(&arg->cells[column_of(m, ref->run)], &c);
  }
}

/* ---- rows ----------------------------------------------------------------------------------- */

/* In which an argument was first seen is chance: those read stand before those written. */
static int by_use(const void *a, const void *b) {
  const report_arg *x = a, *y = b;
  if (x->is_written != y->is_written) return x->is_written ? 1 : -1;
  return x->param < y->param ? -1 : x->param > y->param;
}

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void finish_times(table_maker *t, report_row *row) {
  const size_t first = t->times.n > 1, n = t->times.n - first;
  if (!t->times.n) return;
  double *at = t->times.at + first;
  qsort(at, n, sizeof *at, by_size);
  row->least_us = at[0];
  row->median_us = n % 2 ? at[n / 2] : (at[n / 2 - 1] + at[n / 2]) / 2;
  t->times.n = 0;
}

static void finish_row(table_maker *t, report_row *row) {
  finish_times(t, row);
  for (size_t i = 0; i < row->args.n; i++) {
    const report_arg *x = &row->args.at[i];
    t->index[2 * (size_t)(x->param - row->site->params) + x->is_written] = 0;
  }
  if (row->args.n) qsort(row->args.at, row->args.n, sizeof *row->args.at, by_use);
}

static size_t most_params(const launch_refs *refs) {
  size_t most = 0;
  for (size_t i = 0; i < refs->n; i++)
    if (refs->at[i].launch->site->nparams > most) most = refs->at[i].launch->site->nparams;
  return most;
}

static void make_rows(table_maker *t) {
  report_row *row = NULL;
  t->index = arena_alloc(t->a, (2 * most_params(&t->refs) + 1) * sizeof *t->index);
  for (size_t i = 0; i < t->refs.n; i++) {
    const launch_ref *ref = &t->refs.at[i];
    if (begins_row(&t->refs, i)) {
      if (row) finish_row(t, row);
      row = NULL;
      if (t->to->rows.n == REPORT_ROWS || t->nargs == REPORT_ARGS) {
        t->to->left_out++;
        continue;
      }
      row = arena_push(t->a, &t->to->rows);
      *row = (report_row){
          .site = ref->launch->site, .model = ref->model, .number = ref->launch->number};
    }
    if (!row) continue;
    row->runs++;
    row->over += ref->launch->is_over;
    if (ref->launch->took_us > 0) *arena_push(t->a, &t->times) = ref->launch->took_us;
    add_args(t, row, ref, false);
    add_args(t, row, ref, true);
  }
  if (row) finish_row(t, row);
}

const launch_table *launch_table_make(const recording *r, arena *a) {
  table_maker t = {.to = arena_alloc(a, sizeof *t.to), .a = a};
  t.to->of = r;
  for (size_t i = 0; i < r->runs.n; i++) add_run(&t, &r->runs.at[i]);
  if (t.refs.n) qsort(t.refs.at, t.refs.n, sizeof *t.refs.at, by_place);
  make_columns(&t, most_columns(&t.refs));
  make_rows(&t);
  return t.to;
}
