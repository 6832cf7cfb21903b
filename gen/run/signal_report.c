/* signal_report.c - see signal_report.h. */
#include "run/signal_report.h"
#include <string.h>

/* Did a thread get the signal that is in no run, while this one was under way on another. */
static bool came_elsewhere(const event *x) {
  return x->signal_thread > 0 && x->thread > 0 && x->signal_thread != x->thread;
}

static bool is_at(const event *x, const char *at) { return x->at && !strcmp(x->at, at); }

const char *signal_report_what(const event *x, arena *a) {
  const char *t = x->signal ? x->signal : "?";
  if (x->cause == CAUSE_OUTSIDE)
    return arena_printf(a, "%s on thread %lld, which is in no run of the model", t,
                        x->signal_thread);
  if (came_elsewhere(x))
    t = arena_printf(a, "%s on thread %lld, while thread %lld was", t, x->signal_thread, x->thread);
  if (x->run < 0) return t;
  t = arena_printf(a, "%s in run %lld", t, x->run);
  if (!x->launch) return arena_printf(a, "%s, before its first checked launch", t);
  if (x->launch > 0 && is_at(x, "checking"))
    t = arena_printf(a, "%s, while the arguments of launch %lld were checked", t, x->launch);
  else if (x->launch > 0 && (is_at(x, "starting") || is_at(x, "returned")))
    t = arena_printf(a, "%s, after launch %lld", t, x->launch);
  else if (x->launch > 0)
    t = arena_printf(a, "%s, launch %lld", t, x->launch);
  return x->kernel ? arena_printf(a, "%s: %s", t, x->kernel) : t;
}

const char *signal_report_why(const event *x) {
  if (x->cause == CAUSE_OUTSIDE)
    return "no launch was under way on another thread: the reason is in the program, or in what "
           "was overwritten before";
  const bool within = x->launch && !is_at(x, "checking") && !is_at(x, "starting") &&
                      !is_at(x, "returned");
  if (x->cause == CAUSE_INTERRUPTED && within)
    return "the signal came while this launch was under way: it hangs, or the program was ended "
           "early";
  if (came_elsewhere(x))
    return "the thread that got the signal is in no run: it is one on which this launch computes, "
           "as OpenMP's do, or one of the program's own, which may have nothing to do with it";
  if (!x->launch) return "the signal came in a run, before the first launch that is checked";
  if (is_at(x, "checking"))
    return "the signal came as the library read what this launch was to be given";
  if (is_at(x, "starting") || is_at(x, "returned"))
    return "this launch had returned when the signal came, and the next that is checked had not "
           "begun";
  return "the signal came while this launch was under way";
}
