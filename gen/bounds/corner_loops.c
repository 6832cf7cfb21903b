/* corner_loops.c - see corner_loops.h. */
#include "bounds/corner_loops.h"
#include <string.h>

enum { WORK_MAX = 4000 };

static void add_loops(corner_loops *l, const graph_node *x);

int corner_loops_find(const corner_loops *l, int loop) {
  for (int i = 0; i < l->n; i++)
    if (l->at[i] == loop) return i;
  return -1;
}

static void add_loop(corner_loops *l, int loop) {
  if (corner_loops_find(l, loop) >= 0 || l->incomplete) return;
  if (l->n == CORNER_LOOPS_MAX) {
    l->incomplete = true;
    return;
  }
  l->at[l->n++] = loop;
  add_loops(l, corner_loops_get(l, loop)->low);
  add_loops(l, corner_loops_get(l, loop)->high);
}

const graph_loop *corner_loops_get(const corner_loops *l, int loop) {
  size_t n = l->g->loops.n;
  return (size_t)loop < n ? &l->g->loops.at[loop] : &l->programs[(size_t)loop - n];
}

int corner_loops_program(const corner_loops *l, const graph_node *x) {
  int axis = graph_program_axis(x);
  return axis >= 0 ? (int)l->g->loops.n + axis : -1;
}

/* ---- digits --------------------------------------------------------------------------------- */

/* The loop's variable, its quotient, its remainder, or a remainder of its quotient. */
static bool read_digit(corner_digit *d, const graph_node *x) {
  *d = (corner_digit){.node = x};
  if (x->op == AG_OP_MODULO) d->modulus = x->args[1], x = x->args[0];
  if (x->op == AG_OP_FLOOR_DIVIDE) d->divisor = x->args[1], x = x->args[0];
  d->loop = x->index;
  return x->is == NODE_STEP && (d->modulus || d->divisor);
}

static corner_digit *add_digit(corner_loops *l, const graph_node *x) {
  corner_digit d;
  if (!read_digit(&d, x)) return NULL;
  for (int i = 0; i < l->ndigits; i++)
    if (l->digits[i].node == x) return &l->digits[i];
  if (l->ndigits == CORNER_DIGITS_MAX) return NULL;
  l->digits[l->ndigits] = d;
  return &l->digits[l->ndigits++];
}

static void add_loops(corner_loops *l, const graph_node *x) {
  if (!x || l->incomplete) return;
  if (++l->work > WORK_MAX) {
    l->incomplete = true;
    return;
  }
  int program = corner_loops_program(l, x);
  if (x->is == NODE_STEP || program >= 0) add_loop(l, program >= 0 ? program : x->index);
  if (x->op == AG_OP_MODULO) add_digit(l, x);
  for (int i = 0; x->is == NODE_OP && i < x->n; i++) add_loops(l, x->args[i]);
}

/* ---- conditions ----------------------------------------------------------------------------- */

static const graph_node *strip_casts(const graph_node *x) {
  while (x->op == AG_OP_CAST && graph_is_integer(x->type) && graph_is_integer(x->args[0]->type))
    x = x->args[0];
  return x;
}

/* `x` without a number that is added to it. */
static const graph_node *strip_sum(const graph_node *x, const graph_node **plus) {
  *plus = NULL;
  x = strip_casts(x);
  if (x->op != AG_OP_ADD) return x;
  int number = x->args[0]->is == NODE_INTEGER || x->args[0]->is == NODE_PARAM ? 0 : 1;
  *plus = x->args[number];
  return strip_casts(x->args[1 - number]);
}

static void add_most(corner_loops *l, const graph_node *x, const corner_limit *limit) {
  if (x->is == NODE_STEP) {
    if (l->nmost == CORNER_LIMITS_MAX) return;
    l->most[l->nmost].loop = x->index;
    l->most[l->nmost++].is = *limit;
    return;
  }
  corner_digit *d = add_digit(l, x);
  if (d && !d->most.end) d->most = *limit;
}

static void add_least(corner_loops *l, const graph_node *x, const corner_limit *limit) {
  corner_digit *d = x->is == NODE_STEP ? NULL : add_digit(l, x);
  if (d && !d->least.end) d->least = *limit;
}

static void add_limits(corner_loops *l, const graph_node *x) {
  if (!x || x->is != NODE_OP || x->n != 2) return;
  if (x->type == GRAPH_BOOL && x->op == AG_OP_AND) {
    add_limits(l, x->args[0]);
    add_limits(l, x->args[1]);
    return;
  }
  bool less = x->op == AG_OP_LESS || x->op == AG_OP_LESS_EQUAL;
  if (!less && x->op != AG_OP_GREATER && x->op != AG_OP_GREATER_EQUAL) return;
  bool inclusive = x->op == AG_OP_LESS_EQUAL || x->op == AG_OP_GREATER_EQUAL;
  int lesser = less ? 0 : 1;
  corner_limit most = {.end = x->args[1 - lesser], .inclusive = inclusive},
               least = {.end = x->args[lesser], .inclusive = most.inclusive};
  add_most(l, strip_sum(x->args[lesser], &most.plus), &most);
  add_least(l, strip_sum(x->args[1 - lesser], &least.plus), &least);
}

/* ---- all of an access ----------------------------------------------------------------------- */

unsigned corner_loops_axes(const graph_loop *l) {
  return l->axis == GRAPH_AXIS_YZ ? 1u << 1 | 1u << 2 : 1u << l->axis;
}

/* Of two loops that go over the same blocks, or elements of one, one decides the other. */
static bool is_bound(const corner_loops *l, int i, int k) {
  const graph_loop *x = corner_loops_get(l, l->at[i]), *y = corner_loops_get(l, l->at[k]);
  bool joined_x = x->is == LOOP_GRID || x->is == LOOP_BLOCKS;
  bool joined_y = y->is == LOOP_GRID || y->is == LOOP_BLOCKS;
  if (joined_x && (x->tile == l->at[k] || (x->is == LOOP_BLOCKS && x->over == l->at[k])))
    return true;
  if (!joined_x || !joined_y) return false;
  bool same = x->is == LOOP_GRID ? (corner_loops_axes(x) & corner_loops_axes(y)) != 0
                                 : x->over == y->over;
  return (x->tile >= 0 && x->tile == y->tile) || (x->is == y->is && same);
}

/* The loop over the blocks of another one that is known. */
static bool is_part(const corner_loops *l, int loop) {
  for (int i = 0; i < l->n; i++) {
    const graph_loop *x = corner_loops_get(l, l->at[i]);
    if (x->is == LOOP_BLOCKS && x->over == loop) return true;
  }
  return false;
}

void corner_loops_read(corner_loops *l, const graph *g, const graph_access *x,
                       const graph_node *term) {
  corner_loops_read_term(l, g, term);
  add_loops(l, x->when);
  for (int i = x->loop; i >= 0; i = g->loops.at[i].outer)
    if (!is_part(l, i)) add_loop(l, i);
  add_limits(l, x->when);
  for (int i = 0; i < l->n && !l->incomplete; i++)
    for (int k = 0; k < l->n && !l->incomplete; k++) l->incomplete = i != k && is_bound(l, i, k);
}

void corner_loops_read_term(corner_loops *l, const graph *g, const graph_node *term) {
  static const char *const names[] = {"program_id(0)", "program_id(1)", "program_id(2)"};
  *l = (corner_loops){.g = g};
  for (int i = 0; i < 3; i++)
    l->programs[i] = (graph_loop){
        .is = LOOP_GRID, .name = names[i], .axis = i, .tile = -1, .over = -1, .outer = -1};
  add_loops(l, term);
}
