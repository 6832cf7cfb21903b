/* bad.h - what the operators of a kernel make of a NaN or an Inf: whether it surely enters the
 * result, or may be selected away. Part of reach.c.
 *
 * shared/ops.def has a row for each; one that has none may lose all of them.
 */
#ifndef GEN_BOUNDS_BAD_H
#define GEN_BOUNDS_BAD_H

#include "kernel/graph.h"

/* The parameters that may make a value bad, a bit for each. */
typedef struct bad {
  uint64_t nan;         /* its NaN surely makes the value NaN or Inf */
  uint64_t plus, minus; /* its +Inf, or its -Inf, surely makes the value NaN or Inf */
  uint64_t up, down;    /* its +Inf surely makes the value +Inf or NaN; its -Inf, -Inf or NaN */
  uint64_t gated;       /* the kernel loads it only where it then selects it */
  bool computed;        /* the value may be bad although every element that was read is good */
} bad;

/* A value, as an operand of an operator or as its result. */
typedef struct bad_value {
  bad bad;
  uint8_t constants; /* enum ag_bad: it may be one of these */
  bool read;         /* it depends on elements */
} bad_value;

extern const bad bad_lost;

/* A value that is one of two, or computed from both as a sum is. */
bad bad_join(bad x, bad y);
/* An element of the parameters `members`, loaded. */
bad bad_load(uint64_t members);
/* x or y, selected by a condition. by_place: the condition depends on no element. */
bad bad_select(bad x, bad y, bool by_place);
bool bad_is_same(bad x, bad y);
/* The result of a sum, a product or a variance. */
bad bad_computed(bad x);

/* node is an operator other than "where"; `args` are its operands. */
bad_value bad_of_op(const graph_node *node, const bad_value *args);

#endif
