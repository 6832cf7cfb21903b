/* output_bounds.h - what a user asks to have looked for in outputs beside NaN and Inf: values
 * beyond a limit of AOTIGEN_WATCH_LIMITS, and dead outputs, by AOTIGEN_WATCH_DEAD. Inside the
 * library only.
 *
 * An output is dead where it has only one value, the same in all of its elements, in so many
 * watched runs in a row; a zero is one. A complex output has no order, and is neither. */
#ifndef AOTIGEN_OUTPUT_BOUNDS_H
#define AOTIGEN_OUTPUT_BOUNDS_H

#include "watch/output_report.h"

/* True if any is asked for. */
bool ag_output_bounds_are_set(void);

/* What the output is to be scanned for: bits of enum ag_want; 0: for nothing. */
unsigned ag_output_want(const ag_view *view, size_t output);

/* True if the statistics, of all of the output or of a part, hold what may be reported. */
bool ag_output_is_suspect(const ag_view *view, size_t output, const ag_stats *stats);

/* Warns, once, of limits of outputs that the model does not have. */
void ag_output_bounds_check(size_t outputs);

/* Adds what is beyond a limit, and that it is dead. stats: of the whole output, or of a part that
 * is not suspect. */
void ag_output_bounds_report(ag_output_report *report, const ag_watched_run *r, size_t output,
                             const ag_stats *stats);

#endif
