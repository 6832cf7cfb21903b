/* range.c - see range.h. */
#include "check/range.h"
#include "check/reals.h"
#include <string.h>

enum {
  FORM_ATOMS = 16,
  CONSTRAINTS_MAX = 64,
  DEPTH_MAX = 60,
  BLOCK_MULTIPLE = 1024,
  WORK_MAX = 20000
};

/* A loop's variable v as (v // divisor) % modulus, modulus NULL: without; or a node. */
typedef struct atom {
  const graph_node *node; /* NULL: a loop's variable */
  int loop;
  const poly *divisor, *modulus;
} atom;

typedef struct form {
  const poly *constant;
  int n;
  struct form_term {
    atom of;
    const poly *factor;
  } at[FORM_ATOMS];
} form;

struct range_reader {
  symbols *s;
  const range_launch *l;
  const graph *g;
  const graph_access *access;
  form *constraints[CONSTRAINTS_MAX]; /* each is at least 0 */
  int n;
  const graph_node *conditions[CONSTRAINTS_MAX * 2]; /* that hold */
  int nconditions;
  int depth;
  unsigned work; /* forms bounded so far: a graph may have more paths than can be walked */
  bool uses_constraints;
  bool impossible;
  const graph_node *unbounded;
};

static form *read_form(range_reader *r, const graph_node *x);
static range bound_form(range_reader *r, const form *f);

/* ---- forms ---------------------------------------------------------------------------------- */

static form *new_form(range_reader *r, const poly *constant) {
  if (!constant) return NULL;
  form *f = arena_alloc(r->s->a, sizeof *f);
  f->constant = constant;
  return f;
}

static bool is_same_atom(const atom *x, const atom *y) {
  if (x->node || y->node) return x->node == y->node;
  bool modulus = x->modulus == y->modulus || poly_is_same(x->modulus, y->modulus);
  return x->loop == y->loop && modulus && poly_is_same(x->divisor, y->divisor);
}

static bool add_term(range_reader *r, form *f, const atom *x, const poly *factor) {
  if (!factor) return false;
  for (int i = 0; i < f->n; i++) {
    if (!is_same_atom(&f->at[i].of, x)) continue;
    f->at[i].factor = poly_add(r->s, f->at[i].factor, factor);
    if (poly_is(f->at[i].factor, 0)) f->at[i] = f->at[--f->n];
    return i >= f->n || f->at[i].factor;
  }
  if (poly_is(factor, 0)) return true;
  if (f->n == FORM_ATOMS) return false;
  f->at[f->n++] = (struct form_term){.of = *x, .factor = factor};
  return true;
}

/* x + factor * y */
static form *add_forms(range_reader *r, const form *x, const form *y, const poly *factor) {
  if (!x || !y || !factor) return NULL;
  form *f = new_form(r, poly_add(r->s, x->constant, poly_multiply(r->s, y->constant, factor)));
  for (int i = 0; f && i < x->n; i++)
    if (!add_term(r, f, &x->at[i].of, x->at[i].factor)) return NULL;
  for (int i = 0; f && i < y->n; i++)
    if (!add_term(r, f, &y->at[i].of, poly_multiply(r->s, y->at[i].factor, factor))) return NULL;
  return f;
}

static form *atom_form(range_reader *r, const atom *x) {
  form *f = new_form(r, poly_number(r->s, 0));
  add_term(r, f, x, poly_number(r->s, 1));
  return f;
}

static form *node_form(range_reader *r, const graph_node *x) {
  const atom a = {.node = x};
  return atom_form(r, &a);
}

/* The form is one loop variable, or a part of it. */
static const atom *get_digit(const form *f) {
  bool one = f->n == 1 && poly_is(f->constant, 0) && poly_is(f->at[0].factor, 1);
  return one && !f->at[0].of.node ? &f->at[0].of : NULL;
}

