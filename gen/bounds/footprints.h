/* footprints.h - which elements of its memory an access goes over, for all sizes: where they are a
 * range without a gap, which one. */
#ifndef GEN_BOUNDS_FOOTPRINTS_H
#define GEN_BOUNDS_FOOTPRINTS_H

#include "bounds/range.h"

/* How many elements the access goes over, each of them once. NULL where that is not known: a
 * condition decides, say, or two iterations go over one. */
const poly *footprint_count(symbols *s, const range_launch *l, const graph_access *access);

/* The elements between which all n accesses of one memory stay, where together they go over each of
 * these. False where that is not known. */
bool footprint_join(symbols *s, const range_launch *l, const graph_access *const *list, int n,
                    range *elements);

#endif
