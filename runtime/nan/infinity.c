/* infinity.c - see infinity.h. */
#define _GNU_SOURCE
#include "nan/infinity.h"

#include <math.h>

#include "checks/bad_values.h"
#include "explain/explain.h"
#include "explain/work.h"
#include "nan/origins.h"
#include "nan/reach.h"

/* True if the Inf of argument number `in` surely made an output NaN: it is at the element of the
 * NaN, or in its row. A call of one op needs no such evidence. */
static bool shows_infinity(ag_evaluation *e, size_t in, ag_arg_test *is_reported) {
  const ag_record *r = e->record;
  unsigned kinds = (r->args[in].values.found.bad | r->args[in].values.found.unchecked) & AG_INF;
  if (!(ag_launch_site(&e->launch)->flags & AOTIGEN_KERNEL)) return true;
  for (size_t k = 0; k < r->nargs; k++)
    if (is_reported(e, k, AG_NAN) && ag_reach_find_bad(r, in, kinds, k) == AG_REACHES &&
        (ag_reach_is_seen(e, in, AG_INF, k, AG_NAN) ||
         ag_reach_is_in_row(e, in, AG_INF, k, AG_NAN)))
      return true;
  return false;
}

static bool reaches_reported(const ag_evaluation *e, size_t i, unsigned kinds,
                             ag_arg_test *is_reported) {
  for (size_t k = 0; k < e->record->nargs; k++)
    if (is_reported(e, k, kinds) && ag_reach_find(e->record, i, k) != AG_REACHES_NOT) return true;
  return false;
}

const ag_arg *ag_infinity_find(ag_evaluation *e, unsigned kinds, ag_arg_test *is_reported,
                               bool *sure) {
  const ag_arg *found = NULL;
  *sure = false;
  for (size_t i = 0; i < e->record->nargs && kinds & AG_NAN && !*sure; i++) {
    const ag_arg *a = &e->record->args[i];
    uint16_t origin = a->values.found.origin[AG_INF_ORIGIN];
    if (!a->values.reads || a->view.state != AG_VIEW_OK || !(a->values.found.bad & AG_INF) ||
        origin >= e->origins.count || !reaches_reported(e, i, kinds, is_reported))
      continue;
    *sure = !(a->values.found.uncertain & AG_INF) && shows_infinity(e, i, is_reported);
    if (*sure || !found) found = a;
  }
  return found || !(kinds & AG_NAN) ? found : ag_report_args_find_intended(e, is_reported);
}

bool ag_infinity_is_taken(ag_evaluation *e, const ag_arg *in, const ag_explained *how,
                          ag_arg_test *is_reported) {
  return how->is_known ? how->takes_infinity && !how->makes_infinity
                       : shows_infinity(e, (size_t)(in - e->record->args), is_reported);
}

/* True if no Inf of the argument is known to have another origin than the one that is known. */
static bool may_have_one_origin(const ag_evaluation *e, const ag_arg *a) {
  const ag_findings *f = &a->values.found;
  return a->values.reads && f->bad & AG_INF && f->origin[AG_INF_ORIGIN] < e->origins.count &&
         !((f->mixed | f->intended) & AG_INF);
}

/* True if each Inf of the argument has the one origin that is known of it. */
static bool has_one_origin(const ag_evaluation *e, const ag_arg *a) {
  return may_have_one_origin(e, a) && !(a->values.found.uncertain & AG_INF);
}

void ag_infinity_decide(ag_evaluation *e, const ag_explained *how, const ag_arg **suspect) {
  if (!ag_kinds_withheld(e->launch.model)) return;
  if (how->is_known && (!how->takes_infinity || how->makes_infinity)) *suspect = NULL;
  const ag_arg *loaded = how->is_known && *suspect ? how->infinity : NULL;
  if (!loaded) {
    if (*suspect && may_have_one_origin(e, *suspect))
      ag_origin_release_suspected(e, (*suspect)->values.found.origin[AG_INF_ORIGIN]);
    return;
  }
  const bool is_searched = (loaded->values.found.bad | loaded->values.found.intended) & AG_INF;
  *suspect = is_searched ? loaded : NULL;
  if (is_searched && has_one_origin(e, loaded))
    ag_origin_release_withheld(e, loaded->values.found.origin[AG_INF_ORIGIN]);
}

/* True if element `flat` is an Inf, which the launch read in an argument all of whose Inf are of
 * the origin; also if it is none. */
static bool is_passed(ag_evaluation *e, size_t out, int64_t flat, uint16_t origin, int64_t *left) {
  const ag_arg *a = &e->record->args[out];
  unsigned char element[16] = {0};
  ag_text scratch = {0};
  if (!e->results->element(e, a, AG_AFTER, flat, element)) return false;
  if (!isinf(ag_dtype_decode(a->view.t.dtype, element))) return true;
  const ag_explained x = ag_explain_add(&scratch, e->record, out, flat);
  ag_text_free(&scratch);
  e->decided += x.work;
  --*left;
  return x.is_known && x.infinity && has_one_origin(e, x.infinity) &&
         x.infinity->values.found.origin[AG_INF_ORIGIN] == origin;
}

bool ag_infinity_is_passed(ag_evaluation *e, size_t out, uint16_t origin) {
  enum { EXPLAINED_MOST = 1024, ELEMENTS_MOST = 1 << 22, RUN_MOST = 3 * AG_WORK_MOST };
  const ag_arg *a = &e->record->args[out];
  int64_t left = a->values.after.pos_inf + a->values.after.neg_inf;
  bool is = ag_kinds_withheld(e->launch.model) && !e->record->page && left <= EXPLAINED_MOST &&
            a->view.t.numel <= ELEMENTS_MOST && a->view.t.dtype->cls == AG_FLOATING;
  for (int64_t i = 0; is && left && i < a->view.t.numel; i++)
    is = is_passed(e, out, i, origin, &left) && e->decided < RUN_MOST;
  return is && !left;
}
