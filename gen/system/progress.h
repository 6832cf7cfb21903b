/* progress.h - steps with their times, for a person who waits: on a terminal only, and not with -q.
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

/* The step before is at its end, and this one begins: "model: rewrite". NULL: none begins. */
void progress_step(progress *p, const char *what);

/* Seconds since the beginning. */
double progress_seconds(const progress *p);

#endif
