/* footprints.h - the elements of its memory that an access goes over, for all sizes, where they are
 * a range without a gap. */
#ifndef GEN_BOUNDS_FOOTPRINTS_H
#define GEN_BOUNDS_FOOTPRINTS_H

#include "bounds/range.h"

/* The number of elements that the access goes over, each of them once. NULL where that is not
 * known: a condition determines them, for instance, or two iterations go over one element. */
const poly *footprint_count(symbols *s, const range_launch *l, const graph_access *access);

/* The range of elements that all n accesses of one memory stay in, and together cover. False where
 * that is not known. */
bool footprint_join(symbols *s, const range_launch *l, const graph_access *const *list, int n,
                    range *elements);

#endif
