/* checker.c - counter-examples and findings: see checker.h. */
#include "check/checker.h"
#include <string.h>

enum {
  VALUES_MAX = 16,
  ROUNDS = 24,
  FORM_TRIED = 32, /* to bound a form takes as long as to evaluate so many nodes */
  SMALL = 16       /* the value that is tried first for a size that nothing bounds */
};

/* ---- sizes ---------------------------------------------------------------------------------- */

typedef struct search {
  checker *k;
  checker_attempt *try;
  const void *data;
  int64_t *values; /* k->example's */
  bool *left_out;  /* the example's text does not mention the size */
  size_t n;
  bool small; /* unbounded sizes are small, and sizes that only a run tells are 0 */
} search;

static bool is_unbounded(const symbol *x) { return x->kind == SYMBOL_SIZE && !x->declared; }

static int64_t find_low(const search *t, const symbol *x) {
  bool nothing = t->small && is_unbounded(x) && x->measured && x->low <= 0;
  return nothing || x->low == INT64_MIN ? 0 : x->low;
}

static int64_t find_high(const search *t, const symbol *x) {
  if (t->small && is_unbounded(x)) {
    int64_t low = find_low(t, x);
    return x->measured ? low : low < SMALL && SMALL < x->high ? SMALL : low;
  }
  return x->high == INT64_MAX ? (int64_t)1 << 33 : x->high;
}

static int64_t add(int64_t x, int64_t y) {
  return __builtin_add_overflow(x, y, &x) ? INT64_MAX : x;
}

/* Lists values that a size may have, the ends of its range first. */
static int list_values(const search *t, const symbol *x, int64_t *to) {
  int n = 0;
  int64_t high = find_high(t, x), low = find_low(t, x);
  const int64_t near[] = {low,
                          high,
                          low + (low < high),
                          high - (low < high),
                          add(low, 2),
                          add(low, 3),
                          (int64_t)(((poly_int)low + high) / 2),
                          add(low, 7)};
  for (size_t i = 0; i < sizeof near / sizeof *near && n < VALUES_MAX; i++)
    if (near[i] >= low && near[i] <= high) to[n++] = near[i];
  return n;
}

/* Chooses the sizes of a round: first all at one end, then one of them different, then mixed. */
static void choose_values(search *t, unsigned round) {
  for (size_t i = 0; i < t->n; i++) {
    int64_t list[VALUES_MAX];
    int count = list_values(t, &t->k->s->list.at[i], list);
    unsigned pick = round < 4          ? round
                    : round < 4 + t->n ? (i == round - 4 ? 1 : 0)
                                       : round * 7 + (unsigned)i * 3;
    t->values[i] = count ? list[pick % (unsigned)count] : 0;
  }
}

static bool attempt(search *t, violation *w) {
  symbols *s = t->k->s;
  uint64_t forms = s->work;
  bool found = path_condition_holds(&t->k->path, s, &t->k->example) && t->try(t->k, t->data, w);
  s->tried += FORM_TRIED * (s->work - forms);
  return found;
}

/* Reduces values[x] to the least one at which the violation is found: a small counter-example says
 * more. */
