/* crash.h - a crash of the process during a watched run: the run has a report and a capsule before
 * the process ends as it would have. Inside the library only.
 *
 * The handler of state/crash_signals.h asks a thread of the library to write them, since it may not
 * allocate, and waits for some seconds at most. Of a crash of another thread it asks only where
 * that thread is the model's: of an OpenMP region, or in the model's own code. */
#ifndef AOTIGEN_WATCH_CRASH_H
#define AOTIGEN_WATCH_CRASH_H

#include "watch/watched_run.h"

/* Before a run, on its thread. AOTIGEN_SIGNALS=0: does nothing. */
void ag_watch_crash_prepare(void);

/* When the model has returned: waits while the crash of another thread is written as this run's. */
void ag_watch_crash_settle(const ag_watched_run *r);

/* Call it before the library is unloaded. */
void ag_watch_crash_keep(void);

#endif
