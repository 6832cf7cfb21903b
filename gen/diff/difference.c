/* difference.c - see difference.h. Pairs the runs of two recordings. */
#include "diff/difference.h"
#include "base/shown.h"
#include <stdlib.h>
#include <string.h>

/* ---- runs ----------------------------------------------------------------------------------- */

static bool is_partner(const recorded_run *a, const recorded_run *b) {
  return a->number == b->number &&
         (a->model->build == b->model->build || !strcmp(a->model->wrapper, b->model->wrapper));
}

/* The runs of a recording by their numbers: two recordings may have thousands, and none of the
 * other's. */
typedef struct numbered_runs {
  const recording *of;
  const recorded_run **list; /* of one number in the order in which they began */
} numbered_runs;

static int by_number(const void *a, const void *b) {
  const recorded_run *x = *(const recorded_run *const *)a, *y = *(const recorded_run *const *)b;
  if (x->number != y->number) return x->number < y->number ? -1 : 1;
  return x < y ? -1 : x > y;
}

static numbered_runs number_runs(const recording *r, arena *a) {
  const size_t n = r->runs.n;
  const recorded_run **list = arena_alloc(a, (n + 1) * sizeof *list);
  for (size_t i = 0; i < n; i++) list[i] = &r->runs.at[i];
  qsort(list, n, sizeof *list, by_number);
  return (numbered_runs){r, list};
}

/* The partner of a run, which is looked for from run *at on, behind that of the run before, and
 * then from the first one on. If a number has none of its model, that of another one is taken. */
