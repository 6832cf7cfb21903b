/* sum.c - see sum.h. */
#define _GNU_SOURCE
#include "explain/sum.h"

#include <math.h>
#include <stdio.h>

/* True if x is as bad as what was found. A greatest or least element that is Inf may become the
 * other one; a sum that is Inf does not. */
static bool is_bad(const ag_sum *s, double x, double found) {
  if (isnan(found)) return isnan(x);
  return isinf(x) && (s->joined <= AG_MULTIPLIED || x == found);
}

static double round_to(const ag_arg *a, double x) {
  const ag_dtype *d = a->view.t.dtype;
  if (d->item_size == 2)
    return ag_number_of_real(x, d->exponent == 8 ? GRAPH_BF16 : GRAPH_F16).real;
  return d->item_size == 4 ? (double)(float)x : x;
}

/* Rounds to the type in which sums are accumulated. */
static double round_total(const ag_arg *out, double x) {
  return out->view.t.dtype->item_size == 8 ? x : (double)(float)x;
}

/* NaN if one of them is. */
static double add_exponentials(double x, double y) {
  const double most = x < y ? y : x, least = x < y ? x : y;
  return isinf(x) && x == y ? x : most + log1p(exp(least - most));
}

static double join(const ag_sum *s, double total, double x) {
  switch (s->joined) {
    case AG_MULTIPLIED: return total * x;
    case AG_EXPONENTIALS: return add_exponentials(total, x);
    case AG_GREATEST: return isnan(total) || total > x ? total : x;
    case AG_LEAST: return isnan(total) || total < x ? total : x;
    default: return total + x;
  }
}

static double find_empty(const ag_sum *s) {
  switch (s->joined) {
    case AG_MULTIPLIED: return 1;
    case AG_EXPONENTIALS:
    case AG_GREATEST: return -INFINITY;
    case AG_LEAST: return INFINITY;
    default: return 0;
  }
}

/* ---- lines ---------------------------------------------------------------------------------- */

void ag_term_add_head(ag_text *t, ag_call *c, const char *what) {
  ag_text_addf(t, "  how           %s", c->out->param->name);
  ag_tensor_describe_index(t, &c->out->view.t, c->flat);
  ag_text_addf(t, " %s:\n", what);
}

static void add_term_name(ag_text *t, ag_term x) {
  ag_text_add(t, x.a->param->name);
  ag_tensor_describe_index(t, &x.a->view.t, x.flat);
}

void ag_term_add_line(ag_text *t, ag_call *c, const char *what, double x, bool here) {
  if (here)
    c->explained.is_known = true;
  else if (isinf(x))
    c->explained.takes_infinity = true;
  ag_text_addf(t, "%16s%s = ", "", what);
  if (isnan(x))
    ag_text_add(t, "nan");
  else
    ag_text_add_g(t, x);
  ag_text_add(t, here ? "   <- here\n" : "\n");
}

void ag_term_add(ag_text *t, ag_call *c, ag_term x, double value) {
  ag_text name = {0};
  add_term_name(&name, x);
  ag_term_add_line(t, c, ag_text_string(&name), value, false);
  if (isinf(value) && !c->explained.infinity) c->explained.infinity = x.a;
  ag_text_free(&name);
}

void ag_term_fail(ag_text *t, ag_call *c, const char *why) {
  ag_text what = {0};
  ag_text_addf(&what, "is not explained: %s", why);
  ag_text_addf(t, "  how           %s", c->out->param->name);
  ag_tensor_describe_index(t, &c->out->view.t, c->flat);
  ag_text_addf(t, " %s\n", ag_text_string(&what));
  ag_text_free(&what);
}

/* ---- products and sums ---------------------------------------------------------------------- */

bool ag_sum_add_up(const ag_sum *s, double bad, ag_went *w) {
  double total = find_empty(s);
  for (int64_t k = 0; k < s->n; k++) {
    if (!ag_call_may_go_on(s->c)) return false;
    w->product = 1;
    if (!s->find(s, 0, k).a) continue; /* it lies in the padding */
    for (int i = 0; i < s->factors; i++) {
      ag_term x = s->find(s, i, k);
      if (!ag_call_read(s->c, x.a, x.flat, &w->factors[i])) return false;
      w->product *= w->factors[i];
    }
    if (s->factors == 2) w->product = round_total(s->c->out, w->product);
    w->before = total;
    w->after = total = round_total(s->c->out, join(s, total, w->product));
    w->k = k;
    if (is_bad(s, total, bad)) return w->found = true;
  }
  return true;
}

static void add_product(ag_text *t, const ag_sum *s, const ag_went *w, bool here) {
  ag_text name = {0};
  add_term_name(&name, s->find(s, 0, w->k));
  ag_text_add(&name, " * ");
  add_term_name(&name, s->find(s, 1, w->k));
  ag_term_add_line(t, s->c, ag_text_string(&name), w->product, here);
  ag_text_free(&name);
}

static const char *const total_names[] = {[AG_ADDED] = "sum",
                                          [AG_MULTIPLIED] = "product",
                                          [AG_EXPONENTIALS] = "logarithm",
                                          [AG_GREATEST] = "greatest",
                                          [AG_LEAST] = "least"};

/* "the sum before", "the sum with it" */
static void add_total(ag_text *t, const ag_sum *s, const char *when, double x, bool here) {
  char what[40];
  snprintf(what, sizeof what, "the %s%s", total_names[s->joined], when);
  ag_term_add_line(t, s->c, what, x, here);
}

static void add_went(ag_text *t, const ag_sum *s, const ag_went *w, double bad) {
  bool term_is_bad = is_bad(s, w->product, bad);
  for (int i = 0; i < s->factors; i++)
    if (term_is_bad || s->factors == 1) ag_term_add(t, s->c, s->find(s, i, w->k), w->factors[i]);
  if (s->factors == 2) add_product(t, s, w, term_is_bad);
  if (term_is_bad && s->factors == 2) return;
  if (w->k) add_total(t, s, " before", w->before, false);
  add_total(t, s, " with it", w->after, true);
}

/* Describes what is stored if the sum itself is not bad: its type may not hold it. */
static bool add_rounded(ag_text *t, const ag_sum *s, const ag_went *w, const char *what) {
  double stored = round_to(s->c->out, w->after / s->divisor);
  if (isnan(s->c->found) || !isinf(stored)) return false;
  ag_term_add_head(t, s->c, what);
  add_total(t, s, "", w->after, false);
  ag_text name = {0};
  ag_text_addf(&name, "%s(the %s)", s->c->out->view.t.dtype->name, total_names[s->joined]);
  ag_term_add_line(t, s->c, ag_text_string(&name), stored, true);
  ag_text_free(&name);
  return true;
}

void ag_sum_explain(ag_text *t, const ag_sum *s, const char *what) {
  ag_went w = {0};
  ag_text head = {0};
  if (!ag_sum_add_up(s, s->c->found, &w)) {
    ag_term_fail(t, s->c, s->c->why);
    return;
  }
  if (w.found) {
    ag_text_addf(&head, "%s; it goes bad at k = %lld", what, (long long)w.k);
    ag_term_add_head(t, s->c, ag_text_string(&head));
    ag_text_free(&head);
    add_went(t, s, &w, s->c->found);
  } else if (!add_rounded(t, s, &w, what)) {
    ag_term_fail(t, s->c, "its terms, added up one by one, make none");
  }
}
