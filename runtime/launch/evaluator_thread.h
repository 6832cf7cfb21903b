/* desk.h - who judges the records of runs that do not wait (record.h), and when.
 *
 * One thread of ours, the *reader*, begun with the first such run of a model and ended when the
 * process exits or the model is unloaded: then what was launched is waited for, for as long as
 * answers come, but no run's next launch. It sleeps while no run is under way and no graph stands,
 * which from its capture on may be replayed at any time. The thread of a run judges too, where it
 * must have the verdicts (ag_evaluator_wait) or needs the room (ag_evaluator_help). A child of
 * fork() has no reader, and nothing to wait for.
 *
 * Locks, in the order in which they are taken: the post-mortem's (postmortem.h), an ag_async_run's
 * `eval_lock`, then those that are held for moments and under which no other is taken: the desk's
 * own, the model's, the slots', the driver's and its devices', the sink's. Under `eval_lock` a
 * weight may be looked at once more (ag_look_again), which waits for the device.
 */
#ifndef AOTIGEN_EVALUATOR_THREAD_H
#define AOTIGEN_EVALUATOR_THREAD_H

#include "launch/launch_record.h"

/* A new async_run, known from now on. */
void ag_evaluator_add(ag_async_run *d);
/* All that there are, the newest first; each goes on by its `next`. */
ag_async_run *ag_evaluator_all(void);

/* A run begins to be recorded; it is over, and its state is the desk's from here on, which gives it
 * back to the model's pool once all is evaluated. wait: not before that, or the device's death. */
void ag_evaluator_open(ag_async_run *d);
void ag_evaluator_close(ag_async_run *d, bool wait);

/* Before a run goes on record: waits where too many of this thread's that are over wait for their
 * verdicts. Of another thread's none is waited for: its device may be waiting for this one's
 * launches. False where the wait was in timed_out. */
bool ag_evaluator_admit(void);
/* The process ends, or the model is being unloaded: nothing more goes on record. */
bool ag_evaluator_stopping(void);

/* What was recorded went into a graph: from here on each replay is evaluated, for as long as the
 * process lives. */
void ag_evaluator_add_graph(ag_async_run *d);

/* Until all that was published is evaluated, or the device is dead. */
void ag_evaluator_wait(ag_async_run *d);
/* A wait for room; begins as {0}. */
typedef struct ag_wait {
  int64_t since;
  unsigned long long answered;
} ag_wait;
/* Judges what can be, or sleeps a moment. False where the wait is in timed_out: for
 * ag_stall_timeout no launch of this thread was answered, nor was an answer being written out; from
 * then on at once, until one does. */
bool ag_evaluator_help(ag_async_run *d, ag_wait *w);
/* The same for this thread's runs of a model (NULL: of any) that are over; false also where all are
 * evaluated, and their states given back. */
bool ag_evaluator_help_own(const ag_model_state *m, ag_wait *w);
/* Was this thread's last wait in timed_out, and would be again. */
bool ag_evaluator_timed_out(void);

/* Before an exception leaves the model: until each result that had arrived is evaluated and
 * written. The second: until all runs of `m` that are over are evaluated, and replays that have
 * begun, or their device is lost. False where that took until `until` (ag_now()). Both evaluate
 * only where no evaluator thread does, so that they never wait for a device or a reader of stdout.
 */
bool ag_evaluator_catch_up(int64_t until);
bool ag_evaluator_finish(const ag_model_state *m, int64_t until);

/* For tests: until all runs that are over are evaluated, and of the others what is answered. */
void ag_evaluator_settle(void);

#endif
