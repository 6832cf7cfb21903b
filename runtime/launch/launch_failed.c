/* launch_failed.c - the report of a launch that failed on the host, or of a call between two. */
#define _GNU_SOURCE
#include "launch/launch_failed.h"

#include <string.h>

#include "base/json.h"
#include "base/settings.h"
#include "base/sink.h"
#include "checks/finding.h"
#include "checks/guard.h"
#include "checks/model_lines.h"
#include "checks/op_registered.h"
#include "explain/asserts.h"
#include "explain/divisions.h"
#include "explain/lookup.h"
#include "state/launch_hooks.h"
#include "tensor/shim.h"

/* The length of the message without the C++ stack that torch appends and without trailing space. */
static size_t measure_said(const char *what) {
  const char *stack = strstr(what, "\nException raised from ");
  size_t n = stack ? (size_t)(stack - what) : strlen(what);
  while (n && strchr(" \n", what[n - 1])) n--;
  return n;
}

static const char *find_reason(void) {
  const char *reason = torch_exception_get_what_without_backtrace
                           ? torch_exception_get_what_without_backtrace()
                           : NULL;
  return reason && *reason ? reason : NULL;
}

/* Says where to find the reason, for versions of torch that store no copy of it: there, the wrapper
 * knows at most which function failed. */
static const char *tell_where(void) {
  return ag_settings_get()->torch_silent
             ? "TORCH_CPP_LOG_LEVEL=FATAL may have kept torch from writing the reason to stderr"
             : "torch wrote the reason above, on stderr, as 'Exception in aoti_torch'";
}

/* Why a launch, or the run, failed. */
typedef struct {
  ag_text said;    /* begins with the reason, if it is known */
  bool has_reason; /* false if at most the function that failed is known */
} failure;

/* Adds the message without torch's stack, cut to a readable length. */
static void add_said(ag_text *t, const char *what) {
  enum { SAID_MOST = 4096 };
  size_t n = measure_said(what), kept = n;
  if (n > SAID_MOST)
    for (kept = SAID_MOST; kept && ((unsigned char)what[kept] & 0xc0) == 0x80;) kept--;
  ag_text_add_bytes(t, what, kept);
  if (kept < n) ag_text_addf(t, "\n... %zu more bytes", n - kept);
}

/* what: the exception's text, which may name the function of torch's shim that failed, but not why;
 * NULL if such a function failed and nothing was thrown. */
static failure describe_failure(const char *what) {
  const bool returned = !what || strstr(what, "API call failed");
  failure f = {.has_reason = !returned};
  const char *reason = returned ? find_reason() : NULL;
  if (reason) {
    add_said(&f.said, reason);
    ag_text_add(&f.said, "\n");
    f.has_reason = true;
  }
  add_said(&f.said, what ? what : "the call failed, which the wrapper ignores");
  return f;
}

/* Adds each line of the message below the first. Escapes what could control a terminal. */
static void add_failure(ag_text *t, const failure *f) {
  ag_text_addf(t, "  %-13s ", "error");
  for (const char *c = ag_text_string(&f->said); *c; c++) {
    if ((unsigned char)*c < ' ' ? !strchr("\n\t", *c) : *c == 0x7f)
      ag_text_addf(t, "\\x%02x", (unsigned)*c);
    else
      ag_text_add_bytes(t, c, 1);
    if (*c == '\n') ag_text_addf(t, "%16s", "");
  }
  ag_text_add(t, "\n");
  if (!f->has_reason) ag_text_addf(t, "%16s%s\n", "", tell_where());
}

static void add_exception(ag_text *event, const char *said) {
  ag_event_add_string(event, "check", "exception");
  ag_event_add_string(event, "expected", "none");
  ag_event_add_string(event, "found", said);
}

static void log_failed(const ag_launch *l, const char *said, const char *report) {
  ag_text event;
  if (!ag_sink_has_log()) return;
  ag_event_launch(&event, EVENT_FAILED, l, NULL);
  add_exception(&event, said);
  ag_op_log_values(&event, ag_launch_site(l)->op);
  ag_event_add_how(&event, report);
  ag_event_end(&event);
}

/* what: the exception's text, or NULL if the call returned an error that the wrapper ignores. */
static const char *report(aotigen_run *run, const char *what) {
  ag_run_texts *texts = &run->state->texts;
  ag_launch l = ag_run_launch(run);
  failure f = describe_failure(what);
  const char *said = ag_text_string(&f.said);
  if (strstr(said, "index out of bounds")) l.lines = ag_model_lines_of_lookup(ag_launch_site(&l));
  ag_text_clear(&texts->report);
  ag_report_head(&texts->report, &l, cause_what(CAUSE_FAILED));
  ag_report_site(&texts->report, &l);
  if (run->state->record) ag_guard_add_arguments(&texts->report, run->model, run->state->record);
  add_failure(&texts->report, &f);
  if (run->state->record) {
    ag_assert_explain(&texts->report, run->state->record, run->state->retained.args, said);
    if (strstr(said, "ZeroDivisionError"))
      ag_division_explain(&texts->report, run->state->record, run->state->retained.args, false);
    ag_lookup_explain(&texts->report, run->state->record, run->state->retained.args);
  }
  log_failed(&l, said, ag_text_string(&texts->report));
  ag_text_free(&f.said);
  return ag_report_fault(run->model, &texts->message, &texts->report);
}

/* An op that returned more tensors than there is room for has another report:
 * checks/op_results.c. */
static const char *report_thrown(aotigen_run *run, const char *what) {
  return run->more ? NULL : report(run, what);
}

static const char *report_returned(aotigen_run *run) {
  return run->error && !run->more ? report(run, NULL) : NULL;
}

/* Reports an exception of Python's: torch's dispatcher just returns to the wrapper. */
static void report_pending(aotigen_run *run, bool unwinding) {
  if (run->state->progress.active && !unwinding &&
      run->model->sites[run->site].form == AOTIGEN_DISPATCHER)
    report(run, "the run returned from within the call: a Python exception is pending");
}

AG_LAUNCH_HOOKS(launch_failed) = {.wanted = ag_wants_guard,
                                  .after = report_returned,
                                  .failed = report_thrown,
                                  .end_run = report_pending};

static void log_between(const ag_launch *l, const char *said) {
  ag_text event;
  if (!ag_sink_has_log()) return;
  ag_event_run(&event, EVENT_FAILED, l->model, l->run);
  ag_event_add_string(&event, "device", l->model->device);
  ag_event_add_number(&event, "after_launch", (int64_t)l->number);
  add_exception(&event, said);
  ag_event_end(&event);
}

const char *ag_run_failed_between(aotigen_run *run, const char *what) {
  ag_run_texts *texts = &run->state->texts;
  ag_launch l = ag_run_launch(run);
  const aotigen_site *last = ag_launch_site(&l);
  failure f = describe_failure(what);
  ag_text *t = &texts->report;
  ag_text_clear(t);
  ag_text_addf(t, "aotigen: run %llu failed after launch %llu (%s)\n", (unsigned long long)l.run,
               (unsigned long long)l.number, ag_site_name(last));
  add_failure(t, &f);
  ag_text_add_line(t, "last launch", "%llu: %s, launched at %s:%d, in %s",
                   (unsigned long long)l.number, ag_site_name(last), l.model->source, last->line,
                   last->function);
  log_between(&l, ag_text_string(&f.said));
  ag_text_free(&f.said);
  return ag_report_fault(run->model, &texts->message, t);
}
