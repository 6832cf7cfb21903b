/* birth_report.h - the report of a bad value that a launch made: its outputs, its inputs, and an
 * Inf that may be its cause. Part of the NaN assert. */
#ifndef AOTIGEN_BIRTH_REPORT_H
#define AOTIGEN_BIRTH_REPORT_H

#include "state/evaluation.h"

/* Writes the report, once all outputs of the launch are known. origin: from ag_origin_after();
 * kinds: all of one slot. The outputs that are reported have one of them in `own`. unseen: an input
 * that could not be scanned and may have brought the value, or NULL. */
void ag_birth_report_write(ag_evaluation *e, uint16_t origin, unsigned kinds, const ag_arg *unseen);

#endif
