/* node_flow.h - the nodes of an exported program that a kernel without a comment may compute: those
 * between the nodes of the launches that it takes tensors from and that take its own, with an
 * operator that the kernel's name has. A guess. Part of the model stage.
 */
#ifndef GEN_NODE_FLOW_H
#define GEN_NODE_FLOW_H

#include "model/exported.h"
#include "model/model.h"

/* Indices of nodes that a site computes. */
typedef struct node_list {
  size_t *at;
  size_t n, cap;
} node_list;

/* lists: one a site; where a site's nodes are known, its list holds them. named: one a site: the
 * nodes of its comment, which has those of its arguments too. Fills the lists of sites
 * whose names are guessed (AOTIGEN_NAMES_GUESSED) and whose list is empty. Takes time in proportion
 * to the wrapper and the program: a kernel with too much between its launches is left out. */
void node_flow_guess(node_list *lists, const node_list *named, const model *m, const exported *x,
                     arena *a);

/* Has the name of the site's kernel the operator, or what torch decomposes it into. */
bool node_flow_computes(const site *s, const char *op);

/* Is one of `ops`, by name, what a kernel computes whose name has that operator. */
bool node_flow_has_token(const string_map *ops, const char *token, arena *a);

#endif
