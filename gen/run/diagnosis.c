/* diagnosis.c - see diagnosis.h. */
#include "base/file.h"
#include "run/diagnosis_json.h"
#include "run/diagnosis_parts.h"
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LINES_SHOWN = 6, STEPS_SHOWN = 6 };

/* ---- deciding */

/* A host may have caught the exception of an earlier run. */
static bool failed_before(const event_log *log, const event *e) {
  const event *x = &log->first[CAUSE_FAILED];
  return log->counts[CAUSE_FAILED] && x->pid == e->pid && x->time < e->time;
}

/* The first cause is an earlier error: arguments or memory before a crash, and before an exception
 * a bad value too. A NaN that a launch may have made of an Inf comes after that. */
static const event *find_first(const event_log *log, const event *e) {
  static const enum cause earlier[] = {CAUSE_GUARD, CAUSE_MEMORY, CAUSE_BORN, CAUSE_UNKNOWN};
  if (e->cause == CAUSE_BORN && e->value.made_of) {
    const event *arrived = event_log_find_before(log, CAUSE_ARRIVED, e);
    const event *x = arrived && infinity_report_is(arrived)
                         ? arrived
                         : event_log_find_before(log, CAUSE_UNKNOWN, e);
    return x ? x : e;
  }
  if (e->cause == CAUSE_GUARD && failed_before(log, e)) return &log->first[CAUSE_FAILED];
  const bool crashed = e->cause == CAUSE_CRASH || e->cause == CAUSE_DEVICE ||
                       e->cause == CAUSE_ABORT;
  const size_t n = crashed ? 2 : e->cause == CAUSE_FAILED ? 4 : 0;
  for (size_t i = 0; i < n; i++) {
    const event *x = event_log_find_before(log, earlier[i], e);
    if (x) return x;
  }
  return e;
}

/* True if the last signal outside of all runs ended the program. */
static bool ended_outside(const evidence *e) {
  const char *outside = e->log->counts[CAUSE_OUTSIDE] ? e->log->first[CAUSE_OUTSIDE].end.signal
                                                      : NULL;
  return outside && e->signal && !strcmp(outside, e->signal);
}

/* True if the thread of the event began another launch after it. */
static bool went_on(const event_log *log, const event *x) {
  for (size_t i = 0; i < log->nthreads; i++) {
    const in_flight *u = &log->threads[i];
    if (u->pid == x->pid && u->thread == x->thread && u->time > x->time) return true;
  }
  return false;
}

/* True if the event may have ended the program. A program may handle a signal and continue, and
 * it may end its children by one. */
static bool counts_as_cause(const evidence *e, enum cause cause) {
  if (cause == CAUSE_OUTSIDE) return ended_outside(e);
  if (!e->log->counts[cause] || cause == CAUSE_PASSED) return false;
  const bool crashed = cause == CAUSE_CRASH || cause == CAUSE_ABORT;
  if (e->status != 0 || (!crashed && cause != CAUSE_INTERRUPTED)) return true;
  return crashed && e->log->first[cause].pid != e->pid && !went_on(e->log, &e->log->first[cause]);
}

/* Of a program that ended itself: an operator called exit(), or another thread ended it. */
static bool is_launched(const in_flight *u) { return !strcmp(u->at, "launched"); }

/* Of a program that a signal ended. */
static bool is_unfinished(const in_flight *u) { return !in_flight_is_over(u); }

/* The launch that waits the longest: others may wait for it. */
static const in_flight *find_in_flight(const event_log *log, bool (*is)(const in_flight *)) {
  const in_flight *found = NULL;
  for (size_t i = 0; i < log->nthreads; i++) {
    const in_flight *u = &log->threads[i];
    if (is(u) && (!found || u->time < found->time)) found = u;
  }
  return found;
}

/* For a core dump without a report no run is known, so an earlier error in any run comes first. */
static verdict decide_by_core(const evidence *e) {
  static const enum cause earlier[] = {CAUSE_GUARD, CAUSE_MEMORY};
  for (size_t i = 0; i < sizeof earlier / sizeof *earlier; i++) {
    const event *x = &e->log->first[earlier[i]];
    if (e->log->counts[earlier[i]] && x->time < e->core->time)
      return (verdict){.cause = earlier[i], .event = x};
  }
  return (verdict){.cause = CAUSE_DEVICE};
}

