/* pairing.c - see pairing.h. */
#include "report/pairing.h"

/* The row of a launch, or NULL. */
static const report_row *find_row(const launch_table *t, const recorded_run *run,
                                  const recorded_launch *l) {
  size_t model = 0, i;
  while (model < t->models.n && t->models.at[model].model != run->model) model++;
  arena_bound(i, t->rows.n,
              t->rows.at[i].model < model ||
                  (t->rows.at[i].model == model && t->rows.at[i].number < l->number));
  for (; i < t->rows.n && t->rows.at[i].model == model && t->rows.at[i].number == l->number; i++)
    if (t->rows.at[i].site == l->site) return &t->rows.at[i];
  return NULL;
}

const pairing *pairing_make(const difference *d, const launch_table *x, const launch_table *y,
                            arena *a) {
  pairing *to = arena_alloc(a, sizeof *to);
  paired_row *rows = arena_alloc(a, (x->rows.n + 1) * sizeof *rows);
  const launch_pair **only = arena_alloc(a, (y->rows.n + 1) * sizeof *only);
  for (size_t i = 0; i < d->shown.launches.n; i++) {
    const launch_pair *p = &d->shown.launches.at[i];
    const report_row *mine = p->a ? find_row(x, d->shown.a, p->a) : NULL;
    const report_row *other = p->b ? find_row(y, d->shown.b, p->b) : NULL;
    if (mine) rows[mine - x->rows.at] = (paired_row){p, other};
    if (!p->a && other) only[other - y->rows.at] = p;
  }
  *to = (pairing){d, x, y, rows, only};
  return to;
}

static uint16_t param_of(const report_row *row, const report_arg *arg) {
  return (uint16_t)(arg->param - row->site->params);
}

const arg_pair *pairing_arg(const launch_pair *p, const report_row *row, const report_arg *arg) {
  const arg_pairs *list = arg->is_written ? &p->wrote : &p->read;
  for (size_t i = 0; i < list->n; i++)
    if (list->at[i].a && list->at[i].a->param == param_of(row, arg)) return &list->at[i];
  return NULL;
}

const report_arg *pairing_other(const paired_row *row, const arg_pair *pair, bool is_written) {
  for (size_t i = 0; pair->b && row->other && i < row->other->args.n; i++) {
    const report_arg *x = &row->other->args.at[i];
    if (x->is_written == is_written && param_of(row->other, x) == pair->b->param) return x;
  }
  return NULL;
}
