/* desk.c - the verdicts of records in their order, and the thread that does it. What a verdicts is,
 * nan.c and printer.c know. */
#define _GNU_SOURCE
#include "launch/evaluator_thread.h"

#include <sys/syscall.h>
#include <unistd.h>

#include "checks/finding.h"
#include "launch/device_error.h"
#include "checks/ranges.h"
#include "base/sink.h"
#include "base/thread.h"

enum {
  SLEEP = 30, /* microseconds between two looks */
  LONG_SLEEP = 500,
  SUSPICION = 2000, /* without an answer for so long: does the device live */
  BEHIND =
      4, /* runs of a thread that are over and not evaluated: as many, and its next one waits */
  LAST_WAIT = 10 * 1000 * 1000, /* at exit: without an answer for so long */
  LAST_REPLAY = 1000 * 1000 /* and for a replay that has begun, altogether: behind it there may be
                               more without end */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static _Atomic(ag_async_run *) all;
static atomic_uint under_way, standing; /* runs; graphs, which may be replayed at any time */
static atomic_bool stopping;
static int64_t stopped_at; /* before stopping is set */
static ag_thread reader;
static pthread_once_t begun = PTHREAD_ONCE_INIT;
static atomic_bool reads;
static _Thread_local unsigned long long
    timed_out; /* 1 + my_answers() at the end of a wait that was in timed_out; or 0 */

/* ---- one record ----------------------------------------------------------------------------- */

static aotigen_run run_of(const ag_async_run *d, const ag_record *r) {
  return (aotigen_run){.launch = r->launch,
                       .unseen = r->unseen,
                       .wanted = d->judge->model->wanted,
                       .model = d->model,
                       .state = d->judge,
                       .number = d->number,
                       .site = r->site};
}

static void see_before(ag_record *r) {
  for (size_t i = 0; i < r->nargs; i++) {
    ag_arg *a = &r->args[i];
    ag_arg_reset(a);
    if (a->earlier) a->view = *a->earlier;
  }
}

static void see_after(ag_record *r) {
  for (size_t i = 0; i < r->nargs; i++)
    if (r->args[i].later) r->args[i].view = *r->args[i].later;
}

static void evaluate_inputs(aotigen_run *run) {
  for (size_t i = 0; i < run->state->nargs && i < run->model->ninputs; i++)
    if (run->state->args[i].view.state == AG_VIEW_OK)
      ag_print_input(run, &run->model->inputs[i], &run->state->args[i]);
}

/* halfway: the launch never ended, but what was looked at before it was. */
static void judge(ag_async_run *d, ag_record *r, bool halfway) {
  aotigen_run run = run_of(d, r);
  aotigen_run_state *j = d->judge;
  j->record = r;
  j->args = r->args;
  j->nargs = r->nargs;
  ag_sink_log_as_thread(atomic_load(&d->thread));
  see_before(r);
  if (r->site == AG_NO_SITE) {
    evaluate_inputs(&run);
  } else {
    if (d->model->nan_asserts) ag_nan_before(&run);
    if (d->model->printer == 2) ag_print_launch(&run, false);
    see_after(r);
    if (d->model->nan_asserts && !halfway) ag_nan_after(&run);
    if (d->model->printer == 2 && !halfway) ag_print_launch(&run, true);
  }
  ag_sink_log_as_thread(0);
  j->record = NULL;
}

/* Of this thread's runs: what others get says nothing of what it waits for. */
static unsigned long long my_answers(void) {
  long me = syscall(SYS_gettid);
  unsigned long long n = 0;
  for (ag_async_run *d = atomic_load(&all); d; d = d->next)
    if (atomic_load(&d->thread) == me) n += atomic_load(&d->answered);
  return n;
}

static void done(ag_async_run *d, ag_record *r) {
  atomic_fetch_add_explicit(&r->page->evaluated, 1, memory_order_release);
  atomic_fetch_add_explicit(&d->evaluated, 1, memory_order_release);
  atomic_fetch_add(&d->answered, 1);
}

/* ---- one run: with `eval_lock` held --------------------------------------------------------- */

/* NULL where nothing is left to judge. */
static ag_record *next_of(ag_async_run *d) {
  unsigned evaluated = atomic_load(&d->evaluated);
  return evaluated == atomic_load_explicit(&d->published, memory_order_acquire)
             ? NULL
             : d->records[evaluated % AG_RECORDS];
}

static bool evaluate_ready(ag_async_run *d) {
  bool any = false;
  for (ag_record *r; (r = next_of(d)) && ag_record_over(d, r); any = true) {
    bool thrown = atomic_load(&r->stage) == AG_THROWN;
    if (r->site != AG_NO_SITE && !thrown) {
      d->finished = r->launch;
      d->finished_site = r->site;
    }
    judge(d, r, thrown);
    done(d, r);
  }
  return any;
}

/* The device died: the first that did not end is evaluated as far as it can be, and the rest is
 * dropped. */
static void drop_rest(ag_async_run *d) {
  ag_record *r = next_of(d);
  if (!r || atomic_load(&r->stage) == AG_LAUNCHING)
    return; /* its thread is still at it: it will come to know */
  if (!d->lost && r->batch[AG_BEFORE].count && d->async->batch->is_done(&r->batch[AG_BEFORE]))
    judge(d, r, true);
  atomic_store(&d->lost, true);
  for (; (r = next_of(d)) && atomic_load(&r->stage) != AG_LAUNCHING;) done(d, r);
}

/* All was evaluated: the paths that bad values took. */
static void tell_paths(ag_async_run *d) {
  aotigen_run run = {.model = d->model, .state = d->judge, .number = d->number};
  ag_sink_log_as_thread(atomic_load(&d->thread));
  if (d->model->nan_asserts) ag_nan_run_end(&run);
  ag_sink_log_as_thread(0);
}

static void finish(ag_async_run *d) {
  aotigen_run_state *state = d->state;
  tell_paths(d);
  if (!d->lost) d->async->slot->give(d->slot);
  d->slot = NULL;
  ag_sink_flush(); /* before the next run of the thread may be told of */
  atomic_store(&d->active, false);
  atomic_fetch_sub(&under_way, 1);
  state->mode = AG_NOW;
  ag_state_give(state);
}

/* ---- one graph: with `eval_lock` held ------------------------------------------------------- */

/* cut: the device died in it, and the post-mortem has given it its number. */
static void evaluate_replay(ag_async_run *d, uint32_t replay, bool cut) {
  unsigned n = atomic_load(&d->published);
  ag_record_replay(d, replay);
  if (!cut) d->number = ag_next_run();
  ag_state_clear(d->judge);
  ag_ranges_copy(&d->judge->inputs, &d->state->inputs);
  ag_ranges_copy(&d->judge->weights, &d->state->weights);
  for (unsigned i = 0; i < n; i++) {
    ag_record *r = d->records[i];
    if (cut && !ag_record_over(d, r)) break;
    judge(d, r, atomic_load(&r->stage) != AG_LAUNCHED);
    for (int when = 0; when < 2; when++) d->async->batch->release(&r->batch[when]);
  }
  tell_paths(d);
}

static void say_missed(ag_async_run *d, uint32_t missed) {
  if (missed == d->missed) return;
  ag_warn("run %llu of %s is a graph: meanwhile other replays of it had bad values, of which no "
          "more is told",
          (unsigned long long)d->captured_run, d->model->source);
  d->missed = missed;
}

static bool attend_replays(ag_async_run *d) {
  uint32_t missed = 0, replay = d->async->replay->next(d->slot, &missed);
  if (!replay) return false;
  evaluate_replay(d, replay, false);
  d->async->replay->release(d->slot);
  say_missed(d, missed);
  return true;
}

/* Is it a run that is over and not evaluated. Without `eval_lock` it may be another's the next
 * moment. */
static bool is_over(const ag_async_run *d) {
  return atomic_load(&d->active) && atomic_load(&d->ended);
}

/* The first run that is over and not evaluated, of those of the same thread and stream: what is
 * said of them is said in their order. The device answers them in that order too, so that nothing
 * is waited for that is not there. */
static ag_async_run *earliest(ag_async_run *d) {
  ag_async_run *first = d;
  for (ag_async_run *e = ag_evaluator_all(); e && !d->captured; e = e->next) {
    if (!is_over(e) || e->captured || atomic_load(&e->order) >= atomic_load(&first->order))
      continue;
    if (e->device_index == d->device_index && atomic_load(&e->thread) == atomic_load(&d->thread) &&
        atomic_load(&e->home) == atomic_load(&d->home))
      first = e;
  }
  return first;
}

/* With `eval_lock` held, of one that is active; true where something was done. *dead: its device
 * died, which must be told first, by one who does not hold that. */
static bool attend_graph(ag_async_run *d, bool *dead) {
  bool any = !atomic_load(&d->lost) && attend_replays(d);
  *dead = d->async->device->sticky_error(d->device_index) != NULL;
  if (*dead && ag_device_error_reported(d->device_index)) {
    uint32_t cut = d->async->replay->running(d->slot);
    if (cut && !atomic_exchange(&d->lost, true)) evaluate_replay(d, cut, true);
    *dead = false;
  }
  return any;
}

static bool attend_run(ag_async_run *d, bool *dead) {
  bool any = evaluate_ready(d);
  *dead = next_of(d) && d->async->device->sticky_error(d->device_index);
  if (*dead && ag_device_error_reported(d->device_index)) {
    drop_rest(d);
    *dead = false;
  }
  if (!atomic_load(&d->ended) || next_of(d)) return any;
  finish(d);
  return true;
}

/* True where something was done. What another thread is at is left to it, or waited for. */
static bool attend(ag_async_run *of, bool wait) {
  ag_async_run *d = earliest(of);
  bool any = false, dead = false;
  if (wait ? pthread_mutex_lock(&d->eval_lock) : pthread_mutex_trylock(&d->eval_lock)) return false;
  if (earliest(d) != d) { /* it was finished meanwhile, and is another run's by now */
    pthread_mutex_unlock(&d->eval_lock);
    return false;
  }
  if (atomic_load(&d->active)) any = d->captured ? attend_graph(d, &dead) : attend_run(d, &dead);
  ag_sink_flush();
  pthread_mutex_unlock(&d->eval_lock);
  if (dead && !ag_device_error_reported(d->device_index)) {
    ag_device_error_report(d->async, d->device_index);
    any = true;
  }
  return any;
}

/* ---- all of them ---------------------------------------------------------------------------- */

ag_async_run *ag_evaluator_all(void) { return atomic_load(&all); }

static bool attend_all(bool wait) {
  bool any = false;
  for (ag_async_run *d = ag_evaluator_all(); d; d = d->next)
    if (atomic_load(&d->active)) any = attend(d, wait) || any;
  return any;
}

/* With `eval_lock` held, of one that is active: is there something that was launched and not
 * evaluated, or a run to be finished. */
static bool owes(ag_async_run *d) {
  ag_record *r = next_of(d);
  return r ? atomic_load(&r->stage) != AG_LAUNCHING : atomic_load(&d->ended);
}

/* Does it owe an answer that we know of. The lock, since else a run that ends may be followed at
 * any moment by one in a capture, which has no slot yet. */
static bool is_pending(ag_async_run *d) {
  if (!atomic_load(&d->active)) return false;
  if (pthread_mutex_trylock(&d->eval_lock)) return true;
  bool pending = atomic_load(&d->active) &&
                 (d->captured ? d->async->replay->running(d->slot) != 0 : owes(d));
  pthread_mutex_unlock(&d->eval_lock);
  return pending;
}

/* Has the device looked at that owes an answer. A graph owes one that we may not know of: it is
 * looked at now and then. */
static void suspect(void) {
  static unsigned times;
  bool graphs = ++times % 64 == 0;
  for (ag_async_run *d = ag_evaluator_all(); d; d = d->next)
    if (is_pending(d) || (graphs && atomic_load(&d->active) && d->captured))
      d->async->device->query(d->device_index);
}

/* Once we are to stop: is anything still to come that is waited for. */
static bool any_pending(void) {
  bool late = ag_now() - stopped_at >= LAST_REPLAY;
  ag_async_run *d = ag_evaluator_all();
  while (d && ((late && d->captured) || !is_pending(d))) d = d->next;
  return d != NULL;
}

/* Sleeps where nothing is under way; false when there is nothing to come any more. */
static bool await_work(void) {
  pthread_mutex_lock(&lock);
  while (!atomic_load(&under_way) && !atomic_load(&standing) && !atomic_load(&stopping))
    pthread_cond_wait(&work, &lock);
  pthread_mutex_unlock(&lock);
  return !atomic_load(&stopping) || any_pending();
}

static void *read_on(void *none) {
  int64_t last = ag_now(), asked = last;
  (void)none;
  ag_sink_buffer_stdout();
  while (await_work()) {
    int64_t at = ag_now();
    if (attend_all(false)) {
      last = at;
      continue;
    }
    if (at - last > SUSPICION && at - asked > SUSPICION) {
      suspect();
      asked = at;
    }
    if (atomic_load(&stopping) && at - last > LAST_WAIT) break;
    ag_sleep_us(at - last < SUSPICION ? SLEEP : LONG_SLEEP);
  }
  attend_all(false);
  return NULL;
}

/* At exit, or when the model is unloaded: before CUDA's own end, for it began earlier. */
static void stop(void) {
  if (!ag_thread_is_here(&reader)) return;
  pthread_mutex_lock(&lock);
  stopped_at = ag_now();
  atomic_store(&stopping, true);
  pthread_cond_signal(&work);
  pthread_mutex_unlock(&lock);
  ag_thread_join(&reader);
  atomic_store(&reads, false);
}

bool ag_evaluator_stopping(void) { return atomic_load(&stopping); }

static void begin(void) { atomic_store(&reads, ag_thread_begin(&reader, read_on, stop)); }

void ag_evaluator_add(ag_async_run *d) {
  d->next = atomic_load(&all);
  while (!atomic_compare_exchange_weak(&all, &d->next, d)) continue;
}

/* One more is looked after, and counted; the reader sleeps where there was none. */
static void look_after(ag_async_run *d, atomic_uint *counted) {
  pthread_once(&begun, begin);
  atomic_store(&d->active, true);
  if (atomic_fetch_add(counted, 1)) return;
  pthread_mutex_lock(&lock);
  pthread_cond_signal(&work);
  pthread_mutex_unlock(&lock);
}

void ag_evaluator_open(ag_async_run *d) { look_after(d, &under_way); }

void ag_evaluator_add_graph(ag_async_run *d) { look_after(d, &standing); }

bool ag_evaluator_timed_out(void) { return timed_out && timed_out == my_answers() + 1; }

static bool is_timed_out(ag_wait *w, int64_t at) {
  unsigned long long now = my_answers();
  if (!w->since || w->answered != now || ag_sink_writing()) *w = (ag_wait){at, now};
  if (at - w->since > ag_stall_timeout) timed_out = now + 1;
  return timed_out == now + 1;
}

bool ag_evaluator_help(ag_async_run *d, ag_wait *w) {
  static _Thread_local int64_t asked;
  int64_t at = ag_now();
  if (attend(d, false)) {
    w->since = 0;
    return true;
  }
  if (at - asked > SUSPICION) {
    asked = at;
    d->async->device->query(d->device_index);
  }
  if (is_timed_out(w, at)) return false;
  ag_sleep_us(SLEEP);
  return true;
}

static bool is_answered(const ag_async_run *d) {
  return !atomic_load(&d->active) || atomic_load(&d->evaluated) == atomic_load(&d->published) ||
         atomic_load(&d->lost);
}

void ag_evaluator_wait(ag_async_run *d) {
  ag_wait w = {0};
  while (!is_answered(d))
    if (!ag_evaluator_help(d, &w)) ag_sleep_us(LONG_SLEEP);
}

void ag_evaluator_close(ag_async_run *d, bool wait) {
  ag_record_thrown(d->state);
  ag_wait w = {0};
  while ((wait || !atomic_load(&reads)) && !is_answered(d) && ag_evaluator_help(d, &w)) continue;
  atomic_store(&d->ended, true);
  attend(d, false);
}

/* Of this thread's runs that are over and not evaluated: how many, and one of them. Of one model,
 * or of any. */
static int of_mine(const ag_model_state *m, ag_async_run **one) {
  long me = syscall(SYS_gettid);
  int n = 0;
  for (ag_async_run *d = ag_evaluator_all(); d; d = d->next) {
    if (!is_over(d) || atomic_load(&d->thread) != me) continue;
    if (m && d->judge->model != m) continue;
    *one = d;
    n++;
  }
  return n;
}

bool ag_evaluator_admit(void) {
  ag_async_run *d;
  ag_wait w = {0};
  while (of_mine(NULL, &d) >= BEHIND)
    if (!ag_evaluator_help(d, &w)) return false;
  return true;
}

bool ag_evaluator_help_own(const ag_model_state *m, ag_wait *w) {
  ag_async_run *d;
  if (of_mine(m, &d)) return ag_evaluator_help(d, w);
  for (d = ag_evaluator_all(); d; d = d->next) { /* one that is just being finished */
    pthread_mutex_lock(&d->eval_lock);
    pthread_mutex_unlock(&d->eval_lock);
  }
  return false;
}

static bool any_ended(void) {
  ag_async_run *d = ag_evaluator_all();
  while (d && !is_over(d)) d = d->next;
  return d != NULL;
}

void ag_evaluator_settle(void) {
  while (attend_all(true) || any_ended()) ag_sleep_us(SLEEP);
}

/* ---- before an exception leaves the model -------------------------------------------------------
 */

/* With `eval_lock` held: is there something to evaluate that need not be waited for. Of a lost
 * device, once that is reported, this is all that is left. */
static bool has_arrived(ag_async_run *d) {
  bool lost = ag_device_error_reported(d->device_index);
  uint32_t missed;
  if (!atomic_load(&d->active) || atomic_load(&d->lost)) return false;
  if (d->captured)
    return d->async->replay->next(d->slot, &missed) ||
           (lost && d->async->replay->running(d->slot));
  ag_record *r = next_of(d);
  if (!r) return atomic_load(&d->ended); /* the paths of its bad values are to be told */
  return ag_record_over(d, r) || (lost && atomic_load(&r->stage) != AG_LAUNCHING);
}

/* Where a run was when it was looked at: another thread may go on with it, or begin the next. */
typedef struct mark {
  unsigned long long order;
  unsigned published;
} mark;

static bool is_past(const ag_async_run *d, const mark *m) {
  return atomic_load(&d->order) != m->order ||
         (!d->captured && !atomic_load(&d->ended) &&
          (int)(atomic_load(&d->evaluated) - m->published) >= 0);
}

static bool is_caught_up(ag_async_run *d, const mark *m) {
  if (!atomic_load(&reads)) attend(d, false);
  if (pthread_mutex_trylock(&d->eval_lock)) return false;
  bool caught_up = !has_arrived(d) || is_past(d, m);
  pthread_mutex_unlock(&d->eval_lock);
  return caught_up;
}

bool ag_evaluator_catch_up(int64_t until) {
  for (ag_async_run *d = ag_evaluator_all(); d; d = d->next) {
    const mark m = {atomic_load(&d->order), atomic_load(&d->published)};
    while (!is_caught_up(d, &m)) {
      if (ag_now() >= until) return false;
      ag_sleep_us(SLEEP);
    }
  }
  return true;
}

/* Is it a run of `m` that is over, or a graph of it, with results to come. */
static bool is_unfinished(ag_async_run *d, const ag_model_state *m) {
  if (d->judge->model != m || !atomic_load(&d->active) || atomic_load(&d->lost)) return false;
  if (!atomic_load(&reads)) attend(d, false);
  return (d->captured || atomic_load(&d->ended)) && is_pending(d);
}

bool ag_evaluator_finish(const ag_model_state *m, int64_t until) {
  for (ag_async_run *d = ag_evaluator_all(); d; d = d->next)
    while (is_unfinished(d, m)) {
      if (ag_now() >= until) return false;
      ag_sleep_us(SLEEP);
    }
  return true;
}
