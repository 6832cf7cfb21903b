/* infinity_report.c - see diagnosis_parts.h. */
#include "run/diagnosis_parts.h"
#include <string.h>

bool infinity_report_is(const event *x) { return x->value.check && !strcmp(x->value.check, "inf"); }

static bool is_of_same_run(const event *x, const event *of) {
  return x->number && x->pid == of->pid && x->place.run == of->place.run;
}

bool infinity_report_has_suspect(const evidence *e, const event *x) {
  const event *inf = &e->log->suspected;
  return x->value.made_of && is_of_same_run(inf, x) && inf->value.suspected_by == x->place.launch;
}

/* "buf3[2,0]" */
static const char *format_element(const event *x, arena *a) {
  const char *at = x->value.index ? arena_printf(a, "[%s]", x->value.index) : "";
  return arena_printf(a, "%s%s", or_unknown(x->value.arg), at);
}

void infinity_report_say(screen *s, const evidence *e, const event *x) {
  const event *nan = &e->log->made, *inf = &e->log->suspected;
  if (infinity_report_is(x) && is_of_same_run(nan, x))
    screen_whole(s, "then", "NaN%s, in %s", diagnosis_place(nan, s->a), format_element(nan, s->a));
  if (infinity_report_has_suspect(e, x))
    screen_whole(s, "perhaps of", "Inf %s%s, in %s", cause_what(inf->cause),
                 diagnosis_place(inf, s->a), format_element(inf, s->a));
}
