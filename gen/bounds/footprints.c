/* footprints.c - see footprints.h. */
#include "bounds/footprints.h"
#include "bounds/pairs.h"
#include "bounds/range_reader.h"
#include <string.h>

typedef struct counter {
  symbols *s;
  const range_launch *l;
  const graph *g;
  graph_access x; /* without the asserts before it */
  range_reader *r, *loops;
  int at[PAIR_LOOPS_MAX]; /* loops that the index, the condition or the place depends on */
  const poly *counts[PAIR_LOOPS_MAX]; /* values of each */
  int n, indexed;                     /* the first `indexed` of these are in the index */
  bool incomplete;
} counter;

/* ---- loops ---------------------------------------------------------------------------------- */

static void add_loop(counter *c, int loop) {
  for (int i = 0; i < c->n; i++)
    if (c->at[i] == loop) return;
  if (c->n == PAIR_LOOPS_MAX)
    c->incomplete = true;
  else
    c->at[c->n++] = loop;
}

static void note_step(void *data, graph_node *node) {
  counter *c = data;
  if (node->kind == NODE_STEP) add_loop(c, node->index);
  if (node->kind == NODE_LOAD || node->kind == NODE_UNKNOWN || node->kind == NODE_CARRIED ||
      node->kind == NODE_AFTER)
    c->incomplete = true;
  if (node->op == AG_OP_PROGRAM_ID) c->incomplete = true;
}

static void collect_loops(counter *c) {
  graph_each(c->g, c->x.index, note_step, c);
  c->indexed = c->n;
  if (c->x.when) graph_each(c->g, c->x.when, note_step, c);
  for (int i = c->x.loop; i >= 0; i = c->g->loops.at[i].outer)
    if (c->g->loops.at[i].kind != LOOP_LANES) add_loop(c, i);
}

static const poly *read_step(counter *c, const graph_loop *l) {
  if (l->kind != LOOP_FOR || !l->step) return poly_number(c->s, 1);
  form *f = form_read(c->r, l->step);
  return f && f->n == 0 ? f->constant : NULL;
}

/* The number of values that the loop's variable takes, from the least to the greatest. */
static const poly *count_values(counter *c, int loop) {
  range b = range_of_loop(c->r, loop);
  const poly *step = read_step(c, &c->g->loops.at[loop]);
  const poly *span = poly_subtract(c->s, b.high, b.low);
  if (!step || !span) return NULL;
  if (!poly_is(step, 1)) span = poly_divide_exactly(c->s, span, step);
  const poly *n = poly_add(c->s, span, poly_number(c->s, 1));
  return poly_is_natural(c->s, n) ? n : NULL;
}

/* ---- conditions ----------------------------------------------------------------------------- */

/* Comparisons of integers that all hold. */
static bool is_plain(const graph_node *node) {
  if (node->kind == NODE_INTEGER) return node->value != 0;
  if (node->kind != NODE_OP || node->n != 2) return false;
  if (node->op == AG_OP_AND) return is_plain(node->args[0]) && is_plain(node->args[1]);
  bool ordered = ag_op_is_comparison(node->op) && node->op != AG_OP_NOT_EQUAL;
  return ordered && graph_is_integer(node->args[0]->type) && graph_is_integer(node->args[1]->type);
}

/* True if x is at least 0 wherever the access is made at all: x is then as large as a number of
 * iterations. */
static bool holds(counter *c, const poly *x) {
  if (poly_is_natural(c->s, x)) return true;
  for (int i = 0; i < c->n; i++)
    if (poly_is_natural(c->s, poly_subtract(c->s, x, poly_less_one(c->s, c->counts[i]))))
      return true;
  return false;
}

/* factor * v + constant >= 0 at both ends of the loop's range. */
static bool holds_throughout(counter *c, const form *f) {
  const atom *v = &f->at[0].of;
  if (f->n != 1 || v->node || v->modulus || !poly_is(v->divisor, 1)) return false;
  range b = range_of_loop(c->r, v->loop);
  const poly *low = poly_multiply(c->s, f->at[0].factor, b.low),
             *high = poly_multiply(c->s, f->at[0].factor, b.high);
  return holds(c, poly_add(c->s, low, f->constant)) && holds(c, poly_add(c->s, high, f->constant));
}

