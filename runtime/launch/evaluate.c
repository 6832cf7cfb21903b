/* evaluate.c - see evaluate.h. */
#define _GNU_SOURCE
#include "launch/evaluate.h"

#include "launch/hooks.h"
#include "output/printer.h"

static void call(void (*const *list)(ag_evaluation *), ag_evaluation *e) {
  while (*list) (*list++)(e);
}

void ag_evaluate_begin(ag_evaluation *e, ag_record *record) {
  e->record = record;
  e->launch = record->launch;
}

void ag_evaluate_before(ag_evaluation *e) { call(e->model->hooks->evaluate_before, e); }
void ag_evaluate_after(ag_evaluation *e) { call(e->model->hooks->evaluate_after, e); }
void ag_evaluate_end(ag_evaluation *e) { call(e->model->hooks->evaluate_end, e); }

void ag_evaluate_inputs(ag_evaluation *e) {
  const aotigen_model *m = e->launch.model;
  for (size_t i = 0; i < e->record->nargs && i < m->ninputs; i++) {
    const ag_arg *a = &e->record->args[i];
    if (a->view.state == AG_VIEW_OK || a->view.state == AG_VIEW_REFUSED)
      ag_printer_input(e, &m->inputs[i], a);
  }
}

/* ---- a run that waits: on its thread, around the launch ------------------------------------- */

static bool is_evaluated_now(const aotigen_run *run) {
  const ag_record *r = run->state->record;
  return r && r->scanned && !r->page;
}

static const char *evaluate_before(aotigen_run *run) {
  ag_evaluation *e = &run->state->evaluation;
  if (!is_evaluated_now(run)) return NULL;
  ag_evaluate_begin(e, run->state->record);
  ag_evaluate_before(e);
  return NULL;
}

static const char *evaluate_after(aotigen_run *run) {
  if (is_evaluated_now(run)) ag_evaluate_after(&run->state->evaluation);
  return NULL;
}

AG_LAUNCH_HOOKS(evaluation) = {
    .wanted = ag_wants_launches, .before = evaluate_before, .after = evaluate_after};
