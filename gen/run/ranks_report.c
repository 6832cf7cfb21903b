/* ranks_report.c - see diagnosis_parts.h. */
#include "base/shown.h"
#include "run/diagnosis_parts.h"

/* "rank 1", "process 4711" */
static const char *name_rank(long long rank, long long pid, arena *a) {
  return rank >= 0 ? arena_printf(a, "rank %lld", rank) : arena_printf(a, "process %lld", pid);
}

const char *ranks_report_explain(const evidence *e, const event *x, arena *a) {
  const event_given *from = event_log_find_giver(e->log, x);
  if (from)
    return arena_printf(a, "what %s put into that launch held it",
                        name_rank(from->rank, from->pid, a));
  return "what this rank put into that launch was clean, or not scanned: another rank's log tells "
         "of it, if AOTIGEN_LOG has %r in its name and all ranks run the debug model";
}

void ranks_report_say(screen *s, const evidence *e, const verdict *v) {
  const event *to = &e->log->first[CAUSE_RECEIVED];
  if (!v->event || v->cause == CAUSE_RECEIVED || !e->log->counts[CAUSE_RECEIVED]) return;
  const event_given *from = event_log_find_giver(e->log, to);
  const long long run = from ? from->run : to->place.run;
  if ((from ? from->pid != v->event->pid : to->pid == v->event->pid) || run != v->event->place.run)
    return;
  const char *rank = name_rank(to->place.rank, to->pid, s->a),
             *kernel = to->place.kernel ? shown_name(to->place.kernel, s->a) : "?";
  if (from)
    screen_whole(s, "other ranks", "it came to %s with launch %lld: %s", rank, to->place.launch,
                 kernel);
  else /* only a part of what this rank gave is its own result */
    screen_whole(s, "other ranks", "it came to %s, perhaps from here, with launch %lld: %s", rank,
                 to->place.launch, kernel);
}
