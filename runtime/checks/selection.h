/* selection.h - filters that select nothing: a model that is not checked looks like a clean one.
 * Inside the library only.
 *
 * Each is reported once a model, as a warning on stderr and an event in the log. None throws.
 */
#ifndef AOTIGEN_SELECTION_H
#define AOTIGEN_SELECTION_H

#include "state/run_state.h"

/* At the model's load or first run: patterns that select no site of it, with the names that are
 * most like them. */
void ag_selection_check_kernels(ag_model_state *m);

/* At the end of a run: AOTIGEN_LAUNCHES, alone or with the patterns, selected none of its launches.
 */
void ag_selection_check_launches(const aotigen_run *run);

/* At the begin of a run. If AOTIGEN_RUNS selects no run until the model is unloaded, the warning is
 * written then. */
void ag_selection_count_run(ag_model_state *m, bool selected);

#endif
