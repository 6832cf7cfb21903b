/* overlap_points.h - two points of a kernel's loops at which two accesses touch one element,
 * computed for sizes that are set: what pairs.h cannot exclude. */
#ifndef GEN_CHECK_OVERLAP_POINTS_H
#define GEN_CHECK_OVERLAP_POINTS_H

#include "bounds/pairs.h"

typedef struct overlap_points {
  int64_t element;             /* the number of the element in the memory that both share */
  const char *x_text, *y_text; /* the points: "x = 3" */
} overlap_points;

/* Looks for two points of `p` that belong to different programs, or to different steps of one of
 * its loops, where the point of `y` is later: `x` stores to the element that `y` needs, or stores
 * to. Where `x` and `y` are the same store, the values that it stores differ. At most `most` points
 * of each are tried; *work counts them. False if none is found. */
bool overlap_points_find(overlap_points *found, symbols *s, const range_launch *l, const pair *p,
                         int64_t most, int64_t *work);

#endif
