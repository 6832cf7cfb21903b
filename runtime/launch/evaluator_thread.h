/* evaluator_thread.h - the thread that evaluates async runs (async_run.h). Inside the library only.
 *
 * Begun with the first async run of a model; ended when the process exits or the model is unloaded.
 * Then it waits for what was launched, as long as results arrive, but for no run's next launch. It
 * sleeps while no run is in flight and no graph exists. A thread that runs a model evaluates too,
 * where it needs the evaluation or the room (backpressure.h). A child of fork() has no such thread,
 * and nothing to wait for.
 *
 * Locks, in the order in which they are taken: the device error's (device_error.h), an async run's
 * `eval_lock` (the device error's report holds those of several), then those that are held for
 * moments and under which no other is taken: the evaluator's own, the model's (but the list of
 * buffers' under it), the run slots', the driver's and its devices', the sink's, that of what
 * operators keep (memory/op_allocations.c). Under `eval_lock` a weight may be scanned again, which
 * waits for the device. Those that a child of fork() needs are added to base/fork_lock.h.
 */
#ifndef AOTIGEN_EVALUATOR_THREAD_H
#define AOTIGEN_EVALUATOR_THREAD_H

#include "launch/async_run.h"

/* Microseconds, of the thread and of the threads that wait beside it. */
enum {
  AG_EVALUATOR_SLEEP = 30, /* between two steps */
  AG_EVALUATOR_LONG_SLEEP = 500,
  AG_EVALUATOR_SUSPICION = 2000 /* without a result for so long: is the device lost */
};

/* Evaluates the run from now on, and starts the thread; a graph for as long as the process lives.
 */
void ag_evaluator_add_run(ag_async_run *d);
void ag_evaluator_add_graph(ag_async_run *d);
/* The run is over: its state is the evaluator's, which gives it back to the model's pool. */
void ag_evaluator_end_run(ag_async_run *d);

/* Evaluates what has arrived of the run, and of earlier runs of its thread and stream. True where
 * something was done. A run that another thread evaluates is left to it, or waited for. */
bool ag_evaluator_step(ag_async_run *d, bool wait);

/* Is a result of the run, or of a replay of the graph, known to be outstanding. */
bool ag_evaluator_is_pending(ag_async_run *d);

/* Is there a thread; not in a child of fork(). */
bool ag_evaluator_exists(void);
/* The process ends, or the model is being unloaded: no run begins to be async. */
bool ag_evaluator_is_stopping(void);
/* A run that is over and not evaluated. Without `eval_lock` another may take its place. */
static inline bool ag_evaluator_has_ended(const ag_async_run *d) {
  return atomic_load(&d->active) && atomic_load(&d->ended);
}

#endif
