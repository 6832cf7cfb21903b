/* hang_report.c - see hang_report.h. */
#define _GNU_SOURCE
#include "launch/hang_report.h"

#include "base/settings.h"
#include "base/sink.h"
#include "checks/finding.h"
#include "state/thread_stack.h"

static void log_hang(const ag_launch *l, int thread, const char *at, int64_t us, unsigned behind) {
  ag_text event;
  if (!ag_sink_has_log()) return;
  ag_sink_log_as_thread(thread);
  if (l->number)
    ag_event_launch(&event, EVENT_HANG, l, NULL);
  else
    ag_event_run(&event, EVENT_HANG, l->model, l->run);
  ag_event_add_string(&event, "at", at);
  ag_event_add_number(&event, "milliseconds", us / 1000);
  ag_event_add_number(&event, "behind", behind);
  ag_event_end(&event);
  ag_sink_log_as_thread(0);
}

static void add_time(ag_text *t, int64_t us, const char *what) {
  ag_text_add_line(t, "for", "%.1f s: %s", (double)us / 1e6, what);
}

/* ---- a launch that the device does not end -------------------------------------------------- */

/* Describes what the thread that made the launch is doing. */
static void add_holder(ag_text *t, long thread) {
  ag_in_flight_seen seen;
  for (int i = 0; i < ag_in_flight_places(); i++) {
    if (!ag_in_flight_look(i, &seen) || seen.thread != thread || !seen.launch.number) continue;
    bool within = seen.at != AG_AT_AFTER && seen.at != AG_AT_BEGIN;
    ag_text_add_line(t, "thread", "%ld, which is %s launch %llu of run %llu: %s", thread,
                     within ? "at" : "behind", (unsigned long long)seen.launch.number,
                     (unsigned long long)seen.launch.run,
                     ag_site_name(ag_launch_site(&seen.launch)));
    return;
  }
  ag_text_add_line(t, "thread", "%ld, which has left the run", thread);
}

void ag_hang_add_launch(ag_text *t, const ag_suspect *s, int64_t us) {
  ag_report_head(t, &s->launch, cause_what(CAUSE_HANG));
  ag_report_site(t, &s->launch);
  add_time(t, us,
           s->is_behind
               ? "the device has not come to it, but is at what the stream was given before"
               : "the device has not ended it");
  ag_text_add_line(t, "stream", "%p", s->launch.stream);
  ag_suspect_add_finished(t, s);
  ag_suspect_add_behind(t, s);
  ag_suspect_add_arguments(t, s);
  add_holder(t, s->thread);
}

void ag_hang_write_launch(ag_text *t, const ag_suspect *s, int64_t us) {
  ag_sink_write_stderr(ag_text_string(t));
  log_hang(&s->launch, (int)s->thread, s->is_behind ? "queued" : "device", us, s->more);
}

/* ---- a thread ------------------------------------------------------------------------------- */

static void add_head(ag_text *t, const ag_in_flight_seen *seen) {
  static const char *const where[] = {[AG_AT_BEGIN] = "after launch",
                                      [AG_AT_BEFORE] = "while the arguments were checked of launch",
                                      [AG_AT_DURING] = "launch",
                                      [AG_AT_WAITING] = "launch",
                                      [AG_AT_AFTER] = "after launch"};
  const ag_launch *l = &seen->launch;
  ag_text_addf(t, "aotigen: hang in run %llu", (unsigned long long)l->run);
  if (seen->left_out)
    ag_text_addf(t, ", at or after launch %llu, which the filter leaves out",
                 (unsigned long long)seen->left_out);
  else if (l->number)
    ag_text_addf(t, ", %s %llu: %s", where[seen->at], (unsigned long long)l->number,
                 ag_site_name(ag_launch_site(l)));
  else
    ag_text_add(t, ", before its first checked launch");
  ag_text_add(t, "\n");
}

static const char *describe_wait(const ag_in_flight_seen *seen) {
  if (seen->at == AG_AT_DURING && !seen->left_out) return "it has not returned";
  if (seen->at == AG_AT_WAITING) return "the device has not ended it";
  if (seen->at == AG_AT_BEFORE) return "they have not been checked";
  return "the thread has come to no other launch";
}

