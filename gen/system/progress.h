/* progress.h - prints the steps of a long run with their times, on a terminal only, and not with
 * -q.
 */
#ifndef GEN_PROGRESS_H
#define GEN_PROGRESS_H

#include "base/diag.h"

typedef struct progress {
  bool shown; /* standard error is a terminal */
  double start, step;
  const char *what;
} progress;

void progress_begin(progress *p, int verbosity);

/* Ends the previous step, and begins this one ("model: rewrite"); NULL begins none. */
void progress_step(progress *p, const char *what);

/* Seconds since progress_begin(). */
double progress_seconds(const progress *p);

#endif
