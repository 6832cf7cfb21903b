/* reduction.h - finds the operators of a Triton kernel's graph that reduce over the places of a
 * block, and those places. Inside the library only. */
#ifndef AOTIGEN_REDUCTION_H
#define AOTIGEN_REDUCTION_H

#include "explain/graph_read.h"

enum { AG_REDUCTION_TILES = 2, AG_REDUCTION_ARGS = 3 };

enum ag_fold {
  AG_FOLD_SUM,
  AG_FOLD_PRODUCT,
  AG_FOLD_MAX, /* ignores a NaN */
  AG_FOLD_MIN,
  AG_FOLD_MAX_OR_NAN,
  AG_FOLD_MIN_OR_NAN,
  AG_FOLD_ANY,
  AG_FOLD_WELFORD,   /* mean, sum of squares, weight */
  AG_FOLD_SOFTMAX,   /* maximum, sum of exponentials */
  AG_FOLD_MAX_INDEX, /* value, index */
  AG_FOLD_MIN_INDEX
};

typedef struct ag_reduction {
  uint8_t fold; /* enum ag_fold */
  bool scan;    /* a prefix: up to the element's own place */
  int part;     /* the number of the result, if there are several */
  ag_op op;
  const char *name; /* its text */
  int n, ntiles;
  int32_t args[AG_REDUCTION_ARGS];
  int32_t tiles[AG_REDUCTION_TILES]; /* the loops that are reduced; none if they are not known */
  uint64_t closed;                   /* bit i: the result does not depend on loop i */
} ag_reduction;

/* loops: by node the loops that it depends on, bit i for loop i. False if the node is not a
 * reduction. */
bool ag_reduction_read(const ag_graph *g, const uint64_t *loops, int32_t node,
                       ag_reduction *reduction);

#endif
