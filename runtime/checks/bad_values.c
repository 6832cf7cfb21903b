/* bad_values.c - see bad_values.h. */
#define _GNU_SOURCE
#include "checks/bad_values.h"

#include <math.h>

#include "base/settings.h"
#include "base/sink.h"
#include "checks/finding.h"
#include "checks/given_index.h"
#include "state/model_state.h"
#include "tensor/layout.h"

unsigned ag_kinds_wanted(const aotigen_model *model) {
  const unsigned is = model->nan_asserts;
  return (is & (1 | 4) ? AG_NAN : 0u) | (is & (2 | 4) ? AG_INF : 0u);
}

unsigned ag_kinds_withheld(const aotigen_model *model) {
  return model->nan_asserts & 4 ? AG_INF : 0u;
}

unsigned ag_kinds_of(const ag_stats *h) {
  return (h->nan ? AG_NAN : 0u) | (h->pos_inf ? AG_POS_INF : 0u) | (h->neg_inf ? AG_NEG_INF : 0u);
}

const char *ag_kinds_name(unsigned kinds) {
  return kinds & AG_NAN        ? "NaN"
         : kinds == AG_POS_INF ? "+Inf"
         : kinds == AG_NEG_INF ? "-Inf"
                               : "Inf";
}

int64_t ag_kinds_count(const ag_stats *h, unsigned kinds) {
  return (kinds & AG_NAN ? h->nan : 0) + (kinds & AG_POS_INF ? h->pos_inf : 0) +
         (kinds & AG_NEG_INF ? h->neg_inf : 0);
}

int64_t ag_kinds_first(const ag_stats *h, unsigned kinds) {
  int64_t first = kinds & AG_NAN ? h->first_nan : -1;
  if (kinds & AG_POS_INF && h->first_pos_inf >= 0 && (first < 0 || h->first_pos_inf < first))
    first = h->first_pos_inf;
  if (kinds & AG_NEG_INF && h->first_neg_inf >= 0 && (first < 0 || h->first_neg_inf < first))
    first = h->first_neg_inf;
  return first;
}

/* The sign of a NaN, which the bits show, is the hardware's: "-nan" and "nan" would look like two
 * values. */
static void add_number(ag_text *t, double x) {
  if (isnan(x))
    ag_text_add(t, "nan");
  else
    ag_text_add_g(t, x);
}

void ag_bad_values_add(ag_text *t, const ag_dtype *d, bool had, const unsigned char element[16],
                       bool bits) {
  if (!had) {
    ag_text_add(t, "?");
    return;
  }
  if (d->cls == AG_COMPLEX) ag_text_add(t, "(");
  add_number(t, ag_dtype_decode(d, element));
  if (d->cls == AG_COMPLEX) {
    ag_text_add(t, ", ");
    add_number(t, ag_dtype_decode(d, element + d->item_size / 2));
    ag_text_add(t, ")");
  }
  if (!bits) return;
  ag_text_add(t, ", bits 0x");
  for (int i = d->item_size; i-- > 0;) ag_text_addf(t, "%02x", element[i]);
}

static enum ag_when when_of(const ag_arg *a, const ag_stats *h) {
  return h == &a->values.after ? AG_AFTER : AG_BEFORE;
}

/* The first element of these kinds. */
static bool get_first(ag_evaluation *e, const ag_arg *a, const ag_stats *h, unsigned kinds,
                      unsigned char element[16]) {
  return e->results->element(e, a, when_of(a, h), ag_kinds_first(h, kinds), element);
}

void ag_bad_values_add_place(ag_text *t, const ag_arg *a, const ag_stats *h, unsigned kinds) {
  ag_text_addf(t, "%s in %lld of %lld elements, the first at ",
               ag_kinds_name(kinds & ag_kinds_of(h)), (long long)ag_kinds_count(h, kinds),
               (long long)a->view.t.numel);
  ag_tensor_describe_index(t, &a->view.t, ag_kinds_first(h, kinds));
}

void ag_bad_values_add_findings(ag_text *t, ag_evaluation *e, const ag_arg *a, const ag_stats *h,
                                unsigned kinds) {
  int64_t first = ag_kinds_first(h, kinds);
  unsigned char element[16] = {0};
  ag_bad_values_add_place(t, a, h, kinds);
  ag_text_addf(t, " (index %lld): ", (long long)first);
  ag_bad_values_add(t, a->view.t.dtype, get_first(e, a, h, kinds, element), element, true);
  unsigned others = ag_kinds_of(h) & ~kinds;
  for (unsigned k = AG_NAN; k <= AG_NEG_INF; k <<= 1)
    if (others & k)
      ag_text_addf(t, "; %s in %lld", ag_kinds_name(k), (long long)ag_kinds_count(h, k));
}

bool ag_bad_values_write(ag_evaluation *e, ag_text *t) {
  ag_text *pending = &e->pending;
  bool full = ag_report_tell(e->model, t);
  if (ag_settings_get()->on_fault == AG_FAULT_THROW && !pending->length)
    ag_report_summarize(pending, ag_text_string(t));
  return full;
}

bool ag_bad_values_begin_event(ag_text *t, ag_evaluation *e, enum event_kind event, const ag_arg *a,
                               const ag_stats *h, unsigned kinds) {
  ag_text value = {0};
  unsigned char element[16] = {0};
  int64_t at[AG_MAX_DIMS], flat = ag_kinds_first(h, kinds);
  ag_given_index given;
  if (!ag_sink_has_log()) return false;
  ag_event_launch(t, event, &e->launch, a);
  ag_event_add_string(t, "check", kinds & AG_NAN ? "nan" : "inf");
  ag_event_add_string(t, "expected", "finite");
  ag_bad_values_add(&value, a->view.t.dtype, get_first(e, a, h, kinds, element), element, false);
  ag_event_add_string(t, "found", ag_text_string(&value));
  ag_event_add_number(t, "count", ag_kinds_count(h, kinds));
  ag_event_add_number(t, "numel", a->view.t.numel);
  ag_layout_index(a->view.t.ndim, a->view.t.sizes, flat, at);
  bool is_view = ag_given_index_find(&given, e, a, flat);
  if (is_view) ag_event_add_list(t, "first_index", given.index, given.ndim);
  ag_event_add_list(t, is_view ? "view_index" : "first_index", at, a->view.t.ndim);
  ag_text_free(&value);
  return true;
}
