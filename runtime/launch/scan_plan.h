/* scan_plan.h - which tensors the device is asked to scan around a launch of an async run. Inside
 * the library only.
 *
 * The plan does not know what earlier scans will find. It takes every scanned tensor for clean, and
 * asks for all that the evaluation may need: the evaluation scans each tensor once after each
 * write, and so does the plan, whose tables (`covered` of the run state) say what was scanned since
 * it was written. Where the evaluation would need a scan only after it found a bad value, the
 * plan asks for a probe.
 *
 * Before a launch and after it, it plans the batch for the record in progress: what the NaN assert
 * needs, and what other hooks want (state/launch_hooks.h).
 */
#ifndef AOTIGEN_SCAN_PLAN_H
#define AOTIGEN_SCAN_PLAN_H

#include "launch/async_run.h"

/* Plans the batch of the model's inputs: what the hooks want of a launch that reads them. */
void ag_scan_plan_inputs(aotigen_run *run);

/* Which target of a batch is the argument's; `view` is its own, or the whole weight that it is a
 * slice of. NULL where there is none. */
ag_scan_target *ag_scan_plan_find(const ag_record *record, const ag_arg *a, const ag_view *view,
                                  enum ag_when when, bool probe);

/* Adds targets for the record's zones to the batch, before anything else is planned for it. False
 * where memory ran out. */
bool ag_scan_plan_zones(aotigen_run *run, enum ag_when when);
ag_scan_target *ag_scan_plan_find_zone(const ag_record *record, enum ag_when when, unsigned zone);

#endif
