/* requested.h - the elements whose computation the user asks for (AOTIGEN_EXPLAIN, --explain).
 * Inside the library only. */
#ifndef AOTIGEN_REQUESTED_H
#define AOTIGEN_REQUESTED_H

#include "state/run_state.h"

/* When its record is evaluated: a report of each element of it that is asked for. */
void ag_requested_report(ag_evaluation *e);

#endif
