/* held_values.h - bad values in an input or weight that a kernel overwrites, at least in part. Such
 * a value tells nothing by itself: it is reported once an output of the launch may hold it. Part of
 * the NaN assert. */
#ifndef AOTIGEN_HELD_VALUES_H
#define AOTIGEN_HELD_VALUES_H

#include "state/evaluation.h"

/* Before the launch: keeps the first element of these kinds, of one slot, for a later report. False
 * where the kernel may read what the argument holds, or where there is no such element: then it is
 * to be reported now. */
bool ag_held_values_keep(ag_evaluation *e, ag_arg *a, int slot, unsigned kinds);

/* After the launch, of a bad output: reports what was kept and may have reached it. */
void ag_held_values_report(ag_evaluation *e, unsigned slot_kinds, size_t out);

#endif
