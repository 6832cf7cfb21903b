/* names.h - source nodes, ATen ops and names of custom ops: what tells a reader of a message where
 * a launch came from. Part of the model stage.
 */
#ifndef GEN_NAMES_H
#define GEN_NAMES_H

#include "model/model.h"

/* Gives each `Source Nodes: [...], Original ATen: [...]` comment to the first launch after it, and
 * guesses for C++ kernels. */
void names_read(model *m, arena *a);

/* One node of wrapper.json. */
typedef struct op_node {
  const char *target;
  int inputs, outputs;
} op_node;
typedef struct op_nodes {
  op_node *at;
  size_t n, cap;
} op_nodes;

/* The nodes of wrapper.json; none where there is no such file. One that cannot be read is an error
 * in `d` where the user named it, else a warning. */
void names_ops(op_nodes *ops, const companions *beside, arena *a, diags *d);

#endif