/* x = y * quotient + rest, as far as the terms are multiples of y. */
static void split_form(range_reader *r, const form *x, const poly *y, form **quotient,
                       form **rest) {
  const poly *whole = poly_divide_exactly(r->s, x->constant, y);
  *quotient = new_form(r, whole ? whole : poly_number(r->s, 0));
  *rest = new_form(r, whole ? poly_number(r->s, 0) : x->constant);
  for (int i = 0; i < x->n; i++) {
    const poly *factor = poly_divide_exactly(r->s, x->at[i].factor, y);
    if (factor)
      add_term(r, *quotient, &x->at[i].of, factor);
    else
      add_term(r, *rest, &x->at[i].of, x->at[i].factor);
  }
}

/* Does it lie in 0 ... y - 1. */
static bool is_below(range_reader *r, const form *x, const poly *y) {
  range b = bound_form(r, x);
  const poly *most = poly_subtract(r->s, y, poly_number(r->s, 1));
  return b.low && b.high && most && poly_is_natural(r->s, b.low) &&
         poly_is_at_most(r->s, b.high, most);
}

/* (v // divisor % modulus) // y and % y, where that is such a part of v again. */
static form *part_of(range_reader *r, const atom *d, const poly *y, bool quotient) {
  atom z = *d;
  if (quotient) {
    z.divisor = poly_multiply(r->s, d->divisor, y);
    if (d->modulus) z.modulus = poly_divide_exactly(r->s, d->modulus, y);
    if (d->modulus && !z.modulus) return NULL;
    if (z.modulus && poly_is(z.modulus, 1)) return new_form(r, poly_number(r->s, 0));
  } else {
    if (d->modulus && !poly_divide_exactly(r->s, d->modulus, y)) return NULL;
    z.modulus = y;
  }
  return z.divisor ? atom_form(r, &z) : NULL;
}

/* A loop's variable that is never negative. */
static bool is_natural_loop(range_reader *r, int loop) {
  const graph_loop *l = &r->g->loops.at[loop];
  if (!l->low) return true;
  const form *low = read_form(r, l->low);
  return low && low->n == 0 && poly_is_natural(r->s, low->constant);
}

static form *divide_forms(range_reader *r, const graph_node *x, bool quotient) {
  form *left = read_form(r, x->args[0]), *by = read_form(r, x->args[1]);
  if (!left || !by || by->n || !poly_is_positive(r->s, by->constant)) return node_form(r, x);
  const poly *y = by->constant;
  form *whole, *rest;
  if (left->n == 0 && poly_is_natural(r->s, left->constant)) {
    const poly *q = poly_divide(r->s, left->constant, y);
    if (q && quotient) return new_form(r, q);
    if (q) return new_form(r, poly_subtract(r->s, left->constant, poly_multiply(r->s, q, y)));
  }
  if (is_below(r, left, y)) return quotient ? new_form(r, poly_number(r->s, 0)) : left;
  const atom *digit = get_digit(left);
  form *part = digit && is_natural_loop(r, digit->loop) ? part_of(r, digit, y, quotient) : NULL;
  if (part) return part;
  split_form(r, left, y, &whole, &rest);
  if (whole->n && is_below(r, rest, y)) {
    range b = bound_form(r, whole);
    if (b.low && poly_is_natural(r->s, b.low)) return quotient ? whole : rest;
  }
  return node_form(r, x);
}

/* min and max of two integers that can be compared. */
static form *read_extreme(range_reader *r, const graph_node *x, bool least) {
  form *left = read_form(r, x->args[0]), *right = read_form(r, x->args[1]);
  if (!left || !right || left->n || right->n) return node_form(r, x);
  if (poly_is_at_most(r->s, left->constant, right->constant)) return least ? left : right;
  if (poly_is_at_most(r->s, right->constant, left->constant)) return least ? right : left;
  return node_form(r, x);
}

