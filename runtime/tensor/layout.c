/* layout.c - see layout.h. */
#define _GNU_SOURCE
#include "tensor/layout.h"

/* True if one step of the outer dimension equals all steps of the inner one. Wraps only for tensors
 * that no memory can hold. */
static bool are_joined(int64_t outer_stride, int64_t size, int64_t stride) {
  return (uint64_t)outer_stride == (uint64_t)size * (uint64_t)stride;
}

int32_t ag_layout_collapse(int32_t ndim, const int64_t *sizes, const int64_t *strides,
                           int64_t *to_sizes, int64_t *to_strides) {
  int32_t n = 0;
  for (int32_t i = 0; i < ndim; i++) {
    int64_t size = sizes[i], stride = strides[i];
    if (size == 1) continue;
    if (n && are_joined(to_strides[n - 1], size, stride))
      to_sizes[n - 1] *= size;
    else
      to_sizes[n++] = size;
    to_strides[n - 1] = stride;
  }
  return n;
}

bool ag_layout_in_order(int32_t ndim, const int64_t *strides) {
  return ndim == 0 || (ndim == 1 && strides[0] == 1);
}

/* Each dimension's stride is the product of the sizes of those below it. As no size is 1, no two
 * dimensions can have the same stride. */
bool ag_layout_is_dense(int32_t ndim, const int64_t *sizes, const int64_t *strides) {
  int64_t next = 1;
  for (int32_t found = 0, i; found < ndim; found++) {
    for (i = 0; i < ndim && strides[i] != next; i++) continue;
    if (i == ndim) return false;
    next *= sizes[i];
  }
  return true;
}

void ag_layout_sort(int32_t ndim, int64_t *sizes, int64_t *strides) {
  for (int32_t i = 1; i < ndim; i++) {
    int64_t size = sizes[i], stride = strides[i];
    int32_t k = i;
    for (; k > 0 && strides[k - 1] < stride; k--) {
      sizes[k] = sizes[k - 1];
      strides[k] = strides[k - 1];
    }
    sizes[k] = size;
    strides[k] = stride;
  }
}

bool ag_layout_extent(int32_t ndim, const int64_t *sizes, const int64_t *strides, int64_t *lowest,
                      int64_t *end) {
  int64_t reach;
  bool overflow = false;
  *lowest = 0;
  *end = 1;
  for (int32_t i = 0; i < ndim; i++) {
    overflow |= __builtin_mul_overflow(sizes[i] - 1, strides[i], &reach);
    int64_t *of = reach < 0 ? lowest : end;
    overflow |= __builtin_add_overflow(*of, reach, of);
  }
  return !overflow;
}

void ag_layout_index(int32_t ndim, const int64_t *sizes, int64_t flat, int64_t *index) {
  for (int32_t i = ndim - 1; i >= 0; i--) {
    index[i] = flat % sizes[i];
    flat /= sizes[i];
  }
}

int64_t ag_layout_offset(int32_t ndim, const int64_t *sizes, const int64_t *strides, int64_t flat) {
  int64_t offset = 0;
  for (int32_t i = ndim; i-- > 0; flat /= sizes[i]) offset += flat % sizes[i] * strides[i];
  return offset;
}

/* True if the tensor is row-major without gaps, as most are; sets the number of its elements. */
static bool is_row_major(int32_t ndim, const int64_t *sizes, const int64_t *strides,
                         int64_t *numel) {
  *numel = 1;
  for (int32_t i = ndim; i-- > 0;)
    if (sizes[i] != 1 && (strides[i] != *numel || __builtin_mul_overflow(*numel, sizes[i], numel)))
      return false;
  return true;
}

bool ag_layout_measure(int32_t ndim, const int64_t *sizes, const int64_t *strides, ag_layout *l) {
  if (is_row_major(ndim, sizes, strides, &l->end)) { /* what follows would find the same */
    l->lowest = 0;
    l->in_order = l->dense = true;
    l->ndim = l->end > 1;
    l->sizes[0] = l->end;
    l->strides[0] = 1;
    return true;
  }
  if (!ag_layout_extent(ndim, sizes, strides, &l->lowest, &l->end)) return false;
  l->ndim = ag_layout_collapse(ndim, sizes, strides, l->sizes, l->strides);
  l->in_order = ag_layout_in_order(l->ndim, l->strides);
  l->dense = l->in_order || ag_layout_is_dense(l->ndim, l->sizes, l->strides);
  return true;
}
