/* conditions.c - what the condition of an access, and the asserts before it, tell of its index: see
 * range_reader.h. */
#include "bounds/range_reader.h"
#include <string.h>

/* ---- conditions ----------------------------------------------------------------------------- */

static bool is_held(const range_reader *r, const graph_node *x) {
  for (int i = 0; i < r->nconditions; i++)
    if (r->conditions[i] == x) return true;
  return false;
}

/* Each condition of `x` holds already. */
static bool are_held(const range_reader *r, const graph_node *x) {
  if (x->op == AG_OP_AND) return are_held(r, x->args[0]) && are_held(r, x->args[1]);
  return is_held(r, x) || (x->kind == NODE_INTEGER && x->value);
}

static void add_constraint(range_reader *r, form *f) {
  if (!f || r->n == RANGE_CONSTRAINTS_MAX) return;
  while (form_join_parts(r, f)) {
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
  form *f = form_add(r, form_read(r, y), form_read(r, x), poly_number(r->s, -1));
  if (f && !equal) f->constant = poly_less_one(r->s, f->constant);
  if (f && f->constant) add_constraint(r, f);
}

static void assume_comparison(range_reader *r, const graph_node *x, bool holds) {
  const graph_node *a = x->args[0], *b = x->args[1];
  if (!graph_is_integer(a->type) || !graph_is_integer(b->type)) return;
  bool equal = x->op == AG_OP_EQUAL;
  if (equal || x->op == AG_OP_NOT_EQUAL) {
    if (equal != holds) return;
    assume_less(r, a, b, true);
    assume_less(r, b, a, true);
  } else {
    bool or_equal = x->op == AG_OP_LESS_EQUAL || x->op == AG_OP_GREATER_EQUAL;
    bool less = x->op == AG_OP_LESS || x->op == AG_OP_LESS_EQUAL;
    if (!holds) less = !less, or_equal = !or_equal;
    assume_less(r, less ? a : b, less ? b : a, or_equal);
  }
}

/* P | !mask, where the mask holds: P. */
static void assume_or(range_reader *r, const graph_node *x) {
  for (int i = 0; i < 2; i++) {
    const graph_node *other = x->args[1 - i];
    bool not = other->op == AG_OP_NOT;
    if (not &&are_held(r, other->args[0])) range_assume(r, x->args[i], true);
  }
}

/* Is it known that the lane is below n. */
static bool is_lane_below(const range_reader *r, const graph_node *n) {
  for (int i = 0; i < r->nconditions; i++) {
    const graph_node *x = r->conditions[i];
    bool lane = x->op == AG_OP_LESS && x->args[0]->kind == NODE_STEP &&
                r->g->loops.at[x->args[0]->index].kind == LOOP_LANES;
    bool numbers = lane && n->kind == NODE_INTEGER && x->args[1]->kind == NODE_INTEGER;
    if (lane && (x->args[1] == n || (numbers && x->args[1]->value <= n->value))) return true;
  }
  return false;
}

static void assume_op(range_reader *r, const graph_node *x, bool holds) {
  if (x->op == (holds ? AG_OP_AND : AG_OP_OR)) {
    range_assume(r, x->args[0], holds);
    range_assume(r, x->args[1], holds);
  } else if (holds && x->op == AG_OP_OR) {
    assume_or(r, x);
  } else if (x->op == AG_OP_NOT) {
    range_assume(r, x->args[0], !holds);
  } else if (x->op == AG_OP_ALL_MASKED || x->op == AG_OP_CAST) {
    range_assume(r, x->args[0], holds);
  } else if (holds && x->op == AG_OP_SET) {
    if (is_lane_below(r, x->args[2])) range_assume(r, x->args[1], true);
  } else if (ag_op_is_comparison(x->op)) {
    assume_comparison(r, x, holds);
  }
}

void range_assume(range_reader *r, const graph_node *x, bool holds) {
  if (r->depth > RANGE_DEPTH_MAX || ++r->reads > RANGE_READS_MAX) return;
  r->depth++;
  if (holds && r->nconditions < RANGE_CONSTRAINTS_MAX * 2) r->conditions[r->nconditions++] = x;
  if (x->kind == NODE_OP) assume_op(r, x, holds);
  if (x->kind == NODE_INTEGER && (x->value != 0) != holds) r->impossible = true;
  r->depth--;
}

/* The asserts that stand before the access, and are made whenever it is. */
static void assume_asserts(range_reader *r, const graph_access *x) {
  for (size_t i = 0; i < r->g->asserts.n; i++) {
    const graph_assert *a = &r->g->asserts.at[i];
    if (a->order < x->order && (!a->when || are_held(r, a->when))) range_assume(r, a->holds, true);
  }
}

static range_reader *create_reader(symbols *s, const range_launch *l, const graph_access *x) {
  range_reader *r = arena_alloc(s->a, sizeof *r);
  *r = (range_reader){.s = s, .l = l, .g = l->g, .access = x, .uses_constraints = true};
  bool spent = s->costly_most && s->costly > s->costly_most;
  if (spent) r->work = RANGE_WORK_MAX, r->reads = RANGE_READS_MAX;
  return r;
}

static void assume_access(range_reader *r, const graph_access *x) {
  if (x->when) range_assume(r, x->when, true);
  assume_asserts(r, x);
}

range_reader *range_begin_within(range_reader *outer, const graph_access *x) {
  range_reader *r = create_reader(outer->s, outer->l, x);
  r->depth = outer->depth + 1;
  r->work = outer->work;
  r->reads = outer->reads;
  if (r->depth <= RANGE_DEPTH_MAX) assume_access(r, x);
  return r;
}

range_reader *range_begin(symbols *s, const range_launch *l, const graph_access *x) {
  range_reader *r = create_reader(s, l, x);
  if (x) assume_access(r, x);
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
      bool known = s->kind != SYMBOL_SIZE || s->low != 0 || p->n == p->most;
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
  return s && s->kind == SYMBOL_QUOTIENT ? poly_subtract(r->s, s->of, s->by)
                                         : poly_less_one(r->s, x);
}

int range_list_positive(range_reader *r, short *list, int most) {
  positive p = {.list = list, .most = most};
  r->uses_constraints = false;
  for (int i = 0; i < r->n; i++) note_positive(r, &p, range_of_form(r, r->constraints[i]).high);
  for (int i = r->access ? r->access->loop : -1; i >= 0; i = r->g->loops.at[i].outer) {
    const graph_loop *l = &r->g->loops.at[i];
    if (l->kind != LOOP_FOR || !l->low || !l->high) continue;
    form *length = form_add(r, form_read(r, l->high), form_read(r, l->low), poly_number(r->s, -1));
    note_positive(r, &p, poly_less_one(r->s, range_of_form(r, length).high));
  }
  for (int i = 0; i < 3; i++) note_positive(r, &p, read_programs(r, r->l->grid[i]));
  r->uses_constraints = true;
  return p.n;
}

bool range_is_empty(range_reader *r) { return r->impossible; }

const graph_node *range_unbounded(const range_reader *r) { return r->unbounded; }
