/* catch_up.h - bounded waits of a thread that is about to leave the model. Inside the library only.
 *
 * Both evaluate only if there is no evaluator thread, so that they never wait for a device or for a
 * reader of stdout. */
#ifndef AOTIGEN_CATCH_UP_H
#define AOTIGEN_CATCH_UP_H

#include "launch/evaluator_thread.h"

/* Waits until each result that had arrived is evaluated and written. until: as of the clock of
 * base/thread.h. False if that time came first. */
bool ag_catch_up_results(int64_t until);
/* Waits until all runs of `m` that are over, and the replays that have begun, are evaluated, or
 * their device is lost. */
bool ag_catch_up_runs(const ag_model_state *m, int64_t until);

#endif
