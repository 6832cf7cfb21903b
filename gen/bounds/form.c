/* form.c - an index as a sum: see range_reader.h. */
#include "bounds/range_reader.h"

/* ---- forms ---------------------------------------------------------------------------------- */

static form *create_form(range_reader *reader, const poly *constant) {
  if (!constant) return NULL;
  form *f = arena_alloc(reader->s->a, sizeof *f);
  f->constant = constant;
  return f;
}

bool form_is_same_atom(const atom *x, const atom *y) {
  if (x->node || y->node) return x->node == y->node;
  bool modulus = x->modulus == y->modulus || poly_is_same(x->modulus, y->modulus);
  return x->loop == y->loop && modulus && poly_is_same(x->divisor, y->divisor);
}

static bool add_term(range_reader *reader, form *f, const atom *x, const poly *factor) {
  if (!factor) return false;
  for (int i = 0; i < f->n; i++) {
    if (!form_is_same_atom(&f->at[i].of, x)) continue;
    f->at[i].factor = poly_add(reader->s, f->at[i].factor, factor);
    if (poly_is(f->at[i].factor, 0)) f->at[i] = f->at[--f->n];
    return i >= f->n || f->at[i].factor;
  }
  if (poly_is(factor, 0)) return true;
  if (f->n == FORM_ATOMS) return false;
  f->at[f->n++] = (struct form_term){.of = *x, .factor = factor};
  return true;
}

form *form_add(range_reader *reader, const form *x, const form *y, const poly *factor) {
  if (!x || !y || !factor) return NULL;
  form *f = create_form(
      reader, poly_add(reader->s, x->constant, poly_multiply(reader->s, y->constant, factor)));
  for (int i = 0; f && i < x->n; i++)
    if (!add_term(reader, f, &x->at[i].of, x->at[i].factor)) return NULL;
  for (int i = 0; f && i < y->n; i++)
    if (!add_term(reader, f, &y->at[i].of, poly_multiply(reader->s, y->at[i].factor, factor)))
      return NULL;
  return f;
}

form *form_of_atom(range_reader *reader, const atom *x) {
  form *f = create_form(reader, poly_number(reader->s, 0));
  add_term(reader, f, x, poly_number(reader->s, 1));
  return f;
}

static form *node_form(range_reader *reader, const graph_node *node) {
  const atom a = {.node = node};
  return form_of_atom(reader, &a);
}

/* The form is one loop variable, or a part of it. */
static const atom *get_digit(const form *f) {
  bool one = f->n == 1 && poly_is(f->constant, 0) && poly_is(f->at[0].factor, 1);
  return one && !f->at[0].of.node ? &f->at[0].of : NULL;
}

/* x = y * quotient + rest, as far as the terms are multiples of y. */
static void split_form(range_reader *reader, const form *x, const poly *y, form **quotient,
                       form **rest) {
  const poly *whole = poly_divide_exactly(reader->s, x->constant, y);
  *quotient = create_form(reader, whole ? whole : poly_number(reader->s, 0));
  *rest = create_form(reader, whole ? poly_number(reader->s, 0) : x->constant);
  for (int i = 0; i < x->n; i++) {
    const poly *factor = poly_divide_exactly(reader->s, x->at[i].factor, y);
    if (factor)
      add_term(reader, *quotient, &x->at[i].of, factor);
    else
      add_term(reader, *rest, &x->at[i].of, x->at[i].factor);
  }
}

/* True if x is its own remainder by y: it lies in 0 ... y - 1. */
static bool is_remainder(range_reader *reader, const form *x, const poly *y) {
  range b = range_of_form(reader, x);
  const poly *most = poly_less_one(reader->s, y);
  return b.low && b.high && most && poly_is_natural(reader->s, b.low) &&
         poly_is_at_most(reader->s, b.high, most);
}

/* (v // divisor % modulus) // y, or % y, as a digit of v; NULL where it is none. */
static form *part_of(range_reader *reader, const atom *d, const poly *y, bool quotient) {
  atom z = *d;
  if (quotient) {
    z.divisor = poly_multiply(reader->s, d->divisor, y);
    if (d->modulus) z.modulus = poly_divide_exactly(reader->s, d->modulus, y);
    if (d->modulus && !z.modulus) return NULL;
    if (z.modulus && poly_is(z.modulus, 1)) return create_form(reader, poly_number(reader->s, 0));
  } else {
    if (d->modulus && !poly_divide_exactly(reader->s, d->modulus, y)) return NULL;
    z.modulus = y;
  }
  return z.divisor ? form_of_atom(reader, &z) : NULL;
}

