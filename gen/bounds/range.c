/* range.c - the bounds of forms, of loops and of nodes: see range.h. */
#include "bounds/range_reader.h"
#include <string.h>

/* ---- loops ---------------------------------------------------------------------------------- */

enum { BLOCK_MULTIPLE = 1024 };

static const range none;

/* from + step * ((to - from) // step): the greatest value up to `to`. */
static const poly *align_down(range_reader *reader, const poly *from, const poly *to,
                              const poly *step) {
  if (!step || poly_is(step, 1)) return to;
  const poly *steps = poly_is_positive(reader->s, step)
                          ? poly_divide(reader->s, poly_subtract(reader->s, to, from), step)
                          : NULL;
  const poly *last = poly_add(reader->s, from, poly_multiply(reader->s, step, steps));
  return last ? last : to;
}

/* From low up to below high in whole blocks. Inductor leaves the condition out where every block
 * size that it may choose divides the length. */
static const poly *end_blocks(range_reader *reader, const poly *low, const poly *high,
                              const poly *block) {
  const poly *length = poly_subtract(reader->s, high, low);
  int64_t n;
  if (block) {
    const poly *up = poly_add(reader->s, length, poly_less_one(reader->s, block));
    const poly *all = poly_multiply(reader->s, poly_divide(reader->s, up, block), block);
    return poly_less_one(reader->s, poly_add(reader->s, low, all));
  }
  bool whole = poly_is_number(length, &n) && n % BLOCK_MULTIPLE == 0;
  return whole ? poly_less_one(reader->s, high) : NULL;
}

static range bound_loop_itself(range_reader *reader, int loop) {
  const graph_loop *l = &reader->g->loops.at[loop];
  range low = l->low ? range_of_form(reader, form_read(reader, l->low)) : none;
  range high = l->high ? range_of_form(reader, form_read(reader, l->high)) : none;
  range step = l->step ? range_of_form(reader, form_read(reader, l->step)) : none;
  const poly *zero = poly_number(reader->s, 0);
  switch (l->kind) {
    case LOOP_FOR: {
      const poly *last = poly_less_one(reader->s, high.high);
      bool fixed = low.low && poly_is_same(low.low, low.high) && poly_is_same(step.low, step.high);
      return (range){low.low, fixed ? align_down(reader, low.low, last, step.high) : last};
    }
    case LOOP_GRID: {
      const poly *const *grid = reader->l->grid;
      const poly *programs = l->axis != GRAPH_AXIS_YZ ? grid[l->axis]
                                                      : poly_multiply(reader->s, grid[1], grid[2]);
      return (range){zero, poly_less_one(reader->s, poly_multiply(reader->s, programs, step.high))};
    }
    case LOOP_BLOCKS: return (range){low.low, end_blocks(reader, low.low, high.high, step.high)};
    case LOOP_TILE: return (range){low.low, poly_less_one(reader->s, high.high)};
    case LOOP_LANES: return (range){zero, NULL};
  }
  return none;
}

/* ---- constraints ---------------------------------------------------------------------------- */

/* The bounds of a form without one of its terms, from the loops alone. */
static range bound_rest(range_reader *reader, const form *f, int without) {
  form rest = *f;
  rest.at[without] = rest.at[--rest.n];
  bool uses = reader->uses_constraints;
  reader->uses_constraints = false;
  range b = range_of_form(reader, &rest);
  reader->uses_constraints = uses;
  return b;
}

/* factor * x + rest >= 0, as a bound of x. */
static void narrow(range_reader *reader, range *b, const form *c, int term) {
  const poly *zero = poly_number(reader->s, 0), *factor = c->at[term].factor;
  range rest = bound_rest(reader, c, term);
  if (!rest.high) return;
  if (poly_is_positive(reader->s, factor)) {
    const poly *least = poly_subtract(reader->s, zero, poly_divide(reader->s, rest.high, factor));
    b->low = poly_greater(reader->s, b->low, least);
  } else if (poly_is_positive(reader->s, poly_subtract(reader->s, zero, factor))) {
    const poly *most = poly_divide(reader->s, rest.high, poly_subtract(reader->s, zero, factor));
    b->high = poly_lesser(reader->s, b->high, most);
  }
}

