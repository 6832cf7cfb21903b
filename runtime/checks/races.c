/* races.c - two runs that are in flight at the same time on two threads, and use the same input or
 * weight, which one of them writes.
 *
 * A run cannot wait for another one between its launches, so what two such runs do to one tensor is
 * unordered, whatever came of it this time. On a device, launches on one stream are in order.
 * Launches are noted only while there are two runs, so a run that is alone pays for its begin and
 * end. Memory that a run allocates by itself is another's as soon as it is released, and is not
 * checked; nor is what a captured graph does when it is replayed. Runs of another library, which
 * has a copy of this one, are not known. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/fork_lock.h"
#include "base/settings.h"
#include "checks/finding.h"
#include "state/launch_hooks.h"

/* A launch's use of a tensor; of several alike, the last one. */
typedef struct race_use {
  uintptr_t begin, end;
  int32_t device_type, device_index;
  void *stream;
  uint64_t order;  /* its place among the uses of all runs */
  uint64_t launch; /* its number in the run */
  uint32_t site;
  uint32_t param;
  bool written;
} race_use;

enum { ENDED_MOST = 256 }; /* ended runs kept at most, for a run that never ends */

typedef struct ag_race_run {
  struct ag_race_run *next;
  const aotigen_model *model;
  uint64_t number, began, ended; /* `ended` is 0 while it is in flight */
  int thread;
  pid_t process; /* a child of fork() has the runs of its parent's threads too */
  race_use *uses;
  size_t nuses, room;
} ag_race_run;

/* A pair of arguments that was reported. */
typedef struct race_pair {
  const aotigen_site *site, *other_site;
  const char *name, *other_name;
} race_pair;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static ag_race_run *runs; /* under the lock: runs in flight, and those that ended meanwhile */
static uint64_t now;
static race_pair *said;
static size_t nsaid, said_room;
static atomic_uint nruns; /* the length of the list */

AG_FORK_LOCK(lock)

/* ---- runs ----------------------------------------------------------------------------------- */

static void begin_run(aotigen_run *run) {
  ag_race_run *r = run->state->race = calloc(1, sizeof *r);
  if (!r) return;
  r->model = run->model;
  r->number = run->number;
  r->thread = (int)syscall(SYS_gettid);
  r->process = getpid();
  pthread_mutex_lock(&lock);
  r->began = ++now;
  r->next = runs;
  runs = r;
  atomic_fetch_add(&nruns, 1);
  pthread_mutex_unlock(&lock);
}

static uint64_t find_earliest_begin(pid_t process) {
  uint64_t earliest = UINT64_MAX;
  for (const ag_race_run *r = runs; r; r = r->next)
    if (!r->ended && r->process == process && r->began < earliest) earliest = r->began;
  return earliest;
}

static void remove_run(ag_race_run **at) {
  ag_race_run *r = *at;
  *at = r->next;
  atomic_fetch_sub(&nruns, 1);
  free(r->uses);
  free(r);
}

/* Frees the runs that ended before each run in flight began; of the others, all but the last
 * ENDED_MOST. */
static void free_past_runs(pid_t process) {
  uint64_t earliest = find_earliest_begin(process);
  int kept = 0;
  for (ag_race_run **at = &runs; *at;) {
    const ag_race_run *r = *at;
    if (r->ended && (r->ended < earliest || ++kept > ENDED_MOST))
      remove_run(at);
    else
      at = &(*at)->next;
  }
}

static void end_run(aotigen_run *run, bool unwinding) {
  ag_race_run *r = run->state->race;
  (void)unwinding;
  if (!r) return;
  pthread_mutex_lock(&lock);
  r->ended = ++now;
  free_past_runs(r->process);
  pthread_mutex_unlock(&lock);
}

/* ---- launches ------------------------------------------------------------------------------- */

static bool is_looked_at(const ag_arg *a) {
  return ag_param_is_given(a->param) && a->view.state == AG_VIEW_OK && a->view.begin < a->view.end;
}

static race_use use_of(const ag_record *record, const ag_arg *a) {
  return (race_use){.begin = a->view.begin,
                    .end = a->view.end,
                    .device_type = a->view.t.device_type,
                    .device_index = a->view.t.device_index,
                    .stream = record->launch.stream,
                    .launch = record->launch.number,
                    .site = record->launch.site,
                    .param = (uint32_t)(a - record->args),
                    .written = ag_param_is_overwritten(a->param)};
}

static void note(ag_race_run *run, const race_use *use) {
  for (size_t i = 0; i < run->nuses; i++) {
    race_use *x = &run->uses[i];
    if (x->begin != use->begin || x->end != use->end || x->written != use->written ||
        x->device_type != use->device_type || x->stream != use->stream)
      continue;
    *x = *use;
    return;
  }
  if (ag_list_grow((void **)&run->uses, &run->room, run->nuses, sizeof *run->uses))
    run->uses[run->nuses++] = *use;
}

/* On the CPU, torch's device type 0, a launch has ended when it returns, on any stream. */
static bool is_ordered(const race_use *a, const race_use *b) {
  return a->device_type != 0 && a->stream == b->stream;
}