static bool are_conditions_exact(counter *c) {
  if (c->x.when && !is_plain(c->x.when)) return false;
  for (int i = 0; i < c->r->n; i++)
    if (!holds_throughout(c, c->r->constraints[i])) return false;
  return c->r->n < RANGE_CONSTRAINTS_MAX;
}

/* True if the loop takes each value of its range. */
static bool is_within_loop(counter *c, int loop) {
  const graph_loop *l = &c->g->loops.at[loop];
  range b = range_of_loop(c->r, loop), all = range_of_loop(c->loops, loop);
  if (l->kind == LOOP_LANES) return true;
  if (l->kind != LOOP_FOR)
    return all.low && all.high && poly_is_at_most(c->s, all.low, b.low) &&
           holds(c, poly_subtract(c->s, all.high, b.high));
  form *low = form_read(c->r, l->low), *high = form_read(c->r, l->high);
  if (!low || low->n || !high || high->n) return false;
  const poly *before = poly_subtract(c->s, b.low, low->constant);
  const poly *behind = poly_less_one(c->s, poly_subtract(c->s, high->constant, b.high));
  return poly_is_natural(c->s, before) && holds(c, behind) &&
         poly_divide_exactly(c->s, before, read_step(c, l));
}

/* ---- footprints ----------------------------------------------------------------------------- */

static bool is_injective(counter *c) {
  const poly *zero = poly_number(c->s, 0);
  pair p = {.x = &c->x, .y = &c->x, .x_offset = zero, .y_offset = zero, .n = c->indexed};
  memcpy(p.loops, c->at, (size_t)c->indexed * sizeof *c->at);
  return pair_overlap(c->s, c->l, &p) != OVERLAP_MAYBE;
}

const poly *footprint_count(symbols *s, const range_launch *l, const graph_access *access) {
  counter c = {.s = s, .l = l, .g = l->g, .x = *access};
  c.x.order = 0;
  c.r = range_begin(s, l, &c.x);
  c.loops = range_begin(s, l, NULL);
  if (range_is_empty(c.r)) return poly_number(s, 0);
  collect_loops(&c);
  if (access->partly || c.incomplete || !is_injective(&c)) return NULL;
  const poly *all = poly_number(s, 1);
  for (int i = 0; i < c.n; i++) {
    c.counts[i] = count_values(&c, c.at[i]);
    bool once = i < c.indexed || poly_is_positive(s, c.counts[i]);
    if (!c.counts[i] || !once) return NULL;
    if (i < c.indexed) all = poly_multiply(s, all, c.counts[i]);
  }
  for (int i = 0; i < c.n; i++)
    if (!is_within_loop(&c, c.at[i])) return NULL;
  return are_conditions_exact(&c) ? all : NULL;
}

static bool are_apart(symbols *s, const range_launch *l, const graph_access *x,
                      const graph_access *y) {
  const poly *zero = poly_number(s, 0);
  const pair p = {.x = x, .y = y, .x_offset = zero, .y_offset = zero};
  return pair_overlap(s, l, &p) == OVERLAP_NEVER;
}

bool footprint_join(symbols *s, const range_launch *l, const graph_access *const *list, int n,
                    range *elements) {
  const poly *count = poly_number(s, 0);
  *elements = (range){0};
  for (int i = 0; i < n; i++) {
    const poly *one = footprint_count(s, l, list[i]);
    if (one && poly_is(one, 0)) continue;
    for (int k = 0; k < i; k++)
      if (!are_apart(s, l, list[k], list[i])) return false;
    range b = range_of(range_begin(s, l, list[i]), list[i]->index);
    count = poly_add(s, count, one);
    if (!count || !b.low || !b.high) return false;
    bool first = !elements->low;
    elements->low = first ? b.low : poly_extreme(s, b.low, elements->low, true);
    elements->high = first ? b.high : poly_extreme(s, elements->high, b.high, false);
    if (!elements->low || !elements->high) return false;
  }
  const poly *length = poly_subtract(s, elements->high, elements->low);
  return length && poly_is_same(count, poly_add(s, length, poly_number(s, 1)));
}