verdict diagnosis_decide(const evidence *e) {
  verdict v = {.cause = CAUSE_NONE};
  for (int i = 0; i < CAUSES && v.cause == CAUSE_NONE; i++) {
    if (i > CAUSE_DEVICE && e->core->exception) return decide_by_core(e);
    if (i > CAUSE_OUTSIDE && e->signal && find_in_flight(e->log, is_unfinished)) break;
    if (counts_as_cause(e, (enum cause)i)) v.cause = (enum cause)i;
  }
  if (v.cause == CAUSE_NONE) {
    if (e->signal) v.launch = find_in_flight(e->log, is_unfinished);
    return v;
  }
  v.event = find_first(e->log, &e->log->first[v.cause]);
  v.cause = v.event->cause;
  return v;
}

const char *diagnosis_source(const evidence *e) {
  const verdict v = diagnosis_decide(e);
  return v.event ? v.event->place.source : v.launch ? v.launch->source : NULL;
}

/* ---- what and where */

static void say_place(screen *s, const evidence *e, const char *source, long long line) {
  if (!source || line < 0) return;
  const char *file = e->wrapper && !strcmp(source, e->source) ? e->wrapper : source;
  screen_path(s, "launched at", "%s:%lld", file_here(file, s->a), line);
}

const char *diagnosis_place(const event *x, arena *a) {
  const char *t = "";
  if (x->place.run >= 0) t = arena_printf(a, " in run %lld", x->place.run);
  if (x->place.run >= 0 && x->place.launch >= 0)
    t = arena_printf(a, "%s, launch %lld", t, x->place.launch);
  if (x->place.run >= 0 && x->place.after_launch >= 0)
    t = arena_printf(a, "%s, after launch %lld", t, x->place.after_launch);
  return x->place.kernel ? arena_printf(a, "%s: %s", t, shown_name(x->place.kernel, a)) : t;
}

static const char *name_value(const event *x) { return infinity_report_is(x) ? "Inf" : "NaN"; }

static const char *format_what(const evidence *e, const event *x, arena *a) {
  const char *place = diagnosis_place(x, a), *value = name_value(x), *what = cause_what(x->cause);
  switch (x->cause) {
    case CAUSE_CRASH:
    case CAUSE_ABORT:
    case CAUSE_INTERRUPTED:
    case CAUSE_OUTSIDE: return signal_report_what(x, a);
    case CAUSE_MEMORY:
      if (x->memory.seen_after < 0) break;
      return arena_printf(a, "%s%s%s", what, place, static_report_name_writers(e, x, a));
    case CAUSE_UNWRITTEN:
      if (x->value.arg) break;
      return arena_printf(a, "unwritten memory left in an output%s", place);
    case CAUSE_HANG:
      return arena_printf(a, "%s of %lld s%s", what,
                          x->end.milliseconds > 0 ? x->end.milliseconds / 1000 : 0, place);
    case CAUSE_BORN:
    case CAUSE_ARRIVED: return arena_printf(a, "%s %s%s", value, what, place);
    case CAUSE_RECEIVED: return arena_printf(a, "%s came with a collective%s", value, place);
    case CAUSE_UNKNOWN:
      return arena_printf(a, "%s %s%s", value,
                          x->value.unwritten || x->value.unscanned ? "found" : "of unknown origin",
                          place);
    default: break;
  }
  return what ? arena_printf(a, "%s%s", what, place) : "";
}

/* "buf3: 8 elements, the first at element 36; there stands 1.5". */
static void say_buffer(screen *s, const evidence *e, const event *x) {
  static_suspects suspects;
  const char *t = x->memory.buffer ? x->memory.buffer : "?";
  const char *where = x->cause == CAUSE_MEMORY ? "beside it" : "in it";
  if (x->value.count >= 0)
    t = arena_printf(s->a, "%s: %lld %s %s", t, x->value.count,
                     x->value.count == 1 ? "element" : "elements", where);
  if (x->memory.element != EVENT_NO_ELEMENT)
    t = arena_printf(s->a, "%s, the first at element %lld", t, x->memory.element);
  if (x->value.found) t = arena_printf(s->a, "%s; there stands %s", t, x->value.found);
  screen_say(s, "buffer", "%s", t);
  if (x->memory.kernels && !static_report_narrow(&suspects, e, x, s->a))
    screen_say(s, "launches", "%s", x->memory.kernels);
  if (x->memory.writer)
    screen_say(s, "written by", "launch %lld: %s, the last launch that should have written it",
               x->memory.written_by, x->memory.writer);
}

/* True if an operator keeps tensors that it made, false for a buffer that it was passed. */
static bool is_kept_by_op(const event *x) {
  return x->memory.of && x->place.kernel && !strcmp(x->memory.of, x->place.kernel);
}

