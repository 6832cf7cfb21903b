/* progress.c - see progress.h. */
#include "system/progress.h"
#include <time.h>
#include <unistd.h>

static double now_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

void progress_begin(progress *p, int verbosity) {
  *p = (progress){.shown = verbosity >= 0 && isatty(STDERR_FILENO), .start = now_seconds()};
}

double progress_seconds(const progress *p) { return now_seconds() - p->start; }

void progress_step(progress *p, const char *what) {
  double t = now_seconds();
  if (p->shown && p->what) fprintf(stderr, "\r  %-40s %6.1f s\n", p->what, t - p->step);
  p->what = what;
  p->step = t;
  if (p->shown && what) fprintf(stderr, "  %-40s", what);
}
