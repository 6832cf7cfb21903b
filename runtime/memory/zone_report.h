/* zone_report.h - what the reports of guarded memory share. Inside the library only. */
#ifndef AOTIGEN_ZONE_REPORT_H
#define AOTIGEN_ZONE_REPORT_H

#include "state/evaluation.h"

/* The buffer, and where it was allocated. */
void ag_zone_report_buffer(ag_text *t, const aotigen_model *model, const ag_zone *z);

/* True where this side of this buffer, or its elements, was not reported in this run yet. Notes
 * that it is reported now. */
bool ag_zone_report_is_first(ag_evaluation *e, const ag_zone *z);

#endif
