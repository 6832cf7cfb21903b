/* diff.c - see diff.h. Pairs the runs of two recordings, and tells of the first pair that differs.
 */
#include "diff/diff.h"
#include "base/file.h"
#include "diff/compare.h"
#include "run/screen.h"
#include <math.h>
#include <string.h>
#include <unistd.h>

enum { ALSO_MOST = 8, ARGS_MOST = 12 };

typedef struct difference {
  const options *o;
  const recording *a, *b;
  comparison how;
  run_pair first; /* that differs, in an arena of its own */
  arena *of_first;
  size_t pairs, differ; /* runs */
  size_t unknown;       /* launches, of all pairs */
  screen *s;
  arena *arena;
} difference;

/* ---- runs ----------------------------------------------------------------------------------- */

static bool is_partner(const recorded_run *a, const recorded_run *b) {
  return a->number == b->number &&
         (a->model->build == b->model->build || !strcmp(a->model->wrapper, b->model->wrapper));
}

/* The partner of a run, which is looked for from run *at on, behind that of the run before. If a
 * number has none of its model, that of another one is taken. */
static const recorded_run *find_run(const recording *r, const recorded_run *of, size_t *at) {
  const recorded_run *any = NULL;
  for (size_t k = 0; k < r->runs.n; k++) {
    const size_t i = (*at + k) % r->runs.n;
    const recorded_run *run = &r->runs.at[i];
    const bool is_it = is_partner(of, run) || (r->models.n < 2 && run->number == of->number);
    if (is_it) *at = i + 1;
    if (is_it) return run;
    if (!any && run->number == of->number) any = run;
  }
  return any;
}

static bool run_differs(const run_pair *p) {
  return p->origins || p->n[LAUNCH_BY_ITSELF] || p->n[LAUNCH_FOLLOWS] || p->n[LAUNCH_MAY_FOLLOW] ||
         p->n[LAUNCH_MENDS] || p->alone;
}

static void compare_pair(difference *x, const recorded_run *a, const recorded_run *b) {
  arena *own = arena_new();
  run_pair p;
  x->how.same_build = a->model->build == b->model->build;
  compare_runs(&x->how, a, b, &p, own);
  x->pairs++;
  x->unknown += p.n[LAUNCH_UNKNOWN];
  if (run_differs(&p) && !x->differ++) {
    x->first = p;
    x->of_first = own;
  } else {
    arena_free(own);
  }
}

/* Run --run of each, or each run that both have; if they have none in common, the last of each. */
static void compare_all(difference *x) {
  const recorded_run *last[2] = {NULL, NULL};
  size_t at = 0;
  for (size_t i = 0; i < x->a->runs.n; i++) {
    const recorded_run *run = &x->a->runs.at[i], *other;
    last[0] = run;
    if (x->o->diff.run && run->number != x->o->diff.run) continue;
    if ((other = find_run(x->b, run, &at))) compare_pair(x, run, other);
  }
  if (x->b->runs.n) last[1] = &x->b->runs.at[x->b->runs.n - 1];
  if (!x->pairs && !x->o->diff.run && last[0] && last[1]) compare_pair(x, last[0], last[1]);
}

/* ---- words ---------------------------------------------------------------------------------- */

static const char *number_text(double x, arena *a) { return arena_printf(a, "%.6g", x); }

static const char *form_of(const ledger_arg *x, arena *a) {
  strbuf t = {0};
  strbuf_printf(&t, "%s [", x->dtype);
  for (uint32_t i = 0; i < x->ndim; i++)
    strbuf_printf(&t, "%s%lld", i ? ", " : "", (long long)recorded_sizes(x)[i]);
  strbuf_puts(&t, "]");
  return strbuf_take(&t, a);
}

static const char *scalar_of(const ledger_arg *x, arena *a) {
  double value;
  memcpy(&value, &x->hash, sizeof value);
  if (!strcmp(x->dtype, "float64")) return number_text(value, a);
  return arena_printf(a, "%lld", (long long)x->hash);
}

