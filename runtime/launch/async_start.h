/* async_start.h - chooses how the launches of a run are evaluated, and makes their records. Inside
 * the library only. */
#ifndef AOTIGEN_ASYNC_START_H
#define AOTIGEN_ASYNC_START_H

#include "launch/async_run.h"

/* Sets the run's `mode`, once, at its first launch or input. device_index: the device of that, or
 * -1. */
void ag_run_choose_mode(aotigen_run *run, int32_t device_index);

/* Makes a record for the launch in progress (site AG_NO_SITE: the model's inputs), with room for
 * nargs arguments. In an async run, ag_async_run_publish() publishes it; otherwise it is the
 * state's own. If an async run has no room, it is the state's own and is not scanned. False if
 * memory ran out. */
bool ag_run_begin_record(aotigen_run *run, const ag_launch *l, size_t nargs);

#endif
