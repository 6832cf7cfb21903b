/* evaluator_thread.h - the thread that evaluates async runs (async_run.h). Inside the library only.
 *
 * It begins with the first async run of a model, and ends when the process exits or the model is
 * unloaded. Before it ends, it waits for launches as long as results arrive, but not for a run's
 * next launch. It sleeps while no run is in flight and no graph exists. A thread that runs a model
 * evaluates too, if it needs the result or the room (backpressure.h). A child of fork() has no such
 * thread, and nothing to wait for.
 *
 * Locks, in the order in which they are taken: the device error's (device_error.h), an async run's
 * `eval_lock` (the device error's report holds those of several), then those that are held for
 * moments and under which no other is taken: the evaluator's own, the model's (but the list of
 * buffers' under it), the run slots', the driver's and its devices', the sink's, that of what
 * operators keep (memory/op_allocations.c). Under `eval_lock` a weight may be scanned again, which
 * waits for the device. Those that a child of fork() needs are added to base/fork_lock.h. */
#ifndef AOTIGEN_EVALUATOR_THREAD_H
#define AOTIGEN_EVALUATOR_THREAD_H

#include "launch/async_run.h"

/* Microseconds, for this thread and for those that wait for it. */
enum {
  AG_EVALUATOR_SLEEP = 30, /* between two steps */
  AG_EVALUATOR_LONG_SLEEP = 500,
  AG_EVALUATOR_SUSPICION =
      2000 /* without a result for so long, it queries whether the device is lost */
};

/* Evaluates the run from now on, and starts the thread. A graph is evaluated as long as the process
 * lives. */
void ag_evaluator_add_run(ag_async_run *d);
void ag_evaluator_add_graph(ag_async_run *d);
/* The run is over: the evaluator owns its state, and gives it back to the model's pool. */
void ag_evaluator_end_run(ag_async_run *d);

/* Evaluates what has arrived of the run, and of earlier runs of its thread and stream. True if
 * something was done. If another thread is evaluating the run, returns or, with `wait`, waits for
 * it. */
bool ag_evaluator_step(ag_async_run *d, bool wait);

/* True if a result of the run, or of a replay of the graph, is known to be outstanding. */
bool ag_evaluator_is_pending(ag_async_run *d);

/* True if there is a thread; a child of fork() has none. */
bool ag_evaluator_exists(void);
/* True if the process ends or the model is being unloaded: no run becomes async. */
bool ag_evaluator_is_stopping(void);
/* True if the run is over and not evaluated. Without `eval_lock`, another may take its place. */
static inline bool ag_evaluator_has_ended(const ag_async_run *d) {
  return atomic_load(&d->active) && atomic_load(&d->ended);
}

#endif