static void add_arguments(ag_text *t, const ag_args_snapshot *args) {
  unsigned n = atomic_load(&args->n);
  ag_raw_text one;
  for (unsigned i = 0; i < n && i < AG_SNAPSHOT_ARGS; i++) {
    one.length = 0;
    ag_arg_snapshot_describe(&args->list[i], &one);
    ag_text_add(t, "  argument      ");
    ag_text_add_bytes(t, one.bytes, one.length);
    ag_text_add(t, "\n");
  }
  if (n && args->more) ag_text_add_line(t, "", "and %u more", args->more);
}

static void add_thread(ag_text *t, int thread) {
  const char *doing = ag_thread_stack_doing(thread);
  ag_text_add_line(t, "thread", "%d%s%s", thread, doing ? ", which " : "", doing ? doing : "");
}

/* Separate, because naming functions takes the loader's lock, which the thread may hold. */
static void write_stack(int thread) {
  void *frames[AG_STACK_MOST];
  const char *why = "AOTIGEN_SIGNALS is 0";
  ag_text t = {0};
  int n = ag_settings_get()->signals ? ag_thread_stack_read(thread, frames, &why) : 0;
  if (n) {
    ag_text_addf(&t, "  C stack of thread %d, innermost first\n", thread);
    ag_report_frames(&t, frames, n);
  } else {
    ag_text_add_line(&t, "C stack", "not read: %s", why);
  }
  ag_sink_write_stderr(ag_text_string(&t));
  ag_text_free(&t);
}

void ag_hang_report_thread(int place, const ag_in_flight_seen *seen, int64_t us) {
  const ag_launch *l = &seen->launch;
  ag_text t = {0};
  add_head(&t, seen);
  if (l->number && seen->left_out)
    ag_text_add_line(&t, "last checked", "launch %llu: %s", (unsigned long long)l->number,
                     ag_site_name(ag_launch_site(l)));
  else if (l->number)
    ag_report_site(&t, l);
  else
    ag_text_add_line(&t, "model", "%s", l->model->source);
  add_time(&t, us, describe_wait(seen));
  if (l->stream) ag_text_add_line(&t, "stream", "%p", l->stream);
  if (!seen->left_out) add_arguments(&t, seen->args);
  add_thread(&t, seen->thread);
  if (ag_in_flight_is_there(place, seen)) {
    ag_sink_write_stderr(ag_text_string(&t));
    log_hang(l, seen->thread, ag_in_flight_at_name(seen->at), us, 0);
    write_stack(seen->thread);
  }
  ag_text_free(&t);
}

/* ---- a thread that waits for a run ---------------------------------------------------------- */

static void log_entry(const ag_entry_seen *seen, const ag_hang_holder *holder, int64_t us) {
  ag_text event;
  if (!ag_sink_has_log()) return;
  ag_sink_log_as_thread(seen->thread);
  ag_event_begin(&event, EVENT_HANG);
  ag_event_add_string(&event, "source", seen->model->source);
  ag_event_add_string(&event, "at", "entry");
  ag_event_add_string(&event, "entry", seen->name);
  ag_event_add_number(&event, "milliseconds", us / 1000);
  ag_event_add_number(&event, "behind_run", (int64_t)holder->run);
  ag_event_end(&event);
  ag_sink_log_as_thread(0);
}

void ag_hang_report_entry(int place, const ag_entry_seen *seen, const ag_hang_holder *holder,
                          int64_t us) {
  ag_text t = {0};
  ag_text_addf(&t, "aotigen: hang before a run: thread %d waits in %s\n", seen->thread, seen->name);
  ag_text_add_line(&t, "model", "%s", seen->model->source);
  add_time(&t, us, "the container has given the thread no model");
  ag_text_add_line(&t, "behind", "run %llu of thread %ld, which hangs: see its report",
                   (unsigned long long)holder->run, holder->thread);
  add_thread(&t, seen->thread);
  ag_text_add_line(&t, "cure",
                   "end what that run waits for, or load the model with more runners: num_runners");
  if (ag_entries_is_there(place, seen)) {
    log_entry(seen, holder, us);
    ag_sink_write_stderr(ag_text_string(&t));
    write_stack(seen->thread);
  }
  ag_text_free(&t);
}
