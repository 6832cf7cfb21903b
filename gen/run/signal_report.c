/* signal_report.c - see diagnosis_parts.h. */
#include "run/diagnosis_parts.h"
#include <string.h>

/* True if a thread that is in no run got the signal, while a run was in flight on another
 * thread. */
static bool came_elsewhere(const event *x) {
  return x->end.signal_thread > 0 && x->thread > 0 && x->end.signal_thread != x->thread;
}

/* The place in the run, relative to its last checked launch. */
enum moment { BEFORE_ALL, BEFORE, WITHIN, AFTER };

static enum moment find_moment(const event *x) {
  const char *at = x->end.at ? x->end.at : "";
  if (!x->place.launch) return BEFORE_ALL;
  if (!strcmp(at, "checking")) return BEFORE;
  return !strcmp(at, "starting") || !strcmp(at, "returned") ? AFTER : WITHIN;
}

/* ", launch 3"; "" if it is not known. */
static const char *format_launch(const event *x, arena *a) {
  if (x->place.launch < 0) return "";
  switch (find_moment(x)) {
    case BEFORE_ALL: return ", before its first checked launch";
    case BEFORE:
      return arena_printf(a, ", while the arguments of launch %lld were checked", x->place.launch);
    case WITHIN: return arena_printf(a, ", launch %lld", x->place.launch);
    case AFTER: return arena_printf(a, ", after launch %lld", x->place.launch);
  }
  return "";
}

const char *signal_report_what(const event *x, arena *a) {
  const char *t = or_unknown(x->end.signal);
  if (x->cause == CAUSE_OUTSIDE && x->end.sender > 0)
    return arena_printf(a, "%s, which process %lld sent while no run of the model was in flight", t,
                        x->end.sender);
  if (x->cause == CAUSE_OUTSIDE)
    return arena_printf(a, "%s on thread %lld, which is in no run of the model", t,
                        x->end.signal_thread);
  if (came_elsewhere(x))
    t = arena_printf(a, "%s on thread %lld, while thread %lld was", t, x->end.signal_thread,
                     x->thread);
  if (x->place.run < 0) return t;
  t = arena_printf(a, "%s in run %lld%s", t, x->place.run, format_launch(x, a));
  return x->place.kernel && x->place.launch
             ? arena_printf(a, "%s: %s", t, shown_name(x->place.kernel, a))
             : t;
}

const char *signal_report_why(const event *x) {
  const enum moment moment = find_moment(x);
  if (x->cause == CAUSE_OUTSIDE && x->end.sender > 0)
    return "who sent it ended the program: the model has no part in it";
  if (x->cause == CAUSE_OUTSIDE)
    return "no launch was in flight on another thread: the reason is in the program, or in what "
           "was overwritten before";
  if (x->cause == CAUSE_INTERRUPTED && moment == WITHIN)
    return "the signal came while this launch was in flight: it hangs, or the program was ended "
           "early";
  if (x->value.how)
    return "the signal came while this launch was in flight, and its kernel, computed again, fails "
           "as 'how' says";
  if (came_elsewhere(x))
    return "the thread that got the signal is in no run: it is one on which this launch computes, "
           "as OpenMP's do, or one of the program's own, which may have nothing to do with it";
  switch (moment) {
    case BEFORE_ALL: return "the signal came in a run, before the first launch that is checked";
    case BEFORE: return "the signal came as the library read what this launch was to be given";
    case WITHIN: break;
    case AFTER:
      return "this launch had returned when the signal came, and the next that is checked had not "
             "begun";
  }
  return "the signal came while this launch was in flight";
}