/* A loop's variable that is never negative. */
static bool is_natural_loop(range_reader *reader, int loop) {
  const graph_loop *l = &reader->g->loops.at[loop];
  if (!l->low) return true;
  const form *low = form_read(reader, l->low);
  return low && low->n == 0 && poly_is_natural(reader->s, low->constant);
}

static form *divide_forms(range_reader *reader, const graph_node *node, bool quotient) {
  form *left = form_read(reader, node->args[0]), *by = form_read(reader, node->args[1]);
  if (!left || !by || by->n || !poly_is_positive(reader->s, by->constant))
    return node_form(reader, node);
  const poly *y = by->constant;
  form *whole, *rest;
  if (left->n == 0 && poly_is_natural(reader->s, left->constant)) {
    const poly *q = poly_divide(reader->s, left->constant, y);
    if (q && quotient) return create_form(reader, q);
    if (q)
      return create_form(reader,
                         poly_subtract(reader->s, left->constant, poly_multiply(reader->s, q, y)));
  }
  if (is_remainder(reader, left, y))
    return quotient ? create_form(reader, poly_number(reader->s, 0)) : left;
  const atom *digit = get_digit(left);
  form *part = digit && is_natural_loop(reader, digit->loop) ? part_of(reader, digit, y, quotient)
                                                             : NULL;
  if (part) return part;
  split_form(reader, left, y, &whole, &rest);
  if (whole->n && is_remainder(reader, rest, y)) {
    range b = range_of_form(reader, whole);
    if (b.low && poly_is_natural(reader->s, b.low)) return quotient ? whole : rest;
  }
  return node_form(reader, node);
}

/* The min or max of two integers that can be compared. */
static form *read_extreme(range_reader *reader, const graph_node *node, bool least) {
  form *left = form_read(reader, node->args[0]), *right = form_read(reader, node->args[1]);
  if (!left || !right || left->n || right->n) return node_form(reader, node);
  const poly *x = poly_extreme(reader->s, left->constant, right->constant, least);
  return x ? create_form(reader, x) : node_form(reader, node);
}

/* True if each value of `from` is a value of `to`. */
static bool is_within(graph_type from, graph_type to) {
  static const struct {
    signed char bits, sign;
  } t[] = {
      [GRAPH_WEAK] = {31, 1}, [GRAPH_BOOL] = {1, 0}, [GRAPH_U8] = {8, 0},   [GRAPH_I8] = {7, 1},
      [GRAPH_U16] = {16, 0},  [GRAPH_I16] = {15, 1}, [GRAPH_U32] = {32, 0}, [GRAPH_I32] = {31, 1},
      [GRAPH_U64] = {64, 0},  [GRAPH_I64] = {63, 1}};
  return t[from].bits <= t[to].bits && t[from].sign <= t[to].sign;
}

/* True if a cast of an integer changes none of its possible values. */
static bool keeps_value(range_reader *reader, const graph_node *node, const form *f) {
  graph_type from = node->args[0]->type, to = node->type;
  if (!graph_is_integer(from) || !graph_is_integer(to) || to < GRAPH_U32) return false;
  if (is_within(from, to)) return true;
  range b = range_of_form(reader, f);
  const poly *least = poly_number(reader->s, to == GRAPH_I64   ? INT64_MIN
                                             : to == GRAPH_I32 ? INT32_MIN
                                                               : 0);
  const poly *most = poly_number(reader->s, to == GRAPH_I32   ? INT32_MAX
                                            : to == GRAPH_U32 ? UINT32_MAX
                                                              : INT64_MAX);
  return b.low && b.high && poly_is_at_most(reader->s, least, b.low) &&
         poly_is_at_most(reader->s, b.high, most);
}

bool form_computes(const graph_node *node) {
  return node->type == GRAPH_WEAK || node->type == GRAPH_I32 || node->type == GRAPH_I64;
}

/* NULL where it is no sum. */
static form *read_product(range_reader *reader, const graph_node *node) {
  form *left = form_read(reader, node->args[0]), *right = form_read(reader, node->args[1]),
       *f = NULL;
  form *zero = create_form(reader, poly_number(reader->s, 0));
  if (left && right && right->n == 0) f = form_add(reader, zero, left, right->constant);
  if (left && right && !f && left->n == 0) f = form_add(reader, zero, right, left->constant);
  return f;
}

/* Likewise. The operator is computed in a type that cannot overflow, or whose overflow the check
 * looks for. */
