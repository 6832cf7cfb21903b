/* catch_up.h - bounded waits of a thread that is about to leave the model. Inside the library only.
 *
 * Both evaluate only where there is no evaluator thread, so that they never wait for a device or
 * for a reader of stdout.
 */
#ifndef AOTIGEN_CATCH_UP_H
#define AOTIGEN_CATCH_UP_H

#include "launch/evaluator_thread.h"

/* Until each result that had arrived is evaluated and written. until: as of the clock of
 * base/thread.h. False where the time was over first. */
bool ag_catch_up_results(int64_t until);
/* Until all runs of `m` that are over are evaluated, and the replays that have begun, or their
 * device is lost. */
bool ag_catch_up_runs(const ag_model_state *m, int64_t until);

#endif
