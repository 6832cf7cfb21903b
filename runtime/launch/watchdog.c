/* watchdog.c - see watchdog.h. All runs on its thread, except what starts and stops it. */
#define _GNU_SOURCE
#include "launch/watchdog.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/library.h"
#include "base/settings.h"
#include "base/thread.h"
#include "checks/finding.h"
#include "launch/hang_report.h"
#include "state/thread_stack.h"

/* A tick is 1/PARTS of the limit, and between two bounds in microseconds. */
enum { PARTS = 8, SHORTEST = 2000, LONGEST = 250 * 1000, DEVICES = 64, LONGEST_END_S = 2 };

/* A thread that is in a run. */
typedef struct watched_thread {
  bool in_run, reported;
  int thread;
  unsigned steps;
  uint64_t left_out;
  int64_t since;
} watched_thread;

/* A thread that is in an entry point and has not begun a run. */
typedef struct watched_entry {
  bool waits, reported;
  int thread;
  unsigned number;
  int64_t since;
} watched_entry;

static ag_thread thread;
static pthread_mutex_t life = PTHREAD_MUTEX_INITIALIZER; /* held to start or end the thread */
static atomic_bool begun;                                /* true also if starting it failed */
static bool alive, over; /* under `life`: the thread exists; it must not start again */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t woken;
static bool stopping, ended; /* under the lock */
static watched_thread *threads;
static watched_entry *entries;
static int64_t limit, tick;
static int64_t awake;               /* the clock, in microseconds; watchdog.h says how it runs */
static int64_t progressed[DEVICES]; /* when the device was last seen to end a launch */

/* ---- launches on a device ------------------------------------------------------------------- */

static int64_t *progress_of(const ag_async_run *d) {
  int32_t device = d->place.device_index;
  return &progressed[device < 0 || device >= DEVICES ? 0 : device];
}

static bool is_same(const ag_watched_run *run, const ag_suspect_place *p) {
  return run->pending && run->order == p->order && run->replay == p->replay &&
         run->launch == p->launch;
}

static void note_run(ag_async_run *d) {
  ag_watched_run *w = &d->watched;
  ag_suspect_place p;
  if (pthread_mutex_trylock(&d->eval_lock)) return; /* it is being evaluated */
  bool pending = atomic_load(&d->active) && ag_suspect_peek(d, &p);
  pthread_mutex_unlock(&d->eval_lock);
  if (pending && is_same(w, &p)) {
    if (w->is_behind && !p.is_behind) w->since = awake; /* it has begun */
    w->is_behind = p.is_behind;
    return;
  }
  if (w->pending) *progress_of(d) = awake;
  *w = (ag_watched_run){.pending = pending};
  if (!pending) return;
  w->order = p.order;
  w->replay = p.replay;
  w->launch = p.launch;
  w->is_behind = p.is_behind;
  w->since = awake;
}

/* True if the run's device is executing a launch that it has begun. */
static bool is_device_busy(const ag_async_run *of) {
  for (ag_async_run *d = ag_async_run_all(); d; d = d->next)
    if (d->watched.pending && !d->watched.is_behind && progress_of(d) == progress_of(of))
      return true;
  return false;
}

/* Since when the run's launch hangs. A launch that the device has not begun only waits for its turn
 * while the device ends or executes other launches. */
static int64_t find_since(const ag_async_run *d) {
  const ag_watched_run *w = &d->watched;
  if (!w->is_behind) return w->since;
  if (is_device_busy(d)) return awake;
  return w->since > *progress_of(d) ? w->since : *progress_of(d);
}

static void report_run(ag_async_run *d, int64_t since) {
  const ag_watched_run *w = &d->watched;
  ag_suspect_place p;
  ag_suspect s;
  ag_text t = {0};
  if (pthread_mutex_trylock(
          &d->eval_lock)) { /* its evaluation hangs: the thread is watched again */
    d->watched.pending = awake - since < 2 * limit;
    return;
  }
  bool there = atomic_load(&d->active) && ag_suspect_peek(d, &p) && is_same(w, &p) &&
               p.is_behind == w->is_behind && ag_suspect_find(d, &s);
  if (there) ag_hang_add_launch(&t, &s, awake - since);
  pthread_mutex_unlock(&d->eval_lock);
  if (there) ag_hang_write_launch(&t, &s, awake - since);
  d->watched.reported = there;
  ag_text_free(&t);
}