static void say_growth(screen *s, const event *x) {
  if (is_kept_by_op(x))
    screen_say(s, "kept", "%lld bytes of tensors that it made and did not return", x->memory.bytes);
  else
    screen_say(s, "buffer", "%s: %lld bytes are held", or_unknown(x->memory.of), x->memory.bytes);
  if (x->memory.kernels) screen_say(s, "kept by", "one of %s", x->memory.kernels);
}

/* Several lines are candidates: which of them it was is not known. */
static void say_lines(screen *s, const event_place *place) {
  const strings *lines = &place->model_lines;
  const char *guessed = place->lines_guessed ? "  (guessed)" : "";
  for (size_t i = 0; i < lines->n && i < LINES_SHOWN; i++)
    if (lines->n == 1)
      screen_say(s, "model line", "%s%s", lines->at[i], guessed);
    else
      screen_say(s, "model line", "candidate %zu of %zu: %s%s", i + 1, lines->n, lines->at[i],
                 guessed);
  if (lines->n > LINES_SHOWN)
    screen_say(s, "model line", "and %zu more, which stderr and the log have",
               lines->n - LINES_SHOWN);
}

/* The steps up to the one at which the value goes bad; of many the first, and the last ones. */
static void say_how(screen *s, const event_value *value) {
  const strings *steps = &value->how_steps;
  size_t n = 0;
  if (!value->how) return;
  if (!steps->n) {
    screen_say(s, "how", "%s", value->how);
    return;
  }
  screen_line(s, "how", "%s:", value->how);
  while (n < steps->n && !strstr(steps->at[n], "<- here")) n++;
  n = n < steps->n ? n + 1 : steps->n;
  const size_t left_out = n > STEPS_SHOWN ? n - STEPS_SHOWN + 1 : 0;
  for (size_t i = 0; i < n; i++) {
    if (left_out && i == 1) {
      screen_line(s, "", "... %zu more", left_out);
      i += left_out;
    }
    screen_line(s, "", "%s", steps->at[i]);
  }
}

static void say_event(screen *s, const evidence *e, const event *x) {
  screen_whole(s, "what", "%s", format_what(e, x, s->a));
  if (x->cause == CAUSE_MEMORY || x->cause == CAUSE_UNWRITTEN)
    say_buffer(s, e, x);
  else if (x->cause == CAUSE_GROWTH)
    say_growth(s, x);
  else
    argument_report_say(s, x);
  infinity_report_say(s, e, x);
  if (x->cause == CAUSE_RELEASED && x->memory.buffer)
    screen_say(s, "buffer",
               x->memory.released_after > 0 ? "%s, released after launch %lld"
                                            : "%s, released before the first launch",
               x->memory.buffer, x->memory.released_after);
  if (x->value.values) screen_say(s, "values", "%s", x->value.values);
  if (x->value.maker) screen_say(s, "made by", "%s", x->value.maker);
  if (x->end.words) screen_say(s, "fault", "%s", x->end.words);
  if (x->place.nodes)
    screen_say(s, "source nodes", "%s%s", x->place.nodes,
               x->place.names_guessed ? " (guessed from the kernel's name)" : "");
  say_lines(s, &x->place);
  if (x->place.iteration > 0)
    screen_say(s, "within", "iteration %lld of a loop", x->place.iteration);
  say_place(s, e, x->place.source, x->place.line);
  say_how(s, &x->value);
}

/* "the program ended within run 3, launch 2: KERNEL", or a process that it made. */
static const char *format_end(const evidence *e, const in_flight *u, arena *a) {
  const char *who = u->pid == e->pid || u->pid <= 0 ? "the program"
                                                    : arena_printf(a, "process %lld", u->pid);
  return arena_printf(a, "%s ended within run %lld, launch %lld: %s", who, u->run, u->launch,
                      kernel_or_unknown(u->kernel, a));
}

static void say_in_flight(screen *s, const evidence *e, const in_flight *u) {
  screen_say(s, "what", "%s", format_end(e, u, s->a));
  say_place(s, e, u->source, u->line);
}

/* ---- why */

static const char *explain_device(const event *x, arena *a) {
  if (x->end.suspects == 1)
    return "it is the first launch that had not ended when the device reported its error";
  if (x->end.suspects > 1)
    return arena_printf(a,
                        "it is one of %lld launches that are not known to have ended when the "
                        "device reported its error: stderr has the others",
                        x->end.suspects);
  if (x->place.launch < 0 || !x->end.suspects)
    return "the device reported an error, and no launch is known";
  return "the device reported its error when this launch had just returned";
}

