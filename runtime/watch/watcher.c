/* watcher.c - see watcher.h.
 *
 * The thread sleeps a millisecond at a time while runs are pending. A run that is launched while it
 * waits for the first one wakes it. */
#define _GNU_SOURCE
#include "watch/watcher.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/settings.h"
#include "base/thread.h"
#include "cuda/driver.h"
#include "state/crash_cause.h"
#include "tensor/reader.h"
#include "watch/counts.h"
#include "watch/crash.h"
#include "watch/crash_mark.h"
#include "watch/diagnosis.h"
#include "watch/identity.h"
#include "watch/metrics.h"

enum { RUNS = 32, POLL_US = 1000, IDLE_POLLS = 100, DRAIN_US = 2 * 1000 * 1000 };

static ag_watched_run runs[RUNS];
static _Atomic uint64_t numbers; /* of runs of this process, watched or not */
static _Atomic uint64_t turns;   /* of those that are watched */

static struct {
  pthread_mutex_t lock;
  pthread_cond_t wakes;
  pthread_once_t begun;
  ag_thread thread;
  atomic_bool exists, waits, stops;
} watcher = {.lock = PTHREAD_MUTEX_INITIALIZER,
             .wakes = PTHREAD_COND_INITIALIZER,
             .begun = PTHREAD_ONCE_INIT};

/* ---- the thread ----------------------------------------------------------------------------- */

/* The pending runs of the container; NULL: of all. */
static unsigned count_pending(const void *container) {
  unsigned pending = 0;
  for (int i = 0; i < RUNS; i++)
    pending += atomic_load(&runs[i].stage) == AG_WATCHED_PENDING &&
               (!container || runs[i].container == container);
  return pending;
}

/* Looks at the pending runs that are scanned, the earliest first. The number of those that are
 * not. */
static unsigned look_at_pending(void) {
  for (;;) {
    unsigned pending = 0;
    ag_watched_run *first = NULL;
    for (int i = 0; i < RUNS; i++) {
      ag_watched_run *r = &runs[i];
      if (atomic_load(&r->stage) != AG_WATCHED_PENDING) continue;
      pending++;
      if (ag_watched_is_scanned(r) && (!first || r->number < first->number)) first = r;
    }
    if (!first) return pending;
    ag_watched_look(first);
    atomic_store(&first->stage, AG_WATCHED_OVER);
  }
}

/* True if the thread has something to do for runs that the caller looks at. */
static bool has_chores(void) { return ag_metrics_wanted() || ag_diagnosis_wanted(); }

/* Under the lock. False if the thread has something else to do before it is woken. */
static bool wait_a_while(void) {
  struct timespec until;
  if (!has_chores()) return !pthread_cond_wait(&watcher.wakes, &watcher.lock);
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec++;
  return !pthread_cond_timedwait(&watcher.wakes, &watcher.lock, &until);
}

/* Returns once a run is pending, or the thread is to stop, or a second later: then false. */
static bool wait_for_work(void) {
  bool woken = true;
  pthread_mutex_lock(&watcher.lock);
  atomic_store(&watcher.waits, true);
  while (atomic_load(&watcher.waits) && !atomic_load(&watcher.stops) && !count_pending(NULL))
    if (!(woken = wait_a_while())) break;
  atomic_store(&watcher.waits, false);
  pthread_mutex_unlock(&watcher.lock);
  return woken;
}

static void *watch(void *unused) {
  unsigned idle = 0;
  (void)unused;
  while (!atomic_load(&watcher.stops)) {
    ag_metrics_write(false);
    ag_diagnosis_step();
    idle = look_at_pending() ? 0 : idle + 1;
    if (idle < IDLE_POLLS) {
      ag_time_sleep_us(POLL_US);
    } else {
      idle = wait_for_work() ? 0 : IDLE_POLLS;
    }
  }
  ag_diagnosis_stop();
  return NULL;
}

static void wake(void) {
  pthread_mutex_lock(&watcher.lock);
  atomic_store(&watcher.waits, false);
  pthread_cond_signal(&watcher.wakes);
  pthread_mutex_unlock(&watcher.lock);
}

/* Looks at what is pending, on the calling thread, for as long as results arrive. */
static void drain_here(void) {
  int64_t until = ag_time_us() + DRAIN_US;
  while (look_at_pending() && ag_time_us() < until) ag_time_sleep_us(POLL_US);
}

static void stop(void) {
  if (!ag_thread_is_here(&watcher.thread)) return;
  atomic_store(&watcher.stops, true);
  wake();
  ag_thread_join(&watcher.thread);
  drain_here();
  ag_metrics_write(true);
}

static void start_thread(void) {
  atomic_store(&watcher.exists, ag_thread_begin(&watcher.thread, watch, stop));
}

/* Where it has chores the thread begins with the first run, and again in a child of fork(). */
static void start_for_chores(void) {
  if (has_chores()) pthread_once(&watcher.begun, start_thread);
}

