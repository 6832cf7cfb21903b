/* terms.c - what is computed, or passed, in 32 bits: see checker.h. */
#include "check/checker.h"
#include <string.h>

typedef struct term {
  const graph_access *x;
  const graph_node *node;
} term;

static bool try_term(checker *k, const void *data, violation *w) {
  const term *t = data;
  range_launch l = checker_evaluate(k);
  return violation_of_term(w, k->s, &l, t->x, t->node, INT32_MIN, INT32_MAX);
}

static bool fits(checker *k, range b) {
  const poly *most = poly_number(k->s, INT32_MAX), *least = poly_number(k->s, INT32_MIN);
  return b.low && b.high && poly_is_at_most(k->s, b.high, most) &&
         poly_is_at_most(k->s, least, b.low);
}

/* ---- sizes that nothing bounds -------------------------------------------------------------- */

/* The value that is checked: a term, or else a scalar. */
typedef struct quantity {
  const graph_access *x;
  const graph_node *node;
  const poly *scalar;
  const char *name;
  unsigned line;
} quantity;

static bool fits_quantity(checker *k, const quantity *of) {
  if (of->scalar) return fits(k, (range){of->scalar, of->scalar});
  return fits(k, range_of(range_begin(k->s, &k->launch, of->x), of->node));
}

/* True if the value is proved to fit for all values of the size up to `most`. */
static bool fits_up_to(checker *k, const quantity *of, int number, int64_t most) {
  symbol *size = &k->s->list.at[number];
  int64_t high = size->high;
  unsigned before = symbols_assume(k->s);
  size->high = most;
  bool proved = fits_quantity(k, of);
  symbols_release(k->s, before);
  k->s->list.at[number].high = high;
  return proved;
}

/* Adds one finding for each launch, for the value that overflows at the least size. */
static void report_open(checker *k, const quantity *of, const checker_example *e) {
  int64_t at = e->symbol >= 0 ? e->value : INT64_MAX;
  struct checker_limit *limit = &k->limit;
  if (limit->finding && at >= limit->size) return;
  if (!limit->finding) {
    checker_add(k, of->x, FINDING_TERM, VERDICT_UNDECIDED);
    limit->finding = k->c->findings.n;
  }
  limit->size = at;
  limit->symbol = e->symbol;
  finding *f = &k->c->findings.at[limit->finding - 1];
  f->line = of->x ? of->x->line : of->line;
  if (of->scalar) f->access = arena_strdup(k->a, of->name);
  bool proved = e->symbol >= 0 && fits_up_to(k, of, e->symbol, e->value - 1);
  const char *name = of->scalar ? of->name : graph_format(k->launch.g, of->node, k->a);
  const char *what = arena_printf(
      k->a, "nothing in the wrapper bounds %s, and %sthe 32-bit %s %s is %lld", e->unbounded,
      e->text, of->scalar ? "scalar" : "term", name, (long long)e->w.index);
  f->why = proved ? arena_printf(k->a, "proved for %s <= %lld; %s", e->unbounded,
                                 (long long)(e->value - 1), what)
                  : what;
  f->would = arena_printf(k->a, "a maximum of %s where the model is exported", e->unbounded);
}

static bool report_term(checker *k, const quantity *of, const checker_example *e) {
  if (e->unbounded) {
    report_open(k, of, e);
    return false;
  }
  finding *f = checker_add(k, of->x, FINDING_TERM, VERDICT_REFUTED);
  if (of->scalar) f->access = arena_strdup(k->a, of->name), f->line = of->line;
  f->why = arena_printf(k->a, "%sthe 32-bit %s %s is %lld%s%s", e->text,
                        of->scalar ? "scalar" : "term",
                        of->scalar ? of->name : graph_format(k->launch.g, of->node, k->a),
                        (long long)e->w.index, *e->w.text ? ", with " : "", e->w.text);
  return true;
}

/* ---- terms ---------------------------------------------------------------------------------- */

/* Accesses of one context have the same condition, loop and asserts: a term is the same in each. */
struct terms {
  const graph_access *last; /* of the context */
  unsigned context;         /* its number, from 1 */
  struct known_term {
    unsigned fits;   /* the context in which the node is proved to fit; 0: none */
    unsigned silent; /* likewise, in which nothing is told of it and of what is below it */
    bool all_fit;    /* also where the access is proved to be inside */
  } * at;            /* by node */
};

struct terms *terms_begin(const graph *g, arena *a) {
  struct terms *t = arena_alloc(a, sizeof *t);
  t->at = g->python ? arena_alloc(a, (g->nodes.n + 1) * sizeof *t->at) : NULL;
  return t;
}

static void enter_context(struct terms *t, const graph_access *x) {
  const graph_access *y = t->last;
  bool same =
      y && x->when == y->when && x->loop == y->loop && x->partly == y->partly &&
      x->nasserts == y->nasserts &&
      (!x->nasserts || !memcmp(x->asserts, y->asserts, (size_t)x->nasserts * sizeof *x->asserts));
  t->context += !same;
  t->last = x;
}

