/* op_match.h - the operations of one kernel, and what each may be: the inner part of op_nodes.h.
 * Part of the model stage; only op_nodes.c and op_match.c include it.
 *
 * A kernel's graph is read forward: a value is what its operands allow. Then backward: a part is
 * dropped that nothing which takes the value allows.
 */
#ifndef GEN_OP_MATCH_H
#define GEN_OP_MATCH_H

#include "model/kernel_graphs.h"
#include "model/op_flow.h"
#include "model/op_nodes.h"

typedef struct matcher {
  const model *m;
  op_program p;
  flow_state **contents; /* by variable that owns memory: what it holds; NULL: not known */
  bool *region;          /* by node: it may be of this kernel, where all of its nodes are known */
  bool exact;            /* `region` counts */
  uint32_t *seen, stamp; /* by node: the operation that it was tried for */
  size_t steps;
  /* Of the kernel: */
  const graph *g;
  const site *s;
  const argument *const *args;
  const node_list *list; /* its nodes, known or guessed */
  flow_state *states;    /* by node of the graph */
  flow_state **stored;   /* by memory: what the kernel stored there by now */
  bool late;             /* what may have ended goes on with a constant, too */
  arena *a, *scratch;
} matcher;

static inline flow_state *op_match_state(const matcher *f, const graph_node *node) {
  return &f->states[node->number];
}

/* Fills f->states and f->stored, which are empty. What precedes them is set. */
void op_match_read(matcher *f);

#endif
