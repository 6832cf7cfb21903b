/* lanes.h - operators of C++ kernels that reduce the lanes of a vector. Inside the library only. */
#ifndef AOTIGEN_LANES_H
#define AOTIGEN_LANES_H

#include "explain/graph_read.h"
#include "explain/operators.h"

enum { AG_LANES_MOST = 256 };

/* The number of lanes of a loop's vectors, or of the result of a loop below `node`; 0 if it is not
 * known. */
int64_t ag_lanes_of_loop(const ag_graph *g, int32_t loop);
int64_t ag_lanes_of_node(const ag_graph *g, int32_t node);

/* The number of lanes of the vector that the node is computed from; 0 if it is not known. */
int64_t ag_lanes_below(const ag_graph *g, int32_t node);

/* Members of torch's Welford<T>. */
enum {
  AG_WELFORD_MEAN,
  AG_WELFORD_M2,
  AG_WELFORD_WEIGHT,
  AG_WELFORD_INDEX, /* the number of elements */
  AG_WELFORD
};

/* The vector whose lanes the node reduces to one value, by vec_reduce_all() or as a member of the
 * result of welford_vec_reduce_all(); -1 for another node. */
int32_t ag_lanes_find_vector(const ag_graph *g, const ag_graph_node *node);

/* The call in "item(welford_vec_reduce_all(mean, m2, weight, index), 1)", and the number of the
 * member; NULL for another node. */
const ag_graph_node *ag_lanes_find_welford(const ag_graph *g, const ag_graph_node *node,
                                           int64_t *part);

/* Reduces all lanes to the first by an operator with two arguments, in the order of torch's
 * vec_reduce_all() on x86 (ATen/cpu/vec/functional_base.h). False if it has no result. */
bool ag_lanes_join(ag_op op, ag_number *lanes, int64_t width);

/* True if the lanes are members with float values and counts. */
bool ag_lanes_are_of_welford(ag_number (*lanes)[AG_WELFORD], int64_t width);
/* Reduces them the same way; `width` is a power of 2. */
void ag_lanes_join_welford(ag_number (*lanes)[AG_WELFORD], int64_t width);

/* The operator that "sum_masked_reduce" and its like apply to two vectors and a number of lanes;
 * AG_OP_OTHER for another name. */
ag_op ag_lanes_find_masked(ag_op op);

#endif
