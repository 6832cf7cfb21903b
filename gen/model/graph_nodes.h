/* graph_nodes.h - the nodes of an exported program that launches may compute which node_flow.h says
 * nothing of: kernels in branches and loops, kernels of which an operator of the graph tells that
 * no other can be meant, and what reads a value out for the host. Part of the model stage.
 */
#ifndef GEN_GRAPH_NODES_H
#define GEN_GRAPH_NODES_H

#include "model/exported.h"
#include "model/model.h"
#include "model/node_flow.h"

/* lists: one a site; where a site's nodes are known, its list holds them. Fills empty ones, and
 * sets guessed[i] of those that rest on a guess:
 *   - of a kernel whose names are guessed: the nodes of its graph with an operator that no other
 *     such kernel in the graph has; else what an item reads of it; else, in a branch or a loop, the
 *     cond or the while_loop
 *   - of an item: the one node, item() or a cond or a while_loop, that takes what it reads. */
void graph_nodes_guess(node_list *lists, bool *guessed, const model *m, const exported *x,
                       arena *a);

#endif
