/* op_nodes.h - the nodes of the exported program that each operation of a compiled kernel may
 * compute. Part of the model stage.
 *
 * They follow from the flow of data alone: a kernel's operation computes a node, or a part of it,
 * only if each value that it takes is one that the node takes, or another part of the node. What a
 * kernel stores is what later launches load. Where two nodes remain, both are told.
 */
#ifndef GEN_OP_NODES_H
#define GEN_OP_NODES_H

#include "model/node_flow.h"

/* What one operation of a kernel computes, or what decides the elements that it stores in one
 * argument. */
typedef struct op_match {
  unsigned number; /* of the graph's node, or of the site's argument */
  node_list nodes; /* in the order of the program; each computes something else */
} op_match;

typedef struct site_match {
  bool all; /* each operation has nodes: `nodes` are all that the kernel computes */
  node_list nodes;
  arena_list(op_match) ops, stored;
} site_match;

/* lists: for each site the nodes that it computes, as far as they are known or guessed. exact: by
 * site, whether they are all of them: then no others are told. Returns an entry for each site; it
 * is empty for a site within a loop or a branch, and for one that launches no kernel whose graph is
 * known. Time and memory are proportional to the program and to the kernels. */
const site_match *op_nodes_find(const model *m, const exported *x, const node_list *lists,
                                const bool *exact, arena *a);

#endif