static void watch_runs(void) {
  for (ag_async_run *d = ag_async_run_all(); d; d = d->next) note_run(d);
  for (ag_async_run *d = ag_async_run_all(); d; d = d->next) {
    if (!d->watched.pending || d->watched.reported) continue;
    int64_t since = find_since(d);
    if (awake - since >= limit) report_run(d, since);
  }
}

/* ---- threads -------------------------------------------------------------------------------- */

/* True if the device has not ended a launch of the thread's runs: that explains why the thread
 * waits. */
static bool has_pending_launch(int of) {
  for (ag_async_run *d = ag_async_run_all(); d; d = d->next)
    if (d->watched.pending && atomic_load(&d->place.thread) == of) return true;
  return false;
}

static void watch_thread(int place) {
  watched_thread *w = &threads[place];
  ag_in_flight_seen seen;
  if (!ag_in_flight_look(place, &seen)) {
    w->in_run = false;
    return;
  }
  bool same = w->in_run && w->thread == seen.thread && w->steps == seen.steps &&
              w->left_out == seen.left_out;
  if (!same)
    *w = (watched_thread){true, false, seen.thread, seen.steps, seen.left_out, awake};
  else if (has_pending_launch(seen.thread))
    w->since = awake;
  if (w->reported || awake - w->since < limit) return;
  w->reported = true;
  ag_hang_report_thread(place, &seen, awake - w->since);
}

static void watch_threads(void) {
  for (int i = 0; i < ag_in_flight_places(); i++) watch_thread(i);
}

/* ---- threads that wait for a run ------------------------------------------------------------ */

/* The model's run that was reported as hanging. While other runs end, a waiting thread only waits
 * for its turn. */
static bool find_hanging_run(const aotigen_model *model, ag_hang_holder *h) {
  ag_in_flight_seen seen;
  for (int i = 0; i < ag_in_flight_places(); i++) {
    if (!threads[i].in_run || !threads[i].reported || !ag_in_flight_look(i, &seen) ||
        seen.thread != threads[i].thread || seen.launch.model != model)
      continue;
    *h = (ag_hang_holder){seen.thread, seen.launch.run};
    return true;
  }
  for (ag_async_run *d = ag_async_run_all(); d; d = d->next) {
    if (!d->watched.pending || !d->watched.reported || d->owner->model != model) continue;
    *h = (ag_hang_holder){atomic_load(&d->place.thread), d->number};
    return true;
  }
  return false;
}

static void watch_entry(int place) {
  watched_entry *w = &entries[place];
  ag_entry_seen seen;
  ag_hang_holder holder;
  if (!ag_entries_look(place, &seen)) {
    w->waits = false;
    return;
  }
  if (!w->waits || w->thread != seen.thread || w->number != seen.number)
    *w = (watched_entry){true, false, seen.thread, seen.number, awake};
  if (w->reported || awake - w->since < limit || !find_hanging_run(seen.model, &holder)) return;
  w->reported = true;
  ag_hang_report_entry(place, &seen, &holder, awake - w->since);
}

static void watch_entries(void) {
  for (int i = 0; i < ag_entries_places(); i++) watch_entry(i);
}

/* ---- the thread ----------------------------------------------------------------------------- */

/* False if the thread must stop. */
static bool sleep_a_tick(void) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  int64_t ns = until.tv_nsec + tick * 1000;
  until.tv_sec += ns / 1000000000;
  until.tv_nsec = ns % 1000000000;
  pthread_mutex_lock(&lock);
  while (!stopping && !pthread_cond_timedwait(&woken, &lock, &until)) continue;
  ended = stopping;
  if (ended) pthread_cond_broadcast(&woken);
  bool go_on = !ended;
  pthread_mutex_unlock(&lock);
  return go_on;
}

/* A tick that took longer does not count: the process was stopped, or got no time. */
static void advance_clock(int64_t *last) {
  int64_t now = ag_time_us(), passed = now - *last;
  awake += passed < 2 * tick ? passed : 2 * tick;
  *last = now;
}

