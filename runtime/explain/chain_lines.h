/* chain_lines.h - the lines of a chain: a node with its value, and what it was computed from.
 * Inside the library only. */
#ifndef AOTIGEN_CHAIN_LINES_H
#define AOTIGEN_CHAIN_LINES_H

#include "explain/chain.h"

/* Lines of operands, and what ends the line where the badness begins. */
enum { AG_CHAIN_OPERANDS = 10 };
#define AG_CHAIN_HERE "   <- here"

bool ag_chain_is_infinite(ag_number x);

/* True if the node has a line already. */
bool ag_chain_is_shown(const ag_chain *c, int32_t node);

/* "tmp2 = tmp0 - tmp1 = -84", and `after`. False if its value is not decided. */
bool ag_chain_format_line(ag_text *t, ag_chain *c, int32_t node, const char *after);
/* The same as a line of the chain; none if the chain is full. */
bool ag_chain_add_line(ag_chain *c, int32_t node, const char *after);

/* The index of the only operand that matters: for "where", the one that it selected. -1: all do. */
int ag_chain_find_taken(ag_chain *c, const ag_graph_node *node);

/* Adds the lines of what a node was computed from, deepest first. */
void ag_chain_add_operands(ag_chain *c, int32_t node, int depth);

/* Adds to the head the iteration of a store whose index was loaded, and what was loaded:
 * "; stored at x0 = 3, where arg9_1[3] = 8". */
void ag_chain_note_indices(ag_chain *c, const ag_graph_access *store);

/* Adds the lines of where an Inf comes from that the kernel itself stored, and that the node loads:
 * such as a sum or the greatest element of a row, which it keeps in a buffer. This is chain.c's:
 * operands and paths lead to each other. */
void ag_chain_add_stored(ag_chain *c, int32_t node);

#endif
