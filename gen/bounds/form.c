/* form.c - an index as a sum: see range_reader.h. */
#include "bounds/range_reader.h"
#include <string.h>

/* ---- forms ---------------------------------------------------------------------------------- */

static form *create_form(range_reader *r, const poly *constant) {
  if (!constant) return NULL;
  form *f = arena_alloc(r->s->a, sizeof *f);
  f->constant = constant;
  return f;
}

bool form_is_same_atom(const atom *x, const atom *y) {
  if (x->node || y->node) return x->node == y->node;
  bool modulus = x->modulus == y->modulus || poly_is_same(x->modulus, y->modulus);
  return x->loop == y->loop && modulus && poly_is_same(x->divisor, y->divisor);
}

static bool add_term(range_reader *r, form *f, const atom *x, const poly *factor) {
  if (!factor) return false;
  for (int i = 0; i < f->n; i++) {
    if (!form_is_same_atom(&f->at[i].of, x)) continue;
    f->at[i].factor = poly_add(r->s, f->at[i].factor, factor);
    if (poly_is(f->at[i].factor, 0)) f->at[i] = f->at[--f->n];
    return i >= f->n || f->at[i].factor;
  }
  if (poly_is(factor, 0)) return true;
  if (f->n == FORM_ATOMS) return false;
  f->at[f->n++] = (struct form_term){.of = *x, .factor = factor};
  return true;
}

form *form_add(range_reader *r, const form *x, const form *y, const poly *factor) {
  if (!x || !y || !factor) return NULL;
  form *f = create_form(r, poly_add(r->s, x->constant, poly_multiply(r->s, y->constant, factor)));
  for (int i = 0; f && i < x->n; i++)
    if (!add_term(r, f, &x->at[i].of, x->at[i].factor)) return NULL;
  for (int i = 0; f && i < y->n; i++)
    if (!add_term(r, f, &y->at[i].of, poly_multiply(r->s, y->at[i].factor, factor))) return NULL;
  return f;
}

form *form_of_atom(range_reader *r, const atom *x) {
  form *f = create_form(r, poly_number(r->s, 0));
  add_term(r, f, x, poly_number(r->s, 1));
  return f;
}

static form *node_form(range_reader *r, const graph_node *x) {
  const atom a = {.node = x};
  return form_of_atom(r, &a);
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
  *quotient = create_form(r, whole ? whole : poly_number(r->s, 0));
  *rest = create_form(r, whole ? poly_number(r->s, 0) : x->constant);
  for (int i = 0; i < x->n; i++) {
    const poly *factor = poly_divide_exactly(r->s, x->at[i].factor, y);
    if (factor)
      add_term(r, *quotient, &x->at[i].of, factor);
    else
      add_term(r, *rest, &x->at[i].of, x->at[i].factor);
  }
}

/* Is it its own remainder by y: does it lie in 0 ... y - 1. */
static bool is_remainder(range_reader *r, const form *x, const poly *y) {
  range b = range_of_form(r, x);
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
    if (z.modulus && poly_is(z.modulus, 1)) return create_form(r, poly_number(r->s, 0));
  } else {
    if (d->modulus && !poly_divide_exactly(r->s, d->modulus, y)) return NULL;
    z.modulus = y;
  }
  return z.divisor ? form_of_atom(r, &z) : NULL;
}

/* A loop's variable that is never negative. */
static bool is_natural_loop(range_reader *r, int loop) {
  const graph_loop *l = &r->g->loops.at[loop];
  if (!l->low) return true;
  const form *low = form_read(r, l->low);
  return low && low->n == 0 && poly_is_natural(r->s, low->constant);
}

static form *divide_forms(range_reader *r, const graph_node *x, bool quotient) {
  form *left = form_read(r, x->args[0]), *by = form_read(r, x->args[1]);
  if (!left || !by || by->n || !poly_is_positive(r->s, by->constant)) return node_form(r, x);
  const poly *y = by->constant;
  form *whole, *rest;
  if (left->n == 0 && poly_is_natural(r->s, left->constant)) {
    const poly *q = poly_divide(r->s, left->constant, y);
    if (q && quotient) return create_form(r, q);
    if (q) return create_form(r, poly_subtract(r->s, left->constant, poly_multiply(r->s, q, y)));
  }
  if (is_remainder(r, left, y)) return quotient ? create_form(r, poly_number(r->s, 0)) : left;
  const atom *digit = get_digit(left);
  form *part = digit && is_natural_loop(r, digit->loop) ? part_of(r, digit, y, quotient) : NULL;
  if (part) return part;
  split_form(r, left, y, &whole, &rest);
  if (whole->n && is_remainder(r, rest, y)) {
    range b = range_of_form(r, whole);
    if (b.low && poly_is_natural(r->s, b.low)) return quotient ? whole : rest;
  }
  return node_form(r, x);
}

