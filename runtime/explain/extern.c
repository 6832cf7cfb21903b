/* extern.c - see extern.h. */
#define _GNU_SOURCE
#include "explain/extern.h"

#include <math.h>
#include <string.h>

#include "explain/convolution.h"
#include "explain/sum.h"
#include "tensor/layout.h"

/* ---- matrix products ------------------------------------------------------------------------ */

/* Element [row, k] of the first tensor, or [k, column] of the second, of the same batch. */
static ag_term find_factor(const ag_sum *s, int factor, int64_t k) {
  const ag_tensor *o = &s->c->out->view.t, *x = &s->x->view.t, *y = &s->y->view.t;
  int64_t at[AG_MAX_DIMS];
  ag_layout_index(o->ndim, o->sizes, s->c->flat, at);
  bool batched = x->ndim == 3;
  int64_t batch = batched ? at[0] : 0, row = x->ndim > 1 ? at[batched] : 0;
  int64_t columns = y->ndim > 1 ? y->sizes[y->ndim - 1] : 1;
  int64_t column = y->ndim > 1 ? at[o->ndim - 1] : 0;
  if (!factor) return (ag_term){s->x, (batch * x->sizes[batched] + row) * s->n + k};
  return (ag_term){s->y, (batch * s->n + k) * columns + column};
}

/* True if the tensors have the shapes of a product: [b,] n, k and [b,] k, m; or a vector for the
 * second. */
static bool is_product(const ag_tensor *o, const ag_tensor *x, const ag_tensor *y) {
  bool batched = x->ndim == 3;
  if (x->ndim < 2 || x->ndim > 3 || y->ndim > x->ndim || y->ndim < 1) return false;
  bool vector = y->ndim == 1;
  if (batched && (y->ndim != 3 || x->sizes[0] != y->sizes[0])) return false;
  return o->ndim == x->ndim - vector && x->sizes[x->ndim - 1] == y->sizes[batched] &&
         o->sizes[batched] == x->sizes[batched] &&
         (vector || o->sizes[o->ndim - 1] == y->sizes[y->ndim - 1]);
}

/* Explains a product. What is added to it precedes `first`; mm and bmm add nothing. */
static void explain_product(ag_text *t, ag_call *c) {
  int first = c->ntensors - 2;
  if (first < 0 ||
      !is_product(&c->out->view.t, &c->tensors[first]->view.t, &c->tensors[first + 1]->view.t))
    return;
  const ag_arg *x = c->tensors[first], *y = c->tensors[first + 1];
  const ag_sum s = {.c = c,
                    .find = find_factor,
                    .factors = 2,
                    .n = x->view.t.sizes[x->view.t.ndim - 1],
                    .divisor = 1,
                    .x = x,
                    .y = y};
  ag_text what = {0};
  ag_text_addf(&what, "is a sum over k of products of %s and %s", x->param->name, y->param->name);
  ag_sum_explain(t, &s, ag_text_string(&what));
  ag_text_free(&what);
}

/* ---- sums over dimensions ------------------------------------------------------------------- */

/* The k-th element of the input that is added to the output's: it varies along the dimensions that
 * are reduced. */
static ag_term find_element(const ag_sum *s, int factor, int64_t k) {
  const ag_tensor *o = &s->c->out->view.t, *x = &s->x->view.t;
  int64_t at[AG_MAX_DIMS] = {0}, flat = 0;
  (void)factor;
  if (o->ndim == x->ndim) ag_layout_index(o->ndim, o->sizes, s->c->flat, at);
  for (int i = x->ndim; i-- > 0;) {
    bool added = o->ndim != x->ndim || o->sizes[i] != x->sizes[i];
    if (!added) continue;
    at[i] = k % x->sizes[i];
    k /= x->sizes[i];
  }
  for (int i = 0; i < x->ndim; i++) flat = flat * x->sizes[i] + at[i];
  return (ag_term){s->x, flat};
}

static void explain_reduction(ag_text *t, ag_call *c, bool mean) {
  const ag_arg *x = c->ntensors == 1 ? c->tensors[0] : NULL;
  const ag_tensor *o = &c->out->view.t;
  bool keeps = x && o->ndim == x->view.t.ndim;
  for (int i = 0; keeps && i < o->ndim; i++)
    if (o->sizes[i] != x->view.t.sizes[i] && o->sizes[i] != 1) return;
  if (!x || (!keeps && o->numel != 1)) return;
  ag_sum s = {.c = c, .find = find_element, .factors = 1, .divisor = 1, .x = x};
  s.n = o->numel ? x->view.t.numel / o->numel : 0;
  if (mean) s.divisor = (double)s.n;
  ag_text what = {0};
  ag_text_addf(&what, "is a %s of %lld elements of %s", mean ? "mean" : "sum", (long long)s.n,
               x->param->name);
  ag_sum_explain(t, &s, ag_text_string(&what));
  ag_text_free(&what);
}

