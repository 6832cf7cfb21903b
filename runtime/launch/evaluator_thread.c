/* evaluator_thread.c - evaluates records in their order, and runs the thread that does so. */
#define _GNU_SOURCE
#include "launch/evaluator_thread.h"

#include "base/settings.h"
#include "base/sink.h"
#include "base/thread.h"
#include "launch/device_error.h"
#include "launch/evaluate_async.h"
#include "launch/graph_replay.h"
#include "launch/marks.h"

enum {
  LAST_WAIT = 10 * 1000 * 1000, /* at exit: without a result for so long */
  LAST_REPLAY = 1000 * 1000     /* for a replay that has begun: others may follow endlessly */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static atomic_uint runs, graphs; /* in flight; a graph may be replayed at any time */
static atomic_bool stopping;
static int64_t stopped_at; /* before stopping is set */
static ag_thread thread;
static pthread_once_t begun = PTHREAD_ONCE_INIT;
static atomic_bool exists;

/* ---- one run: with `eval_lock` held --------------------------------------------------------- */

static void count_evaluated(ag_async_run *d, ag_record *record) {
  atomic_fetch_add_explicit(&record->page->evaluated, 1, memory_order_release);
  atomic_fetch_add_explicit(&d->queue.evaluated, 1, memory_order_release);
  atomic_fetch_add(&d->queue.answered, 1);
}

static bool evaluate_ready(ag_async_run *d) {
  bool any = false;
  for (ag_record *r; (r = ag_async_run_next(d)) && ag_record_is_over(d, r); any = true) {
    bool thrown = atomic_load(&r->stage) == AG_THROWN;
    ag_finished *last = ag_async_run_finished(d, r->launch.stream);
    if (r->launch.site != AG_NO_SITE && !thrown && last)
      *last = (ag_finished){r->launch.number, r->launch.site};
    ag_record_evaluate(d, r, thrown);
    count_evaluated(d, r);
  }
  return any;
}

/* The device was lost: evaluates the first record that did not end as far as possible, and drops
 * the rest. */
static void drop_rest(ag_async_run *d) {
  ag_record *r = ag_async_run_next(d);
  if (!r || atomic_load(&r->stage) == AG_LAUNCHING)
    return; /* its thread is still making the launch, and will meet the error */
  if (!d->lost && r->batch[AG_BEFORE].count && d->async->batch->is_done(&r->batch[AG_BEFORE]))
    ag_record_evaluate(d, r, true);
  atomic_store(&d->lost, true);
  while ((r = ag_async_run_next(d)) && atomic_load(&r->stage) != AG_LAUNCHING)
    count_evaluated(d, r);
}

static void finish_run(ag_async_run *d) {
  aotigen_run_state *state = d->state;
  ag_record_evaluate_end(d);
  ag_async_run_give_slots(d);
  ag_sink_flush(); /* before the next run of the thread may be reported */
  atomic_store(&d->active, false);
  atomic_fetch_sub(&runs, 1);
  ag_run_state_give(state);
}

/* ---- any: with `eval_lock` held ------------------------------------------------------------- */

/* The first run of the same thread and stream that is over and not evaluated. Such runs are
 * reported in their order, in which the device also answers them. */
static ag_async_run *find_earliest(ag_async_run *d) {
  ag_async_run *first = d;
  const ag_async_place *p = &d->place;
  for (ag_async_run *e = ag_async_run_all(); e && !d->is_captured; e = e->next) {
    const ag_async_place *q = &e->place;
    if (!ag_evaluator_has_ended(e) || e->is_captured ||
        atomic_load(&q->order) >= atomic_load(&first->place.order))
      continue;
    if (q->device_index == p->device_index && atomic_load(&q->thread) == atomic_load(&p->thread) &&
        atomic_load(&q->home) == atomic_load(&p->home))
      first = e;
  }
  return first;
}

/* True if something was done. *lost: the device was lost and that is not reported yet; the caller
 * makes the report without `eval_lock`. */
static bool step_graph(ag_async_run *d, bool *lost) {
  bool any = !atomic_load(&d->lost) && ag_graph_replay_step(d);
  *lost = d->async->device->sticky_error(d->place.device_index) != NULL;
  if (*lost && ag_device_error_reported(d->place.device_index)) {
    ag_graph_replay_cut(d);
    *lost = false;
  }
  return any;
}

static bool step_run(ag_async_run *d, bool *lost) {
  bool any = evaluate_ready(d);
  *lost = ag_async_run_next(d) && d->async->device->sticky_error(d->place.device_index);
  if (*lost && ag_device_error_reported(d->place.device_index)) {
    drop_rest(d);
    *lost = false;
  }
  if (!atomic_load(&d->ended) || ag_async_run_next(d)) return any;
  finish_run(d);
  return true;
}

bool ag_evaluator_step(ag_async_run *of, bool wait) {
  ag_async_run *d = find_earliest(of);
  bool any = false, lost = false;
  if (wait ? pthread_mutex_lock(&d->eval_lock) : pthread_mutex_trylock(&d->eval_lock)) return false;
  if (find_earliest(d) != d) { /* it was finished meanwhile, and another run has taken its place */
    pthread_mutex_unlock(&d->eval_lock);
    return false;
  }
  if (atomic_load(&d->active)) any = d->is_captured ? step_graph(d, &lost) : step_run(d, &lost);
  ag_sink_flush();
  pthread_mutex_unlock(&d->eval_lock);
  if (lost && !ag_device_error_reported(d->place.device_index)) {
    ag_device_error_report(d->async, d->place.device_index);
    any = true;
  }
  return any;
}

/* ---- all ------------------------------------------------------------------------------------ */

static bool step_all(bool wait) {
  bool any = false;
  for (ag_async_run *d = ag_async_run_all(); d; d = d->next)
    if (atomic_load(&d->active)) any = ag_evaluator_step(d, wait) || any;
  return any;
}

/* True if an active run has a launch that is not evaluated, or is to be finished. The caller holds
 * `eval_lock`. */
static bool has_work(const ag_async_run *d) {
  ag_record *r = ag_async_run_next(d);
  if (!r) return atomic_load(&d->ended);
  return atomic_load(&r->stage) != AG_LAUNCHING && ag_record_is_told(r);
}

/* True if a result is known to be outstanding. Takes the lock, since a run in a capture, which has
 * no slot yet, may follow a run that ends. */
bool ag_evaluator_is_pending(ag_async_run *d) {
  if (!atomic_load(&d->active)) return false;
  if (pthread_mutex_trylock(&d->eval_lock)) return true;
  bool pending = atomic_load(&d->active) &&
                 (d->is_captured ? d->async->replay->running(d->place.slot) != 0 : has_work(d));
  pthread_mutex_unlock(&d->eval_lock);
  return pending;
}

/* Queries each device that owes a result whether it is lost. A graph may owe one that we do not
 * know of, so its device is queried now and then. */
static void query_devices(void) {
  static unsigned times;
  bool with_graphs = ++times % 64 == 0;
  for (ag_async_run *d = ag_async_run_all(); d; d = d->next)
    if (ag_evaluator_is_pending(d) || (with_graphs && atomic_load(&d->active) && d->is_captured))
      d->async->device->query(d->place.device_index);
}

/* Queries each device once more. While the driver writes a core dump, the launches behind the
 * failed one end, so that no result is outstanding. */
static void query_at_exit(void) {
  for (ag_async_run *d = ag_async_run_all(); d && ag_settings_get()->core_dump; d = d->next) {
    const int32_t index = d->place.device_index;
    if (d->async->device->query(index) && !ag_device_error_reported(index))
      ag_device_error_report(d->async, index);
  }
}

/* True if the stopping thread must wait for a result. */
static bool any_pending(void) {
  bool late = ag_time_us() - stopped_at >= LAST_REPLAY;
  ag_async_run *d = ag_async_run_all();
  while (d && ((late && d->is_captured) || !ag_evaluator_is_pending(d))) d = d->next;
  return d != NULL;
}

/* Sleeps while nothing is in flight. False if the thread must stop and no result is outstanding. */
static bool await_work(void) {
  pthread_mutex_lock(&lock);
  while (!atomic_load(&runs) && !atomic_load(&graphs) && !atomic_load(&stopping))
    pthread_cond_wait(&work, &lock);
  pthread_mutex_unlock(&lock);
  return !atomic_load(&stopping) || any_pending();
}

static void *run_thread(void *none) {
  int64_t last = ag_time_us(), asked = last;
  (void)none;
  ag_sink_buffer_stdout();
  while (await_work()) {
    int64_t at = ag_time_us();
    if (step_all(false)) {
      last = at;
      continue;
    }
    if (at - last > AG_EVALUATOR_SUSPICION && at - asked > AG_EVALUATOR_SUSPICION) {
      query_devices();
      asked = at;
    }
    if (atomic_load(&stopping) && at - last > LAST_WAIT) break;
    ag_time_sleep_us(at - last < AG_EVALUATOR_SUSPICION ? AG_EVALUATOR_SLEEP
                                                        : AG_EVALUATOR_LONG_SLEEP);
  }
  step_all(false);
  query_at_exit();
  return NULL;
}

/* Stops the thread when the process exits or the model is unloaded. This comes before CUDA's own
 * exit handler, which was registered earlier. */
static void stop_thread(void) {
  if (!ag_thread_is_here(&thread)) return;
  pthread_mutex_lock(&lock);
  stopped_at = ag_time_us();
  atomic_store(&stopping, true);
  pthread_cond_signal(&work);
  pthread_mutex_unlock(&lock);
  ag_thread_join(&thread);
  atomic_store(&exists, false);
}

static void start_thread(void) {
  atomic_store(&exists, ag_thread_begin(&thread, run_thread, stop_thread));
}

bool ag_evaluator_is_stopping(void) { return atomic_load(&stopping); }

bool ag_evaluator_exists(void) { return atomic_load(&exists); }

/* Adds a run or graph, and wakes the thread if there was none before. */
static void add_to(ag_async_run *d, atomic_uint *count) {
  pthread_once(&begun, start_thread);
  atomic_store(&d->active, true);
  if (atomic_fetch_add(count, 1)) return;
  pthread_mutex_lock(&lock);
  pthread_cond_signal(&work);
  pthread_mutex_unlock(&lock);
}

void ag_evaluator_add_run(ag_async_run *d) { add_to(d, &runs); }

void ag_evaluator_add_graph(ag_async_run *d) { add_to(d, &graphs); }

void ag_evaluator_end_run(ag_async_run *d) {
  atomic_store(&d->ended, true);
  ag_evaluator_step(d, false);
}

static bool any_ended(void) {
  ag_async_run *d = ag_async_run_all();
  while (d && !ag_evaluator_has_ended(d)) d = d->next;
  return d != NULL;
}

void ag_evaluator_settle(void); /* for tests: t/shim.h declares it */
void ag_evaluator_settle(void) {
  while (step_all(true) || any_ended()) ag_time_sleep_us(AG_EVALUATOR_SLEEP);
}
