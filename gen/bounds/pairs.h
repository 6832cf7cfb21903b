/* pairs.h - whether two accesses of a launch may overlap in memory that they share, as far as that
 * is proved for all sizes. The difference of the two indices is taken apart into the digits of one
 * number. Each digit is 0 where the two overlap. */
#ifndef GEN_BOUNDS_PAIRS_H
#define GEN_BOUNDS_PAIRS_H

#include "bounds/range.h"

enum { PAIR_LOOPS_MAX = 24 };

typedef struct pair {
  const graph_access *x, *y;
  const poly *x_offset, *y_offset; /* offsets of the memories in what they share, in elements */
  int loops[PAIR_LOOPS_MAX];       /* numbers of the graph's loops */
  int n;
  bool programs[3]; /* by axis: two different programs of the launch count as well */
} pair;

enum overlap {
  OVERLAP_NEVER,
  OVERLAP_SAME_ITERATION, /* each loop has the same value in both, and so has the program */
  OVERLAP_MAYBE
};

enum overlap pair_overlap(symbols *s, const range_launch *l, const pair *p);

/* Lists the sizes that are more than 0 where both accesses are made, as range_list_positive()
 * does. */
int pair_list_positive(symbols *s, const range_launch *l, const pair *p, short *list, int most);

#endif
