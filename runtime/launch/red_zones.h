/* red_zones.h - which red zones of guarded buffers are scanned, and when. Inside the library only.
 *
 * After a launch those of the buffers that it was given, which it may have written past; and those
 * of the buffers that were released since the launch before. What remains of a run is scanned at
 * its end.
 */
#ifndef AOTIGEN_RED_ZONES_H
#define AOTIGEN_RED_ZONES_H

#include "state/run_state.h"

/* Before a launch: sets the zones of what it reads of poisoned buffers, and notes which buffers it
 * writes. */
void ag_poison_plan(aotigen_run *run);
/* Behind a launch: sets the zones of the run's record, and plans their scan where the device scans.
 */
void ag_red_zones_plan(aotigen_run *run);
/* The scans of the record were started: the buffers that were released are given back. */
void ag_red_zones_free_released(aotigen_run_state *s);
/* The run is over, but for its record. unwinding: 1: nothing is scanned. */
void ag_red_zones_end(aotigen_run *run, int unwinding);

#endif
