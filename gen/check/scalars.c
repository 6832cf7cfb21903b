/* scalars.c - which scalar of a refuted launch is wrong: see checker.h. Each is replaced by the
 * sizes that the launch's memories have. */
#include "check/checker.h"
#include <string.h>

enum { CANDIDATES_MAX = 64, TRIES_MAX = 400 };

typedef struct search {
  checker *k;
  const bool *undecided; /* by access */
  const poly *candidates[CANDIDATES_MAX];
  int n, tries;
} search;

/* ---- what a scalar may be ------------------------------------------------------------------- */

static void add_candidate(search *t, const poly *x) {
  if (!x || t->n == CANDIDATES_MAX || symbols_is_spent(t->k->s)) return;
  for (int i = 0; i < t->n; i++)
    if (poly_is_same(t->candidates[i], x)) return;
  t->candidates[t->n++] = x;
}

/* The sizes, the products of the last ones, and the strides. */
static void add_view(search *t, const view *v) {
  const poly *product = poly_number(t->k->s, 1);
  for (int i = v->n; i-- > 0;) {
    product = poly_multiply(t->k->s, product, v->sizes[i]);
    add_candidate(t, v->sizes[i]);
    add_candidate(t, product);
    add_candidate(t, v->strides[i]);
  }
}

static void add_input(search *t, const model_input *in) {
  view v = {.n = in->ndim};
  if (in->ndim < 0 || in->ndim > VIEW_DIMS_MAX || in->unranked) return;
  for (int i = 0; i < in->ndim; i++) v.sizes[i] = sizes_of_dim(t->k->sizes, &in->dims[i]);
  add_view(t, &v);
}

/* Those of the tensors of the launch, and of the model's inputs. */
static void collect_candidates(search *t) {
  checker *k = t->k;
  const size_t at = k->m->sites.at[k->site].call->offset;
  for (size_t i = 0; i < k->launch.g->memories.n; i++) {
    int param = k->launch.g->memories.at[i].param;
    view v;
    if (param >= 0 && k->by_param[param] && view_read(&v, k->sizes, k->m, k->by_param[param], at))
      add_view(t, &v);
  }
  for (size_t i = 0; i < k->m->inputs.n; i++) add_input(t, &k->m->inputs.at[i]);
}

/* ---- whether it is right -------------------------------------------------------------------- */

/* Notes in `ends` which ends of its memory the access reaches: 1 the first element, 2 the last. */
static void note_ends(checker *k, const graph_access *x, unsigned char *ends) {
  const poly *last = poly_less_one(k->s, k->elements[x->memory]);
  range b = range_of(range_begin(k->s, &k->launch, x), x->index);
  if (b.low && poly_is(b.low, 0)) ends[x->memory] |= 1;
  if (b.high && last && poly_is_same(b.high, last)) ends[x->memory] |= 2;
}

/* How many ends of its memories the launch reaches; -1 if not all that is decided of it is proved,
 * if it does not fill what it stores to, or if it uses no other memory from its first element to
 * its last: a size beyond all others leaves most of an index 0. */
static int rate(search *t) {
  checker *k = t->k;
  const graph *g = k->launch.g;
  unsigned char *ends = arena_alloc(k->s->a, g->memories.n + 1);
  bool loads = false, whole = false;
  int n = 0;
  t->tries++;
  k->s->costly = 0;
  for (size_t i = 0; i < g->accesses.n; i++) {
    const graph_access *x = &g->accesses.at[i];
    if (!t->undecided[i] && !checker_is_inside(k, x)) return -1;
    note_ends(k, x, ends);
    if (x->kind != ACCESS_LOAD) ends[x->memory] |= 4;
  }
  for (size_t i = 0; i < g->memories.n; i++) {
    n += (ends[i] & 1) + (ends[i] >> 1 & 1);
    if (ends[i] >> 2 && ends[i] != 7) return -1;
    loads = loads || ends[i] < 4;
    whole = whole || ends[i] == 3;
  }
  return loads && !whole ? -1 : n;
}