static void narrow_atom(range_reader *reader, range *b, const atom *x) {
  if (!reader->uses_constraints) return;
  for (int i = 0; i < reader->n; i++)
    for (int k = 0; k < reader->constraints[i]->n; k++)
      if (form_is_same_atom(&reader->constraints[i]->at[k].of, x))
        narrow(reader, b, reader->constraints[i], k);
}

/* True if the loop takes its least value, and the next one is past the greatest. */
static bool is_one_step(range_reader *reader, const range *b, const poly *low, const poly *step) {
  const poly *span = poly_subtract(reader->s, b->high, b->low);
  return poly_divide_exactly(reader->s, poly_subtract(reader->s, b->low, low), step) &&
         poly_is_at_most(reader->s, span, poly_less_one(reader->s, step));
}

/* The bounds of the loop's variable under the constraints. */
range range_of_loop(range_reader *reader, int loop) {
  const atom v = {.loop = loop, .divisor = poly_number(reader->s, 1)};
  const graph_loop *l = &reader->g->loops.at[loop];
  range b = bound_loop_itself(reader, loop);
  narrow_atom(reader, &b, &v);
  if (l->kind != LOOP_FOR || !l->low || !b.high) return b;
  const form *low = form_read(reader, l->low), *step = l->step ? form_read(reader, l->step) : NULL;
  if (!low || low->n || !step || step->n) return b;
  int64_t n; /* a number compares better with other numbers than with what sizes are rounded to */
  if (!poly_is_number(b.low, &n) && is_one_step(reader, &b, low->constant, step->constant))
    b.high = b.low;
  else
    b.high = align_down(reader, low->constant, b.high, step->constant);
  return b;
}

/* ---- nodes ---------------------------------------------------------------------------------- */

/* By how much x may exceed y at most; 0 where it never does, INT64_MAX where nothing bounds it. */
static int64_t excess(range_reader *reader, const poly *x, const poly *y) {
  int64_t low, high;
  poly_bounds(reader->s, poly_subtract(reader->s, x, y), &low, &high);
  return high > 0 ? high : 0;
}

/* A value that is at most x and at most y if `below`, else one that is at least both. */
static const poly *beyond_both(range_reader *reader, const poly *x, const poly *y, bool below) {
  if (!x || !y) return NULL;
  const poly *extreme = poly_extreme(reader->s, x, y, below);
  if (extreme) return extreme;
  int64_t first = excess(reader, below ? x : y, below ? y : x);
  int64_t second = excess(reader, below ? y : x, below ? x : y);
  const poly *by = poly_number(reader->s, first < second ? first : second);
  if (first == INT64_MAX && second == INT64_MAX) return NULL;
  return (below ? poly_subtract : poly_add)(reader->s, first <= second ? x : y, by);
}

static range join(range_reader *reader, range x, range y) {
  return (range){beyond_both(reader, x.low, y.low, true),
                 beyond_both(reader, x.high, y.high, false)};
}

/* The bounds of a value that is `node` where `test` holds, or where it does not. */
static range bound_branch(range_reader *reader, const graph_node *test, bool holds,
                          const graph_node *node, bool *possible) {
  int n = reader->n, conditions = reader->nconditions;
  bool impossible = reader->impossible;
  unsigned epoch = reader->epoch;
  reader->impossible = false;
  reader->epoch = ++reader->epochs;
  range_assume(reader, test, holds);
  range b = range_of(reader, node);
  *possible = !reader->impossible;
  reader->impossible = impossible;
  reader->n = n;
  reader->nconditions = conditions;
  reader->epoch = epoch;
  return b;
}

static range bound_where(range_reader *reader, const graph_node *node) {
  bool first, second;
  range yes = bound_branch(reader, node->args[0], true, node->args[1], &first);
  range no = bound_branch(reader, node->args[0], false, node->args[2], &second);
  if (!first || !second) return first ? yes : no;
  return join(reader, yes, no);
}

static range bound_extreme(range_reader *reader, const graph_node *node, bool least) {
  range a = range_of(reader, node->args[0]), b = range_of(reader, node->args[1]),
        z = join(reader, a, b);
  if (least)
    z.high = poly_lesser(reader->s, a.high, b.high);
  else
    z.low = poly_greater(reader->s, a.low, b.low);
  return z;
}

