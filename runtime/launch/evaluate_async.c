/* evaluate_async.c - evaluates a record of an async run with the device's results. */
#define _GNU_SOURCE
#include "launch/evaluate_async.h"

#include "base/sink.h"
#include "launch/evaluate.h"
#include "launch/requested.h"
#include "launch/scan_results.h"

static void see_before(ag_record *record) {
  for (size_t i = 0; i < record->nargs; i++) {
    ag_arg *a = &record->args[i];
    ag_arg_reset(a);
    if (a->earlier) a->view = *a->earlier;
  }
}

static void see_after(ag_record *record) {
  for (size_t i = 0; i < record->nargs; i++)
    if (record->args[i].later) record->args[i].view = *record->args[i].later;
}

static ag_evaluation *enter_run(ag_async_run *d) {
  ag_evaluation *e = &d->state->evaluation;
  e->results = &ag_recorded_results;
  e->source = d;
  e->launch.model = d->owner->model;
  e->launch.run = d->number;
  e->launch.replay = d->is_captured ? d->captured.replay : 0;
  e->launch.captured_run = d->captured.run;
  return e;
}

void ag_record_evaluate(ag_async_run *d, ag_record *record, bool halfway) {
  ag_evaluation *e = &d->state->evaluation;
  ag_sink_log_as_thread(atomic_load(&d->place.thread));
  see_before(record);
  ag_evaluate_begin(e, record);
  enter_run(d);
  if (record->launch.site == AG_NO_SITE) {
    ag_evaluate_inputs(e);
  } else {
    ag_evaluate_before(e);
    see_after(record);
    if (!halfway) ag_evaluate_after(e);
    if (!halfway && e->model->explain.list.n) ag_requested_report(e);
  }
  ag_sink_log_as_thread(0);
  e->record = NULL;
}

void ag_record_evaluate_end(ag_async_run *d) {
  ag_sink_log_as_thread(atomic_load(&d->place.thread));
  ag_evaluate_end(enter_run(d));
  ag_sink_log_as_thread(0);
}
