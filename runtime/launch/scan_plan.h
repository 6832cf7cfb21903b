/* scan_plan.h - chooses the tensors that the device scans around a launch of an async run. Inside
 * the library only.
 *
 * The plan does not know what earlier scans will find. It takes every scanned tensor for clean, and
 * requests all that the evaluation may need. Both scan each tensor once after each write: the
 * plan's tables (`covered` of the run state) say what was scanned since it was written. If the
 * evaluation would need a scan only after it found a bad value, the plan requests a probe.
 *
 * It plans the record's batches before a launch and after it, for the NaN assert and for other
 * hooks (state/launch_hooks.h). */
#ifndef AOTIGEN_SCAN_PLAN_H
#define AOTIGEN_SCAN_PLAN_H

#include "launch/async_run.h"

/* Plans the batch of the model's inputs: what the hooks want of a launch that reads them. */
void ag_scan_plan_inputs(aotigen_run *run);

/* The argument's target in a batch. `view` is the argument's own, or the weight that it is a slice
 * of. NULL if there is none. */
ag_scan_target *ag_scan_plan_find(const ag_record *record, const ag_arg *a, const ag_view *view,
                                  enum ag_when when, bool probe);

/* Adds targets for the record's red zones to the batch, before anything else. False if memory ran
 * out. */
bool ag_scan_plan_zones(aotigen_run *run, enum ag_when when);
ag_scan_target *ag_scan_plan_find_zone(const ag_record *record, enum ag_when when, unsigned zone);

#endif