static const char *values_of(const ledger_arg *x, arena *a) {
  if (x->kind == LEDGER_SCALAR) return scalar_of(x, a);
  if (!(x->has & LEDGER_HAS_SUMMARY)) return "not scanned";
  const char *bad = x->nan || x->pos_inf || x->neg_inf
                        ? arena_printf(a, ", %lld NaN, %lld Inf", (long long)x->nan,
                                       (long long)(x->pos_inf + x->neg_inf))
                        : "";
  return arena_printf(a, "%s to %s, norm %s%s", number_text(x->min, a), number_text(x->max, a),
                      number_text(sqrt(fabs(x->sum_squares)), a), bad);
}

static const char *name_of(const recorded_param *p, arena *a) {
  return *p->given_name ? arena_printf(a, "%s (%s)", p->name, p->given_name) : p->name;
}

static const char *agreement_of(const arg_pair *p, arena *a) {
  if (!p->b) return "the other run has no such tensor";
  const char *mine = form_of(p->a, a), *other = form_of(p->b, a);
  if (p->agreement == ARGS_UNKNOWN) return "not known: it was not scanned";
  if (p->agreement == ARGS_AGREE) return arena_printf(a, "agrees: %s", values_of(p->a, a));
  if (strcmp(mine, other) != 0) return arena_printf(a, "differs: %s and %s", mine, other);
  const char *x = values_of(p->a, a), *y = values_of(p->b, a);
  if (!strcmp(x, y)) return arena_printf(a, "differs in bits alone, or in few elements: %s", x);
  return arena_printf(a, "differs: %s; and %s", x, y);
}

static const char *launch_text(const recorded_launch *l, arena *a) {
  return arena_printf(a, "launch %llu (%s)", (unsigned long long)l->number,
                      shown_name(l->site->kernel, a));
}

static const char *count_of(size_t n, const char *what, arena *a) {
  return arena_printf(a, "%zu %s%s", n, what,
                      n == 1                          ? ""
                      : what[strlen(what) - 1] == 'h' ? "es"
                                                      : "s");
}

/* ---- the report ----------------------------------------------------------------------------- */

/* One that differs is told whole; of another a line is enough. */
static void say_arg(difference *x, const char *label, const arg_pair *p) {
  const enum screen_kind kind = p->agreement == ARGS_DIFFER ? SCREEN_TEXT : SCREEN_LINE;
  screen_add(x->s, kind, label, "%s: %s: %s", name_of(p->param, x->arena),
             p->a->kind == LEDGER_SCALAR ? p->a->dtype : form_of(p->a, x->arena),
             agreement_of(p, x->arena));
}

/* Those that differ first. A scalar that agrees is not told. */
static void say_args(difference *x, const char *label, const arg_pairs *list) {
  size_t n = 0;
  for (size_t i = 0; i < list->n && n < ARGS_MOST; i++)
    if (list->at[i].agreement == ARGS_DIFFER) say_arg(x, label, &list->at[i]), n++;
  for (size_t i = 0; i < list->n && n < ARGS_MOST; i++)
    if (list->at[i].agreement != ARGS_DIFFER && list->at[i].a->kind != LEDGER_SCALAR)
      say_arg(x, label, &list->at[i]), n++;
}

/* By the names of what it computes. */
static bool draws_random_numbers(const recorded_site *s) {
  static const char *const words[] = {"_rand",     ".rand",       "randn",      "randint",
                                      "bernoulli", "multinomial", "dropout",    "normal_",
                                      "uniform",   "poisson",     "exponential"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strstr(s->nodes, words[i]) || strstr(s->aten, words[i]) || strstr(s->kernel, words[i]))
      return true;
  return false;
}

