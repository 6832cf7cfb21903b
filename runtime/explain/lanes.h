/* lanes.h - operators of C++ kernels that go over the lanes of a vector. Inside the library only.
 */
#ifndef AOTIGEN_LANES_H
#define AOTIGEN_LANES_H

#include "explain/graph_read.h"
#include "explain/operators.h"

enum { AG_LANES_MOST = 256 };

/* The lanes of the vectors that a loop goes by, or of what a loop below `node` leaves; 0 where that
 * is not known. */
int64_t ag_lanes_of_loop(const ag_graph *g, int32_t loop);
int64_t ag_lanes_of_node(const ag_graph *g, int32_t node);

/* The lanes of the vector that the node is computed from; 0 where that is not known. */
int64_t ag_lanes_below(const ag_graph *g, int32_t node);

/* Members of torch's Welford<T>. */
enum {
  AG_WELFORD_MEAN,
  AG_WELFORD_M2,
  AG_WELFORD_WEIGHT,
  AG_WELFORD_INDEX, /* how many elements it has */
  AG_WELFORD
};

/* The vector of whose lanes the node makes one value: vec_reduce_all(), or the member of what
 * welford_vec_reduce_all() gives; -1 of another node. */
int32_t ag_lanes_find_vector(const ag_graph *g, const ag_graph_node *node);

/* "item(welford_vec_reduce_all(mean, m2, weight, index), 1)": the call, and which member; NULL of
 * another node. */
const ag_graph_node *ag_lanes_find_welford(const ag_graph *g, const ag_graph_node *node,
                                           int64_t *part);

/* Makes the first lane all of them by an operator of two arguments, in the order in which torch's
 * vec_reduce_all() does on x86 (ATen/cpu/vec/functional_base.h). False where it has no result. */
bool ag_lanes_join(ag_op op, ag_number *lanes, int64_t width);

/* Are they members of floats, and counts. */
bool ag_lanes_are_of_welford(ag_number (*lanes)[AG_WELFORD], int64_t width);
/* Likewise; `width` is a power of 2. */
void ag_lanes_join_welford(ag_number (*lanes)[AG_WELFORD], int64_t width);

/* The operator of "sum_masked_reduce" and so on, of a vector, another, and how many lanes of that
 * there are; NULL of another name. */
ag_op ag_lanes_find_masked(ag_op op);

#endif
