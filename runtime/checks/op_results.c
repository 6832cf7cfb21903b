/* op_results.c - how many tensors an op of the proxy executor returned: a list may be longer than
 * the wrapper's array, which has room for those that it had when the model was compiled.
 *
 * Torch stores each tensor of a list behind the one before it, whatever the length of the array;
 * torch 2.11 then says that the numbers differ. */
#define _GNU_SOURCE
#include "checks/finding.h"
#include "checks/guard.h"
#include "state/launch_hooks.h"

static void add_violation(ag_finding *f, const aotigen_run *run) {
  const aotigen_op *op = run->model->sites[run->site].op;
  const char *least = run->more == AOTIGEN_ROOM ? "at least " : "";
  long long n = 0;
  ag_text expected = {0}, found = {0};
  for (uint32_t i = 0; op && i < op->noutputs; i++) n += op->values[op->ninputs + i].tensors;
  if (op) {
    ag_text_addf(&expected, "%lld, as when the model was compiled", n);
    ag_text_addf(&found, "%s%lld", least, n + run->more);
  } else {
    ag_text_add(&expected, "as many as when the model was compiled");
    ag_text_addf(&found, "%s%u more", least, run->more);
  }
  ag_finding_add(f, NULL, AG_CHECK_TENSORS, ag_text_string(&expected), ag_text_string(&found));
  ag_text_free(&expected);
  ag_text_free(&found);
}

static const char *check(aotigen_run *run) {
  if (!run->more) return NULL;
  ag_run_texts *texts = &run->state->texts;
  ag_launch l = ag_run_launch(run);
  ag_finding f = {.event = EVENT_GUARD, .model = run->model, .launch = &l};
  add_violation(&f, run);
  if (run->state->record) ag_guard_add_arguments(&f.lines, run->model, run->state->record);
  ag_text_clear(&texts->report);
  ag_report_head(&texts->report, &l, cause_what(CAUSE_GUARD));
  ag_report_site(&texts->report, &l);
  ag_finding_end(&f, &texts->report);
  return ag_report_fault(run->model, &texts->message, &texts->report);
}

static const char *check_failed(aotigen_run *run, const char *what) {
  (void)what;
  return check(run);
}

AG_LAUNCH_HOOKS(op_results) = {.wanted = ag_wants_guard, .after = check, .failed = check_failed};
