/* held_values.h - bad values that a launch need not use: those in an input or weight that a kernel
 * overwrites at least in part or may leave out, and those in uninitialised memory that an operator
 * is given. Such a value is reported only once an output of the launch may hold it. Part of the NaN
 * assert. */
#ifndef AOTIGEN_HELD_VALUES_H
#define AOTIGEN_HELD_VALUES_H

#include "state/evaluation.h"

/* True if the launch need not use the argument's bad values of these kinds, all of one slot. False
 * if the kernel surely reads them. */
bool ag_held_values_may_be_unused(const ag_evaluation *e, const ag_arg *a, unsigned kinds);

/* True if the kernel's text says that each output may omit bad values of argument i, or select them
 * away. Otherwise its outputs show them. */
bool ag_held_values_may_be_left_out(const ag_record *record, size_t i, unsigned kinds);

#endif
