/* range.c - the bounds of forms, of loops and of nodes: see range.h. */
#include "bounds/range_reader.h"
#include "bounds/reals.h"
#include <string.h>

/* ---- loops ---------------------------------------------------------------------------------- */

enum { BLOCK_MULTIPLE = 1024 };

static range none(void) { return (range){0}; }

/* from + step * ((to - from) // step): the greatest value up to `to`. */
static const poly *align_down(range_reader *r, const poly *from, const poly *to, const poly *step) {
  if (!step || poly_is(step, 1)) return to;
  const poly *steps =
      poly_is_positive(r->s, step) ? poly_divide(r->s, poly_subtract(r->s, to, from), step) : NULL;
  const poly *last = poly_add(r->s, from, poly_multiply(r->s, step, steps));
  return last ? last : to;
}

/* From low up to below high in whole blocks: Inductor leaves out the condition where every block
 * that it may choose divides the length. */
static const poly *end_blocks(range_reader *r, const poly *low, const poly *high,
                              const poly *block) {
  const poly *length = poly_subtract(r->s, high, low);
  int64_t n;
  if (block) {
    const poly *up = poly_add(r->s, length, poly_less_one(r->s, block));
    const poly *all = poly_multiply(r->s, poly_divide(r->s, up, block), block);
    return poly_less_one(r->s, poly_add(r->s, low, all));
  }
  bool whole = poly_is_number(length, &n) && n % BLOCK_MULTIPLE == 0;
  return whole ? poly_less_one(r->s, high) : NULL;
}

static range bound_loop_itself(range_reader *r, int loop) {
  const graph_loop *l = &r->g->loops.at[loop];
  range low = l->low ? range_of_form(r, form_read(r, l->low)) : none();
  range high = l->high ? range_of_form(r, form_read(r, l->high)) : none();
  range step = l->step ? range_of_form(r, form_read(r, l->step)) : none();
  const poly *zero = poly_number(r->s, 0);
  switch (l->kind) {
    case LOOP_FOR: {
      const poly *last = poly_less_one(r->s, high.high);
      bool fixed = low.low && poly_is_same(low.low, low.high) && poly_is_same(step.low, step.high);
      return (range){low.low, fixed ? align_down(r, low.low, last, step.high) : last};
    }
    case LOOP_GRID: {
      const poly *const *grid = r->l->grid;
      const poly *programs = l->axis != GRAPH_AXIS_YZ ? grid[l->axis]
                                                      : poly_multiply(r->s, grid[1], grid[2]);
      return (range){zero, poly_less_one(r->s, poly_multiply(r->s, programs, step.high))};
    }
    case LOOP_BLOCKS: return (range){low.low, end_blocks(r, low.low, high.high, step.high)};
    case LOOP_TILE: return (range){low.low, poly_less_one(r->s, high.high)};
    case LOOP_LANES: return (range){zero, NULL};
  }
  return none();
}

/* ---- constraints ---------------------------------------------------------------------------- */

static range bound_atom(range_reader *r, const atom *x);

/* The bounds of a form without one of its terms, by the loops alone. */
static range bound_rest(range_reader *r, const form *f, int without) {
  form rest = *f;
  rest.at[without] = rest.at[--rest.n];
  bool uses = r->uses_constraints;
  r->uses_constraints = false;
  range b = range_of_form(r, &rest);
  r->uses_constraints = uses;
  return b;
}

/* factor * x + rest >= 0: a bound of x. */
static void narrow(range_reader *r, range *b, const form *c, int term) {
  const poly *zero = poly_number(r->s, 0), *factor = c->at[term].factor;
  range rest = bound_rest(r, c, term);
  if (!rest.high) return;
  if (poly_is_positive(r->s, factor)) {
    const poly *least = poly_subtract(r->s, zero, poly_divide(r->s, rest.high, factor));
    b->low = poly_greater(r->s, b->low, least);
  } else if (poly_is_positive(r->s, poly_subtract(r->s, zero, factor))) {
    const poly *most = poly_divide(r->s, rest.high, poly_subtract(r->s, zero, factor));
    b->high = poly_lesser(r->s, b->high, most);
  }
}

static void narrow_atom(range_reader *r, range *b, const atom *x) {
  if (!r->uses_constraints) return;
  for (int i = 0; i < r->n; i++)
    for (int k = 0; k < r->constraints[i]->n; k++)
      if (form_is_same_atom(&r->constraints[i]->at[k].of, x)) narrow(r, b, r->constraints[i], k);
}

