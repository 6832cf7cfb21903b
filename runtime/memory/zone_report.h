/* zone_report.h - the common parts of the reports on guarded memory. Inside the library only. */
#ifndef AOTIGEN_ZONE_REPORT_H
#define AOTIGEN_ZONE_REPORT_H

#include "state/evaluation.h"

/* Adds the buffer, and where it was allocated. */
void ag_zone_report_buffer(ag_text *t, const aotigen_model *model, const ag_zone *z);

/* True if this side of this buffer, or its elements, was not reported in this run yet. Marks it as
 * reported. */
bool ag_zone_report_is_first(ag_evaluation *e, const ag_zone *z);

#endif