static void lessen(search *t, size_t x, violation *w) {
  int64_t low = find_low(t, &t->k->s->list.at[x]), high = t->values[x];
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    violation found;
    t->values[x] = middle;
    if (attempt(t, &found)) {
      *w = found;
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  t->values[x] = high;
  violation found;
  if (attempt(t, &found)) *w = found;
}

static bool run_search(search *t, violation *w) {
  bool found = false;
  unsigned rounds = t->n ? ROUNDS : 1;
  for (unsigned round = 0; round < rounds && !found && !symbols_search_ends(t->k->s); round++) {
    choose_values(t, round);
    found = attempt(t, w);
    for (size_t i = 0; found && i < t->n; i++)
      if (t->k->s->list.at[i].kind == SYMBOL_SIZE && t->k->s->list.at[i].low >= 0) lessen(t, i, w);
  }
  return found;
}

/* ---- examples ------------------------------------------------------------------------------- */

static const char *format_values(const search *t) {
  strbuf out = {0};
  for (size_t i = 0; i < t->n; i++)
    if (t->k->s->list.at[i].kind == SYMBOL_SIZE && !t->left_out[i])
      strbuf_printf(&out, "%s%s = %lld", out.n ? ", " : "", t->k->s->list.at[i].name,
                    (long long)t->values[i]);
  const char *text = out.n ? arena_printf(t->k->a, "%.*s: ", (int)out.n, out.at) : "";
  strbuf_free(&out);
  return text;
}

/* Notes the sizes that nothing bounds and that are larger than they have to be. */
static void note_unbounded(const search *t, checker_example *e) {
  strbuf out = {0};
  int count = 0;
  for (size_t i = 0; i < t->n; i++) {
    const symbol *x = &t->k->s->list.at[i];
    if (!is_unbounded(x) || t->values[i] <= find_low(t, x)) continue;
    strbuf_printf(&out, "%s%s", out.n ? ", " : "", x->name);
    e->symbol = count++ ? -1 : (int)i;
    e->value = t->values[i];
  }
  e->unbounded = out.n ? arena_strndup(t->k->a, out.at, out.n) : "a size";
  strbuf_free(&out);
}

/* The first size that only a run tells and that the violation depends on. The example leaves the
 * others out. */
static const char *find_counted(search *t) {
  static const int64_t others[] = {0, 1 << 20};
  const char *name = NULL;
  for (size_t i = 0; i < t->n; i++) {
    const symbol *x = &t->k->s->list.at[i];
    int64_t value = t->values[i];
    t->left_out[i] = x->counted;
    for (int k = 0; k < 2 && t->left_out[i]; k++) {
      violation w;
      t->values[i] = others[k] < x->low ? x->low : others[k] > x->high ? x->high : others[k];
      t->left_out[i] = attempt(t, &w);
    }
    if (x->counted && !t->left_out[i] && !name) name = x->name;
    t->values[i] = value;
  }
  return name;
}

bool checker_value(const checker *k, const poly *x, int64_t *value) {
  return poly_evaluate(k->s, &k->example, x, value);
}

bool checker_find_example(checker *k, checker_attempt *try, const void *data, checker_example *e) {
  size_t n = k->s->list.n;
  search t = {.k = k, .try = try, .data = data, .n = n, .small = true};
  t.values = arena_alloc(k->s->a, (n + 1) * sizeof *t.values);
  k->example = (symbol_values){t.values, n};
  t.left_out = arena_alloc(k->s->a, n + 1);
  *e = (checker_example){.symbol = -1};
  bool any_unbounded = false;
  for (size_t i = 0; i < n; i++) any_unbounded = any_unbounded || is_unbounded(&k->s->list.at[i]);
  bool found = run_search(&t, &e->w);
  if (!found && any_unbounded) {
    t.small = false;
    found = run_search(&t, &e->w);
    if (found) note_unbounded(&t, e);
  }
  if (found) e->counted = find_counted(&t);
  if (found) e->text = format_values(&t);
  return found;
}

range_launch checker_evaluate(checker *k) {
  range_launch l = {.g = k->launch.g};
  size_t n = l.g->nparams;
  const poly **params = arena_alloc(k->s->a, (n + 1) * sizeof *params);
  int64_t value;
  for (size_t i = 0; i < n; i++)
    if (checker_value(k, k->launch.params[i], &value)) params[i] = poly_number(k->s, value);
  for (int i = 0; i < 3; i++)
    if (checker_value(k, k->launch.grid[i], &value)) l.grid[i] = poly_number(k->s, value);
  l.params = params;
  return l;
}

const char checker_spent[] =
    "the kernel holds more than is examined for one launch: the examination ended before it";

/* ---- findings ------------------------------------------------------------------------------- */

static const char *name_access(checker *k, const graph_access *access) {
  const graph *g = k->launch.g;
  return arena_printf(k->a, "%s %s[%s]", ag_graph_access_names[access->kind],
                      g->memories.at[access->memory].name, graph_format(g, access->index, k->a));
}

const argument *checker_argument(const checker *k, const graph_access *access) {
  int param = k->launch.g->memories.at[access->memory].param;
  return param >= 0 ? k->by_param[param] : NULL;
}

const char *checker_memory_name(const checker *k, const graph_access *access) {
  const argument *passed = checker_argument(k, access);
  return passed ? passed->name : k->launch.g->memories.at[access->memory].name;
}

static void note_load(void *data, graph_node *node) {
  const graph_node **found = data;
  if (node->kind == NODE_LOAD && !*found) *found = node;
}

const graph_node *checker_find_load(const checker *k, graph_node *node) {
  const graph_node *found = NULL;
  if (node) graph_each(k->launch.g, node, note_load, &found);
  return found;
}

static void count(check *c, const finding *f, size_t by) {
  if (f->kind == FINDING_ACCESS) c->counts[f->verdict] += by;
  c->by_kind[f->kind][f->verdict] += by;
  if (f->verdict == VERDICT_REFUTED) c->refuted += by;
}

finding *checker_add(checker *k, const graph_access *access, enum finding_kind kind,
                     enum verdict verdict) {
  const argument *passed = access ? checker_argument(k, access) : NULL;
  finding *f = arena_push(k->a, &k->c->findings);
  *f = (finding){.kind = kind,
                 .verdict = verdict,
                 .site = k->site,
                 .access = access ? name_access(k, access) : NULL,
                 .argument = passed ? passed->name : NULL,
                 .line = access ? access->line : 0};
  count(k->c, f, 1);
  return f;
}

void checker_set(checker *k, finding *f, enum verdict verdict) {
  count(k->c, f, (size_t)-1);
  f->verdict = verdict;
  count(k->c, f, 1);
}
