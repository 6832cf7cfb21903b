/* launch_failed.h - the report of a launch that failed on the host: with what, and why. Inside the
 * library only. */
#ifndef AOTIGEN_LAUNCH_FAILED_H
#define AOTIGEN_LAUNCH_FAILED_H

#include "state/run_state.h"

/* Reports that the wrapper threw where no launch is in flight: a call that launches nothing failed,
 * such as a view. The last launch of the run is known. What to throw, or NULL. */
const char *ag_run_failed_between(aotigen_run *run, const char *what);

#endif