/* The least value is one that the loop has, and the next one is past the greatest. */
static bool is_one_step(range_reader *r, const range *b, const poly *low, const poly *step) {
  const poly *span = poly_subtract(r->s, b->high, b->low);
  return poly_divide_exactly(r->s, poly_subtract(r->s, b->low, low), step) &&
         poly_is_at_most(r->s, span, poly_less_one(r->s, step));
}

/* The loop's variable, as the constraints leave it. */
static range bound_loop(range_reader *r, int loop) {
  const atom v = {.loop = loop, .divisor = poly_number(r->s, 1)};
  const graph_loop *l = &r->g->loops.at[loop];
  range b = bound_loop_itself(r, loop);
  narrow_atom(r, &b, &v);
  if (l->kind != LOOP_FOR || !l->low || !b.high) return b;
  const form *low = form_read(r, l->low), *step = l->step ? form_read(r, l->step) : NULL;
  if (!low || low->n || !step || step->n) return b;
  int64_t n; /* a number is not compared with sizes as well as what they are rounded to */
  if (!poly_is_number(b.low, &n) && is_one_step(r, &b, low->constant, step->constant))
    b.high = b.low;
  else
    b.high = align_down(r, low->constant, b.high, step->constant);
  return b;
}

/* ---- nodes ---------------------------------------------------------------------------------- */

/* The most that x may be above y, 0 where it never is; INT64_MAX where nothing bounds that. */
static int64_t excess(range_reader *r, const poly *x, const poly *y) {
  int64_t low, high;
  poly_bounds(r->s, poly_subtract(r->s, x, y), &low, &high);
  return high > 0 ? high : 0;
}

/* What is at most x and at most y. */
static const poly *below_both(range_reader *r, const poly *x, const poly *y) {
  if (!x || !y) return NULL;
  if (poly_is_at_most(r->s, x, y)) return x;
  if (poly_is_at_most(r->s, y, x)) return y;
  int64_t first = excess(r, x, y), second = excess(r, y, x);
  int64_t less = first < second ? first : second;
  if (less == INT64_MAX) return NULL;
  return poly_subtract(r->s, first <= second ? x : y, poly_number(r->s, less));
}

static const poly *above_both(range_reader *r, const poly *x, const poly *y) {
  if (!x || !y) return NULL;
  if (poly_is_at_most(r->s, x, y)) return y;
  if (poly_is_at_most(r->s, y, x)) return x;
  int64_t first = excess(r, y, x), second = excess(r, x, y);
  int64_t more = first < second ? first : second;
  if (more == INT64_MAX) return NULL;
  return poly_add(r->s, first <= second ? x : y, poly_number(r->s, more));
}

static range join(range_reader *r, range x, range y) {
  return (range){below_both(r, x.low, y.low), above_both(r, x.high, y.high)};
}

/* `x` where `test` holds, or does not. */
static range bound_branch(range_reader *r, const graph_node *test, bool holds, const graph_node *x,
                          bool *possible) {
  int n = r->n, conditions = r->nconditions;
  bool impossible = r->impossible;
  unsigned epoch = r->epoch;
  r->impossible = false;
  r->epoch = ++r->epochs;
  range_assume(r, test, holds);
  range b = range_of(r, x);
  *possible = !r->impossible;
  r->impossible = impossible;
  r->n = n;
  r->nconditions = conditions;
  r->epoch = epoch;
  return b;
}

static range bound_where(range_reader *r, const graph_node *x) {
  bool first, second;
  range yes = bound_branch(r, x->args[0], true, x->args[1], &first);
  range no = bound_branch(r, x->args[0], false, x->args[2], &second);
  if (!first || !second) return first ? yes : no;
  return join(r, yes, no);
}

static range bound_extreme(range_reader *r, const graph_node *x, bool least) {
  range a = range_of(r, x->args[0]), b = range_of(r, x->args[1]), z = join(r, a, b);
  if (least) {
    z.high = poly_lesser(r->s, a.high, b.high);
  } else {
    z.low = poly_greater(r->s, a.low, b.low);
  }
  return z;
}

