/* argument_report.c - see diagnosis_parts.h. */
#include "run/diagnosis_parts.h"
#include <string.h>

/* "args[0] (arg0_1)[2, 3]: expected finite, found nan", as far as it is known. */
static const char *format_argument(const event *x, arena *a) {
  const char *name = x->value.arg ? x->value.arg : x->value.python_name, *t = "";
  if (name && x->value.python_name && strcmp(name, x->value.python_name) != 0)
    t = arena_printf(a, "%s (%s)", name, x->value.python_name);
  else if (name)
    t = name;
  if (name && x->value.index && *x->value.index) t = arena_printf(a, "%s[%s]", t, x->value.index);
  if (x->value.check && x->cause != CAUSE_DEVICE && x->cause != CAUSE_FAILED && !x->value.index)
    t = arena_printf(a, "%s%s%s", t, *t ? ": " : "", x->value.check);
  bool expected = x->value.expected && strcmp(x->value.expected, "none") != 0;
  if (expected) t = arena_printf(a, "%s%sexpected %s", t, *t ? ": " : "", x->value.expected);
  if (x->value.found)
    t = arena_printf(a, "%s%s%s%s", t, *t ? ", " : "", expected ? "found " : "", x->value.found);
  if (x->value.count >= 0 && x->value.numel >= 0)
    t = arena_printf(a, "%s; %lld of %lld elements", t, x->value.count, x->value.numel);
  return t;
}

void argument_report_say(screen *s, const event *x) {
  const char *t = format_argument(x, s->a);
  const bool named = x->value.arg || x->value.python_name;
  if (*t) screen_say(s, x->value.index ? "element" : named ? "argument" : "found", "%s", t);
}

const char *argument_report_explain(const evidence *e, const event *x, arena *a) {
  static const enum cause given[] = {CAUSE_INPUT, CAUSE_WARNING};
  enum {
    FAILURES = 1 << CAUSE_CRASH | 1 << CAUSE_ABORT | 1 << CAUSE_DEVICE | 1 << CAUSE_FAILED |
               1 << CAUSE_MEMORY
  };
  if (!x || !(FAILURES & 1 << x->cause)) return "";
  for (size_t i = 0; i < 2; i++) {
    const event *g = event_log_find_before(e->log, given[i], x);
    if (g)
      return arena_printf(a, "; the model was not compiled for what run %lld was given: %s",
                          g->place.run, format_argument(g, a));
  }
  return "";
}
