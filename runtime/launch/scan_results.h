/* scan_results.h - the two ways in which an evaluation has its values. Inside the library only. */
#ifndef AOTIGEN_SCAN_RESULTS_H
#define AOTIGEN_SCAN_RESULTS_H

#include "state/evaluation.h"

/* Reads the tensors when it is asked, behind what the launch's stream was given. */
extern const ag_scan_results ag_immediate_results;
/* Has what the device was asked for (scan_plan.h); `source` of the evaluation is the ag_async_run.
 */
extern const ag_scan_results ag_recorded_results;

#endif