static range bound_quotient(range_reader *r, const graph_node *x, bool quotient) {
  range a = range_of(r, x->args[0]), b = range_of(r, x->args[1]);
  const poly *one = poly_number(r->s, 1), *zero = poly_number(r->s, 0);
  if (!b.low || !poly_is_positive(r->s, b.low)) return none();
  bool natural = a.low && poly_is_natural(r->s, a.low);
  if (!quotient && b.high) {
    const poly *most = poly_subtract(r->s, b.high, one);
    if (natural && a.high) most = poly_lesser(r->s, a.high, most);
    return (range){natural ? zero : poly_subtract(r->s, one, b.high), most};
  }
  if (!quotient || !natural) return none();
  const poly *low = b.high ? poly_divide(r->s, a.low, b.high) : zero;
  return (range){low ? low : zero, a.high ? poly_divide(r->s, a.high, b.low) : NULL};
}

static range bound_absolute(range_reader *r, const graph_node *x) {
  range a = range_of(r, x->args[0]);
  const poly *zero = poly_number(r->s, 0);
  if (a.low && poly_is_natural(r->s, a.low)) return a;
  return (range){zero, above_both(r, a.high, poly_subtract(r->s, zero, a.low))};
}

static range bound_product(range_reader *r, const graph_node *x) {
  range a = range_of(r, x->args[0]), b = range_of(r, x->args[1]);
  bool natural = a.low && b.low && poly_is_natural(r->s, a.low) && poly_is_natural(r->s, b.low);
  if (!natural) return none();
  return (range){poly_multiply(r->s, a.low, b.low), poly_multiply(r->s, a.high, b.high)};
}

static range bound_type(range_reader *r, const graph_node *x) {
  static const struct {
    graph_type type;
    int64_t low, high;
  } types[] = {{GRAPH_BOOL, 0, 1},
               {GRAPH_U8, 0, UINT8_MAX},
               {GRAPH_I8, INT8_MIN, INT8_MAX},
               {GRAPH_U16, 0, UINT16_MAX},
               {GRAPH_I16, INT16_MIN, INT16_MAX}};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (types[i].type == x->type)
      return (range){poly_number(r->s, types[i].low), poly_number(r->s, types[i].high)};
  return none();
}

static range bound_program(range_reader *r, const graph_node *x) {
  int64_t axis = x->n == 1 && x->args[0]->kind == NODE_INTEGER ? x->args[0]->value : -1;
  const poly *programs = axis >= 0 && axis < 3 ? r->l->grid[axis] : NULL;
  if (x->op == AG_OP_NUM_PROGRAMS) return (range){programs, programs};
  return (range){poly_number(r->s, 0), poly_less_one(r->s, programs)};
}

/* An array of the kernel's own holds what was stored there. */
static range bound_local(range_reader *r, const graph_node *x) {
  int memory = r->g->accesses.at[x->index].memory;
  range all = none();
  bool any = false;
  if (r->g->memories.at[memory].param >= 0) return none();
  for (size_t i = 0; i < r->g->accesses.n; i++) {
    const graph_access *s = &r->g->accesses.at[i];
    if (s->memory != memory || s->kind == ACCESS_LOAD) continue;
    if (s->kind == ACCESS_ATOMIC || r->depth > RANGE_DEPTH_MAX / 4) return none();
    range_reader *within = range_begin_within(r, s);
    range b = range_of(within, s->value);
    r->work = within->work;
    r->reads = within->reads;
    all = any ? join(r, all, b) : b;
    any = true;
  }
  return all;
}

static bool read_integer(void *data, const graph_node *x, int64_t *low, int64_t *high) {
  range_reader *r = data;
  range b = range_of_form(r, form_read(r, x));
  return poly_is_number(b.low, low) && poly_is_number(b.high, high);
}

/* An integer that a float is cut to. */
static range bound_cut(range_reader *r, const graph_node *x) {
  reals b;
  bool known = x->type == GRAPH_I32 || x->type == GRAPH_I64;
  if (!known || !reals_bound(x->args[0], read_integer, r, &b)) return (range){0};
  if (x->type == GRAPH_I32 && (b.low < INT32_MIN || b.high > INT32_MAX)) return (range){0};
  return (range){poly_number(r->s, (int64_t)b.low), poly_number(r->s, (int64_t)b.high)};
}

