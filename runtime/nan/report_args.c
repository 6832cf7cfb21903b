/* report_args.c - see report_args.h. */
#define _GNU_SOURCE
#include "nan/report_args.h"

#include <string.h>

#include "checks/bad_values.h"
#include "nan/reach.h"

static bool is_twin(const ag_arg *a, const ag_arg *b) {
  return a != b && strcmp(a->param->name, b->param->name) == 0 && a->view.state == AG_VIEW_OK &&
         ag_view_is_same(&a->view, &b->view);
}

static bool is_listed(const ag_evaluation *e, size_t i, size_t twin, unsigned kinds,
                      ag_arg_test *is_preferred) {
  bool mine = is_preferred(e, i, kinds), other = is_preferred(e, twin, kinds);
  return mine == other ? twin < i : other;
}

bool ag_report_args_has_output(const ag_evaluation *e, size_t i, unsigned kinds,
                               ag_arg_test *is_preferred) {
  const ag_arg *args = e->record->args;
  for (size_t k = 0; k < e->record->nargs; k++)
    if (args[k].values.asserted_after && is_twin(&args[k], &args[i]) &&
        is_listed(e, i, k, kinds, is_preferred))
      return true;
  return false;
}

bool ag_report_args_has_input(const ag_evaluation *e, size_t i, unsigned kinds,
                              ag_arg_test *is_preferred) {
  const ag_arg *args = e->record->args;
  for (size_t k = 0; k < e->record->nargs; k++)
    if (args[k].values.reads && args[k].values.found.scanned == args[i].values.found.scanned &&
        args[k].values.found.bad == args[i].values.found.bad && is_twin(&args[k], &args[i]) &&
        is_listed(e, i, k, kinds, is_preferred))
      return true;
  return false;
}

/* If the launch may have written the argument, only the first Inf that it held is known. */
static bool stood_there(ag_evaluation *e, size_t in, size_t out) {
  const ag_arg *a = &e->record->args[in], *b = &e->record->args[out];
  if (!ag_arg_is_written(a) && !a->values.asserted_after)
    return ag_reach_is_seen(e, in, AG_INF, out, AG_NAN);
  int64_t index = ag_reach_match(&b->view.t, ag_kinds_first(&b->values.after, AG_NAN), &a->view.t);
  return index >= 0 &&
         a->values.found.first_address[AG_INF_ORIGIN] == ag_reach_address(&a->view.t, index);
}

const ag_arg *ag_report_args_find_intended(ag_evaluation *e, ag_arg_test *is_reported) {
  const ag_record *r = e->record;
  for (size_t i = 0; i < r->nargs; i++) {
    const ag_arg *a = &r->args[i];
    if (!a->values.reads || a->view.state != AG_VIEW_OK || !(a->values.found.intended & AG_INF))
      continue;
    for (size_t k = 0; k < r->nargs; k++)
      if (is_reported(e, k, AG_NAN) && ag_reach_find(r, i, k) == AG_REACHES && stood_there(e, i, k))
        return a;
  }
  return NULL;
}
