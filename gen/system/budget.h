/* budget.h - what all processes of one package may take together: time by the clock, processor time
 * for its parser, and temporary files.
 *
 * One for the process; process.c ends a child where it is spent. Without budget_begin() there is no
 * limit.
 */
#ifndef GEN_BUDGET_H
#define GEN_BUDGET_H

#include "base/diag.h"
#include "base/limits.h"
#include <stdint.h>

/* Starts the clock, also for a second package. Limits of 0 are none. */
void budget_begin(const process_limits *limits);

/* From now on the files below `dir` count, which outlives the process's children: more than the
 * limit and `more` bytes are too many. */
void budget_watch(const char *dir, uint64_t more);

/* On the monotonic clock, in milliseconds: when the time is spent; 0: never. */
long budget_until(void);

/* True where time or files are spent, and from then on. The files are counted a few times a second,
 * and at each call with `now`. */
bool budget_is_spent(bool now);

/* True with an error in `d` where it is spent: `name` is what is worked on. */
bool budget_report(const char *name, diags *d);

/* What is left of the parser's processor time, in milliseconds, where `limited`. */
typedef struct budget_time {
  bool limited;
  long ms;
} budget_time;

budget_time budget_parser_left(void);
void budget_take_parser(long ms);

#endif
