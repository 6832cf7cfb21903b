/* requested.h - the elements whose computation the user asks for (AOTIGEN_EXPLAIN, --explain).
 * Inside the library only. */
#ifndef AOTIGEN_REQUESTED_H
#define AOTIGEN_REQUESTED_H

#include "state/run_state.h"

/* After a launch, on the run's thread: what is asked for of it and does not exist is named in a
 * warning, once. */
void ag_requested_note(aotigen_run *run);

/* When its record is evaluated: a report of each element of it that is asked for. */
void ag_requested_report(ag_evaluation *e);

/* At the end of a run: what selected no launch of any run is named in a warning when the process
 * exits, or the model is unloaded. */
void ag_requested_end(const aotigen_run *run);

#endif
