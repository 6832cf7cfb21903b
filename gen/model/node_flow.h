/* node_flow.h - a guess at the nodes of an exported program that a kernel without a comment
 * computes: those with an operator of the kernel's name that lie between the nodes of the launches
 * before it, whose tensors it takes, and those of the launches that take its own. Part of the model
 * stage.
 */
#ifndef GEN_NODE_FLOW_H
#define GEN_NODE_FLOW_H

#include "model/exported.h"
#include "model/model.h"

/* Indices of nodes that a site computes. */
typedef arena_list(size_t) node_list;

/* The order of two indices, for qsort(). */
int node_list_compare(const void *x, const void *y);

/* lists: one for each site, with the site's nodes if they are known. named: one for each site, with
 * the nodes of its comment, which has those of its arguments too. Fills the empty lists of sites
 * whose names are guessed (AOTIGEN_NAMES_GUESSED). The time is proportional to the wrapper and the
 * program: a kernel with too many nodes between its launches is skipped. */
void node_flow_guess(node_list *lists, const node_list *named, const model *m, const exported *x,
                     arena *a);

/* True if the name of the site's kernel contains the operator, or one that torch decomposes it
 * into. */
bool node_flow_computes(const site *s, const char *op);

/* True if one of `ops`, by name, is an operator that `token`, a part of a kernel's name, stands
 * for. */
bool node_flow_has_token(const string_map *ops, const char *token, arena *a);

/* ---- further guesses at the nodes of an exported program that launches compute, where
 * node_flow.h has none: for kernels in branches and loops, for kernels that an operator of the
 * graph identifies, and for calls that read a value for the host. */

/* lists: one for each site, with the site's nodes if they are known. Fills empty lists, and sets
 * guessed[i] if list i rests on a guess.
 *   - A kernel with guessed names gets the nodes of its graph with an operator that no other such
 *     kernel of the graph has; else the node that an item reads from it; else, in a branch or a
 *     loop, the cond or the while_loop.
 *   - An item gets the only node, item() or a cond or a while_loop, that takes what it reads. */
void graph_nodes_guess(node_list *lists, bool *guessed, const model *m, const exported *x,
                       arena *a);

#endif
