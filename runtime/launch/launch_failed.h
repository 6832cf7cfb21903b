/* launch_failed.h - reports a launch that failed on the host, and why. Inside the library only. */
#ifndef AOTIGEN_LAUNCH_FAILED_H
#define AOTIGEN_LAUNCH_FAILED_H

#include "state/run_state.h"

/* Reports that the wrapper threw while no launch was in flight: a call that launches nothing
 * failed, such as a view. The run's last launch is known. Returns what to throw, or NULL. */
const char *ag_run_failed_between(aotigen_run *run, const char *what);

#endif
