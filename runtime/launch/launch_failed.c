/* launch_failed.c - the report of a launch that failed on the host, or of a call between two. */
#define _GNU_SOURCE
#include "launch/launch_failed.h"

#include <string.h>

#include "base/json.h"
#include "base/settings.h"
#include "base/sink.h"
#include "checks/finding.h"
#include "checks/guard.h"
#include "explain/asserts.h"
#include "explain/divisions.h"
#include "explain/lookup.h"

/* The length of what was said, without the C++ stack that torch appends and the space at the end.
 */
static size_t measure_said(const char *what) {
  const char *stack = strstr(what, "\nException raised from ");
  size_t n = stack ? (size_t)(stack - what) : strlen(what);
  while (n && strchr(" \n", what[n - 1])) n--;
  return n;
}

/* Torch writes why a function of its shim failed, and keeps no copy: the wrapper learns only that
 * it did, or not even that. */
static const char *tell_where(void) {
  return ag_settings_get()->torch_silent
             ? "TORCH_CPP_LOG_LEVEL=FATAL may have kept torch from writing the reason to stderr"
             : "torch wrote the reason above, on stderr, as 'Exception in aoti_torch'";
}

/* Each line of what was said, below the first. */
static void add_said(ag_text *t, const char *what) {
  size_t n = measure_said(what);
  ag_text_addf(t, "  %-13s ", "error");
  for (size_t i = 0; i < n; i++) {
    ag_text_add_bytes(t, &what[i], 1);
    if (what[i] == '\n') ag_text_addf(t, "%16s", "");
  }
  ag_text_add(t, "\n");
}

static void add_error(ag_text *t, const char *what, bool returned) {
  add_said(t, what);
  if (returned) ag_text_addf(t, "%16s%s\n", "", tell_where());
}

static void log_failed(const ag_launch *l, const char *said, const char *report) {
  ag_text event;
  if (!ag_sink_has_log()) return;
  ag_event_launch(&event, "failed", l, NULL);
  ag_event_add_string(&event, "check", "exception");
  ag_event_add_string(&event, "expected", "none");
  ag_event_add_string(&event, "found", said);
  ag_event_add_how(&event, report);
  ag_event_end(&event);
}

const char *ag_launch_failed(aotigen_run *run, const char *what) {
  ag_run_texts *texts = &run->state->texts;
  ag_launch l = ag_run_launch(run);
  ag_text said = {0};
  bool returned = !what || strstr(what, "API call failed");
  if (!what) what = "the call failed, which the wrapper ignores";
  ag_text_clear(&texts->report);
  ag_report_head(&texts->report, &l, "launch failed");
  ag_report_site(&texts->report, &l);
  if (run->state->record) ag_guard_add_arguments(&texts->report, run->model, run->state->record);
  add_error(&texts->report, what, returned);
  if (run->state->record) {
    ag_assert_explain(&texts->report, run->state->record, run->state->retained.args, what);
    if (strstr(what, "ZeroDivisionError"))
      ag_division_explain(&texts->report, run->state->record, run->state->retained.args);
    ag_lookup_explain(&texts->report, run->state->record, run->state->retained.args);
  }
  ag_text_add_bytes(&said, what, measure_said(what));
  log_failed(&l, ag_text_string(&said), ag_text_string(&texts->report));
  ag_text_free(&said);
  return ag_report_fault(&texts->message, &texts->report);
}

static void log_between(const ag_launch *l, const char *what) {
  ag_text event, said = {0};
  if (!ag_sink_has_log()) return;
  ag_text_add_bytes(&said, what, measure_said(what));
  ag_event_run(&event, "failed", l->model, l->run);
  ag_event_add_string(&event, "device", l->model->device);
  ag_event_add_number(&event, "after_launch", (int64_t)l->number);
  ag_event_add_string(&event, "check", "exception");
  ag_event_add_string(&event, "expected", "none");
  ag_event_add_string(&event, "found", ag_text_string(&said));
  ag_event_end(&event);
  ag_text_free(&said);
}

const char *ag_run_failed_between(aotigen_run *run, const char *what) {
  ag_run_texts *texts = &run->state->texts;
  ag_launch l = ag_run_launch(run);
  const aotigen_site *last = ag_launch_site(&l);
  ag_text *t = &texts->report;
  ag_text_clear(t);
  ag_text_addf(t, "aotigen: run %llu failed after launch %llu (%s)\n", (unsigned long long)l.run,
               (unsigned long long)l.number, last->kernel);
  add_error(t, what, strstr(what, "API call failed") != NULL);
  ag_text_add_line(t, "last launch", "%llu: %s, launched at %s:%d, in %s",
                   (unsigned long long)l.number, last->kernel, l.model->source, last->line,
                   last->function);
  log_between(&l, what);
  return ag_report_fault(&texts->message, t);
}
