/* range.h - the least and the greatest value of an integer of a kernel, at one access, under its
 * condition and the asserts before it.
 *
 * An index is followed as a sum of loop variables, their quotients and remainders, and of values
 * that are not known but bounded. The bounds are exact where each of these takes its extreme on its
 * own; else they are too wide, never too narrow.
 */
#ifndef GEN_BOUNDS_RANGE_H
#define GEN_BOUNDS_RANGE_H

#include "bounds/poly.h"
#include "kernel/graph.h"

/* A launch of a kernel: its scalars, its constants and its grid. */
typedef struct range_launch {
  const graph *g;
  const poly *const *params; /* by parameter; NULL: not known */
  const poly *grid[3];
} range_launch;

typedef struct range {
  const poly *low, *high; /* NULL: nothing bounds it */
} range;

typedef struct range_reader range_reader;

/* Begins to bound the values at `access` or, where that is NULL, at any place. Lives in s->a. */
range_reader *range_begin(symbols *s, const range_launch *l, const graph_access *access);

range range_of(range_reader *reader, const graph_node *node);

/* The bounds of a loop's variable. */
range range_of_loop(range_reader *reader, int loop);

/* True if it is proved that the access is never made. */
bool range_is_empty(range_reader *reader);

/* Lists the sizes with a `low` of 0 that are more than 0 where the access is made, by its condition
 * and the loops around it: at most `most`. Returns how many. */
int range_list_positive(range_reader *reader, short *list, int most);

/* The node that left the last range_of() without a bound, or NULL. */
const graph_node *range_unbounded(const range_reader *reader);

#endif
