/* device_error.c - the report of a lost device. It reads records and the device's sticky error from
 * host memory, and calls no driver. */
#define _GNU_SOURCE
#include "launch/device_error.h"

#include "base/settings.h"
#include "checks/finding.h"
#include "launch/core_dump.h"
#include "launch/index_copies.h"
#include "launch/marks.h"
#include "launch/suspect.h"
#include "base/sink.h"

enum { DEVICES = 64, SUSPECTS = 256 };

/* A run whose `eval_lock` the report holds, and its suspect's position. Only the first of one
 * thread's runs on a stream is a suspect, since the others are behind it. A run whose launch is
 * still being made does not count, such as an outer run while an inner one goes on. */
typedef struct candidate {
  ag_async_run *run; /* NULL: an earlier candidate has it, too */
  ag_suspect suspect;
  const void *stream;
  unsigned long long order;
  bool blocks;
} candidate;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static ag_text texts[DEVICES];
static atomic_bool reported[DEVICES], any;
static candidate candidates[SUSPECTS]; /* under the lock, while a report is made */

static void add_suspect(ag_text *t, const ag_suspect *s, const char *sticky_error) {
  ag_report_head(t, &s->launch, cause_what(CAUSE_DEVICE));
  ag_report_site(t, &s->launch);
  ag_text_add_line(t, "error", "%s", sticky_error);
  ag_suspect_add_finished(t, s);
  ag_suspect_add_unfinished(t, s);
  if (atomic_load(&s->record->stage) == AG_LAUNCHING)
    ag_text_add_line(t, "", "it was being launched");
  ag_core_dump_add_caveat(t);
  ag_suspect_add_behind(t, s);
  ag_suspect_add_arguments(t, s);
  ag_index_copies_explain(t, s->record);
}

static void log_suspect(const ag_suspect *s, const char *sticky_error, unsigned of,
                        const char *report) {
  ag_text event;
  char guards[AG_GUARDS];
  if (!ag_sink_has_log()) return;
  ag_sink_log_as_thread(s->thread);
  ag_event_launch(&event, EVENT_DEVICE, &s->launch, NULL);
  ag_event_add_string(&event, "check", "device error");
  ag_event_add_string(&event, "found", sticky_error);
  ag_event_add_number(&event, "suspects", of);
  ag_event_add_number(&event, "last_finished", (int64_t)s->finished.launch);
  ag_model_name_guards(s->launch.model, guards);
  if (*guards) ag_event_add_string(&event, "guards", guards);
  ag_event_add_how(&event, report);
  ag_event_end(&event);
  ag_sink_log_as_thread(0);
}

/* Logs a device error without a suspect: the event belongs to no run. */
static void log_without_suspect(int32_t device_index, const char *sticky_error) {
  ag_text event, device = {0};
  if (!ag_sink_has_log()) return;
  ag_text_addf(&device, "cuda:%d", (int)device_index);
  ag_event_begin(&event, EVENT_DEVICE);
  ag_event_add_string(&event, "device", ag_text_string(&device));
  ag_event_add_string(&event, "check", "device error");
  ag_event_add_string(&event, "found", sticky_error);
  ag_event_add_number(&event, "suspects", 0);
  ag_event_end(&event);
  ag_text_free(&device);
}

/* A graph counts as a stream of its own, since it is replayed on any stream. */
static void place_candidate(candidate *c) {
  const ag_async_run *d = c->suspect.d;
  const ag_record *r = c->suspect.record;
  c->stream = d->is_captured ? (const void *)d : r->launch.stream;
  c->order = atomic_load(&d->place.order);
  c->blocks = atomic_load(&r->stage) != AG_LAUNCHING;
}

static bool is_behind(const candidate *c, unsigned n) {
  for (const candidate *o = candidates; o < candidates + n; o++)
    if (o->blocks && o->stream == c->stream && o->suspect.thread == c->suspect.thread &&
        o->order < c->order)
      return true;
  return false;
}

static bool is_candidate(const ag_async_run *d, int32_t device_index) {
  return atomic_load(&d->active) && atomic_load(&d->place.device_index) == device_index;
}

/* Adds the run's suspect, and those of its other streams. Returns the number of all. */
static unsigned add_candidates(ag_async_run *d, unsigned n) {
  ag_suspect others[AG_SIDE_STREAMS];
  candidate *c = &candidates[n];
  if (!ag_suspect_find(d, &c->suspect)) return n;
  c->run = d;
  place_candidate(c);
  n++;
  unsigned more = d->place.nsides ? ag_suspect_find_others(d, &c->suspect, others) : 0;
  for (unsigned i = 0; i < more && n < SUSPECTS; i++, n++) {
    candidates[n] = (candidate){.suspect = others[i]};
    place_candidate(&candidates[n]);
  }
  return n;
}

/* Leaves the candidates' runs locked. */
static unsigned gather_candidates(int32_t device_index) {
  unsigned n = 0;
  for (ag_async_run *d = ag_async_run_all(); d && n < SUSPECTS; d = d->next) {
    if (!is_candidate(d, device_index)) continue;
    pthread_mutex_lock(&d->eval_lock);
    unsigned before = n;
    if (is_candidate(d, device_index)) n = add_candidates(d, n);
    if (n == before) pthread_mutex_unlock(&d->eval_lock);
  }
  return n;
}

static const char *describe_no_suspect(void) {
  if (ag_marks_refused()) return "in which launch is not known: their ends could not be marked";
  if (ag_settings_get()->core_dump)
    return "in which launch is not known: while the driver wrote a core dump, all of them ended";
  return "while no recorded launch was in flight";
}

/* The number of launches that are to be reported. *intervals: of some it is not known which of them
 * had not finished. */
