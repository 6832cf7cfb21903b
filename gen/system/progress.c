/* progress.c - see progress.h. */
#include "system/progress.h"
#include <time.h>
#include <unistd.h>

enum { EVERY_SECONDS = 10 };

/* The step that this process is at, where standard error is no terminal. */
static struct {
  pid_t process; /* 0: none is told */
  char what[120];
  double start, told;
} step_told;

static double now_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

void progress_begin(progress *p, int verbosity) {
  *p = (progress){.shown = verbosity >= 0 && isatty(STDERR_FILENO), .start = now_seconds()};
  step_told.process = verbosity >= 0 && !p->shown ? getpid() : 0;
  step_told.start = step_told.told = p->start;
  step_told.what[0] = '\0';
}

double progress_seconds(const progress *p) { return now_seconds() - p->start; }

void progress_step(progress *p, const char *what) {
  double t = now_seconds();
  if (p->shown && p->what) fprintf(stderr, "\r  %-40s %6.1f s\n", p->what, t - p->step);
  p->what = what;
  p->step = t;
  if (p->shown && what) fprintf(stderr, "  %-40s", what);
  snprintf(step_told.what, sizeof step_told.what, "%s", what ? what : "");
}

bool progress_is_told(void) { return step_told.what[0] && step_told.process == getpid(); }

void progress_tick(void) {
  if (!progress_is_told()) return;
  const double t = now_seconds();
  if (t - step_told.told < EVERY_SECONDS) return;
  step_told.told = t;
  fprintf(stderr, "aotigen: %s, after %.0f s\n", step_told.what, t - step_told.start);
}
