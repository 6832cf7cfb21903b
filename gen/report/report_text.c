/* report_text.c - see report_text.h. */
#include "report/report_text.h"
#include "base/file.h"
#include "base/shown.h"

static void add_verdict(strbuf *to, const verdict *v) {
  for (size_t i = 0; i < v->n; i++) strbuf_printf(to, "%s\n", v->at[i].text);
}

static void add_form(strbuf *to, const report_arg *arg, arena *a) {
  const ledger_arg *x = arg->form;
  if (!*x->dtype) return; /* it was never scanned */
  strbuf_printf(to, "  %s%s", shown_text(recorded_form(x, a), a),
                arg->varies && x->kind == LEDGER_TENSOR ? ", and others" : "");
}

static void add_range(strbuf *to, const report_arg *arg) {
  const report_cell *c = &arg->all;
  if (!c->scanned)
    strbuf_puts(to, "  not scanned");
  else if (c->min > c->max)
    strbuf_puts(to, c->numel ? "  no finite element" : "  empty");
  else if (c->min == c->max)
    strbuf_printf(to, "  %.6g", c->min);
  else
    strbuf_printf(to, "  %.6g to %.6g", c->min, c->max);
}

static void add_count(strbuf *to, int64_t n, const char *name, size_t in, size_t runs) {
  if (n) strbuf_printf(to, ", %lld %s in %zu of %zu runs", (long long)n, name, in, runs);
}

static void add_arg(strbuf *to, const report_arg *arg, arena *a) {
  const char *given = arg->param->given_name;
  strbuf_printf(to, "      %s %s%s%s%s", arg->is_written ? "wrote" : "read ",
                shown_text(arg->param->name, a), *given ? " (" : "", shown_text(given, a),
                *given ? ")" : "");
  add_form(to, arg, a);
  add_range(to, arg);
  add_count(to, arg->all.nan, "NaN", arg->runs_with_nan, arg->runs);
  add_count(to, arg->all.pos_inf, "+Inf", arg->runs_with_pos_inf, arg->runs);
  add_count(to, arg->all.neg_inf, "-Inf", arg->runs_with_neg_inf, arg->runs);
  strbuf_puts(to, "\n");
}

static void add_row(strbuf *to, const report_row *row, arena *a) {
  const recorded_site *s = row->site;
  const char *line = shown_text(file_name(s->model_line), a), *module = shown_text(s->module, a);
  strbuf_printf(to, "%4llu  %s%s%s%s%s", (unsigned long long)row->number, shown_name(s->kernel, a),
                *line ? "  " : "", line, *module ? "  " : "", module);
  if (row->median_us > 0) strbuf_printf(to, "  %.2f us", row->median_us);
  strbuf_puts(to, "\n");
  for (size_t i = 0; i < row->args.n; i++) add_arg(to, &row->args.at[i], a);
}

static void add_model(strbuf *to, const report_model *m, arena *a) {
  strbuf_printf(to, "\n%s: runs %llu to %llu\n", shown_text(file_name(m->model->wrapper), a),
                (unsigned long long)m->columns[0].first,
                (unsigned long long)m->columns[m->ncolumns - 1].last);
}

char *report_text(const launch_table *t, const verdict *v, arena *a) {
  strbuf to = {0};
  add_verdict(&to, v);
  for (size_t i = 0; i < t->rows.n; i++) {
    const report_row *row = &t->rows.at[i];
    if (i == 0 || row[-1].model != row->model) add_model(&to, &t->models.at[row->model], a);
    add_row(&to, row, a);
  }
  return strbuf_take(&to, a);
}
