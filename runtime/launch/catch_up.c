/* catch_up.c - see catch_up.h. */
#define _GNU_SOURCE
#include "launch/catch_up.h"

#include "base/thread.h"
#include "launch/device_error.h"
#include "launch/marks.h"

/* True if there is something to evaluate without waiting. Once a device is reported as lost,
 * nothing else is left of it. The caller holds `eval_lock`. */
static bool has_arrived(ag_async_run *d) {
  bool lost = ag_device_error_reported(d->place.device_index);
  const ag_replay_ops *replay = d->async->replay;
  uint32_t missed;
  if (!atomic_load(&d->active) || atomic_load(&d->lost)) return false;
  if (d->is_captured)
    return replay->next(d->place.slot, &missed) || (lost && replay->running(d->place.slot));
  ag_record *r = ag_async_run_next(d);
  if (!r) return atomic_load(&d->ended); /* the paths of its bad values are not reported yet */
  return ag_record_is_over(d, r) || (lost && atomic_load(&r->stage) != AG_LAUNCHING);
}

/* A run's position: another thread may advance it, or begin the next run. */
typedef struct run_position {
  unsigned long long order;
  unsigned published;
} run_position;

static bool is_past(const ag_async_run *d, const run_position *at) {
  return atomic_load(&d->place.order) != at->order ||
         (!d->is_captured && !atomic_load(&d->ended) &&
          (int)(atomic_load(&d->queue.evaluated) - at->published) >= 0);
}

static bool is_caught_up(ag_async_run *d, const run_position *at) {
  if (!ag_evaluator_exists()) ag_evaluator_step(d, false);
  if (pthread_mutex_trylock(&d->eval_lock)) return false;
  bool caught_up = !has_arrived(d) || is_past(d, at);
  pthread_mutex_unlock(&d->eval_lock);
  return caught_up;
}

bool ag_catch_up_results(int64_t until) {
  for (ag_async_run *d = ag_async_run_all(); d; d = d->next) {
    const run_position at = {atomic_load(&d->place.order), atomic_load(&d->queue.published)};
    while (!is_caught_up(d, &at)) {
      if (ag_time_us() >= until) return false;
      ag_time_sleep_us(AG_EVALUATOR_SLEEP);
    }
  }
  return true;
}

static bool is_unfinished(ag_async_run *d, const ag_model_state *m) {
  if (d->owner != m || !atomic_load(&d->active) || atomic_load(&d->lost)) return false;
  if (!ag_evaluator_exists()) ag_evaluator_step(d, false);
  return (d->is_captured || atomic_load(&d->ended)) && ag_evaluator_is_pending(d);
}

bool ag_catch_up_runs(const ag_model_state *m, int64_t until) {
  for (ag_async_run *d = ag_async_run_all(); d; d = d->next)
    while (is_unfinished(d, m)) {
      if (ag_time_us() >= until) return false;
      ag_time_sleep_us(AG_EVALUATOR_SLEEP);
    }
  return true;
}
