/* device_error.c - the report of a lost device. It reads records and the device's sticky error in
 * host memory, and calls no driver. */
#define _GNU_SOURCE
#include "launch/device_error.h"

#include "base/settings.h"
#include "checks/finding.h"
#include "launch/index_copies.h"
#include "base/sink.h"

enum { DEVICES = 64, SUSPECTS = 256, ARGUMENTS = 64 };

/* The first launch of a run that is not known to be over, and the launches around it. */
typedef struct suspect {
  ag_launch launch;
  const ag_async_run *d;
  const ag_record *record;
  ag_finished finished;
  uint64_t last; /* that was launched after it */
  unsigned more; /* how many */
} suspect;

/* Where suspects are: of one thread's runs on one stream the first is the one, for the others are
 * behind it. Not so one whose launch is still being made, as that of an outer run is while an inner
 * one goes on. */
typedef struct place {
  const void *stream;
  long thread;
  unsigned long long order;
  bool blocks;
} place;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static ag_text texts[DEVICES];
static atomic_bool reported[DEVICES], any;

/* The records of a graph become those of the replay that is under way, which is a run of its own.
 * False where none is. */
static bool enter_replay(ag_async_run *d) {
  uint32_t replay = d->async->replay->running(d->place.slot);
  if (!replay) return false;
  if (replay != d->captured.replay) d->number = ag_run_next_number();
  ag_async_run_enter_replay(d, replay);
  return true;
}

static bool is_inputs(const ag_async_run *d, unsigned at) {
  return ag_async_run_at(d, at)->launch.site == AG_NO_SITE;
}

/* With the async run's lock held. */
static bool find_suspect(ag_async_run *d, suspect *s) {
  unsigned at = atomic_load(&d->queue.evaluated), end = atomic_load(&d->queue.published);
  if (d->is_captured && !enter_replay(d)) return false;
  *s = (suspect){.d = d, .finished = d->finished};
  for (; at != end && ag_record_is_over(d, ag_async_run_at(d, at)); at++) {
    const ag_launch *l = &ag_async_run_at(d, at)->launch;
    if (!is_inputs(d, at)) s->finished = (ag_finished){l->number, l->site};
  }
  while (at != end && is_inputs(d, at)) at++;
  if (at == end) return false;
  s->record = ag_async_run_at(d, at);
  s->more = end - at - 1;
  s->last = ag_async_run_at(d, end - 1)->launch.number;
  s->launch = s->record->launch;
  s->launch.run = d->number;
  s->launch.replay = d->is_captured ? d->captured.replay : 0;
  s->launch.captured_run = d->captured.run;
  return true;
}

static void add_launch(ag_text *t, const char *label, const aotigen_model *model, uint64_t launch,
                       uint32_t site) {
  ag_text_add_line(t, label, "launch %llu: %s", (unsigned long long)launch,
                   model->sites[site].kernel);
}

/* Names alone, where nothing else of the launch was wanted. */
static void add_names(ag_text *t, const aotigen_site *site) {
  for (int i = 0; i < site->nparams && i < ARGUMENTS; i++) {
    ag_text_add(t, i ? ", " : "  arguments     ");
    ag_report_two_names(t, site->params[i].python_name, site->params[i].name);
  }
  if (site->nparams) ag_text_add(t, "\n");
}

/* The run's thread may be reading this argument again: a call may have given it another size. */
static bool is_unsettled(const ag_arg *a, uint8_t form) {
  return (form == AOTIGEN_EXTERN || form == AOTIGEN_PROXY) && a->param->role != AOTIGEN_IN;
}

static void add_arguments(ag_text *t, const ag_record *r, uint8_t form) {
  bool after = atomic_load(&r->stage) != AG_LAUNCHING;
  for (size_t i = 0; i < r->nargs && i < ARGUMENTS; i++) {
    const ag_arg *a = &r->args[i];
    bool settled = after || !is_unsettled(a, form);
    if ((!after && ag_arg_is_late(a)) || (settled && a->view.state == AG_VIEW_NONE)) continue;
    ag_text_add(t, "  argument      ");
    if (settled)
      ag_report_arg(t, a);
    else
      ag_report_arg_name(t, a);
    if (settled && a->view.state == AG_VIEW_OK && a->view.t.numel)
      ag_text_addf(t, ", at 0x%zx to 0x%zx", (size_t)a->view.begin, (size_t)a->view.end);
    ag_text_add(t, "\n");
  }
}

static void add_suspect(ag_text *t, const suspect *s, const char *sticky_error) {
  ag_report_head(t, &s->launch, "device error");
  ag_report_site(t, &s->launch);
  ag_text_add_line(t, "error", "%s", sticky_error);
  if (s->finished.launch)
    add_launch(t, "last finished", s->launch.model, s->finished.launch, s->finished.site);
  else
    ag_text_add_line(t, "last finished", "none of this run that was scanned");
  add_launch(t, "not finished", s->launch.model, s->launch.number, s->launch.site);
  if (atomic_load(&s->record->stage) == AG_LAUNCHING)
    ag_text_add_line(t, "", "it was being launched");
  if (s->more)
    ag_text_add_line(t, "behind it", "%u more, up to launch %llu", s->more,
                     (unsigned long long)s->last);
  if (s->d->owner->launch_work)
    add_arguments(t, s->record, ag_launch_site(&s->launch)->form);
  else
    add_names(t, ag_launch_site(&s->launch));
  ag_index_copies_explain(t, s->record);
}

