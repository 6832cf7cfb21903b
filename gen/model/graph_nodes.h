/* graph_nodes.h - further guesses at the nodes of an exported program that launches compute, where
 * node_flow.h has none: for kernels in branches and loops, for kernels that an operator of the
 * graph identifies, and for calls that read a value for the host. Part of the model stage.
 */
#ifndef GEN_GRAPH_NODES_H
#define GEN_GRAPH_NODES_H

#include "model/exported.h"
#include "model/model.h"
#include "model/node_flow.h"

/* lists: one for each site, with the site's nodes if they are known. Fills empty lists, and sets
 * guessed[i] if list i rests on a guess.
 *   - A kernel with guessed names gets the nodes of its graph with an operator that no other such
 *     kernel of the graph has; else the node that an item reads from it; else, in a branch or a
 *     loop, the cond or the while_loop.
 *   - An item gets the only node, item() or a cond or a while_loop, that takes what it reads. */
void graph_nodes_guess(node_list *lists, bool *guessed, const model *m, const exported *x,
                       arena *a);

#endif