enum { VISITED_FREE = 256 /* nodes of an access; more count as work */ };

typedef struct term_reader {
  checker *k;
  const graph_access *x;
  range_reader *r;
  bool done;   /* one of the index is reported */
  bool proved; /* the access is proved to be inside, if none of its terms leaves 32 bits */
  bool all_fit, ended;
  arena_list(unsigned) visited; /* the numbers of the nodes */
} term_reader;

/* True if the term fits wherever the size that nothing bounds is below the least one that is known
 * to be too large: then it adds nothing to what is reported. */
static bool fits_below_limit(checker *k, const quantity *of) {
  const struct checker_limit *limit = &k->limit;
  return limit->finding && limit->symbol >= 0 && fits_up_to(k, of, limit->symbol, limit->size - 1);
}

static void report_not_shown(term_reader *t, const graph_node *node) {
  checker *k = t->k;
  finding *f = checker_add(k, t->x, FINDING_TERM, VERDICT_UNDECIDED);
  bool spent = symbols_is_spent(k->s) || symbols_search_ends(k->s);
  f->why = arena_printf(k->a, "it is not shown that the 32-bit term %s stays within 32 bits%s%s",
                        graph_format(k->launch.g, node, k->a), spent ? ": " : "",
                        spent ? checker_spent : "");
  t->done = true;
}

/* Checks a term of an index that is computed in 32 bits. Only the first one that overflows is
 * reported. */
static void check_term(void *data, graph_node *n) {
  term_reader *t = data;
  checker *k = t->k;
  struct known_term *known = &k->terms->at[n->number];
  ag_rule rule = ag_op_get(n->op)->rule;
  bool computes = n->type == GRAPH_I32 && rule >= AG_RULE_ADD && rule <= AG_RULE_MULTIPLY;
  *arena_push(k->s->a, &t->visited) = n->number;
  k->s->costly += t->visited.n > VISITED_FREE;
  if (!computes || known->fits == k->terms->context) return;
  if (fits(k, range_of(t->r, n))) {
    known->fits = k->terms->context;
    return;
  }
  t->all_fit = false;
  const term data_of = {t->x, n};
  const quantity of = {.x = t->x, .node = n, .name = NULL};
  checker_example e;
  if (fits_below_limit(k, &of)) return;
  if (checker_find_example(k, try_term, &data_of, &e))
    t->done = report_term(k, &of, &e);
  else if (t->proved)
    report_not_shown(t, n);
}

/* True where no term is to be checked. */
static bool is_known(void *data, const graph_node *n) {
  term_reader *t = data;
  const struct known_term *known = &t->k->terms->at[n->number];
  t->ended = symbols_is_spent(t->k->s);
  return t->done || t->ended ||
         (known->silent == t->k->terms->context && (known->all_fit || !t->proved));
}

void terms_check(checker *k, const graph_access *access, bool proved) {
  range_reader *r = range_begin(k->s, &k->launch, access);
  term_reader t = {.k = k, .x = access, .r = r, .proved = proved, .all_fit = true};
  struct terms *all = k->terms;
  enter_context(all, access);
  if (range_is_empty(t.r)) return;
  graph_each_but(k->launch.g, access->index, is_known, check_term, &t);
  if (t.ended && proved && !t.done) report_not_shown(&t, access->index);
  for (size_t i = 0; i < t.visited.n && !t.done && !t.ended; i++) {
    struct known_term *known = &all->at[t.visited.at[i]];
    *known = (struct known_term){known->fits, all->context, t.all_fit};
  }
}

/* ---- scalars -------------------------------------------------------------------------------- */

static bool try_scalar(checker *k, const void *data, violation *w) {
  *w = (violation){.text = ""};
  return checker_value(k, data, &w->index) && (w->index > INT32_MAX || w->index < INT32_MIN);
}

/* The line where the kernel first uses a parameter. */
static unsigned find_line(const graph *g, int param) {
  for (size_t i = 0; i < g->nodes.n; i++)
    for (int k = 0; k < g->nodes.at[i]->n; k++) {
      const graph_node *x = g->nodes.at[i]->args[k];
      if (x->kind == NODE_PARAM && x->index == param) return g->nodes.at[i]->line;
    }
  return 0;
}

/* `int32_t var_2 = xnumel`: the kernel's signature says i32, or in C++ int32_t. */
void terms_check_scalars(checker *k) {
  const graph *g = k->launch.g;
  for (size_t i = 0; i < g->nparams; i++) {
    const poly *value = k->launch.params[i];
    if (g->params[i].pointer || g->params[i].type != GRAPH_I32 || !value || !k->by_param[i])
      continue;
    const quantity of = {.scalar = value, .name = g->params[i].name, .line = find_line(g, (int)i)};
    checker_example e;
    if (!fits_quantity(k, &of) && checker_find_example(k, try_scalar, value, &e))
      report_term(k, &of, &e);
  }
}