static void log_suspect(const suspect *s, const char *sticky_error, unsigned of) {
  ag_text event;
  if (!ag_sink_has_log()) return;
  ag_sink_log_as_thread(atomic_load(&s->d->place.thread));
  ag_event_launch(&event, "device", &s->launch, NULL);
  ag_event_add_string(&event, "check", "device error");
  ag_event_add_string(&event, "found", sticky_error);
  ag_event_add_number(&event, "suspects", of);
  ag_event_add_number(&event, "last_finished", (int64_t)s->finished.launch);
  ag_event_end(&event);
  ag_sink_log_as_thread(0);
}

/* For a device error without a suspect: the event belongs to no run. */
static void log_without_suspect(int32_t device_index, const char *sticky_error) {
  ag_text event, device = {0};
  if (!ag_sink_has_log()) return;
  ag_text_addf(&device, "cuda:%d", (int)device_index);
  ag_event_begin(&event, "device");
  ag_event_add_string(&event, "device", ag_text_string(&device));
  ag_event_add_string(&event, "check", "device error");
  ag_event_add_string(&event, "found", sticky_error);
  ag_event_add_number(&event, "suspects", 0);
  ag_event_end(&event);
  ag_text_free(&device);
}

/* A graph is replayed on any stream. */
static place place_of(const suspect *s) {
  return (place){.stream = s->d->is_captured ? (const void *)s->d : s->record->launch.stream,
                 .thread = atomic_load(&s->d->place.thread),
                 .order = atomic_load(&s->d->place.order),
                 .blocks = atomic_load(&s->record->stage) != AG_LAUNCHING};
}

static bool is_behind(const place *p, const place *all, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    if (all[i].blocks && all[i].stream == p->stream && all[i].thread == p->thread &&
        all[i].order < p->order)
      return true;
  return false;
}

static unsigned gather_places(int32_t device_index, place places[SUSPECTS]) {
  unsigned n = 0;
  suspect s;
  for (ag_async_run *d = ag_async_run_all(); d && n < SUSPECTS; d = d->next) {
    pthread_mutex_lock(&d->eval_lock);
    if (atomic_load(&d->active) && d->place.device_index == device_index && find_suspect(d, &s))
      places[n++] = place_of(&s);
    pthread_mutex_unlock(&d->eval_lock);
  }
  return n;
}

static void make_report(ag_text *t, const ag_async *async, int32_t device_index) {
  const char *sticky_error = async->device->sticky_error(device_index);
  suspect s;
  place places[SUSPECTS], here;
  ag_text body = {0};
  unsigned all = gather_places(device_index, places), of = 0, n = 0;
  if (!sticky_error) sticky_error = "the device was lost";
  for (unsigned i = 0; i < all; i++) of += !is_behind(&places[i], places, all);
  for (ag_async_run *d = ag_async_run_all(); d && n < SUSPECTS; d = d->next) {
    pthread_mutex_lock(&d->eval_lock);
    if (atomic_load(&d->active) && d->place.device_index == device_index && find_suspect(d, &s) &&
        (here = place_of(&s), !is_behind(&here, places, all))) {
      n++;
      add_suspect(&body, &s, sticky_error);
      log_suspect(&s, sticky_error, of);
    }
    pthread_mutex_unlock(&d->eval_lock);
  }
  if (n > 1)
    ag_text_addf(
        t,
        "aotigen: device error on 'cuda:%d', in one of %u launches, each the first of its run "
        "that had not finished\n",
        (int)device_index, n);
  if (n == 0) {
    ag_text_addf(t, "aotigen: device error on 'cuda:%d', %s\n", (int)device_index,
                 ag_async_run_has_unmarked()
                     ? "in which launch is not known: their ends could not be marked"
                     : "while no recorded launch was under way");
    ag_text_add_line(t, "error", "%s", sticky_error);
    log_without_suspect(device_index, sticky_error);
  }
  ag_text_add_bytes(t, body.data ? body.data : "", body.length);
  ag_text_free(&body);
}

const char *ag_device_error_report(const ag_async *async, int32_t device_index) {
  if (device_index < 0 || device_index >= DEVICES) return "aotigen: a device failed\n";
  pthread_mutex_lock(&lock);
  ag_text *t = &texts[device_index];
  if (!atomic_load(&reported[device_index])) {
    make_report(t, async, device_index);
    ag_sink_write_stderr(ag_text_string(t));
    atomic_store(&reported[device_index], true);
    atomic_store(&any, true);
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
  const char *text = ag_device_error_report(run->state->model->backend->async, device_index);
  if (ag_settings_get()->on_fault == AG_FAULT_REPORT) return NULL;
  ag_report_summarize(message, text);
  return ag_text_string(message);
}

/* ---- reports of runs that wait ----------------------------------------------------------------
 */

static ag_text noted[DEVICES];

void ag_device_error_note(int32_t device_index, const char *report) {
  if (device_index < 0 || device_index >= DEVICES) return;
  pthread_mutex_lock(&lock);
  if (!noted[device_index].length) ag_text_add(&noted[device_index], report);
  pthread_mutex_unlock(&lock);
}

const char *ag_device_error_noted(int32_t device_index) {
  if (device_index < 0 || device_index >= DEVICES) return NULL;
  pthread_mutex_lock(&lock);
  const char *text = noted[device_index].length ? ag_text_string(&noted[device_index]) : NULL;
  pthread_mutex_unlock(&lock);
  return text;
}
