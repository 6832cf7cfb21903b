/* subnormals.c - --subnormals=SHARE: outputs of float16 and bfloat16 of which a larger share is
 * subnormal. Such numbers have lost bits, and what is next smaller is 0: the model, or a scale in
 * it, is too small for the type. */
#define _GNU_SOURCE
#include <string.h>

#include "checks/bad_values.h"
#include "checks/finding.h"
#include "state/launch_hooks.h"

static bool is_wanted(const ag_model_state *m) { return m->model->subnormals; }

static bool is_looked_at(const ag_arg *a) {
  return a->view.state == AG_VIEW_OK && a->view.t.numel &&
         (ag_param_is_overwritten(a->param) || ag_arg_is_late(a)) &&
         (!strcmp(a->view.t.dtype->name, "float16") || !strcmp(a->view.t.dtype->name, "bfloat16"));
}

static unsigned want(const ag_arg *a, enum ag_when when, ag_edges *edges) {
  (void)edges;
  return when == AG_AFTER && is_looked_at(a) ? AG_WANT_SUMMARY : 0;
}

/* 0 also where nothing was scanned. */
static int64_t count(ag_evaluation *e, const ag_arg *a) {
  ag_stats found = {0};
  ag_reader r;
  if (e->results->open(e, a, AG_AFTER, &r)) return 0;
  const char *why = ag_reader_stats(&r, AG_WANT_SUMMARY, &found);
  ag_reader_close(&r);
  return why ? 0 : found.subnormal;
}

static void add(ag_finding *f, const ag_arg *a, int64_t n) {
  const ag_item item = {.label = "output", .arg = a};
  ag_text expected = {0}, found = {0};
  ag_text_addf(&expected, "at most %d%% of its elements", f->model->subnormals);
  ag_text_addf(&found, "%lld of %lld", (long long)n, (long long)a->view.t.numel);
  ag_finding_add(f, &item, AG_CHECK_SUBNORMALS, ag_text_string(&expected), ag_text_string(&found));
  ag_text_free(&expected);
  ag_text_free(&found);
}

static void check(ag_evaluation *e) {
  ag_finding f = {.event = EVENT_SUBNORMAL, .model = e->launch.model, .launch = &e->launch};
  for (size_t i = 0; i < e->record->nargs; i++) {
    const ag_arg *a = &e->record->args[i];
    int64_t n = is_looked_at(a) ? count(e, a) : 0;
    if ((double)n * 100 > (double)f.model->subnormals * (double)a->view.t.numel) add(&f, a, n);
  }
  if (!f.violations) return;
  ag_text_clear(&e->report);
  ag_report_head(&e->report, &e->launch, cause_what(CAUSE_SUBNORMAL));
  ag_report_site(&e->report, &e->launch);
  ag_finding_end(&f, &e->report);
  ag_bad_values_write(e, &e->report);
}

AG_LAUNCH_HOOKS(subnormals) = {.wanted = is_wanted, .evaluate_after = check, .wants = want};
