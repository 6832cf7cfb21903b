/* report_args.h - which arguments of a launch a report of bad values lists, where the kernel was
 * given one tensor twice, and which Inf it offers as a cause. Inside the library only.
 */
#ifndef AOTIGEN_REPORT_ARGS_H
#define AOTIGEN_REPORT_ARGS_H

#include "state/evaluation.h"

/* A test of argument number i. */
typedef bool ag_arg_test(const ag_evaluation *e, size_t i, unsigned kinds);

/* Is the tensor of output, or input, number i listed under another argument, for which
 * `is_preferred` is true, or which is before it. */
bool ag_report_args_has_output(const ag_evaluation *e, size_t i, unsigned kinds,
                               ag_arg_test *is_preferred);
bool ag_report_args_has_input(const ag_evaluation *e, size_t i, unsigned kinds,
                              ag_arg_test *is_preferred);

/* The argument that held an Inf on purpose, as a mask does, at the element that belongs to the
 * first NaN of an output for which `is_reported` is true: more than chance, and no proof. Or NULL.
 */
const ag_arg *ag_report_args_find_intended(ag_evaluation *e, ag_arg_test *is_reported);

#endif