static bool races(const race_use *a, const race_use *b) {
  return (a->written || b->written) && a->device_type == b->device_type &&
         a->device_index == b->device_index && a->begin < b->end && b->begin < a->end &&
         !is_ordered(a, b);
}

/* A use of another run that was in flight with this one, made since both are; or NULL. */
static const race_use *find_alias(const ag_race_run *own, const race_use *use,
                                  const ag_race_run **other) {
  for (const ag_race_run *r = runs; r; r = r->next) {
    if (r->thread == own->thread || r->process != own->process) continue;
    if (r->ended && r->ended < own->began) continue;
    for (size_t i = 0; i < r->nuses; i++) {
      if (r->uses[i].order < own->began || !races(use, &r->uses[i])) continue;
      *other = r;
      return &r->uses[i];
    }
  }
  return NULL;
}

static bool is_same(const race_pair *p, const aotigen_site *site, const char *name,
                    const aotigen_site *other_site, const char *other_name) {
  return p->site == site && p->other_site == other_site && !strcmp(p->name, name) &&
         !strcmp(p->other_name, other_name);
}

static const aotigen_site *find_site(const ag_race_run *run, const race_use *use) {
  return &run->model->sites[use->site];
}

static const char *find_name(const ag_race_run *run, const race_use *use) {
  return find_site(run, use)->params[use->param].name;
}

/* True if the pair was not reported before. */
static bool is_new(const ag_race_run *own, const race_use *use, const ag_race_run *other,
                   const race_use *alias) {
  const race_pair p = {find_site(own, use), find_site(other, alias), find_name(own, use),
                       find_name(other, alias)};
  for (size_t i = 0; i < nsaid; i++)
    if (is_same(&said[i], p.site, p.name, p.other_site, p.other_name) ||
        is_same(&said[i], p.other_site, p.other_name, p.site, p.name))
      return false;
  if (ag_list_grow((void **)&said, &said_room, nsaid, sizeof *said)) said[nsaid++] = p;
  return true;
}

/* ---- the report ----------------------------------------------------------------------------- */

static const char *name_use(const race_use *use) { return use->written ? "writes" : "reads"; }

static void report(ag_text *t, const ag_record *record, const race_use *use,
                   const ag_race_run *other, const race_use *alias) {
  const aotigen_site *site = find_site(other, alias);
  const ag_finding f = {.launch = &record->launch};
  const ag_arg *a = &record->args[use->param];
  const ag_item item = {.arg = a};
  ag_text line = {0}, found = {0};
  ag_text_clear(t);
  ag_report_head(t, &record->launch, cause_what(CAUSE_RACE));
  ag_report_site(t, &record->launch);
  ag_report_arg(&line, a);
  ag_text_add_line(t, "argument", "%s", ag_text_string(&line));
  ag_text_addf(&found, "run %llu, launch %llu: %s (line %d) %s it as '%s'",
               (unsigned long long)other->number, (unsigned long long)alias->launch,
               ag_site_name(site), site->line, name_use(alias), find_name(other, alias));
  ag_text_add_line(t, "", "this launch %s it, and nothing orders this with", name_use(use));
  ag_text_add_line(t, "", "%s", ag_text_string(&found));
  ag_text_add_line(t, "threads",
                   "%d runs this launch, %d the other: both runs began before the other ended",
                   (int)syscall(SYS_gettid), other->thread);
  ag_finding_log(&f, EVENT_RACE, &item, AG_CHECK_RACE, "no other run that uses it at the same time",
                 ag_text_string(&found));
  ag_report_write(t);
  ag_text_free(&line);
  ag_text_free(&found);
}

static bool check_arg(aotigen_run *run, const ag_arg *a) {
  const ag_record *r = run->state->record;
  const ag_race_run *other = NULL;
  race_use use, copy;
  bool found = false;
  ag_race_run seen;
  pthread_mutex_lock(&lock);
  use = use_of(r, a);
  use.order = ++now;
  const race_use *alias = find_alias(run->state->race, &use, &other);
  if (alias && is_new(run->state->race, &use, other, alias)) {
    copy = *alias;
    seen = *other;
    found = true;
  }
  note(run->state->race, &use);
  pthread_mutex_unlock(&lock);
  if (found) report(&run->state->texts.report, r, &use, &seen, &copy);
  return found;
}

/* Reports the arguments that the launch shares with a launch of another run. */
static const char *check(aotigen_run *run) {
  aotigen_run_state *s = run->state;
  const char *fault = NULL;
  if (atomic_load_explicit(&nruns, memory_order_relaxed) < 2 || !s->race || !s->record) return NULL;
  for (size_t i = 0; i < s->record->nargs; i++) {
    const ag_arg *a = &s->record->args[i];
    if (!is_looked_at(a) || !check_arg(run, a) || fault) continue;
    if (ag_settings_get()->on_fault != AG_FAULT_THROW) continue;
    ag_report_summarize(&s->texts.message, ag_text_string(&s->texts.report));
    fault = ag_text_string(&s->texts.message);
  }
  return fault;
}

static bool is_wanted(const ag_model_state *m) { return ag_wants_guard(m) && m->writes_given; }

AG_LAUNCH_HOOKS(races) = {
    .wanted = is_wanted, .begin_run = begin_run, .end_run = end_run, .before = check};
