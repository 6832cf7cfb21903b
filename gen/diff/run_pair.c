/* run_pair.c - see run_pair.h. */
#include "diff/run_pair.h"
#include "base/string_map.h"
#include <ctype.h>
#include <math.h>
#include <string.h>

/* ---- two arguments -------------------------------------------------------------------------- */

static bool is_exact(const comparison *c) {
  return c->bound == 0 || (c->bound < 0 && c->same_build);
}

/* Some hundred roundings, relative to the largest magnitude in the tensor. */
static double rounding_of(const char *dtype) {
  static const struct {
    const char *dtype;
    double bound;
  } rows[] = {{"float64", 1e-12}, {"float32", 1e-4}, {"float16", 2e-2}, {"bfloat16", 5e-2}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (!strcmp(rows[i].dtype, dtype)) return rows[i].bound;
  return strncmp(dtype, "float8", 6) ? 0 : 2e-1;
}

static bool has_same_form(const ledger_arg *a, const ledger_arg *b) {
  return a->kind == b->kind && !strcmp(a->dtype, b->dtype) && a->numel == b->numel &&
         a->ndim == b->ndim &&
         !memcmp(recorded_sizes(a), recorded_sizes(b), a->ndim * sizeof(int64_t));
}

static bool has_same_counts(const ledger_arg *a, const ledger_arg *b) {
  return a->nan == b->nan && a->pos_inf == b->pos_inf && a->neg_inf == b->neg_inf;
}

static double norm(const ledger_arg *x) { return sqrt(x->sum_squares > 0 ? x->sum_squares : 0); }

static double larger(double x, double y) { return x > y ? x : y; }

static double magnitude(const ledger_arg *x) { return larger(fabs(x->min), fabs(x->max)); }

static bool is_close(const ledger_arg *a, const ledger_arg *b, double bound) {
  const double most = larger(magnitude(a), magnitude(b)) * bound, norms = larger(norm(a), norm(b));
  return has_same_counts(a, b) && fabs(a->min - b->min) <= most && fabs(a->max - b->max) <= most &&
         fabs(norm(a) - norm(b)) <= norms * bound;
}

/* A device adds up in an order that depends on its number of processors, and on what else it scans
 * then: only sums may differ by it. */
static bool has_same_numbers(const ledger_arg *a, const ledger_arg *b) {
  const double most = 1e-12 * larger(a->sum_squares, b->sum_squares),
               root = sqrt((double)a->numel) * larger(norm(a), norm(b));
  return has_same_counts(a, b) && a->zero == b->zero && a->subnormal == b->subnormal &&
         !memcmp(&a->min, &b->min, 2 * sizeof a->min) && fabs(a->sum - b->sum) <= 1e-12 * root &&
         fabs(a->sum_squares - b->sum_squares) <= most;
}

enum agreement compare_args(const comparison *c, const ledger_arg *a, const ledger_arg *b) {
  const unsigned has = a->has & b->has;
  if (a->kind == LEDGER_TENSOR && b->kind == LEDGER_TENSOR && (!a->has || !b->has))
    return ARGS_UNKNOWN;
  if (!has_same_form(a, b)) return ARGS_DIFFER;
  if (has & LEDGER_HAS_HASH && a->hash == b->hash) return ARGS_AGREE;
  if (a->kind == LEDGER_SCALAR) return ARGS_DIFFER;
  const double bound = c->bound < 0 ? rounding_of(a->dtype) : c->bound;
  if (is_exact(c) || bound == 0) {
    if (has & LEDGER_HAS_HASH) return ARGS_DIFFER;
    if (!(has & LEDGER_HAS_SUMMARY)) return ARGS_UNKNOWN;
    return has_same_numbers(a, b) ? ARGS_AGREE : ARGS_DIFFER;
  }
  if (!(has & LEDGER_HAS_SUMMARY)) return ARGS_UNKNOWN;
  return is_close(a, b, bound) ? ARGS_AGREE : ARGS_DIFFER;
}

/* ---- two launches --------------------------------------------------------------------------- */

static const ledger_arg *find_param(const recorded_args *list, uint16_t param) {
  for (size_t i = 0; i < list->n; i++)
    if (list->at[i]->param == param) return list->at[i];
  return NULL;
}

/* Of another build, the k-th tensor is the partner of the k-th: names and scalars may differ. */
static const ledger_arg *find_kth(const recorded_args *list, size_t k) {
  for (size_t i = 0; i < list->n; i++)
    if (list->at[i]->kind == LEDGER_TENSOR && k-- == 0) return list->at[i];
  return NULL;
}

static void pair_args(const comparison *c, const launch_pair *p, bool after, arg_pairs *to,
                      arena *a) {
  const recorded_args *x = after ? &p->a->after : &p->a->before,
                      *y = after ? &p->b->after : &p->b->before;
  size_t k = 0;
  for (size_t i = 0; i < x->n; i++) {
    const ledger_arg *mine = x->at[i];
    if (!c->same_build && mine->kind == LEDGER_SCALAR) continue;
    const ledger_arg *other = c->same_build ? find_param(y, mine->param) : find_kth(y, k++);
    *arena_push(a, to) = (arg_pair){mine, other, &p->a->site->params[mine->param],
                                    other ? compare_args(c, mine, other) : ARGS_UNKNOWN};
  }
}

static enum agreement all_of(const arg_pairs *list) {
  enum agreement all = ARGS_AGREE;
  for (size_t i = 0; i < list->n && all != ARGS_DIFFER; i++)
    if (list->at[i].agreement != ARGS_AGREE) all = list->at[i].agreement;
  return all;
}

static enum launch_outcome outcome_of(const launch_pair *p) {
  const enum agreement read = all_of(&p->read), wrote = all_of(&p->wrote);
  if (!p->a->has_before || !p->b->has_before || !p->a->is_over || !p->b->is_over ||
      wrote == ARGS_UNKNOWN)
    return LAUNCH_UNKNOWN;
  if (wrote == ARGS_AGREE) return read == ARGS_DIFFER ? LAUNCH_MENDS : LAUNCH_AGREES;
  return read == ARGS_AGREE    ? LAUNCH_BY_ITSELF
         : read == ARGS_DIFFER ? LAUNCH_FOLLOWS
                               : LAUNCH_MAY_FOLLOW;
}

static void compare_launches(const comparison *c, const recorded_launch *x,
                             const recorded_launch *y, run_pair *to, arena *a) {
  launch_pair *p = arena_push(a, &to->launches);
  *p = (launch_pair){.a = x, .b = y, .outcome = LAUNCH_UNKNOWN};
  if (!x || !y) {
    /* A run that is not over may not have come so far. */
    if ((x ? to->b : to->a)->is_over)
      to->alone++;
    else
      to->n[LAUNCH_UNKNOWN]++;
    return;
  }
  pair_args(c, p, false, &p->read, a);
  pair_args(c, p, true, &p->wrote, a);
  p->outcome = outcome_of(p);
  to->n[p->outcome]++;
}

/* ---- two runs ------------------------------------------------------------------------------- */

/* What a launch is recognised by in another build: its source nodes, else its kernel's name without
 * the number that ends it. */
static const char *key_of(const recorded_site *s, arena *a) {
  size_t n = strlen(s->kernel);
  if (*s->nodes) return s->nodes;
  while (n && isdigit((unsigned char)s->kernel[n - 1])) n--;
  return arena_strndup(a, s->kernel, n);
}

/* The launches of a run by their keys. A key's number is the index of its last launch; where there
 * is no launch, the index is STRING_MAP_NONE. */
typedef struct keyed {
  string_map *numbers; /* by key */
  size_t *next;        /* by a key's number: its first launch that has no partner yet */
  size_t *chain;       /* by launch: the next one of its key */
} keyed;

static keyed make_keyed(const recorded_run *r, arena *a) {
  const size_t n = r->launches.n, bytes = (n + 1) * sizeof(size_t);
  keyed k = {string_map_create(a), arena_alloc(a, bytes), arena_alloc(a, bytes)};
  for (size_t i = n; i-- > 0;) {
    const char *key = key_of(r->launches.at[i].site, a);
    if (string_map_put_index(k.numbers, key, i)) k.next[i] = STRING_MAP_NONE;
    const size_t number = string_map_index(k.numbers, key);
    k.chain[i] = k.next[number];
    k.next[number] = i;
  }
  return k;
}

/* The k-th launch of a key is the partner of the k-th of that key. */
static void pair_by_key(const comparison *c, run_pair *to, arena *a) {
  const size_t n = to->b->launches.n;
  bool *taken = arena_alloc(a, n + 1);
  keyed keys = make_keyed(to->b, a);
  for (size_t i = 0; i < to->a->launches.n; i++) {
    const recorded_launch *x = &to->a->launches.at[i];
    const size_t number = string_map_index(keys.numbers, key_of(x->site, a)),
                 k = number == STRING_MAP_NONE ? number : keys.next[number];
    if (k != STRING_MAP_NONE) {
      taken[k] = true;
      keys.next[number] = keys.chain[k];
    }
    compare_launches(c, x, k == STRING_MAP_NONE ? NULL : &to->b->launches.at[k], to, a);
  }
  for (size_t i = 0; i < n; i++)
    if (!taken[i]) compare_launches(c, NULL, &to->b->launches.at[i], to, a);
}

static void pair_by_number(const comparison *c, run_pair *to, arena *a) {
  const recorded_launch *x = to->a->launches.at, *y = to->b->launches.at;
  const size_t n = to->a->launches.n, m = to->b->launches.n;
  for (size_t i = 0, k = 0; i < n || k < m;) {
    if (i < n && k < m && x[i].number == y[k].number && x[i].site->line == y[k].site->line) {
      compare_launches(c, &x[i++], &y[k++], to, a);
    } else if (k == m || (i < n && x[i].number <= y[k].number)) {
      compare_launches(c, &x[i++], NULL, to, a);
    } else {
      compare_launches(c, NULL, &y[k++], to, a);
    }
  }
}

/* What the launches of run a have written so far. */
typedef struct written_memory {
  arena_list(const ledger_arg *) list;
  bool differs; /* some of it may differ from the other run's */
  size_t work;  /* comparisons that may still be made */
} written_memory;

static bool was_written(written_memory *m, const ledger_arg *x) {
  for (size_t i = m->list.n; i-- > 0 && m->work; m->work--)
    if (m->list.at[i]->begin < x->end && x->begin < m->list.at[i]->end) return true;
  return !m->work;
}

static void find_origin(launch_pair *p, written_memory *m) {
  for (size_t k = 0; k < p->read.n && p->origin == ORIGIN_NONE; k++) {
    const arg_pair *x = &p->read.at[k];
    if (x->agreement != ARGS_DIFFER) continue;
    if (x->a->kind == LEDGER_SCALAR || !was_written(m, x->a))
      p->origin = ORIGIN_GIVEN;
    else if (!m->differs)
      p->origin = ORIGIN_CHANGED;
    p->changed = x;
  }
}

static void find_origins(run_pair *to, arena *a) {
  enum { WORK_MOST = 10000000 };
  written_memory m = {.work = WORK_MOST};
  for (size_t i = 0; i < to->launches.n; i++) {
    launch_pair *p = &to->launches.at[i];
    find_origin(p, &m);
    to->origins += p->origin != ORIGIN_NONE;
    m.differs |= p->outcome == LAUNCH_UNKNOWN || all_of(&p->wrote) != ARGS_AGREE ||
                 p->origin != ORIGIN_NONE;
    for (size_t k = 0; k < p->wrote.n; k++) *arena_push(a, &m.list) = p->wrote.at[k].a;
  }
}

void compare_runs(const comparison *c, const recorded_run *x, const recorded_run *y, run_pair *to,
                  arena *a) {
  *to = (run_pair){.a = x, .b = y};
  (c->same_build ? pair_by_number : pair_by_key)(c, to, a);
  find_origins(to, a);
}
