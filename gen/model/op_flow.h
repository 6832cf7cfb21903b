/* op_flow.h - what op_nodes.h computes with: sets of values of the exported program, and the
 * program as those sets need it. Part of the model stage; only op_nodes.c and op_flow.c include it.
 *
 * A value is a node's result, or what is given to the program. An operator that only moves elements
 * has no value of its own: its result is what its tensors are.
 */
#ifndef GEN_OP_FLOW_H
#define GEN_OP_FLOW_H

#include "model/exported.h"
#include "model/op_parts.h"

/* A bit for each tensor of a node. The highest of 32 stands for a part (op_match.c), and the one
 * below it, FLOW_CLOSED, says that the part is the last one. */
enum { FLOW_MOST = 12, FLOW_TENSORS = 30, FLOW_CLOSED = 1 << 30 };

/* Values by number: nodes by their index, what is given behind them. */
typedef struct value_set {
  bool any; /* it may be each value */
  uint8_t n;
  uint32_t at[FLOW_MOST];
} value_set;

/* A node, and which of the tensors that it takes were used by now, as bits. */
typedef struct node_part {
  uint32_t node, used;
} node_part;

/* What a value of a kernel is. */
typedef struct flow_state {
  bool live;    /* it depends on elements of tensors */
  bool carried; /* a variable before an iteration, which says nothing */
  bool all;     /* it is each of `parts`: they begin with the same operation */
  value_set values;
  uint8_t nparts; /* the nodes that it may be a part of, or the result of */
  node_part parts[FLOW_MOST];
} flow_state;

void value_set_add(value_set *to, uint32_t value);
bool value_set_has(const value_set *s, uint32_t value);

const node_part *flow_find_part(const flow_state *s, uint32_t node);
void flow_add_part(flow_state *to, uint32_t node, uint32_t used);
/* Makes `to` what either of them may be. */
void flow_join(flow_state *to, const flow_state *from);
/* The state of which nothing is known. */
flow_state flow_unknown(void);

/* ---- the program */

typedef arena_list(uint32_t) taker_list;

typedef struct op_program {
  const exported *x;
  const op_parts **rows; /* by node; NULL: no row */
  value_set *sources;    /* by value */
  taker_list *takers;    /* by value: the nodes that take it */
  size_t nvalues;
} op_program;

/* False where it is too large. */
bool op_program_read(op_program *p, const exported *x, arena *a);

/* The number of a value as `exported` has it. */
uint32_t op_program_value(const op_program *p, size_t value);

/* The node's tensors that are among the values, as bits. */
uint32_t op_program_uses(const op_program *p, uint32_t node, const value_set *values);
/* What the tensor, by its number in the node, is; NULL if the node has no such. */
const value_set *op_program_source(const op_program *p, uint32_t node, size_t tensor);
/* All of its tensors. */
uint32_t op_program_tensors(const op_program *p, uint32_t node);

/* True if both nodes compute the same. */
bool op_program_is_same(const op_program *p, uint32_t x, uint32_t y);

#endif
