/* diff.c - see diff.h. Tells of the first pair of runs that differs. */
#include "diff/diff.h"
#include "base/file.h"
#include "diff/difference.h"
#include "run/screen.h"
#include <math.h>
#include <string.h>
#include <unistd.h>

enum { ALSO_MOST = 8, ARGS_MOST = 12 };

/* What is told of it. */
typedef struct teller {
  const difference *of;
  screen *s;
  arena *arena;
} teller;

/* ---- words ---------------------------------------------------------------------------------- */

static const char *number_text(double x, arena *a) { return arena_printf(a, "%.6g", x); }

static const char *values_of(const ledger_arg *x, arena *a) {
  if (x->kind == LEDGER_SCALAR) return recorded_scalar_text(x, a);
  if (!(x->has & LEDGER_HAS_SUMMARY)) return "not scanned";
  const char *bad = x->nan || x->pos_inf || x->neg_inf
                        ? arena_printf(a, ", %lld NaN, %lld Inf", (long long)x->nan,
                                       (long long)(x->pos_inf + x->neg_inf))
                        : "";
  return arena_printf(a, "%s to %s, norm %s%s", number_text(x->min, a), number_text(x->max, a),
                      number_text(sqrt(fabs(x->sum_squares)), a), bad);
}

static const char *agreement_of(const arg_pair *p, arena *a) {
  if (!p->b) return "the other run has no such tensor";
  const char *mine = recorded_form(p->a, a), *other = recorded_form(p->b, a);
  if (p->agreement == ARGS_UNKNOWN) return "not known: it was not scanned";
  if (p->agreement == ARGS_AGREE) return arena_printf(a, "agrees: %s", values_of(p->a, a));
  if (strcmp(mine, other) != 0) return arena_printf(a, "differs: %s and %s", mine, other);
  const char *x = values_of(p->a, a), *y = values_of(p->b, a);
  if (!strcmp(x, y)) return arena_printf(a, "differs in bits alone, or in few elements: %s", x);
  return arena_printf(a, "differs: %s; and %s", x, y);
}

/* ---- the report ----------------------------------------------------------------------------- */

/* One that differs is told whole; of another a line is enough. */
static void say_arg(teller *x, const char *label, const arg_pair *p) {
  const enum screen_kind kind = p->agreement == ARGS_DIFFER ? SCREEN_TEXT : SCREEN_LINE;
  screen_add(x->s, kind, label, "%s: %s: %s", difference_param(p->param, x->arena),
             recorded_form(p->a, x->arena), agreement_of(p, x->arena));
}

/* Those that differ first. A scalar that agrees is not told. */
static void say_args(teller *x, const char *label, const arg_pairs *list) {
  size_t n = 0;
  for (size_t i = 0; i < list->n && n < ARGS_MOST; i++)
    if (list->at[i].agreement == ARGS_DIFFER) say_arg(x, label, &list->at[i]), n++;
  for (size_t i = 0; i < list->n && n < ARGS_MOST; i++)
    if (list->at[i].agreement != ARGS_DIFFER && list->at[i].a->kind != LEDGER_SCALAR)
      say_arg(x, label, &list->at[i]), n++;
}

static void say_notes(teller *x, const difference_notes *list) {
  for (size_t i = 0; i < list->n; i++) screen_say(x->s, list->at[i].label, "%s", list->at[i].text);
}

static void say_launch(teller *x, const launch_pair *p) {
  const recorded_site *s = p->a->site;
  difference_notes doubts = {0};
  if (*s->nodes) screen_say(x->s, "source nodes", "%s", s->nodes);
  if (*s->model_line)
    screen_path(x->s, "model line", "%s%s%s%s", s->model_line, *s->module ? "  (" : "", s->module,
                *s->module ? ")" : "");
  screen_path(x->s, "launched at", "%s:%u", file_name(x->of->shown.a->model->wrapper), s->line);
  difference_add_doubts(p, &doubts, x->arena);
  say_notes(x, &doubts);
  say_args(x, "input", &p->read);
  say_args(x, "output", &p->wrote);
}

static void say_what(teller *x, const launch_pair *p) {
  screen_say(x->s, "what", "%s", difference_what(x->of, p, x->arena));
  if (p && p->a && p->b) say_launch(x, p);
}

/* The others that do not just follow. */
static void say_also(teller *x, const launch_pair *told) {
  size_t n = 0;
  for (size_t i = 0; i < x->of->shown.launches.n; i++) {
    const launch_pair *p = &x->of->shown.launches.at[i];
    if (p == told || !p->a || !p->b) continue;
    if (!difference_has_cause(p)) continue;
    if (n++ < ALSO_MOST)
      screen_line(x->s, "also", "%s %s", difference_launch(p->a, x->arena),
                  difference_cause(p, x->arena));
  }
  if (n > ALSO_MOST) screen_line(x->s, "also", "%zu more launches", n - ALSO_MOST);
}

static void say_recording(teller *x, const char *label, const recording *r) {
  const ledger_header *h = r->header;
  screen_say(x->s, label, "%s: %s, process %lld on %s%s%s", r->path,
             difference_count(r->runs.n, "run", x->arena), (long long)h->process, h->host,
             h->rank >= 0 ? arena_printf(x->arena, ", rank %lld", (long long)h->rank) : "",
             r->is_torn ? "; it is torn: what follows the last whole entry is left out" : "");
  if (h->lost)
    screen_say(x->s, "",
               "%llu launches or names had no room: AOTIGEN_RECORD_BYTES is the file's size",
               (unsigned long long)h->lost);
}

static void say_all(teller *x) {
  const launch_pair *first = difference_first(x->of);
  difference_notes notes = {0};
  screen_head(x->s, "aotigen: diff of A '%s' and B '%s'", x->of->a->path, x->of->b->path);
  if (x->of->differ) {
    say_what(x, first);
    say_also(x, first);
  } else {
    screen_say(x->s, "what", "%s", difference_agreement(x->of));
  }
  difference_add_notes(x->of, &notes, x->arena);
  for (size_t i = 0; i < notes.n; i++) screen_say(x->s, notes.at[i].label, "%s", notes.at[i].text);
  say_recording(x, "A", x->of->a);
  say_recording(x, "B", x->of->b);
}

bool diff_recordings(const options *o, arena *a, diags *d) {
  const recording *x = recording_read(o->diff.files[0], a, d),
                  *y = recording_read(o->diff.files[1], a, d);
  difference found;
  if (!x || !y) return true;
  difference_find(&found, x, y, &o->diff);
  if (!found.pairs) {
    diag_error(d, STATUS_USAGE, NULL, "'%s' and '%s' have no run to compare", o->diff.files[0],
               o->diff.files[1]);
    return true;
  }
  teller t = {.of = &found, .s = arena_alloc(a, sizeof *t.s), .arena = a};
  t.s->a = a;
  t.s->alarms = found.differ > 0;
  say_all(&t);
  screen_print(t.s, screen_wants_colours(isatty(STDOUT_FILENO), o->env.no_color, o->env.term),
               stdout);
  difference_free(&found);
  return !found.differ;
}