static const recorded_run *find_run(const numbered_runs *runs, const recorded_run *of, size_t *at) {
  const recording *r = runs->of;
  const recorded_run *any = NULL;
  size_t first;
  arena_bound(first, r->runs.n, runs->list[first]->number < of->number);
  for (int around = 0; around < 2; around++)
    for (size_t i = first; i < r->runs.n && runs->list[i]->number == of->number; i++) {
      const recorded_run *run = runs->list[i];
      const size_t index = (size_t)(run - r->runs.at);
      if ((index < *at) != around) continue;
      if (!any) any = run;
      if (!is_partner(of, run) && r->models.n >= 2) continue;
      *at = index + 1;
      return run;
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
  const bool is_shown = !x->differ;
  x->differ += run_differs(&p);
  arena_free(is_shown ? x->of_shown : own);
  if (!is_shown) return;
  x->shown = p;
  x->of_shown = own;
}

void difference_find(difference *x, const recording *a, const recording *b, const diff_options *o) {
  const recorded_run *last[2] = {NULL, NULL};
  arena *own = arena_new();
  const numbered_runs runs = number_runs(b, own);
  size_t at = 0;
  *x = (difference){.a = a, .b = b, .how = {.bound = o->bound}};
  for (size_t i = 0; i < a->runs.n; i++) {
    const recorded_run *run = &a->runs.at[i], *other;
    last[0] = run;
    if (o->run && run->number != o->run) continue;
    if ((other = find_run(&runs, run, &at))) compare_pair(x, run, other);
  }
  arena_free(own);
  if (b->runs.n) last[1] = &b->runs.at[b->runs.n - 1];
  if (!x->pairs && !o->run && last[0] && last[1]) compare_pair(x, last[0], last[1]);
}

void difference_free(difference *x) { arena_free(x->of_shown); }

/* ---- launches ------------------------------------------------------------------------------- */

bool difference_has_cause(const launch_pair *p) {
  return p->origin != ORIGIN_NONE || p->outcome == LAUNCH_BY_ITSELF ||
         p->outcome == LAUNCH_MAY_FOLLOW;
}

const launch_pair *difference_first(const difference *x) {
  const launch_pair *follows = NULL;
  for (size_t i = 0; x->differ && i < x->shown.launches.n; i++) {
    const launch_pair *p = &x->shown.launches.at[i];
    if (difference_has_cause(p) || ((!p->a || !p->b) && x->shown.alone)) return p;
    if (!follows && p->outcome == LAUNCH_FOLLOWS) follows = p;
  }
  return follows;
}

/* ---- words ---------------------------------------------------------------------------------- */

const char *difference_param(const recorded_param *p, arena *a) {
  return *p->given_name ? arena_printf(a, "%s (%s)", p->name, p->given_name) : p->name;
}

const char *difference_launch(const recorded_launch *l, arena *a) {
  return arena_printf(a, "launch %llu (%s)", (unsigned long long)l->number,
                      shown_name(l->site->kernel, a));
}

const char *difference_cause(const launch_pair *p, arena *a) {
  const recorded_param *changed = p->changed ? p->changed->param : NULL;
  if (p->origin == ORIGIN_CHANGED)
    return arena_printf(a, "read another %s, which was changed behind the launch that wrote it",
                        difference_param(changed, a));
  if (p->origin == ORIGIN_GIVEN)
    return arena_printf(a, "was given another %s", difference_param(changed, a));
  if (p->outcome == LAUNCH_BY_ITSELF) return "read the same and wrote something else";
  if (p->outcome == LAUNCH_FOLLOWS)
    return "is the first to read what differs; whether it was written so is not known";
  return "wrote something else, and it is not known whether it read the same";
}

const char *difference_what(const difference *x, const launch_pair *first, arena *a) {
  const unsigned long long m = x->shown.a->number, n = x->shown.b->number;
  const char *runs = m == n ? arena_printf(a, "run %llu", m)
                            : arena_printf(a, "run %llu of A, run %llu of B", m, n);
  if (!first) return arena_printf(a, "%s differs", runs);
  if (!first->a || !first->b)
    return arena_printf(a, "%s: only %c has %s", runs, first->a ? 'A' : 'B',
                        difference_launch(first->a ? first->a : first->b, a));
  return arena_printf(a, "%s: %s %s", runs, difference_launch(first->a, a),
                      difference_cause(first, a));
}

static const char *manner_of(const difference *x, arena *a) {
  if (x->how.bound > 0) return arena_printf(a, "range and norm within %.6g", x->how.bound);
  if (x->how.same_build || x->how.bound == 0) return "bit for bit";
  return "range and norm within what rounding explains, since they are of two builds";
}

const char *difference_agreement(const difference *x) {
  if (x->unknown || x->a->unnamed || x->b->unnamed) return "they agree as far as they are known";
  return "they agree";
}

const char *difference_count(size_t n, const char *what, arena *a) {
  return arena_printf(a, "%zu %s%s", n, what,
                      n == 1                          ? ""
                      : what[strlen(what) - 1] == 'h' ? "es"
                                                      : "s");
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
static void add_kept(const arg_pair *x, difference_notes *to, arena *a) {
  static const char *const text =
      " was changed since it was scanned: a weight is scanned once for each update";
  if ((x->a->has | x->b->has) & LEDGER_IS_KEPT)
    *arena_push(a, to) =
        (difference_note){"perhaps", arena_printf(a, "%s%s", difference_param(x->param, a), text)};
}

void difference_add_doubts(const launch_pair *p, difference_notes *to, arena *a) {
  if (p->outcome != LAUNCH_BY_ITSELF) return;
  if (draws_random_numbers(p->a->site))
    *arena_push(a, to) =
        (difference_note){"perhaps", "it draws random numbers, by the names of what it computes"};
  for (size_t i = 0; i < p->read.n; i++) add_kept(&p->read.at[i], to, a);
}

/* Adds a note that begins with a number of launches, unless that is 0. */
static void add_count(difference_notes *to, const char *label, size_t n, const char *text,
                      arena *a) {
  if (n)
    *arena_push(a, to) =
        (difference_note){label, arena_printf(a, "%s%s", difference_count(n, "launch", a), text)};
}

void difference_add_notes(const difference *x, difference_notes *to, arena *a) {
  add_count(to, "follow", x->shown.n[LAUNCH_FOLLOWS],
            " read what differs, and wrote something else", a);
  add_count(to, "mended", x->shown.n[LAUNCH_MENDS], " read what differs, and wrote the same", a);
  add_count(to, "not known", x->unknown,
            " did not end in one of the runs, or had outputs that were not scanned", a);
  add_count(to, "left out", x->a->unnamed + x->b->unnamed,
            ", whose names had no room: AOTIGEN_RECORD_BYTES is too small", a);
  const char *compared = arena_printf(a, "%s of each, %zu of which differ: %s",
                                      difference_count(x->pairs, "run", a), x->differ,
                                      manner_of(x, a));
  *arena_push(a, to) = (difference_note){"compared", compared};
}
