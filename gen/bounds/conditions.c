/* conditions.c - the bounds of an index by the condition of its access and the asserts before it:
 * see range_reader.h. */
#include "bounds/range_reader.h"

/* ---- conditions ----------------------------------------------------------------------------- */

static bool is_held(const range_reader *reader, const graph_node *node) {
  for (int i = 0; i < reader->nconditions; i++)
    if (reader->conditions[i] == node) return true;
  return false;
}

/* True if each condition of `node` holds already. */
static bool are_held(const range_reader *reader, const graph_node *node) {
  if (node->op == AG_OP_AND)
    return are_held(reader, node->args[0]) && are_held(reader, node->args[1]);
  return is_held(reader, node) || (node->kind == NODE_INTEGER && node->value);
}

static void add_constraint(range_reader *reader, form *f) {
  if (!f || reader->n == RANGE_CONSTRAINTS_MAX) return;
  while (form_join_parts(reader, f)) {
  }
  const poly *most = f->n ? NULL : poly_add(reader->s, f->constant, poly_number(reader->s, 1));
  if (f->n == 0) /* it holds for all elements or for none */
    reader->impossible =
        reader->impossible ||
        poly_is_natural(reader->s, poly_subtract(reader->s, poly_number(reader->s, 0), most));
  else
    reader->constraints[reader->n++] = f;
}

/* x < y, as y - x - 1 >= 0; x <= y where `equal`. */
static void assume_less(range_reader *reader, const graph_node *x, const graph_node *y,
                        bool equal) {
  form *f =
      form_add(reader, form_read(reader, y), form_read(reader, x), poly_number(reader->s, -1));
  if (f && !equal) f->constant = poly_less_one(reader->s, f->constant);
  if (f && f->constant) add_constraint(reader, f);
}

static void assume_comparison(range_reader *reader, const graph_node *node, bool holds) {
  const graph_node *a = node->args[0], *b = node->args[1];
  if (!graph_is_integer(a->type) || !graph_is_integer(b->type)) return;
  bool equal = node->op == AG_OP_EQUAL;
  if (equal || node->op == AG_OP_NOT_EQUAL) {
    if (equal != holds) return;
    assume_less(reader, a, b, true);
    assume_less(reader, b, a, true);
  } else {
    bool or_equal = node->op == AG_OP_LESS_EQUAL || node->op == AG_OP_GREATER_EQUAL;
    bool less = node->op == AG_OP_LESS || node->op == AG_OP_LESS_EQUAL;
    if (!holds) less = !less, or_equal = !or_equal;
    assume_less(reader, less ? a : b, less ? b : a, or_equal);
  }
}

/* P | !mask: where the mask holds, P does. */
static void assume_or(range_reader *reader, const graph_node *node) {
  for (int i = 0; i < 2; i++) {
    const graph_node *other = node->args[1 - i];
    bool not = other->op == AG_OP_NOT;
    if (not &&are_held(reader, other->args[0])) range_assume(reader, node->args[i], true);
  }
}

/* True if the lane is known to be below n. */
static bool is_lane_below(const range_reader *reader, const graph_node *n) {
  for (int i = 0; i < reader->nconditions; i++) {
    const graph_node *x = reader->conditions[i];
    bool lane = x->op == AG_OP_LESS && x->args[0]->kind == NODE_STEP &&
                reader->g->loops.at[x->args[0]->index].kind == LOOP_LANES;
    bool numbers = lane && n->kind == NODE_INTEGER && x->args[1]->kind == NODE_INTEGER;
    if (lane && (x->args[1] == n || (numbers && x->args[1]->value <= n->value))) return true;
  }
  return false;
}

static void assume_op(range_reader *reader, const graph_node *node, bool holds) {
  if (node->op == (holds ? AG_OP_AND : AG_OP_OR)) {
    range_assume(reader, node->args[0], holds);
    range_assume(reader, node->args[1], holds);
  } else if (holds && node->op == AG_OP_OR) {
    assume_or(reader, node);
  } else if (node->op == AG_OP_NOT) {
    range_assume(reader, node->args[0], !holds);
  } else if (node->op == AG_OP_ALL_MASKED || node->op == AG_OP_CAST) {
    range_assume(reader, node->args[0], holds);
  } else if (holds && node->op == AG_OP_SET) {
    if (is_lane_below(reader, node->args[2])) range_assume(reader, node->args[1], true);
  } else if (ag_op_is_comparison(node->op)) {
    assume_comparison(reader, node, holds);
  }
}