static form *read_computed(range_reader *reader, const graph_node *node, ag_rule rule) {
  const poly *factor = poly_number(reader->s, rule == AG_RULE_ADD ? 1 : -1);
  switch (rule) {
    case AG_RULE_ADD:
    case AG_RULE_SUBTRACT:
      return form_add(reader, form_read(reader, node->args[0]), form_read(reader, node->args[1]),
                      factor);
    case AG_RULE_NEGATE:
      return form_add(reader, create_form(reader, poly_number(reader->s, 0)),
                      form_read(reader, node->args[0]), factor);
    case AG_RULE_MULTIPLY: return read_product(reader, node);
    case AG_RULE_FLOOR_DIVIDE:
    case AG_RULE_MODULO: return divide_forms(reader, node, rule == AG_RULE_FLOOR_DIVIDE);
    case AG_RULE_MIN:
    case AG_RULE_MAX: return read_extreme(reader, node, rule == AG_RULE_MIN);
    default: return NULL;
  }
}

static form *read_op(range_reader *reader, const graph_node *node) {
  form *f = NULL;
  if (node->op == AG_OP_CAST) {
    f = form_read(reader, node->args[0]);
    return f && keeps_value(reader, node, f) ? f : node_form(reader, node);
  }
  if (form_computes(node)) f = read_computed(reader, node, ag_op_get(node->op)->rule);
  return f ? f : node_form(reader, node);
}

static form *read_node(range_reader *reader, const graph_node *node) {
  form *f = NULL;
  switch (node->kind) {
    case NODE_INTEGER: f = create_form(reader, poly_number(reader->s, node->value)); break;
    case NODE_PARAM: f = create_form(reader, reader->l->params[node->index]); break;
    case NODE_STEP: {
      const atom v = {.loop = node->index, .divisor = poly_number(reader->s, 1)};
      f = form_of_atom(reader, &v);
      break;
    }
    case NODE_OP: f = read_op(reader, node); break;
    default: break;
  }
  return f ? f : node_form(reader, node);
}

/* The entry of the cache for this node; NULL where it has none. */
static range_known *find_known(range_reader *reader, const graph_node *node) {
  if (node->kind != NODE_OP || reader->reads < RANGE_KNOWN_FROM) return NULL;
  if (!reader->known)
    reader->known = arena_alloc(reader->s->a, RANGE_KNOWN * sizeof *reader->known);
  return &reader->known[node->number % RANGE_KNOWN];
}

static bool is_known(const range_reader *reader, const range_known *k, const graph_node *node) {
  return k->of == node && k->epoch == reader->epoch && k->n == reader->n &&
         k->nconditions == reader->nconditions && k->uses_constraints == reader->uses_constraints &&
         (!k->cut || k->depth <= reader->depth);
}

/* Beyond the limits of depth and work, the form is the node itself. */
form *form_read(range_reader *reader, const graph_node *node) {
  if (reader->depth > RANGE_DEPTH_MAX || ++reader->reads > RANGE_READS_MAX) {
    reader->cuts++;
    return node_form(reader, node);
  }
  reader->s->costly += reader->reads > RANGE_KNOWN_FROM;
  range_known *k = find_known(reader, node);
  if (k && is_known(reader, k, node)) {
    form *copy = arena_alloc(reader->s->a, sizeof *copy);
    reader->cuts += k->cut;
    return *copy = *k->form, copy;
  }
  unsigned cuts = reader->cuts;
  reader->depth++;
  form *f = read_node(reader, node);
  reader->depth--;
  if (k) {
    form *kept = arena_alloc(reader->s->a, sizeof *kept);
    *kept = *f;
    *k = (range_known){.of = node,
                       .epoch = reader->epoch,
                       .n = reader->n,
                       .nconditions = reader->nconditions,
                       .depth = reader->depth,
                       .uses_constraints = reader->uses_constraints,
                       .cut = reader->cuts != cuts,
                       .form = kept};
  }
  return f;
}

/* c * (v // a % m) + c * m * (v // (a * m)) is c * (v // a): true where two terms became one. */
bool form_join_parts(range_reader *reader, form *f) {
  for (int i = 0; i < f->n; i++)
    for (int k = 0; k < f->n; k++) {
      const atom *low = &f->at[i].of, *high = &f->at[k].of;
      if (i == k || low->node || high->node || low->loop != high->loop || !low->modulus) continue;
      const poly *divisor = poly_multiply(reader->s, low->divisor, low->modulus);
      const poly *factor = poly_multiply(reader->s, f->at[i].factor, low->modulus);
      if (!poly_is_same(divisor, high->divisor) || !poly_is_same(factor, f->at[k].factor)) continue;
      f->at[i].of.modulus = high->modulus ? poly_multiply(reader->s, low->modulus, high->modulus)
                                          : NULL;
      if (high->modulus && !f->at[i].of.modulus) return false;
      f->at[k] = f->at[--f->n];
      return true;
    }
  return false;
}
