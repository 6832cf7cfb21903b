/* held_values.h - bad values in an input or weight that a kernel overwrites, at least in part, or
 * that it may leave out; and in memory that nothing wrote and an operator is given. Such a value
 * tells nothing by itself: it is reported once an output of the launch may hold it. Part of the NaN
 * assert. */
#ifndef AOTIGEN_HELD_VALUES_H
#define AOTIGEN_HELD_VALUES_H

#include "state/evaluation.h"

/* Are the bad values of these kinds, of one slot, that the argument holds before the launch of that
 * sort. False where the kernel surely reads them. */
bool ag_held_values_are(const ag_evaluation *e, const ag_arg *a, unsigned kinds);

/* Does the kernel's text tell that it may leave bad values of argument i out, or select them away,
 * in all that it writes: if it does not, its outputs show it. */
bool ag_held_values_may_be_left_out(const ag_record *record, size_t i, unsigned kinds);

#endif