/* A weight that agrees may have been changed untold since. */
static void say_kept(difference *x, const launch_pair *p) {
  for (size_t i = 0; i < p->read.n && p->outcome == LAUNCH_BY_ITSELF; i++)
    if ((p->read.at[i].a->has | p->read.at[i].b->has) & LEDGER_IS_KEPT)
      screen_say(x->s, "perhaps",
                 "%s was changed since it was scanned: a weight is scanned once for each update",
                 name_of(p->read.at[i].param, x->arena));
}

static void say_launch(difference *x, const launch_pair *p) {
  const recorded_site *s = p->a->site;
  if (*s->nodes) screen_say(x->s, "source nodes", "%s", s->nodes);
  if (*s->model_line)
    screen_path(x->s, "model line", "%s%s%s%s", s->model_line, *s->module ? "  (" : "", s->module,
                *s->module ? ")" : "");
  screen_path(x->s, "launched at", "%s:%u", file_name(x->first.a->model->wrapper), s->line);
  if (p->outcome == LAUNCH_BY_ITSELF && draws_random_numbers(s))
    screen_say(x->s, "perhaps", "it draws random numbers, by the names of what it computes");
  say_kept(x, p);
  say_args(x, "input", &p->read);
  say_args(x, "output", &p->wrote);
}

static bool has_own_cause(const launch_pair *p) {
  return p->origin != ORIGIN_NONE || p->outcome == LAUNCH_BY_ITSELF ||
         p->outcome == LAUNCH_MAY_FOLLOW;
}

/* The first launch that is to be told. */
static const launch_pair *find_first(const run_pair *r) {
  const launch_pair *follows = NULL;
  for (size_t i = 0; i < r->launches.n; i++) {
    const launch_pair *p = &r->launches.at[i];
    if (has_own_cause(p) || ((!p->a || !p->b) && r->alone)) return p;
    if (!follows && p->outcome == LAUNCH_FOLLOWS) follows = p;
  }
  return follows;
}

static const char *what_of(const launch_pair *p, arena *a) {
  const recorded_param *changed = p->changed ? p->changed->param : NULL;
  if (p->origin == ORIGIN_CHANGED)
    return arena_printf(a, "read another %s, which was changed behind the launch that wrote it",
                        name_of(changed, a));
  if (p->origin == ORIGIN_GIVEN)
    return arena_printf(a, "was given another %s", name_of(changed, a));
  if (p->outcome == LAUNCH_BY_ITSELF) return "read the same and wrote something else";
  if (p->outcome == LAUNCH_FOLLOWS)
    return "is the first to read what differs; whether it was written so is not known";
  return "wrote something else, and it is not known whether it read the same";
}

static void say_what(difference *x, const launch_pair *p) {
  const unsigned long long a = x->first.a->number, b = x->first.b->number;
  const char *runs = a == b ? arena_printf(x->arena, "run %llu", a)
                            : arena_printf(x->arena, "run %llu of A, run %llu of B", a, b);
  if (!p)
    screen_say(x->s, "what", "%s differs", runs);
  else if (!p->a || !p->b)
    screen_say(x->s, "what", "%s: only %c has %s", runs, p->a ? 'A' : 'B',
               launch_text(p->a ? p->a : p->b, x->arena));
  else
    screen_say(x->s, "what", "%s: %s %s", runs, launch_text(p->a, x->arena), what_of(p, x->arena));
  if (p && p->a && p->b) say_launch(x, p);
}

/* The others that do not just follow. */
static void say_also(difference *x, const launch_pair *told) {
  size_t n = 0;
  for (size_t i = 0; i < x->first.launches.n; i++) {
    const launch_pair *p = &x->first.launches.at[i];
    if (p == told || !p->a || !p->b) continue;
    if (!has_own_cause(p)) continue;
    if (n++ < ALSO_MOST)
      screen_line(x->s, "also", "%s %s", launch_text(p->a, x->arena), what_of(p, x->arena));
  }
  if (n > ALSO_MOST) screen_line(x->s, "also", "%zu more launches", n - ALSO_MOST);
}