static range bound_op(range_reader *r, const graph_node *x) {
  ag_rule rule = ag_op_get(x->op)->rule;
  switch (rule) {
    case AG_RULE_CAST:
      if (!graph_is_integer(x->type) || !graph_is_float(x->args[0]->type)) break;
      return bound_cut(r, x);
    case AG_RULE_WHERE: return bound_where(r, x);
    case AG_RULE_MULTIPLY: return form_computes(x) ? bound_product(r, x) : bound_type(r, x);
    case AG_RULE_ABSOLUTE: return bound_absolute(r, x);
    case AG_RULE_MIN:
    case AG_RULE_MAX: return bound_extreme(r, x, rule == AG_RULE_MIN);
    case AG_RULE_FLOOR_DIVIDE:
    case AG_RULE_MODULO: return bound_quotient(r, x, rule == AG_RULE_FLOOR_DIVIDE);
    case AG_RULE_PROGRAM_ID:
    case AG_RULE_NUM_PROGRAMS: return bound_program(r, x);
    default: break;
  }
  return bound_type(r, x);
}

static range bound_node(range_reader *r, const graph_node *x) {
  range b = none();
  if (r->depth <= RANGE_DEPTH_MAX) {
    r->depth++;
    if (x->kind == NODE_OP) b = bound_op(r, x);
    if (x->kind == NODE_LOAD) b = bound_local(r, x);
    if (!b.low && !b.high) b = bound_type(r, x);
    r->depth--;
  }
  const atom a = {.node = x};
  narrow_atom(r, &b, &a);
  return b;
}

static range bound_atom(range_reader *r, const atom *x) {
  if (x->node) return bound_node(r, x->node);
  range b = bound_loop(r, x->loop);
  if (poly_is(x->divisor, 1) && !x->modulus) return b;
  const poly *zero = poly_number(r->s, 0);
  const atom last = {.loop = x->loop, .divisor = poly_number(r->s, 1), .modulus = x->divisor};
  range below = {zero, NULL}; /* v - divisor * (v // divisor) */
  if (!poly_is(x->divisor, 1)) below = range_of_form(r, form_of_atom(r, &last));
  if (!below.low) below.low = zero;
  range part = {zero, poly_divide(r->s, poly_subtract(r->s, b.high, below.low), x->divisor)};
  if (b.low && !x->modulus) {
    const poly *low = poly_divide(r->s, b.low, x->divisor);
    if (low) part.low = low;
  }
  if (x->modulus) part.high = poly_lesser(r->s, part.high, poly_less_one(r->s, x->modulus));
  narrow_atom(r, &part, x);
  return part;
}

/* ---- sums ----------------------------------------------------------------------------------- */

/* c * (v // a % m) + d * (v // (a * m)) is c * (v // a) + (d - c * m) * (v // (a * m)): the bounds
 * of this are tighter where the last v is not the end of a row. */
static bool join_rows(range_reader *r, form *f) {
  for (int i = 0; i < f->n; i++)
    for (int k = 0; k < f->n; k++) {
      const atom *low = &f->at[i].of, *high = &f->at[k].of;
      if (i == k || low->node || high->node || low->loop != high->loop || !low->modulus ||
          high->modulus)
        continue;
      const poly *rest =
          poly_subtract(r->s, f->at[k].factor, poly_multiply(r->s, f->at[i].factor, low->modulus));
      if (!poly_is_same(poly_multiply(r->s, low->divisor, low->modulus), high->divisor)) continue;
      if (!poly_is_natural(r->s, f->at[i].factor) || !poly_is_natural(r->s, rest)) continue;
      f->at[i].of.modulus = NULL;
      f->at[k].factor = rest;
      return true;
    }
  return false;
}

/* Where a constraint speaks of v // (a * k), v // a is k * (v // (a * k)) + v // a % k. */
static bool split_term(range_reader *r, form *f, int i, const poly *border) {
  const atom x = f->at[i].of;
  const poly *k = border ? poly_divide_exactly(r->s, border, x.divisor) : NULL;
  if (!k || f->n == FORM_ATOMS || poly_is(k, 1) || !poly_is_positive(r->s, k)) return false;
  const poly *left = x.modulus ? poly_divide_exactly(r->s, x.modulus, k) : NULL;
  if (x.modulus && (!left || poly_is(left, 1))) return false;
  f->at[f->n++] = (struct form_term){.of = {.loop = x.loop, .divisor = border, .modulus = left},
                                     .factor = poly_multiply(r->s, f->at[i].factor, k)};
  f->at[i].of.modulus = k;
  return true;
}

