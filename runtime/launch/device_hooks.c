/* device_hooks.c - hooks that ask the device for scans, hand its records over, and report a device
 * that is lost: before a launch, in requests to the device, and by waiting for it. */
#define _GNU_SOURCE
#include "base/settings.h"
#include "checks/finding.h"
#include "launch/async_run.h"
#include "launch/core_dump.h"
#include "launch/device_error.h"
#include "launch/index_copies.h"
#include "launch/marks.h"
#include "launch/run.h"
#include "state/launch_hooks.h"
#include "state/in_flight.h"

/* ---- known before the launch ---------------------------------------------------------------- */

AG_LAUNCH_HOOKS(device) = {.wanted = ag_wants_async, .before = ag_device_error_of_run};

/* ---- detected by requests to the device: async runs ----------------------------------------- */

static void ask(aotigen_run *run, enum ag_when when) {
  const ag_record *r = run->state->record;
  run->state->progress.lost = r && r->scanned && r->page && ag_async_run_ask(run, when);
}

static const char *ask_before(aotigen_run *run) {
  ask(run, AG_BEFORE);
  return NULL;
}

static const char *ask_after(aotigen_run *run) {
  ask(run, AG_AFTER);
  return NULL;
}

static const char *report_lost(aotigen_run *run) {
  const aotigen_run_state *s = run->state;
  return s->progress.lost ? ag_device_error_fault(run, s->async_run->place.device_index) : NULL;
}

AG_LAUNCH_HOOKS(ask) = {.wanted = ag_wants_scans, .before = ask_before, .after = ask_after};
AG_LAUNCH_HOOKS(lost) = {.wanted = ag_wants_scans, .before = report_lost, .after = report_lost};

/* The launch was made: the evaluator may have its record. */
static const char *hand_over(aotigen_run *run, const char *fault) {
  const aotigen_run_state *s = run->state;
  bool lost = s->record && s->record->page && ag_marks_launched(run);
  return lost && !fault ? ag_device_error_fault(run, s->async_run->place.device_index) : fault;
}

AG_LAUNCH_HOOKS(launched) = {.wanted = ag_wants_async, .over = hand_over};

/* ---- detected by waiting: --sync, CUDA_LAUNCH_BLOCKING=1 ------------------------------------ */

static void write_report(aotigen_run *run, const char *error) {
  ag_text *t = &run->state->texts.report;
  ag_launch l = ag_run_launch(run);
  ag_text_clear(t);
  ag_report_head(t, &l, cause_what(CAUSE_DEVICE));
  ag_report_site(t, &l);
  ag_text_add_line(t, "error", "%s", error);
  ag_core_dump_add_caveat(t);
  if (run->state->record) ag_index_copies_explain(t, run->state->record);
  ag_run_log_device_error(run, error);
}

/* Waits, and reports the device's error if there is one: the launch that just ran is the first that
 * can have caused it. */
static const char *wait_for_launch(aotigen_run *run) {
  const ag_backend *backend = run->state->model->device.backend;
  ag_run_texts *texts = &run->state->texts;
  ag_in_flight_wait(run->state->in_flight);
  const char *error = backend->sync(ag_run_device(run), ag_run_launch_stream(run));
  ag_in_flight_after(run->state->in_flight);
  if (!error) return NULL;
  write_report(run, error);
  run->state->progress.error_reported = true;
  ag_device_error_note(ag_run_device(run), ag_text_string(&texts->report));
  return ag_report_fault(run->model, &texts->message, &texts->report);
}

static bool is_waited_for(const ag_model_state *m) {
  return m->device.backend && !m->device.async && m->waits;
}

/* What was filled on the run's stream is there before a launch on another one. */
static const char *await_fills(aotigen_run *run) {
  const ag_model_state *m = run->state->model;
  if (m->has_streams && m->model->guard)
    (void)m->device.backend->sync(ag_run_device(run), ag_run_stream(run)); /* told behind it */
  return NULL;
}

AG_LAUNCH_HOOKS(sync) = {
    .wanted = is_waited_for, .before = await_fills, .returned = wait_for_launch};
