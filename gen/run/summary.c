/* summary.c - see diagnosis_parts.h. */
#include "run/diagnosis_parts.h"
#include "base/file.h"
#include <string.h>
#include <sys/stat.h>

/* Signals outside of all runs, but for requests to end and the verdict's. */
static long long count_outside(const event_log *log, const verdict *v) {
  const bool told = v->event && v->cause == CAUSE_OUTSIDE && !event_is_request(v->event);
  return log->counts[CAUSE_OUTSIDE] - log->requests - told;
}

void summary_say_counts(screen *s, const evidence *e, const verdict *v) {
  static const char *const names[] = {
#define CAUSE(NAME, event, what, counted, ...) counted,
#include "shared/causes.def"
  };
  const char *t = "";
  for (int i = 0; i < CAUSES; i++) {
    long long n = e->log->counts[i] - (v->event && v->cause == (enum cause)i);
    if (i == CAUSE_OUTSIDE) n = count_outside(e->log, v);
    if (i == CAUSE_PASSED) continue; /* the path of a finding, and none of its own */
    if (n > 0) t = arena_printf(s->a, "%s%s%lld x %s", t, *t ? ", " : "", n, names[i]);
  }
  if (*t) screen_say(s, "also found", "%s", t);
  const long long passed = e->log->counts[CAUSE_PASSED];
  if (passed)
    screen_say(s, "passed on", "%lld time%s, from launch to launch, by the paths that stderr has",
               passed, passed == 1 ? "" : "s");
  if (e->log->odd)
    screen_say(s, "log", "%lld of its %lld lines are no events, and were left out", e->log->odd,
               e->log->lines);
}

enum { NAME_MOST = 34 }; /* bytes of a path, so that what is said of it fits the line */

/* The end of a path names the file; the text behind the path must stay on the screen. */
static const char *cut_path(const char *path, arena *a) {
  const size_t n = strlen(path);
  if (n <= NAME_MOST) return path;
  size_t cut = n - NAME_MOST;
  while ((path[cut] & 0xc0) == 0x80) cut++; /* within a character */
  return arena_printf(a, "...%s", path + cut);
}

static size_t count_processes(const event_log *log) {
  size_t n = 0;
  for (size_t i = 0; i < log->nthreads; i++) {
    bool first = true;
    for (size_t k = 0; k < i; k++) first &= log->threads[k].pid != log->threads[i].pid;
    n += first;
  }
  return n;
}

void summary_say_process(screen *s, const evidence *e, const verdict *v) {
  const long long pid = v->event ? v->event->pid : v->launch ? v->launch->pid : 0;
  const size_t n = count_processes(e->log);
  const bool ended = v->cause == CAUSE_CRASH || v->cause == CAUSE_ABORT;
  const char *outlived = ended && e->status == 0 ? ", which the program outlived" : "";
  const long long rank = v->event ? v->event->place.rank : -1;
  const char *who = rank >= 0 ? arena_printf(s->a, "rank %lld, process ", rank) : "";
  if (pid && n > 1)
    screen_say(s, "process", "%s%lld, one of %zu with debug models%s", who, pid, n, outlived);
  else if (pid && *outlived)
    screen_say(s, "process", "%lld%s", pid, outlived);
}

static const char *name_source(const evidence *e, const char *source, arena *a) {
  const model_use *of = model_use_find(e->models, e->nmodels, source);
  if (of) return of->model;
  const char *name = file_name(source);
  return file_ends_with(name, ".cpp") ? name : arena_printf(a, "%s...", name);
}

/* Prints how far each model came. If several threads run it, or it is loaded more than once, that
 * is the highest number. */
void summary_say_runs(screen *s, const evidence *e) {
  const event_log *log = e->log;
  const bool several = count_processes(log) > 1;
  enum { SHOWN = 3 };
  int n = 0;
  for (size_t i = 0; i < log->nthreads; i++) {
    const in_flight *u = &log->threads[i];
    bool highest = u->run > 0, alone = true, one_thread = true;
    for (size_t k = 0; k < log->nthreads && highest; k++) {
      const in_flight *o = &log->threads[k];
      bool same = o->pid == u->pid && o->source && u->source && !strcmp(o->source, u->source);
      highest = !same || k == i || o->run < u->run || (o->run == u->run && i < k);
      alone &= !same || k == i;
      one_thread &= !same || o->thread == u->thread;
    }
    if (!highest || n++ >= SHOWN) continue;
    const char *runs = u->run == 1 ? "1 run" : arena_printf(s->a, "%lld runs", u->run);
    if (!alone)
      runs = arena_printf(s->a, "up to run %lld of several %s", u->run,
                          one_thread ? "loads" : "threads");
    const char *of = several ? arena_printf(s->a, ", of process %lld", u->pid) : "";
    screen_add(s, n == 1 ? SCREEN_LINE : SCREEN_TEXT, n == 1 ? "checked" : "",
               "%s: %s, the last up to launch %lld%s",
               u->source ? cut_path(name_source(e, u->source, s->a), s->a) : "?", runs, u->launch,
               of);
  }
  if (n > SHOWN) screen_say(s, "", "%d more", n - SHOWN);
}

static void say_model(screen *s, bool first, const model_use *m) {
  const enum screen_kind kind = !first                     ? SCREEN_TEXT
                                : model_use_is_complete(m) ? SCREEN_LINE
                                                           : SCREEN_WHOLE;
  screen_add(s, kind, first ? "package" : "", "'%s': %s", cut_path(m->model, s->a),
             model_use_describe(m, s->a));
}

/* A pipe, or a device. */
static bool keeps_nothing(const char *name) {
  struct stat st;
  return name && !stat(name, &st) && !S_ISREG(st.st_mode);
}

/* Prints the package; of several, those that the program did not open as debug packages each
 * time. */
void summary_say_models(screen *s, const evidence *e) {
  bool first = true;
  for (size_t i = 0; i < e->nmodels; i++) {
    if (e->nmodels > 1 && model_use_is_complete(&e->models[i])) continue;
    say_model(s, first, &e->models[i]);
    first = false;
  }
  if (e->log->found) return;
  bool opened = false;
  for (size_t i = 0; i < e->nmodels; i++) opened |= model_use_is_debugged(&e->models[i]);
  if (!opened && e->nmodels) return;
  if (keeps_nothing(e->log_name))
    screen_say(s, "log", "'%s' is not a regular file: what was written there cannot be read back",
               e->log_name);
  else
    screen_say(s, "log",
               "no debug model was loaded, or it could not write the log, as where a disk is full");
}
