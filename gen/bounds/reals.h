/* reals.h - the bounds of a float that a kernel computes from integers, such as the index of an
 * interpolation. */
#ifndef GEN_BOUNDS_REALS_H
#define GEN_BOUNDS_REALS_H

#include "kernel/graph.h"

typedef struct reals {
  double low, high;
} reals;

/* Gives the bounds of an integer; false where they are no numbers. */
typedef bool reals_integer(void *data, const graph_node *x, int64_t *low, int64_t *high);

/* False where nothing bounds the float, or it may be NaN or infinite. The bounds allow for a
 * product and a sum that are rounded once. */
bool reals_bound(const graph_node *node, reals_integer *of, void *data, reals *to);

#endif
