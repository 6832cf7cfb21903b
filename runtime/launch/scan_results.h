/* scan_results.h - the two sources of an evaluation's values. Inside the library only. */
#ifndef AOTIGEN_SCAN_RESULTS_H
#define AOTIGEN_SCAN_RESULTS_H

#include "state/evaluation.h"

/* Reads the tensors on request, after the work of the launch's stream. */
extern const ag_scan_results ag_immediate_results;
/* Returns what the device was asked for (scan_plan.h); the evaluation's `source` is the
 * ag_async_run. */
extern const ag_scan_results ag_recorded_results;

#endif