static range bound_quotient(range_reader *reader, const graph_node *node, bool quotient) {
  range a = range_of(reader, node->args[0]), b = range_of(reader, node->args[1]);
  const poly *one = poly_number(reader->s, 1), *zero = poly_number(reader->s, 0);
  if (!b.low || !poly_is_positive(reader->s, b.low)) return none;
  bool natural = a.low && poly_is_natural(reader->s, a.low);
  if (!quotient && b.high) {
    const poly *most = poly_subtract(reader->s, b.high, one);
    if (natural && a.high) most = poly_lesser(reader->s, a.high, most);
    return (range){natural ? zero : poly_subtract(reader->s, one, b.high), most};
  }
  if (!quotient || !natural) return none;
  const poly *low = b.high ? poly_divide(reader->s, a.low, b.high) : zero;
  return (range){low ? low : zero, a.high ? poly_divide(reader->s, a.high, b.low) : NULL};
}

static range bound_absolute(range_reader *reader, const graph_node *node) {
  range a = range_of(reader, node->args[0]);
  const poly *zero = poly_number(reader->s, 0);
  if (a.low && poly_is_natural(reader->s, a.low)) return a;
  return (range){zero, beyond_both(reader, a.high, poly_subtract(reader->s, zero, a.low), false)};
}

static range bound_product(range_reader *reader, const graph_node *node) {
  range a = range_of(reader, node->args[0]), b = range_of(reader, node->args[1]);
  bool natural = a.low && b.low && poly_is_natural(reader->s, a.low) &&
                 poly_is_natural(reader->s, b.low);
  if (!natural) return none;
  return (range){poly_multiply(reader->s, a.low, b.low), poly_multiply(reader->s, a.high, b.high)};
}

static range bound_type(range_reader *reader, const graph_node *node) {
  static const struct {
    graph_type type;
    int64_t low, high;
  } types[] = {{GRAPH_BOOL, 0, 1},
               {GRAPH_U8, 0, UINT8_MAX},
               {GRAPH_I8, INT8_MIN, INT8_MAX},
               {GRAPH_U16, 0, UINT16_MAX},
               {GRAPH_I16, INT16_MIN, INT16_MAX}};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (types[i].type == node->type)
      return (range){poly_number(reader->s, types[i].low), poly_number(reader->s, types[i].high)};
  return none;
}

static range bound_program(range_reader *reader, const graph_node *node) {
  int64_t axis = node->n == 1 && node->args[0]->kind == NODE_INTEGER ? node->args[0]->value : -1;
  const poly *programs = axis >= 0 && axis < 3 ? reader->l->grid[axis] : NULL;
  if (node->op == AG_OP_NUM_PROGRAMS) return (range){programs, programs};
  return (range){poly_number(reader->s, 0), poly_less_one(reader->s, programs)};
}

/* An array of the kernel's own holds what was stored there. */
static range bound_local(range_reader *reader, const graph_node *node) {
  int memory = reader->g->accesses.at[node->index].memory;
  range all = none;
  bool any = false;
  if (reader->g->memories.at[memory].param >= 0) return none;
  for (size_t i = 0; i < reader->g->accesses.n; i++) {
    const graph_access *s = &reader->g->accesses.at[i];
    if (s->memory != memory || s->kind == ACCESS_LOAD) continue;
    if (s->kind == ACCESS_ATOMIC || reader->depth > RANGE_DEPTH_MAX / 4) return none;
    range_reader *within = range_begin_within(reader, s);
    range b = range_of(within, s->value);
    reader->work = within->work;
    reader->reads = within->reads;
    all = any ? join(reader, all, b) : b;
    any = true;
  }
  return all;
}

static bool read_integer(void *data, const graph_node *node, int64_t *low, int64_t *high) {
  range_reader *r = data;
  range b = range_of_form(r, form_read(r, node));
  return poly_is_number(b.low, low) && poly_is_number(b.high, high);
}

/* An integer that a float is truncated to. */
static range bound_cut(range_reader *reader, const graph_node *node) {
  reals b;
  bool known = node->type == GRAPH_I32 || node->type == GRAPH_I64;
  if (!known || !reals_bound(node->args[0], read_integer, reader, &b)) return none;
  if (node->type == GRAPH_I32 && (b.low < INT32_MIN || b.high > INT32_MAX)) return none;
  return (range){poly_number(reader->s, (int64_t)b.low), poly_number(reader->s, (int64_t)b.high)};
}

