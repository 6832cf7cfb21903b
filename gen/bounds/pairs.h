/* pairs.h - may two accesses of a launch overlap, at one element of memory that they share: what is
 * proved for all sizes. The index of one less that of the other is taken apart into digits of one
 * number, each of which is 0 where the two overlap. */
#ifndef GEN_BOUNDS_PAIRS_H
#define GEN_BOUNDS_PAIRS_H

#include "bounds/range.h"

enum { PAIR_LOOPS_MAX = 24 };

typedef struct pair {
  const graph_access *x, *y;
  const poly *x_offset, *y_offset; /* of the memory's first element, in elements of both */
  int loops[PAIR_LOOPS_MAX];       /* of the graph */
  int n;
  bool programs[3]; /* by axis: two programs of the launch count as well */
} pair;

enum overlap {
  OVERLAP_NEVER,
  OVERLAP_SAME_ITERATION, /* each of the loops has the same value in both, and the program is one */
  OVERLAP_MAYBE
};

enum overlap pair_overlap(symbols *s, const range_launch *l, const pair *p);

/* Sizes that are more than 0 where both are made: as of range_list_positive(). */
int pair_list_positive(symbols *s, const range_launch *l, const pair *p, short *list, int most);

#endif
