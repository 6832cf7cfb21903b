/* operators.h - the operators and functions of kernels, on numbers with the types of kernels:
 * floating results are rounded to their type after each operation, integers wrap around. Inside the
 * library only.
 */
#ifndef AOTIGEN_OPERATORS_H
#define AOTIGEN_OPERATORS_H

#include "explain/graph_read.h"

/* Of a floating type `real` counts, else `whole`. */
typedef struct ag_number {
  graph_type type;
  double real;
  int64_t whole;
} ag_number;

bool ag_type_is_real(graph_type t);

ag_number ag_number_of_real(double x, graph_type type);
ag_number ag_number_of_whole(int64_t x, graph_type type);
/* As a cast of C++ converts it. */
ag_number ag_number_cast(ag_number x, graph_type type);
/* As AG_OP_CAST_FLOAT8E5 and AG_OP_CAST_FLOAT8E4NV do. False of another one, and of a number that
 * the type cannot hold, of which devices make one thing or another. */
bool ag_number_cast_float8(ag_op op, ag_number *x);
double ag_number_real(ag_number x);
/* How many steps of their type apart two floating numbers are; Inf is one step behind the greatest.
 * -1 where the types are not the same, or of 8 bits, and with a NaN. */
int64_t ag_number_count_ulps(ag_number x, ag_number y);
bool ag_number_is_true(ag_number x);

/* True of what ag_operator_apply() computes: "where", "cast", and what goes over lanes are not
 * among them. */
bool ag_operator_is_known(ag_op op);

/* Does a kernel with it add up in another order than its loops': in parts of several threads, of
 * which it is said that there is one, or in chunks. */
bool ag_operator_reorders(ag_op op);

/* type: of the result, GRAPH_ANY where it follows from the arguments. False where these are not
 * of the operator's kind, or C leaves the result open. */
bool ag_operator_apply(ag_op op, graph_type type, const ag_number *args, int n, ag_number *result);

#endif
