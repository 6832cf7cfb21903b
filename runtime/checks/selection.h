/* selection.h - warns of filters that select nothing: an unchecked model looks like a clean one.
 * Inside the library only.
 *
 * A run's filter is checked when the run ends. Each is reported once per model, as a warning on
 * stderr and an event in the log. None throws. */
#ifndef AOTIGEN_SELECTION_H
#define AOTIGEN_SELECTION_H

#include "state/run_state.h"

/* At the model's load or first run: reports patterns that select no site of it, with the most
 * similar names. */
void ag_selection_check_kernels(ag_model_state *m);

#endif