static void explain_total(ag_text *t, ag_call *c) { explain_reduction(t, c, false); }
static void explain_mean(ag_text *t, ag_call *c) { explain_reduction(t, c, true); }

/* ---- running sums ---------------------------------------------------------------------------- */

/* Element k of the dimension that the running sum goes along, beside the explained one. */
static ag_term find_earlier(const ag_sum *s, int factor, int64_t k) {
  const ag_tensor *x = &s->x->view.t;
  int64_t at[AG_MAX_DIMS], flat = 0;
  (void)factor;
  ag_layout_index(x->ndim, x->sizes, s->c->flat, at);
  at[s->dim] = k;
  for (int i = 0; i < x->ndim; i++) flat = flat * x->sizes[i] + at[i];
  return (ag_term){s->x, flat};
}

/* what: what is made of the elements up to the explained one, in words. */
static void explain_running(ag_text *t, ag_call *c, enum ag_joined joined, const char *what) {
  const ag_arg *x = c->ntensors == 1 ? c->tensors[0] : NULL;
  const ag_tensor *o = &c->out->view.t;
  int64_t at[AG_MAX_DIMS], dim = x && c->integer < 0 ? c->integer + x->view.t.ndim : c->integer;
  if (!x || !c->has_integer || x->view.t.ndim != o->ndim || dim < 0 || dim >= o->ndim ||
      memcmp(x->view.t.sizes, o->sizes, (size_t)o->ndim * sizeof *o->sizes) != 0)
    return;
  ag_layout_index(o->ndim, o->sizes, c->flat, at);
  const ag_sum s = {.joined = joined,
                    .c = c,
                    .find = find_earlier,
                    .factors = 1,
                    .n = at[dim] + 1,
                    .divisor = 1,
                    .x = x,
                    .dim = (int)dim};
  ag_text line = {0};
  ag_text_addf(&line, "is %s of elements 0 to %lld of %s along dimension %lld", what,
               (long long)at[dim], x->param->name, (long long)dim);
  ag_sum_explain(t, &s, ag_text_string(&line));
  ag_text_free(&line);
}

static void explain_running_sum(ag_text *t, ag_call *c) {
  explain_running(t, c, AG_ADDED, "a sum");
}

static void explain_running_product(ag_text *t, ag_call *c) {
  explain_running(t, c, AG_MULTIPLIED, "a product");
}

static void explain_running_logarithm(ag_text *t, ag_call *c) {
  explain_running(t, c, AG_EXPONENTIALS, "the logarithm of a sum of exponentials");
}

static void explain_running_maximum(ag_text *t, ag_call *c) {
  explain_running(t, c, AG_GREATEST, "the greatest");
}

static void explain_running_minimum(ag_text *t, ag_call *c) {
  explain_running(t, c, AG_LEAST, "the least");
}

/* ---- rows ----------------------------------------------------------------------------------- */

/* The elements along some dimensions through the explained one. */
typedef struct row {
  ag_call *c;
  const ag_arg *x;
  int first, last; /* dimensions */
  int64_t at[AG_MAX_DIMS], n;
} row;

static bool begin_row(row *w, ag_call *c, const ag_arg *arg, int first, int last) {
  const ag_tensor *t = &arg->view.t;
  if (first < 0 || last >= t->ndim || t->ndim != c->out->view.t.ndim ||
      memcmp(t->sizes, c->out->view.t.sizes, (size_t)t->ndim * sizeof *t->sizes) != 0)
    return false;
  *w = (row){.c = c, .x = arg, .first = first, .last = last, .n = 1};
  ag_layout_index(t->ndim, t->sizes, c->flat, w->at);
  for (int i = first; i <= last; i++) w->n *= t->sizes[i];
  return true;
}

static bool read_row(const row *w, int64_t k, ag_term *x, double *value) {
  const ag_tensor *t = &w->x->view.t;
  int64_t at[AG_MAX_DIMS], flat = 0;
  memcpy(at, w->at, (size_t)t->ndim * sizeof *at);
  for (int i = w->last; i >= w->first; i--) {
    at[i] = k % t->sizes[i];
    k /= t->sizes[i];
  }
  for (int i = 0; i < t->ndim; i++) flat = flat * t->sizes[i] + at[i];
  *x = (ag_term){w->x, flat};
  return ag_call_may_go_on(w->c) && ag_call_read(w->c, w->x, flat, value);
}

/* "arg0_1[1, :]" */
static void add_row_name(ag_text *t, const row *w) {
  ag_text_addf(t, "%s[", w->x->param->name);
  for (int i = 0; i < w->x->view.t.ndim; i++) {
    if (i) ag_text_add(t, ", ");
    if (i >= w->first && i <= w->last)
      ag_text_add(t, ":");
    else
      ag_text_add_int(t, w->at[i]);
  }
  ag_text_add(t, "]");
}