static bool split_by_constraints(range_reader *r, form *f) {
  for (int i = 0; i < f->n; i++)
    for (int c = 0; c < r->n && !f->at[i].of.node; c++)
      for (int k = 0; k < r->constraints[c]->n; k++) {
        const atom *y = &r->constraints[c]->at[k].of;
        if (y->node || y->loop != f->at[i].of.loop) continue;
        const poly *end = y->modulus ? poly_multiply(r->s, y->divisor, y->modulus) : NULL;
        if (split_term(r, f, i, y->divisor) || split_term(r, f, i, end)) return true;
      }
  return false;
}

static const poly *sign(range_reader *r, const poly *factor, bool *positive) {
  *positive = poly_is_natural(r->s, factor);
  const poly *negative = poly_subtract(r->s, poly_number(r->s, 0), factor);
  return *positive || poly_is_natural(r->s, negative) ? factor : NULL;
}

static range bound_terms(range_reader *r, const form *f) {
  range sum = {f->constant, f->constant};
  for (int i = 0; i < f->n; i++) {
    bool positive;
    range b = bound_atom(r, &f->at[i].of);
    const poly *factor = sign(r, f->at[i].factor, &positive);
    const poly *low = positive ? b.low : b.high, *high = positive ? b.high : b.low;
    if ((!low || !high || !factor) && !r->unbounded) r->unbounded = f->at[i].of.node;
    sum.low = poly_add(r->s, sum.low, poly_multiply(r->s, factor, low));
    sum.high = poly_add(r->s, sum.high, poly_multiply(r->s, factor, high));
  }
  return sum;
}

/* f = factor * the terms of c + rest; NULL where it is not. */
static form *without_terms(range_reader *r, const form *f, const form *c, const poly **factor) {
  *factor = NULL;
  for (int i = 0; i < c->n; i++) {
    int k = 0;
    while (k < f->n && !form_is_same_atom(&f->at[k].of, &c->at[i].of)) k++;
    if (k == f->n) return NULL;
    const poly *q = poly_divide_exactly(r->s, f->at[k].factor, c->at[i].factor);
    if (!q || (*factor && !poly_is_same(q, *factor))) return NULL;
    *factor = q;
  }
  const poly *minus = poly_subtract(r->s, poly_number(r->s, 0), *factor);
  return form_add(r, f, c, minus);
}

/* A constraint over several of the terms together: f = factor * c + rest, and c is at least 0. */
static void narrow_sum(range_reader *r, range *b, const form *f) {
  for (int i = 0; r->uses_constraints && i < r->n; i++) {
    const form *c = r->constraints[i];
    const poly *factor;
    bool positive;
    form *rest = c->n > 1 ? without_terms(r, f, c, &factor) : NULL;
    if (!rest || !sign(r, factor, &positive)) continue;
    range x = bound_terms(r, rest);
    if (positive)
      b->low = poly_greater(r->s, b->low, x.low);
    else
      b->high = poly_lesser(r->s, b->high, x.high);
  }
}

static range intersect(range_reader *r, range x, range y) {
  return (range){poly_greater(r->s, x.low, y.low), poly_lesser(r->s, x.high, y.high)};
}

range range_of_form(range_reader *r, const form *f) {
  r->s->work++;
  r->s->costly += r->work > RANGE_KNOWN_FROM;
  if (!f || r->depth > RANGE_DEPTH_MAX || ++r->work > RANGE_WORK_MAX) return none();
  r->depth++;
  form joined = *f;
  while (form_join_parts(r, &joined)) {
  }
  range b = bound_terms(r, &joined);
  narrow_sum(r, &b, &joined);
  form rows = joined;
  if (join_rows(r, &rows)) b = intersect(r, b, bound_terms(r, &rows));
  bool parts = false;
  while (r->uses_constraints && split_by_constraints(r, &joined)) parts = true;
  if (parts) b = intersect(r, b, bound_terms(r, &joined));
  r->depth--;
  return b;
}

range range_of(range_reader *r, const graph_node *x) {
  r->unbounded = NULL;
  return range_of_form(r, form_read(r, x));
}

range range_of_loop(range_reader *r, int loop) { return bound_loop(r, loop); }
