/* budget.h - what all processes of one package may take together: time by the clock, processor time
 * for its parser, and temporary files.
 *
 * There is one budget for the process. process.c kills a child once it is spent. Without
 * budget_begin() there is no limit.
 */
#ifndef GEN_BUDGET_H
#define GEN_BUDGET_H

#include "base/diag.h"
#include "base/limits.h"
#include <stdint.h>

/* Starts the clock, also for a second package. Limits of 0 are none. */
void budget_begin(const process_limits *limits);

/* Counts the files below `dir` from now on. The directory outlives the process's children. The
 * limit is increased by `more` bytes. */
void budget_watch(const char *dir, uint64_t more);

/* On the monotonic clock, in milliseconds: now, and the end of the time; 0: never. */
long budget_now(void);
long budget_until(void);

/* True once the time or the files are spent. The files are counted a few times a second, and at
 * each call with `now`. */
bool budget_is_spent(bool now);

/* What is spent and which option allows more, for a sentence's end; NULL: nothing is. A reader that
 * was killed says this, since its file may be sound. The text is static. */
const char *budget_why(void);

/* True, with an error in `d`, if it is spent. `name` is the package that is worked on. */
bool budget_report(const char *name, diags *d);

/* The parser's remaining processor time, in milliseconds, where `limited`. */
typedef struct budget_time {
  bool limited;
  long ms;
} budget_time;

budget_time budget_parser_left(void);
void budget_take_parser(long ms);

#endif
