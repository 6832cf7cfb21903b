/* run.h - what the markers share. Inside the library only. */
#ifndef AOTIGEN_RUN_H
#define AOTIGEN_RUN_H

#include "output/saver.h"
#include "state/run_state.h"

/* How the run's tensors are saved. */
ag_save_mode ag_run_save_mode(const aotigen_run *run);

/* True if the current launch has set run->site; otherwise it is an earlier launch's. */
bool ag_run_knows_site(const aotigen_run *run);

/* Logs the event of a device error that this run met. */
void ag_run_log_device_error(const aotigen_run *run, const char *error);

#endif