static const char *explain_memory(const evidence *e, const event *x, arena *a) {
  if (x->memory.seen_after < 0)
    return "the pattern beside the buffer was whole before this launch, and is not after it";
  return arena_printf(a,
                      "the pattern beside the buffer was whole after launch %lld, and is not now: "
                      "one of the launches since wrote there%s",
                      x->memory.since, static_report_explain(e, x, a));
}

/* For an error that a C function returned, torch 2.13 keeps the reason, the first line of `found`.
 * Other versions only print it. */
static const char *explain_failed(const event *x) {
  const bool returned = x->value.found && (strstr(x->value.found, "API call failed") ||
                                           strstr(x->value.found, "which the wrapper ignores"));
  if (!returned) return "the launch threw";
  if (strchr(x->value.found, '\n')) return "the launch returned an error, for this reason";
  return "the launch returned an error: torch wrote the reason on stderr, as 'Exception in "
         "aoti_torch', right before the report";
}

static const char *explain_unknown(const evidence *e, const event *x, arena *a) {
  if (!x->value.unwritten && !x->value.unscanned) return "launches before it were not scanned";
  const char *t = "the launch made the value";
  if (x->value.unscanned)
    t = arena_printf(a, "%s, or read it in %s, which was not scanned", t, x->value.unscanned);
  if (x->value.made_of)
    return arena_printf(a, "%s, perhaps of %s, or left it unwritten", t, x->value.made_of);
  if (!x->value.unwritten) return t;
  if (event_is_on_cpu(x) && malloc_fill_is_finite(e->o->env.malloc_fill))
    return arena_printf(a,
                        "%s: nothing that was scanned brought it, and MALLOC_PERTURB_ gives "
                        "the memory of %s other bits where it is from glibc's malloc()",
                        t, x->value.unwritten);
  return arena_printf(a,
                      "%s, or left it unwritten: nothing that was scanned brought it, and the "
                      "memory of %s may have held it by chance",
                      t, x->value.unwritten);
}

static const char *explain_born(const event *x, arena *a) {
  if (x->value.made_of)
    return arena_printf(a, "the launch may have made it of %s", x->value.made_of);
  return "each input of this launch that decides the output was scanned, and held no such value";
}

static const char *explain(const evidence *e, const event *x, arena *a) {
  static const char *const reasons[] = {
#define CAUSE(NAME, event, what, counted, why, ...) why,
#include "shared/causes.def"
  };
  switch (x->cause) {
    case CAUSE_CRASH:
    case CAUSE_ABORT:
    case CAUSE_INTERRUPTED:
    case CAUSE_OUTSIDE: return signal_report_why(x);
    case CAUSE_DEVICE: return explain_device(x, a);
    case CAUSE_MEMORY: return explain_memory(e, x, a);
    case CAUSE_FAILED: return explain_failed(x);
    case CAUSE_BORN: return explain_born(x, a);
    case CAUSE_UNKNOWN: return explain_unknown(e, x, a);
    case CAUSE_RECEIVED: return ranks_report_explain(e, x, a);
    case CAUSE_GROWTH:
      return is_kept_by_op(x)
                 ? "of each of the last sixteen runs as many bytes are still there"
                 : "over sixteen runs, at least every second one left such a buffer that something "
                   "holds";
    default: return x->cause < CAUSES ? reasons[x->cause] : NULL;
  }
}

/* A dump exists, and tells nothing. */
static void say_unread(screen *s, const core_dump *c) {
  if (!c->file || c->exception) return;
  if (c->lacks_debugger)
    screen_whole(s, "core dump",
                 "the driver wrote one: with cuda-gdb on PATH it tells the kernel, block, thread "
                 "and line");
  else
    screen_whole(s, "core dump",
                 "the driver wrote one, and cuda-gdb did not read it%s: --keep=DIR keeps it as "
                 "FILE, and cuda-gdb -ex 'target cudacore FILE' opens that",
                 c->timed_out ? " within a minute" : "");
}

static void say_why(screen *s, const evidence *e, const verdict *v) {
  const char *why = v->event ? explain(e, v->event, s->a) : NULL;
  if (v->launch)
    why = "the log's line of the launch in flight is all that is left: it was not over when the "
          "program ended";
  else if (v->cause == CAUSE_DEVICE && !v->event)
    why = device_report_explain_alone(e, s->a);
  else if (v->event && device_report_is_late(e, v->event))
    why = device_report_explain_late(e);
  else if (v->cause == CAUSE_DEVICE && e->core->exception)
    why = arena_printf(s->a, "%s; the driver's core dump tells the place in the kernel", why);
  if (why) screen_whole(s, "why", "%s%s", why, argument_report_explain(e, v->event, s->a));
  say_unread(s, e->core);
}

