/* backpressure.h - a thread that is too far ahead of its device waits. Inside the library only.
 *
 * While it waits, it evaluates what has arrived. No wait is endless: a wait is given up if none of
 * the thread's own launches is answered for ag_stall_timeout_us and no result is being written.
 * Later waits are then given up at once, until a launch is answered. A thread does not wait for
 * another thread's runs: their device may be waiting for this thread's launches. */
#ifndef AOTIGEN_BACKPRESSURE_H
#define AOTIGEN_BACKPRESSURE_H

#include "launch/evaluator_thread.h"

/* One wait; initialise it to {0}. */
typedef struct ag_wait {
  int64_t since;
  unsigned long long answered;
} ag_wait;

/* Evaluates what has arrived, or sleeps a moment. False if the wait is given up. */
bool ag_backpressure_help(ag_async_run *d, ag_wait *wait);
/* The same for this thread's runs of a model (NULL: any) that are over. False also if all of them
 * are evaluated and their states given back. */
bool ag_backpressure_help_own(const ag_model_state *m, ag_wait *wait);
/* True if this thread gave up its last wait, and would give up the next. */
bool ag_backpressure_gave_up(void);

/* Waits until the queue has room, or until few enough of this thread's runs that are over await
 * evaluation. False if the wait was given up. */
bool ag_backpressure_await_room(ag_async_run *d);
bool ag_backpressure_await_runs(void);
/* Waits until every published record is evaluated, or the device is lost. Never gives up. */
void ag_backpressure_await_all(ag_async_run *d);
/* Marks the run as over. wait: first waits until every record is evaluated, the device is lost, or
 * the wait is given up. */
void ag_backpressure_end_run(ag_async_run *d, bool wait);

#endif
