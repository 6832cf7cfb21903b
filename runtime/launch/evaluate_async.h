/* evaluate_async.h - the evaluation of what an async run recorded. Inside the library only. The
 * caller holds `eval_lock`. */
#ifndef AOTIGEN_EVALUATE_ASYNC_H
#define AOTIGEN_EVALUATE_ASYNC_H

#include "launch/async_run.h"

/* Evaluates one record of an async run. halfway: the launch never ended, but the scans before it
 * arrived. */
void ag_record_evaluate(ag_async_run *d, ag_record *record, bool halfway);
/* Ends the evaluation of the run or replay, after that of every record. */
void ag_record_evaluate_end(ag_async_run *d);

#endif
