/* endpoint_loops.c - see endpoint_loops.h. */
#include "bounds/endpoint_loops.h"
#include <string.h>

enum { WORK_MAX = 4000 };

static void add_loops(endpoint_loops *l, const graph_node *node);

int endpoint_loops_find(const endpoint_loops *l, int loop) {
  for (int i = 0; i < l->n; i++)
    if (l->at[i] == loop) return i;
  return -1;
}

static void add_loop(endpoint_loops *l, int loop) {
  if (endpoint_loops_find(l, loop) >= 0 || l->incomplete) return;
  if (l->n == ENDPOINT_LOOPS_MAX) {
    l->incomplete = true;
    return;
  }
  l->at[l->n++] = loop;
  add_loops(l, endpoint_loops_get(l, loop)->low);
  add_loops(l, endpoint_loops_get(l, loop)->high);
}

const graph_loop *endpoint_loops_get(const endpoint_loops *l, int loop) {
  size_t n = l->g->loops.n;
  return (size_t)loop < n ? &l->g->loops.at[loop] : &l->programs[(size_t)loop - n];
}

int endpoint_loops_program(const endpoint_loops *l, const graph_node *node) {
  int axis = graph_program_axis(node);
  return axis >= 0 ? (int)l->g->loops.n + axis : -1;
}

/* ---- digits --------------------------------------------------------------------------------- */

/* The loop's variable, its quotient, its remainder, or a remainder of its quotient. */
static bool read_digit(endpoint_digit *d, const graph_node *node) {
  *d = (endpoint_digit){.node = node};
  if (node->op == AG_OP_MODULO) d->modulus = node->args[1], node = node->args[0];
  if (node->op == AG_OP_FLOOR_DIVIDE) d->divisor = node->args[1], node = node->args[0];
  d->loop = node->index;
  return node->kind == NODE_STEP && (d->modulus || d->divisor);
}

static endpoint_digit *add_digit(endpoint_loops *l, const graph_node *node) {
  endpoint_digit d;
  if (!read_digit(&d, node)) return NULL;
  for (int i = 0; i < l->ndigits; i++)
    if (l->digits[i].node == node) return &l->digits[i];
  if (l->ndigits == ENDPOINT_DIGITS_MAX) return NULL;
  l->digits[l->ndigits] = d;
  return &l->digits[l->ndigits++];
}

static void add_loops(endpoint_loops *l, const graph_node *node) {
  if (!node || l->incomplete) return;
  if (++l->work > WORK_MAX) {
    l->incomplete = true;
    return;
  }
  int program = endpoint_loops_program(l, node);
  if (node->kind == NODE_STEP || program >= 0) add_loop(l, program >= 0 ? program : node->index);
  if (node->op == AG_OP_MODULO) add_digit(l, node);
  for (int i = 0; node->kind == NODE_OP && i < node->n; i++) add_loops(l, node->args[i]);
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
  int number = x->args[0]->kind == NODE_INTEGER || x->args[0]->kind == NODE_PARAM ? 0 : 1;
  *plus = x->args[number];
  return strip_casts(x->args[1 - number]);
}

static void add_most(endpoint_loops *l, const graph_node *node, const endpoint_limit *limit) {
  if (node->kind == NODE_STEP) {
    if (l->nmost == ENDPOINT_LIMITS_MAX) return;
    l->most[l->nmost].loop = node->index;
    l->most[l->nmost++].limit = *limit;
    return;
  }
  endpoint_digit *d = add_digit(l, node);
  if (d && !d->most.end) d->most = *limit;
}

static void add_least(endpoint_loops *l, const graph_node *node, const endpoint_limit *limit) {
  endpoint_digit *d = node->kind == NODE_STEP ? NULL : add_digit(l, node);
  if (d && !d->least.end) d->least = *limit;
}

static void add_limits(endpoint_loops *l, const graph_node *node) {
  if (!node || node->kind != NODE_OP || node->n != 2) return;
  if (node->type == GRAPH_BOOL && node->op == AG_OP_AND) {
    add_limits(l, node->args[0]);
    add_limits(l, node->args[1]);
    return;
  }
  bool less = node->op == AG_OP_LESS || node->op == AG_OP_LESS_EQUAL;
  if (!less && node->op != AG_OP_GREATER && node->op != AG_OP_GREATER_EQUAL) return;
  bool inclusive = node->op == AG_OP_LESS_EQUAL || node->op == AG_OP_GREATER_EQUAL;
  int lesser = less ? 0 : 1;
  endpoint_limit most = {.end = node->args[1 - lesser], .inclusive = inclusive},
                 least = {.end = node->args[lesser], .inclusive = most.inclusive};
  add_most(l, strip_sum(node->args[lesser], &most.plus), &most);
  add_least(l, strip_sum(node->args[1 - lesser], &least.plus), &least);
}

/* ---- all of an access ----------------------------------------------------------------------- */

unsigned endpoint_loops_axes(const graph_loop *l) {
  return l->axis == GRAPH_AXIS_YZ ? 1u << 1 | 1u << 2 : 1u << l->axis;
}

/* True if one of two loops determines the other: they go over the same blocks, or elements of
 * one block. */
static bool is_bound(const endpoint_loops *l, int i, int k) {
  const graph_loop *x = endpoint_loops_get(l, l->at[i]), *y = endpoint_loops_get(l, l->at[k]);
  bool joined_x = x->kind == LOOP_GRID || x->kind == LOOP_BLOCKS;
  bool joined_y = y->kind == LOOP_GRID || y->kind == LOOP_BLOCKS;
  if (joined_x && (x->tile == l->at[k] || (x->kind == LOOP_BLOCKS && x->over == l->at[k])))
    return true;
  if (!joined_x || !joined_y) return false;
  bool same = x->kind == LOOP_GRID ? (endpoint_loops_axes(x) & endpoint_loops_axes(y)) != 0
                                   : x->over == y->over;
  return (x->tile >= 0 && x->tile == y->tile) || (x->kind == y->kind && same);
}

/* True if a known loop goes over the blocks of this one. */
static bool is_part(const endpoint_loops *l, int loop) {
  for (int i = 0; i < l->n; i++) {
    const graph_loop *x = endpoint_loops_get(l, l->at[i]);
    if (x->kind == LOOP_BLOCKS && x->over == loop) return true;
  }
  return false;
}

void endpoint_loops_read(endpoint_loops *l, const graph *g, const graph_access *access,
                         const graph_node *term) {
  endpoint_loops_read_term(l, g, term);
  add_loops(l, access->when);
  for (int i = access->loop; i >= 0; i = g->loops.at[i].outer)
    if (!is_part(l, i)) add_loop(l, i);
  add_limits(l, access->when);
  for (int i = 0; i < l->n && !l->incomplete; i++)
    for (int k = 0; k < l->n && !l->incomplete; k++) l->incomplete = i != k && is_bound(l, i, k);
}

void endpoint_loops_read_term(endpoint_loops *l, const graph *g, const graph_node *term) {
  static const char *const names[] = {"program_id(0)", "program_id(1)", "program_id(2)"};
  *l = (endpoint_loops){.g = g};
  for (int i = 0; i < 3; i++)
    l->programs[i] = (graph_loop){
        .kind = LOOP_GRID, .name = names[i], .axis = i, .tile = -1, .over = -1, .outer = -1};
  add_loops(l, term);
}