/* ---- the whole */

static void say_end(screen *s, const evidence *e) {
  const bool killed = e->signal && !strcmp(e->signal, "SIGKILL");
  const char *also = killed ? ": if nobody sent it, memory ran out, and 'dmesg' tells so" : "";
  if (WIFSIGNALED(e->status))
    screen_whole(s, "program", "ended by %s%s", or_unknown(e->signal), also);
  else if (e->signal)
    screen_whole(s, "program", "exit status %d, which a shell gives for %s%s",
                 WEXITSTATUS(e->status), e->signal, also);
  else
    screen_whole(s, "program", "exit status %d", WEXITSTATUS(e->status));
}

static const char *join_command(const options *o, arena *a) {
  strings words = {0};
  if (o->replay.capsule) return arena_printf(a, "replay %s", o->replay.capsule);
  for (char *const *p = o->run.command; *p; p++) *arena_push(a, &words) = *p;
  return strings_join(a, &words, " ");
}

static void say_notes(screen *s, const evidence *e) {
  for (size_t i = 0; e->notes && i < e->notes->lines.n; i++)
    screen_whole(s, e->notes->lines.at[i].label, "%s", e->notes->lines.at[i].text);
}

/* What is told where the program loaded none of the packages; else NULL. */
static const char *describe_unopened(const evidence *e) {
  bool touched = e->log->found || !e->nmodels, read = false;
  for (size_t i = 0; i < e->nmodels; i++) {
    const model_use *m = &e->models[i];
    touched |= model_use_is_debugged(m) || m->missing || m->changed || m->written || m->failed;
    read |= m->read;
  }
  if (touched) return NULL;
  return read ? "the program read the package, and loaded no model of it"
              : "the program never opened the package";
}

static const char *describe_nothing(const evidence *e, arena *a) {
  const in_flight *u = find_in_flight(e->log, is_launched);
  const char *unopened = describe_unopened(e);
  if (unopened) return unopened;
  if (!e->log->found) return "nothing is known: no debug model began the log";
  if (!event_log_has_run(e->log)) return "nothing was found: no run of the model was begun";
  if (e->log->counts[CAUSE_CRASH] || e->log->counts[CAUSE_ABORT])
    return "nothing ended the program early: it handled a signal";
  if (u) return arena_printf(a, "nothing was found; %s", format_end(e, u, a));
  return "nothing was found";
}

static void say_nothing(screen *s, const evidence *e) {
  screen_say(s, "what", "%s", describe_nothing(e, s->a));
  if (e->log->found && event_log_has_run(e->log)) static_report_say_unsought(s, e);
}

/* The first part that is labelled "what" stands for all. */
static void label_rest(screen *s) {
  bool said = false;
  for (size_t i = 0; i < s->parts.n; i++) {
    if (strcmp(s->parts.at[i].label, "what") != 0) continue;
    if (said) s->parts.at[i].label = "in the run";
    said = true;
  }
}

void diagnosis_print(const evidence *e, FILE *to, arena *a) {
  verdict v = diagnosis_decide(e);
  screen s = {.a = a, .alarms = v.cause != CAUSE_NONE || v.launch || static_report_is_refuted(e)};
  screen_head(&s, "aotigen: diagnosis of '%s'", join_command(e->o, a));
  static_report_say_refuted(&s, e, &v);
  if (v.event && device_report_is_late(e, v.event))
    device_report_say_late(&s, e, v.event);
  else if (v.event)
    say_event(&s, e, v.event);
  else if (v.launch)
    say_in_flight(&s, e, v.launch);
  else if (v.cause == CAUSE_NONE)
    say_nothing(&s, e);
  device_report_say_core(&s, e, v.cause == CAUSE_DEVICE && !v.event);
  summary_say_process(&s, e, &v);
  ranks_report_say(&s, e, &v);
  say_why(&s, e, &v);
  summary_say_counts(&s, e, &v);
  say_end(&s, e);
  summary_say_runs(&s, e);
  summary_say_models(&s, e);
  say_notes(&s, e);
  advice_add(&s, e, &v);
  label_rest(&s);
  if (e->o->json)
    diagnosis_json_print(e, &v, &s, to);
  else
    screen_print(&s, screen_wants_colours(isatty(fileno(to)), e->o->env.no_color, e->o->env.term),
                 to);
}
