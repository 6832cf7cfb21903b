/* expression.h - nodes of a graph as text, with the names of the kernel's variables and of the
 * launch's arguments. Inside the library only.
 */
#ifndef AOTIGEN_EXPRESSION_H
#define AOTIGEN_EXPRESSION_H

#include "explain/chain.h"

void ag_expression_add_number(ag_text *t, ag_number x);

/* "log(tmp0 - tmp1)" */
void ag_expression_add(ag_text *t, ag_chain *c, int32_t node);
/* Adds the node as part of another one, `depth` deep. A variable is shown by its name. */
void ag_expression_add_operand(ag_text *t, ag_chain *c, int32_t node, int depth);

/* The element that the access touches: "arg0_1[2, 3]". */
void ag_expression_add_access(ag_text *t, ag_chain *c, const ag_graph_access *x);

/* The name of the variable that a node was assigned to: "tmp0", or "tmp0_2" if the chain has called
 * another node tmp0, such as in a lambda with its own variable of that name. */
void ag_expression_add_name(ag_text *t, ag_chain *c, int32_t node);

/* True for a number in the kernel's text, and for a conversion of one. */
bool ag_expression_is_constant(const ag_chain *c, int32_t node);
/* The node's reduction over a block, in Triton; NULL if it is not a reduction. */
const ag_reduction *ag_expression_find_reduction(const ag_chain *c, const ag_graph_node *node);
/* The node of "item(node, 1)" if it is an operator with several results; else the node given. */
const ag_graph_node *ag_expression_skip_item(const ag_chain *c, const ag_graph_node *node);
/* The name that the kernel gives the loop over elements that contains this loop. */
const char *ag_expression_name_loop(const ag_chain *c, int32_t loop);

/* True if the node is a load that is not made because its mask is not set: it has another value. */
bool ag_expression_is_masked_off(const ag_chain *c, int32_t node);

#endif
