/* recorded_weights.h - the numbers of weights, which a ledger scans once for each change of the
 * model's weights instead of for each launch that reads them. Inside the library only.
 *
 * Any thread may call. If memory runs out, a weight is scanned again. */
#ifndef AOTIGEN_RECORDED_WEIGHTS_H
#define AOTIGEN_RECORDED_WEIGHTS_H

#include "shared/ledger.h"
#include "state/model_state.h"
#include "state/launch.h"

/* True if it is a weight on the CPU that nothing may have written since its update. A GPU scans
 * each in the launch's batch. */
bool ag_is_recorded_weight(const ag_model_state *m, const ag_arg *a);

/* Fills in what is known of it, and marks it as kept; false if it is to be scanned. */
bool ag_recorded_weight_find(const ag_model_state *m, const ag_arg *a, ledger_arg *x);
void ag_recorded_weight_keep(const ag_model_state *m, const ag_arg *a, const ledger_arg *x);

/* A launch may have written the view, which may be a weight by another name. */
void ag_recorded_weights_write(ag_model_state *m, const ag_view *view);

#endif
