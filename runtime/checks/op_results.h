/* op_results.h - how many tensors an op of the proxy executor returned: a list may be longer than
 * the wrapper's array, which has room for those that it had when the model was compiled. Inside the
 * library only. */
#ifndef AOTIGEN_OP_RESULTS_H
#define AOTIGEN_OP_RESULTS_H

#include "state/run_state.h"

/* Reports the launch in progress, whose op returned more tensors (run->more). What to throw, or
 * NULL. */
const char *ag_op_results_report(aotigen_run *run);

#endif
