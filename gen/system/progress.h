/* progress.h - prints the steps of a long run with their times, and not with -q: on a terminal each
 * step, elsewhere a line each ten seconds with the step that it is at.
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

/* Prints the line "aotigen: model: rewrite, after 20 s" where it is due: what waits calls it, at
 * least once a second. Nothing in a child of the process that is at the step. */
void progress_tick(void);

/* True if a step is told so: then what waits must not block. */
bool progress_is_told(void);

#endif
