/* timing.h - the launches that a device is timing: pairs of a backend's timer, from the launch to
 * the time when the device has come to its end. Inside the library only.
 *
 * Nothing waits. A pair is read where its launch is evaluated; those that are left are read when
 * their run was evaluated, or when another one begins. At most AG_TIMINGS launches are timed at a
 * time: others are counted as not timed. */
#ifndef AOTIGEN_TIMING_H
#define AOTIGEN_TIMING_H

#include "state/run_state.h"

enum { AG_TIMINGS = 4096 };

typedef struct ag_timing ag_timing;

/* On the run's thread, directly around its launch, which is on that stream. NULL if it is not
 * timed. The record, or NULL, gets the time by ag_timing_of_record(). */
ag_timing *ag_timing_begin(const aotigen_run *run, void *stream);
void ag_timing_end(ag_timing *t, ag_record *record);
/* In place of the end: the launch failed. */
void ag_timing_drop(ag_timing *t);

/* How long the record's launch took, in nanoseconds; 0 if it is not known, or not known yet. With
 * the results of the launch in hand: the holder of the async run's `eval_lock`, or the run's
 * thread. */
int64_t ag_timing_of_record(ag_record *record);

/* Reads what the device has answered of the launches that have no record and, where m is given, of
 * that run of the model, whose records are not asked any more. */
void ag_timing_collect(const ag_model_state *m, uint64_t run);

#endif
