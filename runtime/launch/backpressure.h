/* backpressure.h - a thread that is too far ahead of its device waits. Inside the library only.
 *
 * While it waits it evaluates what has arrived. No wait is endless: where none of the thread's own
 * launches is answered for ag_stall_timeout_us, nor a result is being written out, the wait is
 * given up, and later waits at once, until a launch is answered. Another thread's runs are not
 * waited for: its device may be waiting for this thread's launches.
 */
#ifndef AOTIGEN_BACKPRESSURE_H
#define AOTIGEN_BACKPRESSURE_H

#include "launch/evaluator_thread.h"

/* One wait; begins as {0}. */
typedef struct ag_wait {
  int64_t since;
  unsigned long long answered;
} ag_wait;

/* Evaluates what has arrived, or sleeps a moment. False where the wait is given up. */
bool ag_backpressure_help(ag_async_run *d, ag_wait *wait);
/* The same for this thread's runs of a model (NULL: of any) that are over. False also where all of
 * them are evaluated and their states given back. */
bool ag_backpressure_help_own(const ag_model_state *m, ag_wait *wait);
/* Was this thread's last wait given up, and would the next be. */
bool ag_backpressure_gave_up(void);

/* Until the queue has room, or too few of this thread's runs that are over wait for their
 * evaluation. False where the wait was given up. */
bool ag_backpressure_await_room(ag_async_run *d);
bool ag_backpressure_await_runs(void);
/* Until every published record is evaluated, or the device is lost. Not given up. */
void ag_backpressure_await_all(ag_async_run *d);
/* The run is over. wait: not before every record is evaluated, the device is lost, or the wait is
 * given up. */
void ag_backpressure_end_run(ag_async_run *d, bool wait);

#endif
