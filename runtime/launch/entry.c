/* entry.c - reports a lost device when an exception leaves the model, or when the model is deleted.
 *
 * An asynchronous error of the device surfaces wherever torch next queries the device, mostly
 * outside of a run function. A host may end the process as soon as it catches the exception. */
#define _GNU_SOURCE
#include "base/library.h"
#include "base/settings.h"
#include "base/sink.h"
#include "base/thread.h"
#include "checks/finding.h"
#include "launch/catch_up.h"
#include "launch/device_error.h"
#include "launch/watchdog.h"
#include "state/buffers.h"
#include "state/container_calls.h"
#include "state/crash_signals.h"

/* The most microseconds that an exception is delayed. */
enum { LONGEST_WAIT = 2 * 1000 * 1000 };

/* The device's sticky error, or NULL. Queries without waiting. */
static const char *find_error(const ag_async *async, int32_t device_index) {
  const char *error = async->device->sticky_error(device_index);
  return error ? error : async->device->query(device_index);
}

/* The device of the model, or one that its runs were on, if it is lost; else -1. */
static int32_t find_lost_device(const ag_model_state *m) {
  const ag_async *async = m->device.backend ? m->device.backend->async : NULL;
  int32_t device = m->device.index;
  if (!async) return -1;
  if (device >= 0) return find_error(async, device) ? device : -1;
  for (ag_async_run *d = ag_async_run_all(); d; d = d->next) {
    device = d->place.device_index;
    if (d->owner == m && find_error(async, device)) return device;
  }
  device = async->device->only_index();
  return device >= 0 && find_error(async, device) ? device : -1;
}

/* The report. If a run that waited for its launches has written one, it is better than one made
 * now. */
static const char *report_of(const ag_model_state *m, int32_t device_index) {
  const char *noted = ag_device_error_noted(device_index);
  if (noted && !ag_device_error_reported(device_index)) return noted;
  return ag_device_error_report(m->device.backend->async, device_index);
}

static const char *message_of(const char *report, const char *what) {
  static _Thread_local ag_text message;
  ag_report_summarize(&message, report);
  ag_text_add(&message, "\n");
  ag_text_add_line(&message, "torch said", "%s", what ? what : "an exception without a text");
  return ag_text_string(&message);
}

/* The report without the launch, used when another thread has held a run's lock too long, such as
 * one that writes to a full pipe. The evaluator thread writes the full report later. */
static const char *text_without_launch(const ag_model_state *m, int32_t device_index) {
  static _Thread_local ag_text text;
  ag_text_clear(&text);
  ag_text_addf(
      &text,
      "aotigen: device error on 'cuda:%d', in which launch is not known yet: results are still "
      "being written\n",
      (int)device_index);
  ag_text_add_line(&text, "error", "%s", find_error(m->device.backend->async, device_index));
  return ag_text_string(&text);
}

/* Makes the report, and writes all results that the device delivered. */
static const char *report_loss(const ag_model_state *m, int32_t device_index, int64_t until) {
  if (!ag_catch_up_results(until) && !ag_device_error_reported(device_index))
    return text_without_launch(m, device_index);
  const char *report = report_of(m, device_index);
  ag_catch_up_results(until);
  return report;
}

const char *aotigen_entry_failed(aotigen_model *model, const char *what) {
  ag_model_state *m = ag_model_state_of(model);
  int64_t until = ag_time_us() + LONGEST_WAIT;
  if (!m || !m->device.backend) return NULL;
  bool reported = what && ag_report_is_ours(what);
  int32_t device = reported ? -1 : find_lost_device(m);
  if (device < 0) {
    ag_catch_up_results(until);
    return NULL;
  }
  const char *report = report_loss(m, device, until);
  if (ag_settings_get()->on_fault == AG_FAULT_REPORT) return NULL;
  return message_of(report, what);
}

/* Calls no driver: a device that was reset or shut down before the model is deleted is not a fault.
 * The evaluator thread detects a device that is lost while a run of the model is in flight. */
void aotigen_entry_deletes(aotigen_model *model) {
  ag_model_state *m = ag_model_state_of(model);
  ag_container_call_deletes(model);
  ag_crash_signals_keep();
  if (ag_buffers_has(model)) ag_library_keep();
  if (m && m->device.backend) ag_catch_up_runs(m, ag_time_us() + LONGEST_WAIT);
  ag_watchdog_rest();
  ag_sink_close_log();
}
