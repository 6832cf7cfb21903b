/* op_parts.h - by which operations of a kernel Inductor computes one of ATen's operators. Part of
 * the model stage. All data is constant.
 */
#ifndef GEN_OP_PARTS_H
#define GEN_OP_PARTS_H

#include "kernel/graph.h"

enum op_kind { OP_ONE, OP_SEVERAL, OP_ENDS, OP_MOVES };

/* A row of op_parts.def. */
typedef struct op_parts {
  const char *name, *parts, *first, *last;
  enum op_kind kind;
} op_parts;

/* The row of an operator, "add" or "add_"; NULL if there is none. */
const op_parts *op_parts_find(const char *op);

/* The word for a kernel's operation: "+", "max", "cmp" for each comparison; reduces: it is applied
 * to all elements that a loop goes over, "sum" for "+". NULL for one that only moves its
 * arguments. */
const char *op_parts_word(const graph_node *node, bool reduces);

/* True if the word stands in the list. */
bool op_parts_has(const char *list, const char *word);

#endif