/* Each value of `from` is one of `to`. */
static bool is_within(graph_type from, graph_type to) {
  static const struct {
    signed char bits, sign;
  } t[] = {
      [GRAPH_WEAK] = {31, 1}, [GRAPH_BOOL] = {1, 0}, [GRAPH_U8] = {8, 0},   [GRAPH_I8] = {7, 1},
      [GRAPH_U16] = {16, 0},  [GRAPH_I16] = {15, 1}, [GRAPH_U32] = {32, 0}, [GRAPH_I32] = {31, 1},
      [GRAPH_U64] = {64, 0},  [GRAPH_I64] = {63, 1}};
  return t[from].bits <= t[to].bits && t[from].sign <= t[to].sign;
}

/* A cast of an integer that changes no value that it may have. */
static bool keeps_value(range_reader *r, const graph_node *x, const form *f) {
  graph_type from = x->args[0]->type, to = x->type;
  if (!graph_is_integer(from) || !graph_is_integer(to) || to < GRAPH_U32) return false;
  if (is_within(from, to)) return true;
  range b = bound_form(r, f);
  const poly *least = poly_number(r->s, to == GRAPH_I64   ? INT64_MIN
                                        : to == GRAPH_I32 ? INT32_MIN
                                                          : 0);
  const poly *most = poly_number(r->s, to == GRAPH_I32   ? INT32_MAX
                                       : to == GRAPH_U32 ? UINT32_MAX
                                                         : INT64_MAX);
  return b.low && b.high && poly_is_at_most(r->s, least, b.low) &&
         poly_is_at_most(r->s, b.high, most);
}

/* Computed in a type whose overflow the check looks for, or that has none. */
static bool computes_integer(const graph_node *x) {
  return x->type == GRAPH_WEAK || x->type == GRAPH_I32 || x->type == GRAPH_I64;
}

static form *read_op(range_reader *r, const graph_node *x) {
  const char *op = x->text;
  if (strcmp(op, "cast") == 0) {
    form *f = read_form(r, x->args[0]);
    return f && keeps_value(r, x, f) ? f : node_form(r, x);
  }
  if (!computes_integer(x)) return node_form(r, x);
  bool plus = strcmp(op, "+") == 0, minus = strcmp(op, "-") == 0;
  if (x->n == 2 && (plus || minus)) {
    form *f = add_forms(r, read_form(r, x->args[0]), read_form(r, x->args[1]),
                        poly_number(r->s, plus ? 1 : -1));
    return f ? f : node_form(r, x);
  }
  if (x->n == 1 && minus) {
    form *f = add_forms(r, new_form(r, poly_number(r->s, 0)), read_form(r, x->args[0]),
                        poly_number(r->s, -1));
    return f ? f : node_form(r, x);
  }
  if (x->n == 2 && strcmp(op, "*") == 0) {
    form *left = read_form(r, x->args[0]), *right = read_form(r, x->args[1]), *f = NULL;
    form *zero = new_form(r, poly_number(r->s, 0));
    if (left && right && right->n == 0) f = add_forms(r, zero, left, right->constant);
    if (left && right && !f && left->n == 0) f = add_forms(r, zero, right, left->constant);
    return f ? f : node_form(r, x);
  }
  if (x->n == 2 && (strcmp(op, "//") == 0 || strcmp(op, "%") == 0))
    return divide_forms(r, x, *op == '/');
  if (x->n == 2 && (strcmp(op, "min") == 0 || strcmp(op, "max") == 0))
    return read_extreme(r, x, op[1] == 'i');
  return node_form(r, x);
}

static form *read_form(range_reader *r, const graph_node *x) {
  if (r->depth > DEPTH_MAX) return node_form(r, x);
  r->depth++;
  form *f = NULL;
  switch (x->is) {
    case NODE_INTEGER: f = new_form(r, poly_number(r->s, x->value)); break;
    case NODE_PARAM: f = new_form(r, r->l->params[x->index]); break;
    case NODE_STEP: {
      const atom v = {.loop = x->index, .divisor = poly_number(r->s, 1)};
      f = atom_form(r, &v);
      break;
    }
    case NODE_OP: f = read_op(r, x); break;
    default: break;
  }
  r->depth--;
  return f ? f : node_form(r, x);
}

/* ---- loops ---------------------------------------------------------------------------------- */

static range none(void) { return (range){0}; }