/* ---- the best ------------------------------------------------------------------------------- */

/* The launch with another size as a scalar. */
typedef struct mended {
  size_t param;
  const poly *size; /* NULL: none yet */
  int rate;
  int64_t value; /* of the size, where the model's sizes are all different */
  bool tie;
} mended;

/* A number that fits says little of a size that depends on others. */
static bool may_replace(const poly *candidate, const poly *passed) {
  int64_t n;
  return !poly_is_same(candidate, passed) &&
         poly_is_number(candidate, &n) == poly_is_number(passed, &n);
}

/* The model's sizes, all different and none small. */
static symbol_values choose_sizes(const symbols *s) {
  symbol_values all = {arena_alloc(s->a, (s->list.n + 1) * sizeof *all.at), s->list.n};
  for (size_t i = 0; i < s->list.n; i++) {
    const symbol *x = &s->list.at[i];
    const int64_t size = (x->low > 0 ? x->low : 0) + 40 + 7 * (int64_t)i;
    all.at[i] = size < x->high ? size : x->high;
  }
  return all;
}

/* The better one reaches more of the memories, or is the lesser. */
static void compare(mended *best, const mended *x) {
  const bool better = !best->size || x->rate > best->rate ||
                      (x->rate == best->rate && x->value < best->value);
  if (better)
    *best = *x;
  else if (x->rate == best->rate && x->value == best->value)
    best->tie = true;
}

static void try_param(search *t, const poly **params, size_t param, mended *best) {
  const poly *passed = params[param];
  const symbol_values at = choose_sizes(t->k->s);
  for (int i = 0; i < t->n && t->tries < TRIES_MAX; i++) {
    mended x = {.param = param, .size = t->candidates[i]};
    if (!may_replace(x.size, passed) || !poly_evaluate(t->k->s, &at, x.size, &x.value)) continue;
    arena *outer = symbols_begin(t->k->s);
    params[param] = x.size;
    x.rate = rate(t);
    symbols_end(t->k->s, outer);
    if (x.rate >= 0) compare(best, &x);
  }
  params[param] = passed;
}

/* "ks0 is passed ps0 = s0 + 2: with s0, no access leaves its memory" */
static const char *format(checker *k, const mended *x, bool all) {
  const span text = k->by_param[x->param]->operand->text;
  const char *value = poly_format(k->s, k->launch.params[x->param], k->a);
  const char *passed = arena_strndup(k->a, k->m->facts->text + text.begin, text.end - text.begin);
  if (strcmp(value, passed)) passed = arena_printf(k->a, "%s = %s", passed, value);
  return arena_printf(k->a, "%s is passed %s: with %s, no access%s leaves its memory",
                      k->launch.g->params[x->param].name, passed, poly_format(k->s, x->size, k->a),
                      all ? "" : " that is decided");
}

const char *scalars_find_wrong(checker *k, const bool *undecided) {
  search t = {.k = k, .undecided = undecided};
  mended best = {.size = NULL};
  const poly *const *passed = k->launch.params;
  const size_t n = k->launch.g->nparams;
  const uint64_t costly = k->s->costly;
  const poly **params = arena_alloc(k->s->a, (n + 1) * sizeof *params);
  if (n) memcpy(params, passed, n * sizeof *params);
  collect_candidates(&t);
  k->launch.params = params;
  for (size_t i = 0; i < n; i++) {
    const argument *x = k->by_param[i];
    if (x && x->kind == AOTIGEN_SCALAR && x->operand && params[i]) try_param(&t, params, i, &best);
  }
  k->launch.params = passed;
  k->s->costly = costly;
  if (!best.size || best.tie || t.tries >= TRIES_MAX) return NULL;
  bool all = true;
  for (size_t i = 0; i < k->launch.g->accesses.n; i++) all = all && !undecided[i];
  return format(k, &best, all);
}
