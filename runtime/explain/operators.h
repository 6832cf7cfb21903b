/* operators.h - the operators and functions of kernels, on numbers with the types of kernels:
 * floating results are rounded to their type after each operation, integers wrap around. Inside the
 * library only.
 */
#ifndef AOTIGEN_OPERATORS_H
#define AOTIGEN_OPERATORS_H

#include "explain/graph_read.h"

/* `real` is the value of a floating type, `whole` that of any other. */
typedef struct ag_number {
  graph_type type;
  double real;
  int64_t whole;
} ag_number;

ag_number ag_number_of_real(double x, graph_type type);
ag_number ag_number_of_whole(int64_t x, graph_type type);
/* Converts like a cast in C++. */
ag_number ag_number_cast(ag_number x, graph_type type);
/* Converts like AG_OP_CAST_FLOAT8E5 and AG_OP_CAST_FLOAT8E4NV. False for another operator, and for
 * a number that the type cannot hold: devices differ there. */
bool ag_number_cast_float8(ag_op op, ag_number *x);
double ag_number_real(ag_number x);
/* The number of steps of their type between two floating numbers; Inf is one step behind the
 * greatest. -1 if the types differ or have 8 bits, and for a NaN. */
int64_t ag_number_count_ulps(ag_number x, ag_number y);
bool ag_number_is_true(ag_number x);

/* True if ag_operator_apply() computes it. "where", "cast" and operators over lanes are not among
 * them. */
bool ag_operator_is_known(ag_op op);

/* True if a kernel with the operator adds in another order than its loops': in parts of several
 * threads, of which it is said that there is one, or in chunks. */
bool ag_operator_reorders(ag_op op);

/* type: the result's, GRAPH_ANY if it follows from the arguments. False if these do not have the
 * operator's type, or C leaves the result undefined. */
bool ag_operator_apply(ag_op op, graph_type type, const ag_number *args, int n, ag_number *result);

#endif