static range bound_op(range_reader *reader, const graph_node *node) {
  ag_rule rule = ag_op_get(node->op)->rule;
  switch (rule) {
    case AG_RULE_CAST:
      if (!graph_is_integer(node->type) || !ag_graph_type_is_float(node->args[0]->type)) break;
      return bound_cut(reader, node);
    case AG_RULE_WHERE: return bound_where(reader, node);
    case AG_RULE_MULTIPLY:
      return form_computes(node) ? bound_product(reader, node) : bound_type(reader, node);
    case AG_RULE_ABSOLUTE: return bound_absolute(reader, node);
    case AG_RULE_MIN:
    case AG_RULE_MAX: return bound_extreme(reader, node, rule == AG_RULE_MIN);
    case AG_RULE_FLOOR_DIVIDE:
    case AG_RULE_MODULO: return bound_quotient(reader, node, rule == AG_RULE_FLOOR_DIVIDE);
    case AG_RULE_PROGRAM_ID:
    case AG_RULE_NUM_PROGRAMS: return bound_program(reader, node);
    default: break;
  }
  return bound_type(reader, node);
}

static range bound_node(range_reader *reader, const graph_node *node) {
  range b = none;
  if (reader->depth <= RANGE_DEPTH_MAX) {
    reader->depth++;
    if (node->kind == NODE_OP) b = bound_op(reader, node);
    if (node->kind == NODE_LOAD) b = bound_local(reader, node);
    if (!b.low && !b.high) b = bound_type(reader, node);
    reader->depth--;
  }
  const atom a = {.node = node};
  narrow_atom(reader, &b, &a);
  return b;
}

static range bound_atom(range_reader *reader, const atom *x) {
  if (x->node) return bound_node(reader, x->node);
  range b = range_of_loop(reader, x->loop);
  if (poly_is(x->divisor, 1) && !x->modulus) return b;
  const poly *zero = poly_number(reader->s, 0);
  const atom last = {.loop = x->loop, .divisor = poly_number(reader->s, 1), .modulus = x->divisor};
  range below = {zero, NULL}; /* v - divisor * (v // divisor) */
  if (!poly_is(x->divisor, 1)) below = range_of_form(reader, form_of_atom(reader, &last));
  if (!below.low) below.low = zero;
  range part = {zero,
                poly_divide(reader->s, poly_subtract(reader->s, b.high, below.low), x->divisor)};
  if (b.low && !x->modulus) {
    const poly *low = poly_divide(reader->s, b.low, x->divisor);
    if (low) part.low = low;
  }
  if (x->modulus)
    part.high = poly_lesser(reader->s, part.high, poly_less_one(reader->s, x->modulus));
  narrow_atom(reader, &part, x);
  return part;
}

/* ---- sums ----------------------------------------------------------------------------------- */

/* c * (v // a % m) + d * (v // (a * m)) is c * (v // a) + (d - c * m) * (v // (a * m)), whose
 * bounds are tighter where the last v is not the end of a row. */
static bool join_rows(range_reader *reader, form *f) {
  for (int i = 0; i < f->n; i++)
    for (int k = 0; k < f->n; k++) {
      const atom *low = &f->at[i].of, *high = &f->at[k].of;
      if (i == k || low->node || high->node || low->loop != high->loop || !low->modulus ||
          high->modulus)
        continue;
      const poly *rest = poly_subtract(reader->s, f->at[k].factor,
                                       poly_multiply(reader->s, f->at[i].factor, low->modulus));
      if (!poly_is_same(poly_multiply(reader->s, low->divisor, low->modulus), high->divisor))
        continue;
      if (!poly_is_natural(reader->s, f->at[i].factor) || !poly_is_natural(reader->s, rest))
        continue;
      f->at[i].of.modulus = NULL;
      f->at[k].factor = rest;
      return true;
    }
  return false;
}

/* If a constraint is about v // (a * k), splits v // a into k * (v // (a * k)) + v // a % k. */
static bool split_term(range_reader *reader, form *f, int i, const poly *border) {
  const atom x = f->at[i].of;
  const poly *k = border ? poly_divide_exactly(reader->s, border, x.divisor) : NULL;
  if (!k || f->n == FORM_ATOMS || poly_is(k, 1) || !poly_is_positive(reader->s, k)) return false;
  const poly *left = x.modulus ? poly_divide_exactly(reader->s, x.modulus, k) : NULL;
  if (x.modulus && (!left || poly_is(left, 1))) return false;
  f->at[f->n++] = (struct form_term){.of = {.loop = x.loop, .divisor = border, .modulus = left},
                                     .factor = poly_multiply(reader->s, f->at[i].factor, k)};
  f->at[i].of.modulus = k;
  return true;
}