static unsigned count_suspects(unsigned all, bool *intervals) {
  unsigned n = 0;
  *intervals = false;
  for (unsigned i = 0; i < all; i++) {
    if (is_behind(&candidates[i], all)) continue;
    n += candidates[i].suspect.of;
    *intervals = *intervals || candidates[i].suspect.of > 1;
  }
  return n;
}

/* A kernel of which a wrong index is known has failed its assert. */
static bool is_explained(const ag_suspect *s) {
  ag_text t = {0};
  ag_index_copies_explain(&t, s->record);
  bool explained = t.length > 0;
  ag_text_free(&t);
  return explained;
}

/* Those of which a wrong index is known, or the others. */
static void report_candidates(ag_text *body, unsigned all, unsigned n, bool explained,
                              const char *sticky_error) {
  for (unsigned i = 0; i < all; i++) {
    ag_suspect s = candidates[i].suspect;
    if (is_behind(&candidates[i], all)) continue;
    do {
      size_t begin = body->length;
      if (is_explained(&s) != explained) continue;
      add_suspect(body, &s, sticky_error);
      log_suspect(&s, sticky_error, n, ag_text_string(body) + begin);
    } while (ag_suspect_advance(&s));
  }
}

static bool has_others(unsigned n) {
  for (unsigned i = 0; i < n; i++)
    if (!candidates[i].run) return true;
  return false;
}

static void add_number(ag_text *t, int32_t device_index, unsigned n, unsigned all, bool intervals) {
  if (intervals)
    ag_text_addf(t,
                 "aotigen: device error on 'cuda:%d', in one of %u launches that are not known to "
                 "have finished: AOTIGEN_MARKS=all marks each launch\n",
                 (int)device_index, n);
  else if (has_others(all))
    ag_text_addf(t,
                 "aotigen: device error on 'cuda:%d', in one of %u launches, each the first of its "
                 "run on its stream that had not finished\n",
                 (int)device_index, n);
  else
    ag_text_addf(t,
                 "aotigen: device error on 'cuda:%d', in one of %u launches, each the first of its "
                 "run that had not finished\n",
                 (int)device_index, n);
}

static void make_report(ag_text *t, const ag_async *async, int32_t device_index) {
  const char *sticky_error = async->device->sticky_error(device_index);
  ag_text body = {0};
  if (!sticky_error) sticky_error = "the device was lost";
  unsigned all = gather_candidates(device_index);
  bool intervals;
  unsigned n = count_suspects(all, &intervals);
  report_candidates(&body, all, n, true, sticky_error);
  report_candidates(&body, all, n, false, sticky_error);
  for (unsigned i = 0; i < all; i++)
    if (candidates[i].run) pthread_mutex_unlock(&candidates[i].run->eval_lock);
  if (n > 1) add_number(t, device_index, n, all, intervals);
  if (n == 0) {
    ag_text_addf(t, "aotigen: device error on 'cuda:%d', %s\n", (int)device_index,
                 describe_no_suspect());
    ag_text_add_line(t, "error", "%s", sticky_error);
    log_without_suspect(device_index, sticky_error);
  }
  ag_text_add_bytes(t, body.data ? body.data : "", body.length);
  ag_text_free(&body);
}

const char *ag_device_error_report(const ag_async *async, int32_t device_index) {
  if (device_index < 0 || device_index >= DEVICES)
    return "aotigen: a device failed whose number is not known here: run on one of the first 64\n";
  pthread_mutex_lock(&lock);
  ag_text *t = &texts[device_index];
  if (!atomic_load(&reported[device_index])) {
    make_report(t, async, device_index);
    ag_sink_write_stderr(ag_text_string(t));
    atomic_store(&reported[device_index], true);
    atomic_store(&any, true);
    ag_core_dump_await_at_exit();
  }
  pthread_mutex_unlock(&lock);
  return ag_text_string(t);
}

bool ag_device_error_reported(int32_t device_index) {
  return device_index >= 0 && device_index < DEVICES && atomic_load(&reported[device_index]);
}

bool ag_device_error_any(void) { return atomic_load(&any); }

const char *ag_device_error_fault(aotigen_run *run, int32_t device_index) {
  ag_text *message = &run->state->texts.message;
  const char *text = ag_device_error_report(run->state->model->device.backend->async, device_index);
  if (ag_settings_get()->on_fault == AG_FAULT_REPORT) return NULL;
  ag_report_summarize(message, text);
  return ag_text_string(message);
}

/* ---- reports of runs that wait --------------------------------------------------------------- */

static ag_text noted[DEVICES];

void ag_device_error_note(int32_t device_index, const char *report) {
  if (device_index < 0 || device_index >= DEVICES) return;
  pthread_mutex_lock(&lock);
  if (!noted[device_index].length) ag_text_add(&noted[device_index], report);
  pthread_mutex_unlock(&lock);
  ag_core_dump_await_at_exit();
}

const char *ag_device_error_noted(int32_t device_index) {
  if (device_index < 0 || device_index >= DEVICES) return NULL;
  pthread_mutex_lock(&lock);
  const char *text = noted[device_index].length ? ag_text_string(&noted[device_index]) : NULL;
  pthread_mutex_unlock(&lock);
  return text;
}

const char *ag_device_error_of_run(aotigen_run *run) {
  const aotigen_run_state *s = run->state;
  int32_t device;
  bool lost;
  if (!s->model->device.async) return NULL;
  if (s->mode == AG_MODE_ASYNC) {
    device = s->async_run->place.device_index;
    lost = s->async_run->async->device->sticky_error(device) != NULL;
  } else {
    device = ag_run_known_device(run);
    lost = ag_device_error_reported(device);
  }
  return lost ? ag_device_error_fault(run, device) : NULL;
}