/* A child of fork() has no thread, and the runs that are pending are its parent's. */
static void begin_child(void) {
  static const pthread_once_t again = PTHREAD_ONCE_INIT;
  for (int i = 0; i < RUNS; i++)
    if (atomic_load(&runs[i].stage) == AG_WATCHED_PENDING) runs[i].stage = AG_WATCHED_TAKEN;
  watcher.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  watcher.wakes = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
  watcher.begun = again;
  watcher.exists = watcher.waits = watcher.stops = false;
}

__attribute__((constructor(101))) static void set_up(void) {
  pthread_atfork(NULL, NULL, begin_child);
}

/* ---- a run ---------------------------------------------------------------------------------- */

static void give(ag_watched_run *r) {
  ag_watched_release(r);
  atomic_store(&r->stage, AG_WATCHED_FREE);
}

/* On a thread of the host's. */
static void release_over(void) {
  for (int i = 0; i < RUNS; i++) {
    int over = AG_WATCHED_OVER;
    if (atomic_compare_exchange_strong(&runs[i].stage, &over, AG_WATCHED_TAKEN)) give(&runs[i]);
  }
}

static ag_watched_run *take_free(void) {
  for (int i = 0; i < RUNS; i++) {
    int free = AG_WATCHED_FREE;
    if (atomic_compare_exchange_strong(&runs[i].stage, &free, AG_WATCHED_TAKEN)) return &runs[i];
  }
  return NULL;
}

/* What is read of files beside the library is read before the first run: they may go. */
static void begin_watching(void) {
  ag_watch_identity();
  ag_backend_register(ag_backend_cuda);
}

/* From here on a crash is this run's, until leave(). */
static void enter(ag_watched_run *r) {
  ag_watch_crash_prepare();
  ag_crash_cause_find_stack(r->stack);
  atomic_store(&r->thread, (int)syscall(SYS_gettid));
}

static void leave(ag_watched_run *r) {
  atomic_store(&r->thread, 0);
  ag_watch_crash_settle(r);
}

ag_watched_run *ag_watcher_begin(const char *entry, const void *container, void *const *inputs,
                                 size_t n, void *stream) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  uint64_t number = atomic_fetch_add(&numbers, 1) + 1;
  pthread_once(&once, begin_watching);
  start_for_chores();
  ag_crash_mark_survive();
  ag_count(AG_COUNT_RUNS, 1);
  bool is_first = false;
  ag_constants *constants = ag_constants_begin_run(container, &is_first);
  if ((number - 1) % ag_settings_get()->every) {
    ag_count(AG_COUNT_EVERY, 1);
    return NULL;
  }
  const uint64_t since = ag_count_clock();
  release_over();
  ag_watched_run *r = take_free();
  if (!r) ag_watched_say_unseen(AG_COUNT_BUSY, "too many others are not over");
  if (!r) return NULL;
  r->number = number;
  r->turn = atomic_fetch_add(&turns, 1);
  r->entry = entry;
  r->container = container;
  const bool begun = ag_watched_begin(r, inputs, n, stream, constants, is_first);
  if (!begun) give(r);
  ag_count_time(since);
  if (begun) enter(r);
  return begun ? r : NULL;
}

ag_watched_run *ag_watcher_find(int thread) {
  ag_watched_run *last = NULL;
  for (int i = 0; i < RUNS; i++) {
    const int of = atomic_load(&runs[i].thread);
    if (of && (!thread || of == thread) && (!last || runs[i].number > last->number))
      last = &runs[i];
  }
  return last;
}

static bool throws(void) { return ag_settings_get()->on_fault == AG_FAULT_THROW; }

static bool look_and_give(ag_watched_run *r) {
  bool found = ag_watched_look(r);
  give(r);
  return found && throws();
}

/* The device is scanning: the thread looks at it later, or this one, if the run is to end by it. */
static bool leave_pending(ag_watched_run *r) {
  pthread_once(&watcher.begun, start_thread);
  if (!throws() && atomic_load(&watcher.exists)) {
    atomic_store(&r->stage, AG_WATCHED_PENDING);
    if (atomic_load(&watcher.waits)) wake();
    return false;
  }
  while (!ag_watched_is_scanned(r)) ag_time_sleep_us(POLL_US / 20);
  return look_and_give(r);
}

bool ag_watcher_end(ag_watched_run *r, void *const *outputs, size_t n) {
  leave(r);
  const uint64_t since = ag_count_clock();
  const bool launched = ag_watched_launch(r, outputs, n);
  ag_count_time(since);
  return launched ? leave_pending(r) : look_and_give(r);
}

void ag_watcher_fail(ag_watched_run *r, const char *error) {
  ag_count(AG_COUNT_FAILED, 1);
  leave(r);
  if (ag_watched_fail(r, error))
    leave_pending(r);
  else
    look_and_give(r);
}

bool ag_watcher_has_run(void) { return atomic_load(&numbers) != 0; }

void ag_watcher_drain(const void *container) {
  const bool looks = atomic_load(&watcher.exists) && ag_thread_is_here(&watcher.thread) &&
                     !atomic_load(&watcher.stops);
  int64_t until = ag_time_us() + DRAIN_US;
  while (looks && count_pending(container) && ag_time_us() < until) {
    if (atomic_load(&watcher.waits)) wake();
    ag_time_sleep_us(POLL_US);
  }
  release_over();
}