static bool split_by_constraints(range_reader *reader, form *f) {
  for (int i = 0; i < f->n; i++)
    for (int c = 0; c < reader->n && !f->at[i].of.node; c++)
      for (int k = 0; k < reader->constraints[c]->n; k++) {
        const atom *y = &reader->constraints[c]->at[k].of;
        if (y->node || y->loop != f->at[i].of.loop) continue;
        const poly *end = y->modulus ? poly_multiply(reader->s, y->divisor, y->modulus) : NULL;
        if (split_term(reader, f, i, y->divisor) || split_term(reader, f, i, end)) return true;
      }
  return false;
}

static const poly *sign(range_reader *reader, const poly *factor, bool *positive) {
  *positive = poly_is_natural(reader->s, factor);
  const poly *negative = poly_subtract(reader->s, poly_number(reader->s, 0), factor);
  return *positive || poly_is_natural(reader->s, negative) ? factor : NULL;
}

static range bound_terms(range_reader *reader, const form *f) {
  range sum = {f->constant, f->constant};
  for (int i = 0; i < f->n; i++) {
    bool positive;
    range b = bound_atom(reader, &f->at[i].of);
    const poly *factor = sign(reader, f->at[i].factor, &positive);
    const poly *low = positive ? b.low : b.high, *high = positive ? b.high : b.low;
    if ((!low || !high || !factor) && !reader->unbounded) reader->unbounded = f->at[i].of.node;
    sum.low = poly_add(reader->s, sum.low, poly_multiply(reader->s, factor, low));
    sum.high = poly_add(reader->s, sum.high, poly_multiply(reader->s, factor, high));
  }
  return sum;
}

/* f = factor * the terms of c + rest; NULL where it is not. */
static form *without_terms(range_reader *reader, const form *f, const form *c,
                           const poly **factor) {
  *factor = NULL;
  for (int i = 0; i < c->n; i++) {
    int k = 0;
    while (k < f->n && !form_is_same_atom(&f->at[k].of, &c->at[i].of)) k++;
    if (k == f->n) return NULL;
    const poly *q = poly_divide_exactly(reader->s, f->at[k].factor, c->at[i].factor);
    if (!q || (*factor && !poly_is_same(q, *factor))) return NULL;
    *factor = q;
  }
  const poly *minus = poly_subtract(reader->s, poly_number(reader->s, 0), *factor);
  return form_add(reader, f, c, minus);
}

/* A constraint over several of the terms together: f = factor * c + rest, where c is at least 0. */
static void narrow_sum(range_reader *reader, range *b, const form *f) {
  for (int i = 0; reader->uses_constraints && i < reader->n; i++) {
    const form *c = reader->constraints[i];
    const poly *factor;
    bool positive;
    form *rest = c->n > 1 ? without_terms(reader, f, c, &factor) : NULL;
    if (!rest || !sign(reader, factor, &positive)) continue;
    range x = bound_terms(reader, rest);
    if (positive)
      b->low = poly_greater(reader->s, b->low, x.low);
    else
      b->high = poly_lesser(reader->s, b->high, x.high);
  }
}

static range intersect(range_reader *reader, range x, range y) {
  return (range){poly_greater(reader->s, x.low, y.low), poly_lesser(reader->s, x.high, y.high)};
}

range range_of_form(range_reader *reader, const form *f) {
  reader->s->work++;
  reader->s->costly += reader->work > RANGE_KNOWN_FROM;
  if (!f || reader->depth > RANGE_DEPTH_MAX || ++reader->work > RANGE_WORK_MAX) return none;
  reader->depth++;
  form joined = *f;
  while (form_join_parts(reader, &joined)) {
  }
  range b = bound_terms(reader, &joined);
  narrow_sum(reader, &b, &joined);
  form rows = joined;
  if (join_rows(reader, &rows)) b = intersect(reader, b, bound_terms(reader, &rows));
  bool parts = false;
  while (reader->uses_constraints && split_by_constraints(reader, &joined)) parts = true;
  if (parts) b = intersect(reader, b, bound_terms(reader, &joined));
  reader->depth--;
  return b;
}

range range_of(range_reader *reader, const graph_node *node) {
  reader->unbounded = NULL;
  return range_of_form(reader, form_read(reader, node));
}
