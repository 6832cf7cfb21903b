/* run_failed.c - reports an exception that is not ours and leaves a run: the launch in which the
 * device was lost, or the launch that threw, or the last one before. */
#define _GNU_SOURCE
#include "base/settings.h"
#include "base/sink.h"
#include "checks/finding.h"
#include "launch/core_dump.h"
#include "launch/device_error.h"
#include "launch/hooks.h"
#include "launch/launch_failed.h"
#include "launch/run.h"

/* Reports the error. Its launch is known only if each launch was awaited; otherwise any earlier
 * launch may be the cause. */
static void add_report(ag_text *t, const aotigen_run *run, const char *error) {
  const bool waited = ag_settings_get()->blocking || (run->state->model->waits && !run->unseen);
  const bool known = ag_run_knows_site(run), named = known && waited && run->state->progress.active;
  ag_launch l = ag_run_launch(run);
  if (named) {
    ag_report_head(t, &l, cause_what(CAUSE_DEVICE));
  } else if (known) {
    ag_text_addf(t, "aotigen: device error in run %llu, seen at launch %llu: %s\n",
                 (unsigned long long)l.run, (unsigned long long)l.number,
                 ag_site_name(ag_launch_site(&l)));
  } else {
    ag_text_addf(t, "aotigen: device error in run %llu, seen ", (unsigned long long)l.run);
    ag_text_addf(t, l.number ? "at launch %llu\n" : "before its first launch\n",
                 (unsigned long long)l.number);
  }
  if (known) ag_report_site(t, &l);
  ag_text_add_line(t, "error", "%s", error);
  if (named) ag_core_dump_add_caveat(t);
}

void ag_run_log_device_error(const aotigen_run *run, const char *error) {
  ag_launch l = ag_run_launch(run);
  ag_text event;
  if (ag_run_knows_site(run))
    ag_event_launch(&event, EVENT_DEVICE, &l, NULL);
  else
    ag_event_run(&event, EVENT_DEVICE, run->model, run->number);
  ag_event_add_string(&event, "check", "device error");
  ag_event_add_string(&event, "found", error);
  ag_event_end(&event);
}

/* The sticky error of the run's device, or NULL. Only torch may have met it so far. NULL also if it
 * is not known which of several devices the run is on: the error may be another device's. */
static const char *find_error(const aotigen_run *run, int32_t *device) {
  const ag_backend *backend = run->state->model->device.backend;
  const ag_async *async = backend ? backend->async : NULL;
  *device = ag_run_known_device(run);
  if (*device < 0 && async) *device = async->device->only_index();
  if (*device < 0 || !async) return NULL;
  const char *error = async->device->sticky_error(*device);
  return error ? error : async->device->query_stream(*device, ag_run_launch_stream(run));
}

static const char *report_error(aotigen_run *run, int32_t device, const char *error) {
  ag_run_texts *texts = &run->state->texts;
  ag_text_clear(&texts->report);
  add_report(&texts->report, run, error);
  ag_run_log_device_error(run, error);
  ag_device_error_note(device, ag_text_string(&texts->report));
  return ag_report_fault(run->model, &texts->message, &texts->report);
}

/* True if the filter selected the run's last launch. */
static bool is_recorded(const aotigen_run *run) {
  const ag_record *r = run->state->record;
  return run->launch && r && r->launch.number == run->launch && r->launch.run == run->number;
}

const char *aotigen_run_failed(aotigen_run *run, const char *what) {
  aotigen_run_state *s = run->state;
  const char *error;
  int32_t device;
  if (!s || s->progress.error_reported || ag_report_is_ours(what)) return NULL;
  error = find_error(run, &device);
  if (!error && !(run->model->check_inputs & 2)) return NULL;
  if (!error && !s->progress.active && !is_recorded(run))
    return NULL; /* a launch that is not selected may have thrown */
  s->progress.error_reported = true;
  if (!error && s->progress.active) return ag_hooks_failed(run, what);
  if (!error) return ag_run_failed_between(run, what);
  bool recorded = s->mode == AG_MODE_ASYNC ||
                  (s->model->device.async && ag_device_error_reported(device));
  const char *message = recorded ? ag_device_error_fault(run, device)
                                 : report_error(run, device, error);
  if (!message) return NULL;
  ag_text_add(&s->texts.message, "\n");
  ag_text_add_line(&s->texts.message, "torch said", "%s", what);
  return ag_text_string(&s->texts.message);
}
