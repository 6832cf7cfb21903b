/* layout.h - computes the order of a tensor's elements in memory from its sizes and strides.
 *
 * Lists are outermost dimension first, in elements, and have at most AG_MAX_DIMS entries. Sizes are
 * greater than 0: an empty tensor has no layout. No function fails, allocates, or keeps anything.
 * */
#ifndef AOTIGEN_LAYOUT_H
#define AOTIGEN_LAYOUT_H

#include "tensor/backend.h"

/* Joins neighbouring dimensions that one stride walks through and drops those of size 1; the order
 * of the elements stays. Returns the number of remaining dimensions. to_sizes and to_strides may be
 * sizes and strides. */
int32_t ag_layout_collapse(int32_t ndim, const int64_t *sizes, const int64_t *strides,
                           int64_t *to_sizes, int64_t *to_strides);

/* For collapsed dimensions: true if the elements are contiguous in memory, in row-major order. */
bool ag_layout_in_order(int32_t ndim, const int64_t *strides);

/* True if the elements fill their memory without gap or overlap, in any order. Dimensions of size 1
 * must have been dropped. */
bool ag_layout_is_dense(int32_t ndim, const int64_t *sizes, const int64_t *strides);

/* Sorts the dimensions by stride, the largest first. The elements of a dense tensor are then in
 * memory order. */
void ag_layout_sort(int32_t ndim, int64_t *sizes, int64_t *strides);

/* The distance, in elements, from the first element to the lowest (0 or less), and to one past the
 * highest. False if a number overflows. */
bool ag_layout_extent(int32_t ndim, const int64_t *sizes, const int64_t *strides, int64_t *lowest,
                      int64_t *end);

/* The index of the element at `flat` in row-major order. */
void ag_layout_index(int32_t ndim, const int64_t *sizes, int64_t flat, int64_t *index);

/* The distance of that element from the first one. */
int64_t ag_layout_offset(int32_t ndim, const int64_t *sizes, const int64_t *strides, int64_t flat);

/* The results of all functions above ag_layout_index(). */
typedef struct ag_layout {
  int64_t lowest, end; /* as from ag_layout_extent() */
  bool in_order, dense;
  int32_t ndim; /* collapsed; entries from ndim on are not set */
  int64_t sizes[AG_MAX_DIMS], strides[AG_MAX_DIMS];
} ag_layout;

/* False if a number overflows: then only lowest and end are set, to anything. */
bool ag_layout_measure(int32_t ndim, const int64_t *sizes, const int64_t *strides, ag_layout *l);

#endif