void range_assume(range_reader *reader, const graph_node *node, bool holds) {
  if (reader->depth > RANGE_DEPTH_MAX || ++reader->reads > RANGE_READS_MAX) return;
  reader->depth++;
  if (holds && reader->nconditions < RANGE_CONSTRAINTS_MAX * 2)
    reader->conditions[reader->nconditions++] = node;
  if (node->kind == NODE_OP) assume_op(reader, node, holds);
  if (node->kind == NODE_INTEGER && (node->value != 0) != holds) reader->impossible = true;
  reader->depth--;
}

/* Assumes those of the access's asserts that are made whenever it is. */
static void assume_asserts(range_reader *reader, const graph_access *access) {
  for (int i = 0; i < access->nasserts; i++) {
    const graph_assert *a = &reader->g->asserts.at[access->asserts[i]];
    if (a->order < access->order && (!a->when || are_held(reader, a->when)))
      range_assume(reader, a->holds, true);
  }
}

static range_reader *create_reader(symbols *s, const range_launch *l, const graph_access *access) {
  range_reader *r = arena_alloc(s->a, sizeof *r);
  *r = (range_reader){.s = s, .l = l, .g = l->g, .access = access, .uses_constraints = true};
  if (symbols_is_spent(s)) r->work = RANGE_WORK_MAX, r->reads = RANGE_READS_MAX;
  return r;
}

static void assume_access(range_reader *reader, const graph_access *access) {
  if (access->when) range_assume(reader, access->when, true);
  assume_asserts(reader, access);
}

range_reader *range_begin_within(range_reader *outer, const graph_access *access) {
  range_reader *r = create_reader(outer->s, outer->l, access);
  r->depth = outer->depth + 1;
  r->work = outer->work;
  r->reads = outer->reads;
  if (r->depth <= RANGE_DEPTH_MAX) assume_access(r, access);
  return r;
}

range_reader *range_begin(symbols *s, const range_launch *l, const graph_access *access) {
  range_reader *r = create_reader(s, l, access);
  if (access) assume_access(r, access);
  return r;
}

/* ---- sizes that are not 0 ------------------------------------------------------------------- */

typedef struct positive {
  short *list;
  int n, most;
} positive;

/* `x` is natural. If the size were 0 and the rest negative, it would not be. */
static void note_positive(range_reader *reader, positive *p, const poly *x) {
  for (int i = 0; x && i < x->n; i++)
    for (int k = 0; k < x->at[i].n; k++) {
      short size = x->at[i].symbols[k];
      const symbol *s = &reader->s->list.at[size];
      bool known = s->kind != SYMBOL_SIZE || s->low != 0 || p->n == p->most;
      for (int m = 0; m < p->n; m++) known = known || p->list[m] == size;
      const poly *rest = known ? NULL : poly_without(reader->s, x, size);
      if (poly_is_positive(reader->s, poly_subtract(reader->s, poly_number(reader->s, 0), rest)))
        p->list[p->n++] = size;
    }
}

/* A quotient that is at least 1: the dividend is at least the divisor. */
static const poly *read_programs(range_reader *reader, const poly *x) {
  bool quotient = x && x->n == 1 && x->at[0].n == 1 && x->at[0].factor == 1;
  const symbol *s = quotient ? &reader->s->list.at[x->at[0].symbols[0]] : NULL;
  return s && s->kind == SYMBOL_QUOTIENT ? poly_subtract(reader->s, s->of, s->by)
                                         : poly_less_one(reader->s, x);
}

int range_list_positive(range_reader *reader, short *list, int most) {
  positive p = {.list = list, .most = most};
  reader->uses_constraints = false;
  for (int i = 0; i < reader->n; i++)
    note_positive(reader, &p, range_of_form(reader, reader->constraints[i]).high);
  for (int i = reader->access ? reader->access->loop : -1; i >= 0;
       i = reader->g->loops.at[i].outer) {
    const graph_loop *l = &reader->g->loops.at[i];
    if (l->kind != LOOP_FOR || !l->low || !l->high) continue;
    form *length = form_add(reader, form_read(reader, l->high), form_read(reader, l->low),
                            poly_number(reader->s, -1));
    note_positive(reader, &p, poly_less_one(reader->s, range_of_form(reader, length).high));
  }
  for (int i = 0; i < 3; i++) note_positive(reader, &p, read_programs(reader, reader->l->grid[i]));
  reader->uses_constraints = true;
  return p.n;
}

bool range_is_empty(range_reader *reader) { return reader->impossible; }

const graph_node *range_unbounded(const range_reader *reader) { return reader->unbounded; }
