/* selection.h - filters that select nothing: a model that is not checked looks like a clean one.
 * Inside the library only.
 *
 * That of a run is found when it ends. Each is reported once a model, as a warning on stderr and an
 * event in the log. None throws.
 */
#ifndef AOTIGEN_SELECTION_H
#define AOTIGEN_SELECTION_H

#include "state/run_state.h"

/* At the model's load or first run: patterns that select no site of it, with the names that are
 * most like them. */
void ag_selection_check_kernels(ag_model_state *m);

#endif