/* min and max of two integers that can be compared. */
static form *read_extreme(range_reader *r, const graph_node *x, bool least) {
  form *left = form_read(r, x->args[0]), *right = form_read(r, x->args[1]);
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
  range b = range_of_form(r, f);
  const poly *least = poly_number(r->s, to == GRAPH_I64   ? INT64_MIN
                                        : to == GRAPH_I32 ? INT32_MIN
                                                          : 0);
  const poly *most = poly_number(r->s, to == GRAPH_I32   ? INT32_MAX
                                       : to == GRAPH_U32 ? UINT32_MAX
                                                         : INT64_MAX);
  return b.low && b.high && poly_is_at_most(r->s, least, b.low) &&
         poly_is_at_most(r->s, b.high, most);
}

bool form_computes(const graph_node *x) {
  return x->type == GRAPH_WEAK || x->type == GRAPH_I32 || x->type == GRAPH_I64;
}

/* NULL: no sum. */
static form *read_product(range_reader *r, const graph_node *x) {
  form *left = form_read(r, x->args[0]), *right = form_read(r, x->args[1]), *f = NULL;
  form *zero = create_form(r, poly_number(r->s, 0));
  if (left && right && right->n == 0) f = form_add(r, zero, left, right->constant);
  if (left && right && !f && left->n == 0) f = form_add(r, zero, right, left->constant);
  return f;
}

/* Likewise; computed in a type whose overflow the check looks for, or that has none. */
static form *read_computed(range_reader *r, const graph_node *x, ag_rule rule) {
  const poly *factor = poly_number(r->s, rule == AG_RULE_ADD ? 1 : -1);
  switch (rule) {
    case AG_RULE_ADD:
    case AG_RULE_SUBTRACT:
      return form_add(r, form_read(r, x->args[0]), form_read(r, x->args[1]), factor);
    case AG_RULE_NEGATE:
      return form_add(r, create_form(r, poly_number(r->s, 0)), form_read(r, x->args[0]), factor);
    case AG_RULE_MULTIPLY: return read_product(r, x);
    case AG_RULE_FLOOR_DIVIDE:
    case AG_RULE_MODULO: return divide_forms(r, x, rule == AG_RULE_FLOOR_DIVIDE);
    case AG_RULE_MIN:
    case AG_RULE_MAX: return read_extreme(r, x, rule == AG_RULE_MIN);
    default: return NULL;
  }
}

static form *read_op(range_reader *r, const graph_node *x) {
  form *f = NULL;
  if (x->op == AG_OP_CAST) {
    f = form_read(r, x->args[0]);
    return f && keeps_value(r, x, f) ? f : node_form(r, x);
  }
  if (form_computes(x)) f = read_computed(r, x, ag_op_get(x->op)->rule);
  return f ? f : node_form(r, x);
}

static form *read_node(range_reader *r, const graph_node *x) {
  form *f = NULL;
  switch (x->kind) {
    case NODE_INTEGER: f = create_form(r, poly_number(r->s, x->value)); break;
    case NODE_PARAM: f = create_form(r, r->l->params[x->index]); break;
    case NODE_STEP: {
      const atom v = {.loop = x->index, .divisor = poly_number(r->s, 1)};
      f = form_of_atom(r, &v);
      break;
    }
    case NODE_OP: f = read_op(r, x); break;
    default: break;
  }
  return f ? f : node_form(r, x);
}

/* Where it is remembered. */
static range_known *find_known(range_reader *r, const graph_node *x) {
  if (x->kind != NODE_OP || r->reads < RANGE_KNOWN_FROM) return NULL;
  if (!r->known) r->known = arena_alloc(r->s->a, RANGE_KNOWN * sizeof *r->known);
  return &r->known[x->number % RANGE_KNOWN];
}

static bool is_known(const range_reader *r, const range_known *k, const graph_node *x) {
  return k->of == x && k->epoch == r->epoch && k->n == r->n && k->nconditions == r->nconditions &&
         k->uses_constraints == r->uses_constraints && (!k->cut || k->depth <= r->depth);
}

/* Beyond the depth, or the work, that is worth it the form is the node. */
form *form_read(range_reader *r, const graph_node *x) {
  if (r->depth > RANGE_DEPTH_MAX || ++r->reads > RANGE_READS_MAX) {
    r->cuts++;
    return node_form(r, x);
  }
  r->s->costly += r->reads > RANGE_KNOWN_FROM;
  range_known *k = find_known(r, x);
  if (k && is_known(r, k, x)) {
    form *copy = arena_alloc(r->s->a, sizeof *copy);
    r->cuts += k->cut;
    return *copy = *k->form, copy;
  }
  unsigned cuts = r->cuts;
  r->depth++;
  form *f = read_node(r, x);
  r->depth--;
  if (k) {
    form *kept = arena_alloc(r->s->a, sizeof *kept);
    *kept = *f;
    *k = (range_known){.of = x,
                       .epoch = r->epoch,
                       .n = r->n,
                       .nconditions = r->nconditions,
                       .depth = r->depth,
                       .uses_constraints = r->uses_constraints,
                       .cut = r->cuts != cuts,
                       .form = kept};
  }
  return f;
}

/* c * (v // a % m) + c * m * (v // (a * m)) is c * (v // a): true where two terms became one. */
bool form_join_parts(range_reader *r, form *f) {
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
