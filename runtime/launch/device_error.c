/* postmortem.c - the report of a device's death. Reads records and sticky_errors, asks no driver.
 */
#define _GNU_SOURCE
#include "launch/device_error.h"

#include "launch/evaluator_thread.h"
#include "checks/finding.h"
#include "base/sink.h"

enum { DEVICES = 64, SUSPECTS = 256, ARGUMENTS = 64 };

/* The first launch of a run that is not known to be over, and what stands around it. */
typedef struct suspect {
  aotigen_run run;
  const ag_async_run *d;
  const ag_record *record;
  uint64_t finished; /* 0: none */
  uint32_t finished_site;
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
static atomic_bool told[DEVICES], any;

/* Of a graph the records become those of the replay that is under way, which is a run of its own.
 * False where none is. */
static bool enter_replay(ag_async_run *d) {
  uint32_t replay = d->async->replay->running(d->slot);
  if (!replay) return false;
  if (replay != d->replay) d->number = ag_next_run();
  ag_record_replay(d, replay);
  return true;
}

/* With the async_run's lock held. */
static bool find(ag_async_run *d, suspect *s) {
  unsigned at = atomic_load(&d->evaluated), end = atomic_load(&d->published);
  if (d->captured && !enter_replay(d)) return false;
  *s = (suspect){.d = d, .finished = d->finished, .finished_site = d->finished_site};
  for (; at != end && ag_record_over(d, ag_record_at(d, at)); at++) {
    if (ag_record_at(d, at)->site == AG_NO_SITE) continue;
    s->finished = ag_record_at(d, at)->launch;
    s->finished_site = ag_record_at(d, at)->site;
  }
  while (at != end && ag_record_at(d, at)->site == AG_NO_SITE) at++;
  if (at == end) return false;
  s->record = ag_record_at(d, at);
  s->more = end - at - 1;
  s->last = ag_record_at(d, end - 1)->launch;
  s->run = (aotigen_run){.model = d->model,
                         .state = d->judge,
                         .number = d->number,
                         .launch = s->record->launch,
                         .site = s->record->site};
  return true;
}

static void add_launch(ag_text *t, const char *label, const aotigen_run *run, uint64_t launch,
                       uint32_t site) {
  ag_add_line(t, label, "launch %llu: %s", (unsigned long long)launch,
              run->model->sites[site].kernel);
}

/* Names alone, where nothing else of the launch was wanted. */
static void add_names(ag_text *t, const aotigen_site *site) {
  for (int i = 0; i < site->nparams && i < ARGUMENTS; i++) {
    ag_add(t, i ? ", " : "  arguments     ");
    ag_report_two_names(t, site->params[i].python_name, site->params[i].name);
  }
  if (site->nparams) ag_add(t, "\n");
}

/* What the run's thread may be at just now: it looks again at what a call may have given another
 * size. */
static bool is_unsettled(const ag_arg *a, uint8_t form) {
  return (form == AOTIGEN_EXTERN || form == AOTIGEN_PROXY) && a->param->role != AOTIGEN_IN;
}

static void add_arguments(ag_text *t, const ag_record *r, uint8_t form) {
  bool after = atomic_load(&r->stage) != AG_LAUNCHING;
  for (size_t i = 0; i < r->nargs && i < ARGUMENTS; i++) {
    const ag_arg *a = &r->args[i];
    bool settled = after || !is_unsettled(a, form);
    if ((!after && ag_arg_late(a)) || (settled && a->view.state == AG_VIEW_NONE)) continue;
    ag_add(t, "  argument      ");
    if (settled)
      ag_report_arg(t, a);
    else
      ag_report_arg_name(t, a);
    if (settled && a->view.state == AG_VIEW_OK && a->view.t.numel)
      ag_addf(t, ", at 0x%zx to 0x%zx", (size_t)ag_view_begin(&a->view),
              (size_t)ag_view_end(&a->view));
    ag_add(t, "\n");
  }
}

static void add_suspect(ag_text *t, const suspect *s, const char *sticky_error) {
  ag_report_head(t, &s->run, "device error");
  ag_report_site(t, &s->run);
  ag_add_line(t, "error", "%s", sticky_error);
  if (s->finished)
    add_launch(t, "last finished", &s->run, s->finished, s->finished_site);
  else
    ag_add_line(t, "last finished", "none of this run that was looked at");
  add_launch(t, "not finished", &s->run, s->record->launch, s->record->site);
  if (atomic_load(&s->record->stage) == AG_LAUNCHING) ag_add_line(t, "", "it was being launched");
  if (s->more)
    ag_add_line(t, "behind it", "%u more, up to launch %llu", s->more, (unsigned long long)s->last);
  if (s->run.state->model->launch_work)
    add_arguments(t, s->record, ag_site(&s->run)->form);
  else
    add_names(t, ag_site(&s->run));
}

static void log_suspect(const suspect *s, const char *sticky_error, unsigned of) {
  ag_text event;
  if (!ag_sink_logging()) return;
  ag_sink_log_as_thread(atomic_load(&s->d->thread));
  ag_event_launch(&event, "device", &s->run, NULL);
  ag_event_string(&event, "check", "device error");
  ag_event_string(&event, "found", sticky_error);
  ag_event_number(&event, "suspects", of);
  ag_event_number(&event, "last_finished", (int64_t)s->finished);
  ag_event_end(&event);
  ag_sink_log_as_thread(0);
}

/* Where none is to be suspected: then it is nobody's run. */
static void log_without_suspect(int32_t device_index, const char *sticky_error) {
  ag_text event, device = {0};
  if (!ag_sink_logging()) return;
  ag_addf(&device, "cuda:%d", (int)device_index);
  ag_event_begin(&event, "device");
  ag_event_string(&event, "device", ag_text_string(&device));
  ag_event_string(&event, "check", "device error");
  ag_event_string(&event, "found", sticky_error);
  ag_event_number(&event, "suspects", 0);
  ag_event_end(&event);
  ag_text_free(&device);
}

/* A graph is replayed on any stream. */
static place place_of(const suspect *s) {
  return (place){.stream = s->d->captured ? (const void *)s->d : s->record->stream,
                 .thread = atomic_load(&s->d->thread),
                 .order = atomic_load(&s->d->order),
                 .blocks = atomic_load(&s->record->stage) != AG_LAUNCHING};
}

static bool is_behind(const place *p, const place *all, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    if (all[i].blocks && all[i].stream == p->stream && all[i].thread == p->thread &&
        all[i].order < p->order)
      return true;
  return false;
}

static unsigned gather(int32_t device_index, place places[SUSPECTS]) {
  unsigned n = 0;
  suspect s;
  for (ag_async_run *d = ag_evaluator_all(); d && n < SUSPECTS; d = d->next) {
    pthread_mutex_lock(&d->eval_lock);
    if (atomic_load(&d->active) && d->device_index == device_index && find(d, &s))
      places[n++] = place_of(&s);
    pthread_mutex_unlock(&d->eval_lock);
  }
  return n;
}

static void make(ag_text *t, const ag_async *async, int32_t device_index) {
  const char *sticky_error = async->device->sticky_error(device_index);
  suspect s;
  place places[SUSPECTS], here;
  ag_text body = {0};
  unsigned all = gather(device_index, places), of = 0, n = 0;
  if (!sticky_error) sticky_error = "the device was lost";
  for (unsigned i = 0; i < all; i++) of += !is_behind(&places[i], places, all);
  for (ag_async_run *d = ag_evaluator_all(); d && n < SUSPECTS; d = d->next) {
    pthread_mutex_lock(&d->eval_lock);
    if (atomic_load(&d->active) && d->device_index == device_index && find(d, &s) &&
        (here = place_of(&s), !is_behind(&here, places, all))) {
      n++;
      add_suspect(&body, &s, sticky_error);
      log_suspect(&s, sticky_error, of);
    }
    pthread_mutex_unlock(&d->eval_lock);
  }
  if (n > 1)
    ag_addf(t,
            "aotigen: device error on 'cuda:%d', in one of %u launches, each the first of its run "
            "that had not finished\n",
            (int)device_index, n);
  if (n == 0) {
    ag_addf(t, "aotigen: device error on 'cuda:%d', %s\n", (int)device_index,
            ag_record_unmarked() ? "in which launch is not known: their ends could not be marked"
                                 : "while none of the launches that are looked at was under way");
    ag_add_line(t, "error", "%s", sticky_error);
    log_without_suspect(device_index, sticky_error);
  }
  ag_add_bytes(t, body.data ? body.data : "", body.length);
  ag_text_free(&body);
}

const char *ag_device_error_report(const ag_async *async, int32_t device_index) {
  if (device_index < 0 || device_index >= DEVICES) return "aotigen: a device failed\n";
  pthread_mutex_lock(&lock);
  ag_text *t = &texts[device_index];
  if (!atomic_load(&told[device_index])) {
    make(t, async, device_index);
    ag_sink_err(ag_text_string(t));
    atomic_store(&told[device_index], true);
    atomic_store(&any, true);
  }
  pthread_mutex_unlock(&lock);
  return ag_text_string(t);
}

bool ag_device_error_reported(int32_t device_index) {
  return device_index >= 0 && device_index < DEVICES && atomic_load(&told[device_index]);
}

bool ag_device_error_any(void) { return atomic_load(&any); }

const char *ag_device_error_fault(aotigen_run *run, int32_t device_index) {
  ag_text *message = &run->state->message;
  const char *text = ag_device_error_report(run->state->model->backend->async, device_index);
  if (ag_get_settings()->on_fault == AG_FAULT_REPORT) return NULL;
  ag_text_clear(message);
  ag_add(message, text);
  return ag_text_string(message);
}

/* ---- reports of runs that wait ----------------------------------------------------------------
 */

static ag_text noted[DEVICES];

void ag_device_error_note(int32_t device_index, const char *report) {
  if (device_index < 0 || device_index >= DEVICES) return;
  pthread_mutex_lock(&lock);
  if (!noted[device_index].length) ag_add(&noted[device_index], report);
  pthread_mutex_unlock(&lock);
}

const char *ag_device_error_noted(int32_t device_index) {
  if (device_index < 0 || device_index >= DEVICES) return NULL;
  pthread_mutex_lock(&lock);
  const char *text = noted[device_index].length ? ag_text_string(&noted[device_index]) : NULL;
  pthread_mutex_unlock(&lock);
  return text;
}
