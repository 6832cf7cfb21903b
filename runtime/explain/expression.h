/* expression.h - nodes of a graph as text, with the names of the kernel's variables and of the
 * launch's arguments. Inside the library only.
 */
#ifndef AOTIGEN_EXPRESSION_H
#define AOTIGEN_EXPRESSION_H

#include "explain/chain.h"

void ag_expression_add_number(ag_text *t, ag_number x);

/* "log(tmp0 - tmp1)" */
void ag_expression_add(ag_text *t, ag_chain *c, int32_t node);
/* The same where it is part of another one, `depth` deep: a variable stands by its name. */
void ag_expression_add_operand(ag_text *t, ag_chain *c, int32_t node, int depth);

/* The name of the variable that a node was assigned to: "tmp0", or "tmp0_2" where the chain has
 * called another node tmp0, as in a lambda that has a variable of that name of its own. */
void ag_expression_add_name(ag_text *t, ag_chain *c, int32_t node);

/* Is it a number in the kernel's text, or what only converts one. */
bool ag_expression_is_constant(const ag_chain *c, int32_t node);
/* The reduction over a block that the node is, in Triton; NULL where it is none. */
const ag_reduction *ag_expression_find_reduction(const ag_chain *c, const ag_graph_node *node);
/* node of "item(node, 1)" where node is an operator of several results; else the node. */
const ag_graph_node *ag_expression_skip_item(const ag_chain *c, const ag_graph_node *node);
/* The loop over elements that a loop is a part of, by the name that the kernel gives these. */
const char *ag_expression_name_loop(const ag_chain *c, int32_t loop);

/* Is it a load that is not made, since its mask is not set there: it has another value then. */
bool ag_expression_is_masked_off(const ag_chain *c, int32_t node);

#endif