static void say_counts(difference *x) {
  const run_pair *r = &x->first;
  const size_t follow = r->n[LAUNCH_FOLLOWS];
  if (follow)
    screen_say(x->s, "follow", "%s read what differs, and wrote something else",
               count_of(follow, "launch", x->arena));
  if (r->n[LAUNCH_MENDS])
    screen_say(x->s, "mended", "%s read what differs, and wrote the same",
               count_of(r->n[LAUNCH_MENDS], "launch", x->arena));
}

/* Launches of which nothing can be said. */
static void say_unknown(difference *x) {
  const size_t unnamed = x->a->unnamed + x->b->unnamed;
  if (x->unknown)
    screen_say(x->s, "not known",
               "%s did not end in one of the runs, or had outputs that were not scanned",
               count_of(x->unknown, "launch", x->arena));
  if (unnamed)
    screen_say(x->s, "left out", "%s, whose names had no room: AOTIGEN_RECORD_BYTES is too small",
               count_of(unnamed, "launch", x->arena));
}

static void say_recording(difference *x, const char *label, const recording *r) {
  const ledger_header *h = r->header;
  screen_say(x->s, label, "%s: %s, process %lld on %s%s%s", r->path,
             count_of(r->runs.n, "run", x->arena), (long long)h->process, h->host,
             h->rank >= 0 ? arena_printf(x->arena, ", rank %lld", (long long)h->rank) : "",
             r->is_torn ? "; it is torn: what follows the last whole entry is left out" : "");
  if (h->lost)
    screen_say(x->s, "",
               "%llu launches or names had no room: AOTIGEN_RECORD_BYTES is the file's size",
               (unsigned long long)h->lost);
}

static const char *manner_of(const difference *x) {
  if (x->o->diff.bound > 0)
    return arena_printf(x->arena, "range and norm within %s",
                        number_text(x->o->diff.bound, x->arena));
  if (x->how.same_build || x->o->diff.bound == 0) return "bit for bit";
  return "range and norm within what rounding explains, since they are of two builds";
}

static void say_agreement(difference *x) {
  if (x->unknown || x->a->unnamed || x->b->unnamed)
    screen_say(x->s, "what", "they agree as far as they are known");
  else
    screen_say(x->s, "what", "they agree");
}

static void say_all(difference *x) {
  const launch_pair *first = x->differ ? find_first(&x->first) : NULL;
  screen_head(x->s, "aotigen: diff of A '%s' and B '%s'", x->a->path, x->b->path);
  if (x->differ) {
    say_what(x, first);
    say_also(x, first);
    say_counts(x);
  } else {
    say_agreement(x);
  }
  say_unknown(x);
  screen_say(x->s, "compared", "%s of each, %zu of which differ: %s",
             count_of(x->pairs, "run", x->arena), x->differ, manner_of(x));
  say_recording(x, "A", x->a);
  say_recording(x, "B", x->b);
}

bool diff_recordings(const options *o, arena *a, diags *d) {
  difference x = {.o = o, .how = {.bound = o->diff.bound}, .arena = a};
  x.a = recording_read(o->diff.files[0], a, d);
  x.b = recording_read(o->diff.files[1], a, d);
  if (!x.a || !x.b) return true;
  compare_all(&x);
  if (!x.pairs) {
    diag_error(d, STATUS_USAGE, NULL, "'%s' and '%s' have no run to compare", o->diff.files[0],
               o->diff.files[1]);
    return true;
  }
  x.s = arena_alloc(a, sizeof *x.s);
  x.s->a = a;
  x.s->alarms = x.differ > 0;
  say_all(&x);
  screen_print(x.s, screen_wants_colours(isatty(STDOUT_FILENO), o->env.no_color, o->env.term),
               stdout);
  if (x.of_first) arena_free(x.of_first);
  return !x.differ;
}
