/* timing.c - see timing.h. */
#define _GNU_SOURCE
#include "state/timing.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/fork_lock.h"
#include "state/launch_times.h"

struct ag_timing {
  struct ag_timing *next, *before;
  const ag_timer_ops *timer;
  void *pair, *stream;
  int32_t device_index;
  ag_model_state *model;
  uint64_t run, launch;
  uint32_t site;
  bool has_record; /* which is to ask for it */
};

/* Under the lock. A pair is with the thread that launches or reads, or in one of the lists. */
static struct {
  ag_timing *free;    /* the one that was used last comes first */
  ag_timing *waiting; /* for the device, in no order */
  unsigned made;
  pid_t process; /* whose they are: a child has no device of its parent's */
} pairs;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
AG_FORK_LOCK(lock)

/* ---- the lists ------------------------------------------------------------------------------ */

/* The lock is held. */
static void forget_parent(void) {
  if (pairs.process == getpid()) return;
  pairs.free = pairs.waiting = NULL;
  pairs.made = 0;
  pairs.process = getpid();
}

static ag_timing *take_free(int32_t device_index, bool *may_make) {
  pthread_mutex_lock(&lock);
  forget_parent();
  ag_timing **at = &pairs.free;
  while (*at && (*at)->device_index != device_index) at = &(*at)->next;
  ag_timing *t = *at;
  if (t) *at = t->next;
  *may_make = !t && pairs.made < AG_TIMINGS;
  pairs.made += *may_make;
  pthread_mutex_unlock(&lock);
  return t;
}

static void put(ag_timing *t, ag_timing **list) {
  pthread_mutex_lock(&lock);
  t->next = *list;
  t->before = NULL;
  if (t->next) t->next->before = t;
  *list = t;
  pthread_mutex_unlock(&lock);
}

/* The lock is held, and it waits. */
static void take_waiting(ag_timing *t) {
  *(t->before ? &t->before->next : &pairs.waiting) = t->next;
  if (t->next) t->next->before = t->before;
}

static ag_timing *make(const ag_timer_ops *timer, int32_t device_index) {
  ag_timing *t = calloc(1, sizeof *t);
  if (t && !timer->make(device_index, &t->pair)) {
    t->timer = timer;
    t->device_index = device_index;
    return t;
  }
  free(t);
  pthread_mutex_lock(&lock);
  pairs.made--;
  pthread_mutex_unlock(&lock);
  return NULL;
}

/* ---- at a launch ---------------------------------------------------------------------------- */

/* True if the call waits for the device. */
static bool waits_itself(const aotigen_site *s) {
  return s->form == AOTIGEN_ITEM || ag_site_waits(s);
}

ag_timing *ag_timing_begin(const aotigen_run *run, void *stream) {
  ag_model_state *m = run->state->model;
  const ag_timer_ops *timer = m->device.backend->timer;
  const int32_t device_index = ag_run_device(run);
  bool may_make;
  ag_timing *t = take_free(device_index, &may_make);
  if (!t && may_make) t = make(timer, device_index);
  if (!t) {
    ag_launch_times_add_untimed(m, may_make ? AG_UNTIMED_DEVICE : AG_UNTIMED_ROOM);
    return NULL;
  }
  t->model = m;
  t->run = run->number;
  t->launch = run->launch;
  t->site = run->site;
  t->stream = stream;
  if (!timer->begin(t->pair, stream, waits_itself(&run->model->sites[run->site]))) return t;
  ag_timing_drop(t);
  return NULL;
}

static void give_up(ag_timing *t) {
  ag_launch_times_add_untimed(t->model, AG_UNTIMED_DEVICE);
  put(t, &pairs.free);
}

void ag_timing_end(ag_timing *t, ag_record *record) {
  if (t->timer->end(t->pair, t->stream)) {
    give_up(t);
    return;
  }
  t->has_record = record != NULL;
  if (record) record->timing = t;
  put(t, &pairs.waiting);
}

void ag_timing_drop(ag_timing *t) {
  t->timer->drop(t->pair);
  give_up(t);
}

/* ---- reading -------------------------------------------------------------------------------- */

/* The pair is the caller's, and is put into one of the lists. Returns the time, 0 if there will be
 * none, -1 if it is not over. */
static int64_t read_pair(ag_timing *t) {
  int64_t ns = 0;
  bool late = false;
  switch (t->timer->read(t->pair, &ns, &late)) {
    case AG_TIMER_RUNS: put(t, &pairs.waiting); return -1;
    case AG_TIMER_LOST: give_up(t); return 0;
    case AG_TIMER_DONE: break;
  }
  ag_launch_times_note_empty(t->model, t->timer->empty_ns(t->device_index));
  if (late) ag_launch_times_note_late(t->model);
  ag_launch_times_add(t->model, t->site, t->launch, ns);
  put(t, &pairs.free);
  return ns ? ns : 1;
}

int64_t ag_timing_of_record(ag_record *record) {
  ag_timing *t = record->timing;
  if (!t) return record->took_ns;
  pthread_mutex_lock(&lock);
  take_waiting(t);
  pthread_mutex_unlock(&lock);
  const int64_t ns = read_pair(t);
  if (ns < 0) return 0;
  record->timing = NULL;
  return record->took_ns = ns;
}

static bool is_unasked(const ag_timing *t, const ag_model_state *m, uint64_t run) {
  return !t->has_record || (t->model == m && t->run == run);
}

/* Takes all of them out of the list. */
static ag_timing *take_unasked(const ag_model_state *m, uint64_t run) {
  ag_timing *taken = NULL;
  pthread_mutex_lock(&lock);
  forget_parent();
  for (ag_timing *t = pairs.waiting, *next; t; t = next) {
    next = t->next;
    if (!is_unasked(t, m, run)) continue;
    take_waiting(t);
    t->next = taken;
    taken = t;
  }
  pthread_mutex_unlock(&lock);
  return taken;
}

void ag_timing_collect(const ag_model_state *m, uint64_t run) {
  for (ag_timing *t = take_unasked(m, run), *next; t; t = next) {
    next = t->next;
    t->has_record = false;
    read_pair(t);
  }
}
