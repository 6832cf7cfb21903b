/* requested.h - explains the elements that the user requests (AOTIGEN_EXPLAIN, --explain). Inside
 * the library only. */
#ifndef AOTIGEN_REQUESTED_H
#define AOTIGEN_REQUESTED_H

#include "state/run_state.h"

/* True if an element of the launch is requested. */
bool ag_requested_selects(const ag_model_state *m, const ag_record *record);

/* When the record is evaluated: reports each of its requested elements. */
void ag_requested_report(ag_evaluation *e);

#endif