static void explain_softmax(ag_text *t, ag_call *c) {
  row w;
  ag_term x, most_at = {0};
  double value, most = -INFINITY;
  if (c->ntensors != 1 || !c->has_integer || !isnan(c->found)) return;
  int ndim = c->tensors[0]->view.t.ndim;
  int dim = (int)(c->integer < 0 ? c->integer + ndim : c->integer);
  if (!begin_row(&w, c, c->tensors[0], dim, dim)) return;
  for (int64_t k = 0; k < w.n; k++) {
    if (!read_row(&w, k, &x, &value)) {
      ag_term_fail(t, c, c->why);
      return;
    }
    if (isnan(value) || value > most || !k) {
      most = value;
      most_at = x;
    }
    if (isnan(value)) break;
  }
  if (isfinite(most)) {
    ag_term_fail(t, c, "the greatest element of its row is finite");
    return;
  }
  ag_text name = {0};
  ag_term_add_head(t, c, "subtracts the greatest element of its row");
  if (most < 0) {
    ag_text_addf(t, "%16severy element of ", "");
    add_row_name(t, &w);
    ag_text_add(t, " is -inf\n");
  } else {
    ag_term_add(t, c, most_at, most);
  }
  ag_term_add_line(t, c,
                   most < 0      ? "-inf - -inf"
                   : isnan(most) ? "nan - nan"
                                 : "inf - inf",
                   NAN, true);
  ag_text_free(&name);
}

/* Normalises over the dimensions of the weight, or over the last one. */
static void explain_layer_norm(ag_text *t, ag_call *c) {
  row w;
  ag_term x;
  double value, mean = 0, variance = 0;
  int ndim = c->ntensors ? c->tensors[0]->view.t.ndim : 0;
  int dims = c->ntensors > 1 ? c->tensors[1]->view.t.ndim : 1;
  if (!c->has_real || !begin_row(&w, c, c->tensors[0], ndim - dims, ndim - 1)) return;
  for (int pass = 0; pass < 2; pass++)
    for (int64_t k = 0; k < w.n; k++) {
      if (!read_row(&w, k, &x, &value)) {
        ag_term_fail(t, c, c->why);
        return;
      }
      if (!pass) mean += value / (double)w.n;
      if (pass) variance += (value - mean) * (value - mean) / (double)w.n;
    }
  bool divides_by_zero = variance + c->real == 0;
  if (!divides_by_zero && isfinite(variance)) {
    ag_term_fail(t, c, "neither its mean nor its variance is bad");
    return;
  }
  ag_text name = {0};
  ag_term_add_head(t, c, "divides by the square root of a variance and eps");
  add_row_name(&name, &w);
  ag_text_add(&name, ": mean");
  ag_term_add_line(t, c, ag_text_string(&name), mean, false);
  ag_term_add_line(t, c, "variance", variance, !divides_by_zero);
  ag_term_add_line(t, c, "eps", c->real, false);
  if (divides_by_zero) ag_term_add_line(t, c, "0 / sqrt(variance + eps)", NAN, true);
  ag_text_free(&name);
}

/* ---- the operators -------------------------------------------------------------------------- */

static const struct {
  const char *name;
  void (*explain)(ag_text *t, ag_call *c);
} operators[] = {{"mm", explain_product},
                 {"addmm", explain_product},
                 {"bmm", explain_product},
                 {"baddbmm", explain_product},
                 {"mv", explain_product},
                 {"addmv", explain_product},
                 {"sum", explain_total},
                 {"sum_dim_IntList", explain_total},
                 {"mean", explain_mean},
                 {"mean_dim", explain_mean},
                 {"convolution", ag_convolution_explain},
                 {"cumsum", explain_running_sum},
                 {"cumprod", explain_running_product},
                 {"logcumsumexp", explain_running_logarithm},
                 {"_logcumsumexp", explain_running_logarithm},
                 {"cummax", explain_running_maximum},
                 {"cummin", explain_running_minimum},
                 {"softmax_int", explain_softmax},
                 {"softmax", explain_softmax},
                 {"_softmax", explain_softmax},
                 {"_log_softmax", explain_softmax},
                 {"native_layer_norm", explain_layer_norm}};

void ag_extern_explain(ag_text *t, const ag_record *record, const ag_element_source *from,
                       size_t out, int64_t flat, ag_explained *to) {
  ag_call c;
  if (!ag_call_begin(&c, record, from, &record->args[out])) return;
  c.flat = flat;
  if (ag_call_read(&c, c.out, flat, &c.found) && !isfinite(c.found))
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
      if (strcmp(c.op, operators[i].name) == 0) operators[i].explain(t, &c);
  if (c.explained.is_known) *to = c.explained;
  to->work = c.work;
  ag_call_end(&c);
}
