/* report_args.h - which arguments of a launch a report of bad values lists, where the kernel was
 * given one tensor twice, and which Inf it offers as a cause. Inside the library only.
 */
#ifndef AOTIGEN_REPORT_ARGS_H
#define AOTIGEN_REPORT_ARGS_H

#include "state/evaluation.h"

/* A test of argument number i. */
typedef bool ag_arg_test(const ag_evaluation *e, size_t i, unsigned kinds);

/* True if the tensor of output, or input, number i is listed under another argument, which comes
 * first or for which `is_preferred` is true. */
bool ag_report_args_has_output(const ag_evaluation *e, size_t i, unsigned kinds,
                               ag_arg_test *is_preferred);
bool ag_report_args_has_input(const ag_evaluation *e, size_t i, unsigned kinds,
                              ag_arg_test *is_preferred);

/* The argument that held an intended Inf, such as a mask, at the element of the first NaN of an
 * output for which `is_reported` is true; or NULL. It is a likely cause, not a proven one. */
const ag_arg *ag_report_args_find_intended(ag_evaluation *e, ag_arg_test *is_reported);

#endif