static void *watch(void *none) {
  int64_t last = ag_time_us();
  while (sleep_a_tick()) {
    advance_clock(&last);
    watch_runs();
    watch_threads();
    watch_entries();
  }
  return none;
}

/* False if the thread is writing a long report, such as to a pipe that nobody reads, or waits for
 * the loader's lock. Then it goes on. */
static bool end_thread(void) {
  struct timespec until;
  int error = 0;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_sec += LONGEST_END_S;
  pthread_mutex_lock(&lock);
  stopping = true;
  pthread_cond_broadcast(&woken);
  while (!ended && !error) error = pthread_cond_timedwait(&woken, &lock, &until);
  bool has_ended = stopping = ended;
  pthread_mutex_unlock(&lock);
  if (!has_ended) return false;
  ag_thread_join(&thread);
  pthread_cond_destroy(&woken);
  free(threads);
  free(entries);
  return true;
}

/* Runs at exit, or when the library is unloaded. */
static void stop_thread(void) {
  pthread_mutex_lock(&life);
  over = true;
  if (alive) alive = !end_thread();
  pthread_mutex_unlock(&life);
}

/* The child of fork() has no such thread, whatever state the parent's threads left. */
static void forget_thread(void) {
  pthread_mutex_init(&life, NULL);
  alive = false;
  atomic_store(&begun, true);
}

static bool make_woken(void) {
  pthread_condattr_t monotonic;
  if (pthread_condattr_init(&monotonic)) return false;
  pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
  bool made = !pthread_cond_init(&woken, &monotonic);
  pthread_condattr_destroy(&monotonic);
  return made;
}

static void prepare_once(void) {
  if (thread.has_begun) return;
  ag_thread_stack_prepare(); /* not on the thread: it takes the loader's lock, which a thread that
                                unloads the library holds while it waits for this one */
  pthread_atfork(NULL, NULL, forget_thread);
}

static bool begin_thread(void) {
  limit = ag_settings_get()->watchdog_us;
  tick = limit / PARTS < SHORTEST ? SHORTEST : limit / PARTS > LONGEST ? LONGEST : limit / PARTS;
  threads = calloc((size_t)ag_in_flight_places(), sizeof *threads);
  entries = calloc((size_t)ag_entries_places(), sizeof *entries);
  stopping = ended = false;
  if (threads && entries && make_woken()) {
    prepare_once();
    if (ag_thread_begin(&thread, watch, stop_thread)) return true;
    pthread_cond_destroy(&woken);
  }
  free(threads);
  free(entries);
  return false;
}

/* Tries only once. */
void ag_watchdog_begin(void) {
  bool failed = false;
  if (atomic_load(&begun)) return;
  pthread_mutex_lock(&life);
  if (!atomic_load(&begun) && !over) {
    alive = begin_thread();
    failed = !alive;
    atomic_store(&begun, true);
  }
  pthread_mutex_unlock(&life);
  if (failed)
    ag_warn("AOTIGEN_WATCHDOG watches nothing: its thread cannot be started; look at the limits of "
            "threads and memory (ulimit -u, ulimit -v, pids.max)");
}

static bool is_anything_in_flight(void) {
  ag_in_flight_seen run;
  ag_entry_seen entry;
  atomic_thread_fence(memory_order_seq_cst); /* after the store to `begun` */
  for (int i = 0; i < ag_in_flight_places(); i++)
    if (ag_in_flight_look(i, &run)) return true;
  for (int i = 0; i < ag_entries_places(); i++)
    if (ag_entries_look(i, &entry)) return true;
  for (ag_async_run *d = ag_async_run_all(); d; d = d->next)
    if (atomic_load(&d->active)) return true;
  return false;
}

/* A run that begins meanwhile is either seen here, or sees that it must start the thread. */
void ag_watchdog_rest(void) {
  pthread_mutex_lock(&life);
  if (alive) {
    atomic_store(&begun, false);
    const bool idle = !is_anything_in_flight();
    if (idle) alive = !end_thread();
    if (alive) atomic_store(&begun, true);
    if (idle && alive) ag_library_keep(); /* the thread runs code of it */
  }
  pthread_mutex_unlock(&life);
}
