/* async_start.h - how the launches of a run are evaluated is chosen, and what a launch of an async
 * run begins with. Inside the library only.
 */
#ifndef AOTIGEN_ASYNC_START_H
#define AOTIGEN_ASYNC_START_H

#include "launch/async_run.h"

/* Once a run, at its first launch or input: sets `way`. device_index: that this is on, or -1. */
void ag_run_choose_mode(aotigen_run *run, int32_t device_index);

/* A record for the launch in progress (site AG_NO_SITE: the model's inputs), with room for nargs
 * arguments: of an async run one that is published with ag_async_run_publish(); else the state's
 * own. Where an async run has no room the state's own is not scanned. False where memory ran out.
 */
bool ag_run_begin_record(aotigen_run *run, const ag_launch *l, size_t nargs);

#endif
