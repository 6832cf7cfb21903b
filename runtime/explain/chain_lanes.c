/* chain_lanes.c - see chain_lanes.h. */
#define _GNU_SOURCE
#include "explain/chain_lanes.h"

#include "explain/lanes.h"
#include "explain/threads.h"

enum { SUMS_DEEP = 4 };

static const ag_graph_node *node_of(const ag_chain *c, int32_t node) {
  return &c->m->g->nodes[node];
}

/* Finds the vector that makes the lane bad, below sums of vectors and values that threads
 * stored. */
static bool find_lane_source(ag_chain *c, int32_t *vector) {
  for (int depth = 0; depth < SUMS_DEEP; depth++) {
    const ag_graph_node *x = node_of(c, *vector);
    int32_t next = ag_threads_find_stored(c->m->g, *vector);
    for (int i = 0; x->kind == NODE_OP && x->op != AG_OP_WHERE && i < x->n && next < 0; i++) {
      ag_number value;
      if (!ag_interpret(c->m, x->args[i], &value)) return false;
      if (ag_graph_type_is_float(value.type) && c->is_bad(value)) next = x->args[i];
    }
    if (next < 0) return true;
    *vector = next;
  }
  return true;
}

/* Finds the iteration of the loop in which a lane goes bad; -1 if it does not. */
static bool find_lane_step(ag_chain *c, int32_t vector, int64_t lane, int64_t *step) {
  ag_number value;
  ag_first first = {0};
  ag_interpreter_bind_lane(c->m, lane);
  *step = -1;
  if (!ag_interpret(c->m, vector, &value)) return false;
  if (!c->is_bad(value)) return true;
  if (!find_lane_source(c, &vector)) return false;
  if (node_of(c, vector)->kind == NODE_AFTER &&
      !ag_interpret_until(c->m, vector, c->is_bad, false, &first))
    return false;
  *step = first.found && first.step > 0 ? first.step : 0;
  return true;
}

bool ag_chain_enter_lanes(ag_chain *c, int32_t vector, int32_t *next) {
  int64_t width = ag_lanes_of_node(c->m->g, vector), lane = -1, least = INT64_MAX, step;
  for (int64_t i = 0; i < width; i++) {
    if (!find_lane_step(c, vector, i, &step)) return false;
    if (step < 0 || step >= least) continue;
    least = step;
    lane = i;
  }
  ag_interpreter_bind_lane(c->m, lane);
  *next = lane < 0 ? -1 : vector;
  return true;
}
