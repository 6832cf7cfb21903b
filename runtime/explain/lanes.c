/* lanes.c - see lanes.h. */
#define _GNU_SOURCE
#include "explain/lanes.h"

#include <string.h>

#include "explain/fold.h"
#include "explain/threads.h"

enum { BELOW_DEEPEST = 64, BELOW_MOST = 4096 };

/* ---- how many -------------------------------------------------------------------------------- */

/* The step of the innermost loop whose step is more than one. */
int64_t ag_lanes_of_loop(const ag_graph *g, int32_t loop) {
  for (; loop >= 0; loop = g->loops[loop].outer) {
    const ag_graph_loop *l = &g->loops[loop];
    const ag_graph_node *step = l->kind == LOOP_FOR && l->step >= 0 ? &g->nodes[l->step] : NULL;
    if (step && step->kind == NODE_INTEGER && step->value > 1)
      return step->value <= AG_LANES_MOST ? step->value : 0;
  }
  return 0;
}

int64_t ag_lanes_of_node(const ag_graph *g, int32_t node) {
  const ag_graph_node *x = &g->nodes[node];
  for (int depth = 0; depth < 8; depth++) {
    int32_t stored = ag_threads_find_stored(g, node);
    if (stored < 0 && (x->kind != NODE_OP || !x->n)) break;
    node = stored >= 0 ? stored : x->args[0];
    x = &g->nodes[node];
  }
  return x->kind == NODE_AFTER ? ag_lanes_of_loop(g, g->carried[x->index].loop) : 0;
}

static int64_t look_below(const ag_graph *g, int32_t node, int depth, int *left) {
  const ag_graph_node *x = &g->nodes[node];
  const ag_graph_access *a = x->kind == NODE_LOAD ? &g->accesses[x->index] : NULL;
  bool lane = x->kind == NODE_STEP && g->loops[x->index].kind == LOOP_LANES;
  int64_t lanes = lane ? ag_lanes_of_loop(g, x->index) : 0;
  if (depth > BELOW_DEEPEST || --*left < 0) return 0;
  if (a) lanes = look_below(g, a->index, depth + 1, left);
  for (int32_t i = 0; i < x->n && !lanes; i++) lanes = look_below(g, x->args[i], depth + 1, left);
  return lanes;
}

int64_t ag_lanes_below(const ag_graph *g, int32_t node) {
  int left = BELOW_MOST;
  return look_below(g, node, 0, &left);
}

/* ---- masked reductions ---------------------------------------------------------------------- */

/* The operator that "sum_masked_reduce" and its like apply to two vectors and a number of lanes. */
ag_op ag_lanes_find_masked(ag_op op) {
  switch (op) {
    case AG_OP_SUM_MASKED: return AG_OP_ADD;
    case AG_OP_PROD_MASKED: return AG_OP_MULTIPLY;
    case AG_OP_MAX_MASKED: return AG_OP_MAXIMUM;
    case AG_OP_MIN_MASKED: return AG_OP_MINIMUM;
    default: return AG_OP_OTHER;
  }
}

/* ---- variances ------------------------------------------------------------------------------ */

/* The call in "item(welford_vec_reduce_all(mean, m2, weight, index), 1)", else NULL. */
const ag_graph_node *ag_lanes_find_welford(const ag_graph *g, const ag_graph_node *node,
                                           int64_t *part) {
  const ag_graph_node *item = node->op == AG_OP_ITEM ? &g->nodes[node->args[1]] : NULL;
  const ag_graph_node *all = item ? &g->nodes[node->args[0]] : NULL;
  if (!all || all->op != AG_OP_WELFORD_VEC_REDUCE_ALL || all->n != AG_WELFORD ||
      item->kind != NODE_INTEGER || item->value < 0 || item->value >= AG_WELFORD)
    return NULL;
  *part = item->value;
  return all;
}

bool ag_lanes_are_of_welford(ag_number (*lanes)[AG_WELFORD], int64_t width) {
  for (int64_t i = 0; i < width; i++)
    if (!ag_graph_type_is_float(lanes[i][AG_WELFORD_MEAN].type) ||
        ag_graph_type_is_float(lanes[i][AG_WELFORD_INDEX].type))
      return false;
  return true;
}

/* Joins each lane with the one `far` behind it, doubling `far`, as torch does. */
void ag_lanes_join_welford(ag_number (*lanes)[AG_WELFORD], int64_t width) {
  if (lanes[0][AG_WELFORD_INDEX].whole == 0) {
    for (int k = 0; k < AG_WELFORD_INDEX; k++) lanes[0][k] = ag_number_of_real(0, lanes[0][k].type);
    return;
  }
  static const ag_reduction welford = {.fold = AG_FOLD_WELFORD, .n = AG_WELFORD_INDEX};
  for (int64_t far = 1; far < width; far *= 2)
    for (int64_t i = 0; i + far < width; i += 2 * far) {
      ag_folding f = {.begun = true};
      memcpy(f.state, lanes[i], sizeof f.state);
      ag_fold_add(&f, &welford, lanes[i + far]);
      memcpy(lanes[i], f.state, sizeof f.state);
    }
  lanes[0][AG_WELFORD_INDEX] = ag_number_cast(lanes[0][AG_WELFORD_WEIGHT], GRAPH_I64);
}

/* ---- all ------------------------------------------------------------------------------------ */

static bool join(ag_op op, ag_number *to, ag_number x) {
  ag_number args[2] = {*to, x};
  return ag_operator_apply(op, GRAPH_ANY, args, 2, to);
}

/* float32: joins the second half to the first, until one lane is left. Other types: lane by
 * lane. */
bool ag_lanes_join(ag_op op, ag_number *lanes, int64_t width) {
  bool by_halves = lanes[0].type == GRAPH_F32 && !(width & (width - 1));
  for (int64_t half = by_halves ? width / 2 : 0; half; half /= 2)
    for (int64_t i = 0; i < half; i++)
      if (!join(op, &lanes[i], lanes[i + half])) return false;
  for (int64_t i = by_halves ? width : 1; i < width; i++)
    if (!join(op, &lanes[0], lanes[i])) return false;
  return true;
}

int32_t ag_lanes_find_vector(const ag_graph *g, const ag_graph_node *node) {
  int64_t part;
  const ag_graph_node *all = ag_lanes_find_welford(g, node, &part);
  if (all) return all->args[part];
  return node->op == AG_OP_VEC_REDUCE_ALL && node->n == 2 ? node->args[1] : -1;
}
