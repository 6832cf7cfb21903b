/* desk.h - who judges the records of runs that do not wait (record.h), and when.
 *
 * One thread of ours, the *reader*, begun with the first such run of a model and ended when the process exits or the model is
 * unloaded: then what was launched is waited for, for as long as answers come, but no run's next launch. It sleeps while no run
 * is under way and no graph stands, which from its capture on may be replayed at any time. The thread of a run judges too, where it must
 * have the judgement (ag_desk_wait) or needs the room (ag_desk_help). A child of fork() has no reader, and nothing to wait for.
 *
 * Locks, in the order in which they are taken: the post-mortem's (postmortem.h), an ag_deferral's `judging`, then those that are held
 * for moments and under which no other is taken: the desk's own, the model's, the lanes', the driver's and its devices', the sink's. Under
 * `judging` a weight may be looked at once more (ag_look_again), which waits for the device.
 */
#ifndef AOTIGEN_DESK_H
#define AOTIGEN_DESK_H

#include "record.h"

/* A new deferral, known from now on. */
void ag_desk_add(ag_deferral *d);
/* All that there are, the newest first; each goes on by its `next`. */
ag_deferral *ag_desk_all(void);

/* A run begins to be recorded; it is over, and its state is the desk's from here on, which gives it back to the model's pool once
 * all is judged. wait: not before that, or the device's death. */
void ag_desk_open(ag_deferral *d);
void ag_desk_close(ag_deferral *d, bool wait);

/* Before a run goes on record: waits where too many of this thread's that are over wait for their judgement. Of another thread's none is
 * waited for: its device may be waiting for this one's launches. False where the wait was in vain. */
bool ag_desk_admit(void);
/* The process ends, or the model is being unloaded: nothing more goes on record. */
bool ag_desk_stopping(void);

/* What was recorded went into a graph: from here on each replay is judged, for as long as the process lives. */
void ag_desk_stand(ag_deferral *d);

/* Until all that was published is judged, or the device is dead. */
void ag_desk_wait(ag_deferral *d);
/* A wait for room; begins as {0}. */
typedef struct ag_wait {
  int64_t since;
  unsigned long long answered;
} ag_wait;
/* Judges what can be, or sleeps a moment. False where the wait is in vain: for ag_patience no launch of this thread was answered, nor was
 * an answer being written out; from then on at once, until one does. */
bool ag_desk_help(ag_deferral *d, ag_wait *w);
/* The same for this thread's runs of a model (NULL: of any) that are over; false also where all are judged, and their states given back. */
bool ag_desk_help_mine(const ag_model_state *m, ag_wait *w);
/* Was this thread's last wait in vain, and would be again. */
bool ag_desk_in_vain(void);

/* For tests: until all runs that are over are judged, and of the others what is answered. */
void ag_desk_settle(void);

#endif
