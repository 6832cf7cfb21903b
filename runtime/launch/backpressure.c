/* backpressure.c - see backpressure.h. */
#define _GNU_SOURCE
#include "launch/backpressure.h"

#include <sys/syscall.h>
#include <unistd.h>

#include "base/sink.h"
#include "base/thread.h"
#include "launch/marks.h"

/* If a thread has as many runs that are over and not evaluated, its next run waits. */
enum { BEHIND = 4 };

/* 1 + count_answers() of when a wait was given up; or 0. */
static _Thread_local unsigned long long gave_up;

/* Counts only this thread's runs: it does not wait for others. */
static unsigned long long count_answers(void) {
  long me = syscall(SYS_gettid);
  unsigned long long n = 0;
  for (ag_async_run *d = ag_async_run_all(); d; d = d->next)
    if (atomic_load(&d->place.thread) == me) n += atomic_load(&d->queue.answered);
  return n;
}

bool ag_backpressure_gave_up(void) { return gave_up && gave_up == count_answers() + 1; }

static bool give_up(ag_wait *wait, int64_t at) {
  unsigned long long now = count_answers();
  if (!wait->since || wait->answered != now || ag_sink_is_writing()) *wait = (ag_wait){at, now};
  if (at - wait->since > ag_stall_timeout_us) gave_up = now + 1;
  return gave_up == now + 1;
}

bool ag_backpressure_help(ag_async_run *d, ag_wait *wait) {
  static _Thread_local int64_t asked;
  int64_t at = ag_time_us();
  if (ag_evaluator_step(d, false)) {
    wait->since = 0;
    return true;
  }
  if (at - asked > AG_EVALUATOR_SUSPICION) {
    asked = at;
    d->async->device->query(d->place.device_index);
  }
  if (give_up(wait, at)) return false;
  ag_time_sleep_us(AG_EVALUATOR_SLEEP);
  return true;
}

/* The number of this thread's runs that are over and not evaluated, and one of them. m: only runs
 * of this model; NULL: any. */
static int count_own(const ag_model_state *m, ag_async_run **one) {
  long me = syscall(SYS_gettid);
  int n = 0;
  for (ag_async_run *d = ag_async_run_all(); d; d = d->next) {
    if (!ag_evaluator_has_ended(d) || atomic_load(&d->place.thread) != me) continue;
    if (m && d->owner != m) continue;
    *one = d;
    n++;
  }
  return n;
}

/* Waits until no run is just being finished. */
static void pass_locks(void) {
  for (ag_async_run *d = ag_async_run_all(); d; d = d->next) {
    pthread_mutex_lock(&d->eval_lock);
    pthread_mutex_unlock(&d->eval_lock);
  }
}

bool ag_backpressure_help_own(const ag_model_state *m, ag_wait *wait) {
  ag_async_run *d;
  if (count_own(m, &d)) return ag_backpressure_help(d, wait);
  pass_locks();
  return false;
}

bool ag_backpressure_await_room(ag_async_run *d) {
  ag_wait w = {0};
  ag_marks_tell(d);
  while (!ag_async_run_has_room(d))
    if (!ag_backpressure_help(d, &w)) return false;
  return true;
}

bool ag_backpressure_await_runs(void) {
  ag_async_run *d;
  ag_wait w = {0};
  while (count_own(NULL, &d) >= BEHIND)
    if (!ag_backpressure_help(d, &w)) return false;
  return true;
}

static bool is_evaluated(const ag_async_run *d) {
  return !atomic_load(&d->active) ||
         atomic_load(&d->queue.evaluated) == atomic_load(&d->queue.published) ||
         atomic_load(&d->lost);
}

void ag_backpressure_await_all(ag_async_run *d) {
  ag_wait w = {0};
  ag_marks_tell(d);
  while (!is_evaluated(d))
    if (!ag_backpressure_help(d, &w)) ag_time_sleep_us(AG_EVALUATOR_LONG_SLEEP);
}

void ag_backpressure_end_run(ag_async_run *d, bool wait) {
  ag_async_run_thrown(d->state);
  ag_marks_tell(d);
  ag_wait w = {0};
  while ((wait || !ag_evaluator_exists()) && !is_evaluated(d) && ag_backpressure_help(d, &w))
    continue;
  ag_evaluator_end_run(d);
}