static const poly *less_one(range_reader *r, const poly *x) {
  return poly_subtract(r->s, x, poly_number(r->s, 1));
}

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
    const poly *up = poly_add(r->s, length, less_one(r, block));
    const poly *all = poly_multiply(r->s, poly_divide(r->s, up, block), block);
    return less_one(r, poly_add(r->s, low, all));
  }
  bool whole = poly_is_number(length, &n) && n % BLOCK_MULTIPLE == 0;
  return whole ? less_one(r, high) : NULL;
}

static range bound_loop_itself(range_reader *r, int loop) {
  const graph_loop *l = &r->g->loops.at[loop];
  range low = l->low ? bound_form(r, read_form(r, l->low)) : none();
  range high = l->high ? bound_form(r, read_form(r, l->high)) : none();
  range step = l->step ? bound_form(r, read_form(r, l->step)) : none();
  const poly *zero = poly_number(r->s, 0);
  switch (l->is) {
    case LOOP_FOR: {
      const poly *last = less_one(r, high.high);
      bool fixed = low.low && poly_is_same(low.low, low.high) && poly_is_same(step.low, step.high);
      return (range){low.low, fixed ? align_down(r, low.low, last, step.high) : last};
    }
    case LOOP_GRID: {
      const poly *const *grid = r->l->grid;
      const poly *programs = l->axis != GRAPH_TALL ? grid[l->axis]
                                                   : poly_multiply(r->s, grid[1], grid[2]);
      return (range){zero, less_one(r, poly_multiply(r->s, programs, step.high))};
    }
    case LOOP_BLOCKS: return (range){low.low, end_blocks(r, low.low, high.high, step.high)};
    case LOOP_TILE: return (range){low.low, less_one(r, high.high)};
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
  range b = bound_form(r, &rest);
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
      if (is_same_atom(&r->constraints[i]->at[k].of, x)) narrow(r, b, r->constraints[i], k);
}

/* The loop's variable, as the constraints leave it. */
static range bound_loop(range_reader *r, int loop) {
  const atom v = {.loop = loop, .divisor = poly_number(r->s, 1)};
  const graph_loop *l = &r->g->loops.at[loop];
  range b = bound_loop_itself(r, loop);
  narrow_atom(r, &b, &v);
  if (l->is != LOOP_FOR || !l->low || !b.high) return b;
  const form *low = read_form(r, l->low), *step = l->step ? read_form(r, l->step) : NULL;
  if (low && low->n == 0 && step && step->n == 0)
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

static void assume(range_reader *r, const graph_node *x, bool holds);

/* `x` where `test` holds, or does not. */
static range bound_branch(range_reader *r, const graph_node *test, bool holds, const graph_node *x,
                          bool *possible) {
  int n = r->n, conditions = r->nconditions;
  bool impossible = r->impossible;
  r->impossible = false;
  assume(r, test, holds);
  range b = range_of(r, x);
  *possible = !r->impossible;
  r->impossible = impossible;
  r->n = n;
  r->nconditions = conditions;
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
  int64_t axis = x->args[0]->is == NODE_INTEGER ? x->args[0]->value : -1;
  const poly *programs = axis >= 0 && axis < 3 ? r->l->grid[axis] : NULL;
  if (strcmp(x->text, "num_programs") == 0) return (range){programs, programs};
  return (range){poly_number(r->s, 0), less_one(r, programs)};
}

/* An array of the kernel's own holds what was stored there. */
static range bound_local(range_reader *r, const graph_node *x) {
  int memory = r->g->accesses.at[x->index].memory;
  range all = none();
  bool any = false;
  if (r->g->memories.at[memory].param >= 0) return none();
  for (size_t i = 0; i < r->g->accesses.n; i++) {
    const graph_access *s = &r->g->accesses.at[i];
    if (s->memory != memory || s->is == ACCESS_LOAD) continue;
    if (s->is == ACCESS_ATOMIC || r->depth > DEPTH_MAX / 4) return none();
    range b = range_of(range_begin(r->s, r->l, s), s->value);
    all = any ? join(r, all, b) : b;
    any = true;
  }
  return all;
}

static bool read_integer(void *data, const graph_node *x, int64_t *low, int64_t *high) {
  range_reader *r = data;
  range b = bound_form(r, read_form(r, x));
  return poly_is_number(b.low, low) && poly_is_number(b.high, high);
}

/* An integer that a float is cut to. */
static range bound_cut(range_reader *r, const graph_node *x) {
  reals b;
  bool known = x->type == GRAPH_I32 || x->type == GRAPH_I64;
  if (!known || !reals_bound(x->args[0], read_integer, r, &b)) return none();
  if (x->type == GRAPH_I32 && (b.low < INT32_MIN || b.high > INT32_MAX)) return none();
  return (range){poly_number(r->s, (int64_t)b.low), poly_number(r->s, (int64_t)b.high)};
}

static range bound_op(range_reader *r, const graph_node *x) {
  const char *op = x->text;
  if (x->n == 1 && strcmp(op, "cast") == 0 && graph_is_integer(x->type) &&
      graph_is_float(x->args[0]->type))
    return bound_cut(r, x);
  if (strcmp(op, "where") == 0 && x->n == 3) return bound_where(r, x);
  if (x->n == 2 && strcmp(op, "*") == 0 && computes_integer(x)) return bound_product(r, x);
  if (x->n == 1 && strcmp(op, "abs") == 0) return bound_absolute(r, x);
  if (x->n == 2 && (strcmp(op, "min") == 0 || strcmp(op, "max") == 0))
    return bound_extreme(r, x, op[1] == 'i');
  if (x->n == 2 && (strcmp(op, "//") == 0 || strcmp(op, "%") == 0))
    return bound_quotient(r, x, *op == '/');
  if (strcmp(op, "program_id") == 0 || strcmp(op, "num_programs") == 0) return bound_program(r, x);
  return bound_type(r, x);
}

static range bound_node(range_reader *r, const graph_node *x) {
  range b = none();
  if (r->depth <= DEPTH_MAX) {
    r->depth++;
    if (x->is == NODE_OP) b = bound_op(r, x);
    if (x->is == NODE_LOAD) b = bound_local(r, x);
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
  if (!poly_is(x->divisor, 1)) below = bound_form(r, atom_form(r, &last));
  if (!below.low) below.low = zero;
  range part = {zero, poly_divide(r->s, poly_subtract(r->s, b.high, below.low), x->divisor)};
  if (b.low && !x->modulus) {
    const poly *low = poly_divide(r->s, b.low, x->divisor);
    if (low) part.low = low;
  }
  if (x->modulus) part.high = poly_lesser(r->s, part.high, less_one(r, x->modulus));
  narrow_atom(r, &part, x);
  return part;
}

/* ---- sums ----------------------------------------------------------------------------------- */

/* c * (v // a % m) + c * m * (v // (a * m)) is c * (v // a): true where two terms became one. */
static bool join_parts(range_reader *r, form *f) {
  for (int i = 0; i < f->n; i++)
    for (int k = 0; k < f->n; k++) {
      const atom *low = &f->at[i].of, *high = &f->at[k].of;
      if (i == k || low->node || high->node || low->loop != high->loop || !low->modulus) continue;
      const poly *divisor = poly_multiply(r->s, low->divisor, low->modulus);
      const poly *factor = poly_multiply(r->s, f->at[i].factor, low->modulus);
      if (!poly_is_same(divisor, high->divisor) || !poly_is_same(factor, f->at[k].factor)) continue;
      f->at[i].of.modulus = high->modulus ? poly_multiply(r->s, low->modulus, high->modulus) : NULL;
      if (high->modulus && !f->at[i].of.modulus) return false;
      f->at[k] = f->at[--f->n];
      return true;
    }
  return false;
}

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
    while (k < f->n && !is_same_atom(&f->at[k].of, &c->at[i].of)) k++;
    if (k == f->n) return NULL;
    const poly *q = poly_divide_exactly(r->s, f->at[k].factor, c->at[i].factor);
    if (!q || (*factor && !poly_is_same(q, *factor))) return NULL;
    *factor = q;
  }
  const poly *minus = poly_subtract(r->s, poly_number(r->s, 0), *factor);
  return add_forms(r, f, c, minus);
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

static range bound_form(range_reader *r, const form *f) {
  if (!f || r->depth > DEPTH_MAX || ++r->work > WORK_MAX) return none();
  r->depth++;
  form joined = *f;
  while (join_parts(r, &joined)) {
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
  return bound_form(r, read_form(r, x));
}

/* ---- conditions ----------------------------------------------------------------------------- */

static bool is_held(const range_reader *r, const graph_node *x) {
  for (int i = 0; i < r->nconditions; i++)
    if (r->conditions[i] == x) return true;
  return false;
}

/* Each condition of `x` holds already. */
static bool are_held(const range_reader *r, const graph_node *x) {
  if (x->is == NODE_OP && x->n == 2 && strcmp(x->text, "&") == 0)
    return are_held(r, x->args[0]) && are_held(r, x->args[1]);
  return is_held(r, x) || (x->is == NODE_INTEGER && x->value);
}

static void add_constraint(range_reader *r, form *f) {
  if (!f || r->n == CONSTRAINTS_MAX) return;
  while (join_parts(r, f)) {
  }
  const poly *most = f->n ? NULL : poly_add(r->s, f->constant, poly_number(r->s, 1));
  if (f->n == 0) /* it holds for all elements or for none */
    r->impossible = r->impossible ||
                    poly_is_natural(r->s, poly_subtract(r->s, poly_number(r->s, 0), most));
  else
    r->constraints[r->n++] = f;
}

/* x < y, as y - x - 1 >= 0; x <= y where `equal`. */
static void assume_less(range_reader *r, const graph_node *x, const graph_node *y, bool equal) {
  form *f = add_forms(r, read_form(r, y), read_form(r, x), poly_number(r->s, -1));
  if (f && !equal) f->constant = less_one(r, f->constant);
  if (f && f->constant) add_constraint(r, f);
}

static void assume_comparison(range_reader *r, const graph_node *x, bool holds) {
  const char *op = x->text;
  const graph_node *a = x->args[0], *b = x->args[1];
  if (!graph_is_integer(a->type) || !graph_is_integer(b->type)) return;
  bool equal = strcmp(op, "==") == 0;
  if (equal || strcmp(op, "!=") == 0) {
    if (equal != holds) return;
    assume_less(r, a, b, true);
    assume_less(r, b, a, true);
  } else {
    bool less = *op == '<', or_equal = op[1] == '=';
    if (!holds) less = !less, or_equal = !or_equal;
    assume_less(r, less ? a : b, less ? b : a, or_equal);
  }
}

static bool is_comparison(const graph_node *x) {
  return x->n == 2 &&
         (strchr("<>", *x->text) || strcmp(x->text, "==") == 0 || strcmp(x->text, "!=") == 0) &&
         strcmp(x->text, "<<") != 0 && strcmp(x->text, ">>") != 0;
}

/* P | !mask, where the mask holds: P. */
static void assume_or(range_reader *r, const graph_node *x) {
  for (int i = 0; i < 2; i++) {
    const graph_node *other = x->args[1 - i];
    bool not = other->is == NODE_OP && strcmp(other->text, "!") == 0;
    if (not &&are_held(r, other->args[0])) assume(r, x->args[i], true);
  }
}

static void assume_op(range_reader *r, const graph_node *x, bool holds) {
  const char *op = x->text;
  if (x->n == 2 && strcmp(op, holds ? "&" : "|") == 0) {
    assume(r, x->args[0], holds);
    assume(r, x->args[1], holds);
  } else if (x->n == 2 && holds && strcmp(op, "|") == 0) {
    assume_or(r, x);
  } else if (x->n == 1 && strcmp(op, "!") == 0) {
    assume(r, x->args[0], !holds);
  } else if (x->n == 1 && (strcmp(op, "all_masked") == 0 || strcmp(op, "cast") == 0)) {
    assume(r, x->args[0], holds);
  } else if (x->n == 3 && holds && strcmp(op, "set") == 0) {
    assume(r, x->args[1], true); /* of the first lanes, those that there are */
  } else if (is_comparison(x)) {
    assume_comparison(r, x, holds);
  }
}

static void assume(range_reader *r, const graph_node *x, bool holds) {
  if (r->depth > DEPTH_MAX) return;
  r->depth++;
  if (holds && r->nconditions < CONSTRAINTS_MAX * 2) r->conditions[r->nconditions++] = x;
  if (x->is == NODE_OP) assume_op(r, x, holds);
  if (x->is == NODE_INTEGER && (x->value != 0) != holds) r->impossible = true;
  r->depth--;
}

/* The asserts that stand before the access, and are made whenever it is. */
static void assume_asserts(range_reader *r, const graph_access *x) {
  for (size_t i = 0; i < r->g->asserts.n; i++) {
    const graph_assert *a = &r->g->asserts.at[i];
    if (a->order < x->order && (!a->when || are_held(r, a->when))) assume(r, a->holds, true);
  }
}

range_reader *range_begin(symbols *s, const range_launch *l, const graph_access *x) {
  range_reader *r = arena_alloc(s->a, sizeof *r);
  *r = (range_reader){.s = s, .l = l, .g = l->g, .access = x, .uses_constraints = true};
  if (x && x->when) assume(r, x->when, true);
  if (x) assume_asserts(r, x);
  return r;
}

/* ---- sizes that are not 0 ------------------------------------------------------------------- */

typedef struct positive {
  short *list;
  int n, most;
} positive;

/* `x` is natural: it is not, where the size is 0 and the rest is negative. */
static void note_positive(range_reader *r, positive *p, const poly *x) {
  for (int i = 0; x && i < x->n; i++)
    for (int k = 0; k < x->at[i].n; k++) {
      short size = x->at[i].symbols[k];
      const symbol *s = &r->s->list.at[size];
      bool known = s->is != SYMBOL_SIZE || s->low != 0 || p->n == p->most;
      for (int m = 0; m < p->n; m++) known = known || p->list[m] == size;
      const poly *rest = known ? NULL : poly_without(r->s, x, size);
      if (poly_is_positive(r->s, poly_subtract(r->s, poly_number(r->s, 0), rest)))
        p->list[p->n++] = size;
    }
}

/* A quotient that is 1 or more: what is divided is at least what it is divided by. */
static const poly *read_programs(range_reader *r, const poly *x) {
  bool quotient = x && x->n == 1 && x->at[0].n == 1 && x->at[0].factor == 1;
  const symbol *s = quotient ? &r->s->list.at[x->at[0].symbols[0]] : NULL;
  return s && s->is == SYMBOL_QUOTIENT ? poly_subtract(r->s, s->of, s->by) : less_one(r, x);
}

int range_list_positive(range_reader *r, short *list, int most) {
  positive p = {.list = list, .most = most};
  r->uses_constraints = false;
  for (int i = 0; i < r->n; i++) note_positive(r, &p, bound_form(r, r->constraints[i]).high);
  for (int i = r->access ? r->access->loop : -1; i >= 0; i = r->g->loops.at[i].outer) {
    const graph_loop *l = &r->g->loops.at[i];
    if (l->is != LOOP_FOR || !l->low || !l->high) continue;
    form *length = add_forms(r, read_form(r, l->high), read_form(r, l->low), poly_number(r->s, -1));
    note_positive(r, &p, less_one(r, bound_form(r, length).high));
  }
  for (int i = 0; i < 3; i++) note_positive(r, &p, read_programs(r, r->l->grid[i]));
  r->uses_constraints = true;
  return p.n;
}

range range_of_loop(range_reader *r, int loop) { return bound_loop(r, loop); }

bool range_is_empty(range_reader *r) { return r->impossible; }

const graph_node *range_unbounded(const range_reader *r) { return r->unbounded; }
