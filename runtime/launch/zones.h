/* zones.h - which memory of guarded buffers is compared with the pattern, and when. Inside the
 * library only.
 *
 * Before a launch: what it reads of poisoned buffers, and, where the host scans, the red zones of
 * the buffers that it is given, if they were not compared behind the launch before. After a launch:
 * the red zones of those buffers, which it may have written past, and of those that were released
 * since the launch before. At the run's end: the red zones that remain, and poisoned outputs.
 */
#ifndef AOTIGEN_ZONES_H
#define AOTIGEN_ZONES_H

#include "state/run_state.h"

/* Before a launch: sets the zones of the run's record, plans their scan where the device scans, and
 * notes which buffers the launch writes. */
void ag_zones_plan_before(aotigen_run *run);
/* The same behind a launch. */
void ag_zones_plan_after(aotigen_run *run);
/* The scans of the record were started: the buffers that were released are given back. */
void ag_zones_free_released(aotigen_run_state *s);
/* The run is over, but for its record. unwinding: 1 where it threw, and nothing is scanned. */
void ag_zones_end(aotigen_run *run, int unwinding);

#endif
