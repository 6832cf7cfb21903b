/* weight_index.c - see weight_index.h. A kernel often reads a weight transposed or in slices, so
 * that an index of the view is not the one under which a user finds the element. */
#define _GNU_SOURCE
#include "nan/weight_index.h"

#include <string.h>

#include "tensor/layout.h"

/* The dimension with the largest stride below `below`, -1 where there is none. */
static int32_t next_dim(const aotigen_weight *weight, int64_t below) {
  int32_t best = -1;
  for (int32_t i = 0; i < weight->ndim; i++)
    if (weight->shape[i] > 1 && weight->stride[i] < below &&
        (best < 0 || weight->stride[i] > weight->stride[best]))
      best = i;
  return best;
}

/* The index of the element at `offset` of the weight. False where its elements share memory, or
 * none is there. */
static bool find_index(const aotigen_weight *weight, int64_t offset, int64_t index[AG_MAX_DIMS]) {
  int64_t stride = INT64_MAX;
  memset(index, 0, (size_t)weight->ndim * sizeof *index);
  for (int32_t d; (d = next_dim(weight, stride)) >= 0; offset %= stride) {
    stride = weight->stride[d];
    if (stride <= 0 || offset / stride >= weight->shape[d]) return false;
    index[d] = offset / stride;
  }
  return offset == 0;
}

static bool is_same_shape(const aotigen_weight *weight, const ag_tensor *t) {
  size_t bytes = (size_t)weight->ndim * sizeof *weight->shape;
  return weight->ndim == t->ndim && !memcmp(weight->shape, t->sizes, bytes) &&
         !memcmp(weight->stride, t->strides, bytes);
}

void ag_weight_index_add(ag_text *t, ag_evaluation *e, const ag_arg *a, int64_t flat) {
  const aotigen_model *m = e->launch.model;
  const ag_tensor *view = &a->view.t;
  int64_t index[AG_MAX_DIMS], row_major = 0, bytes;
  ag_known known;
  if (a->values.source != AG_FROM_WEIGHT || a->values.index >= m->nweights || flat < 0) return;
  const aotigen_weight *w = &m->weights[a->values.index];
  if (!w->shape || !w->stride || w->ndim <= 0 || w->ndim > AG_MAX_DIMS) return;
  ag_ranges_query(&e->known.weights, &a->view, &known);
  if (!known.last || known.last->site != a->values.index) return;
  bytes = (int64_t)((uintptr_t)view->data - known.last->begin) +
          ag_layout_offset(view->ndim, view->sizes, view->strides, flat) * view->dtype->item_size;
  if (bytes < 0 || bytes % view->dtype->item_size || is_same_shape(w, view)) return;
  if (!find_index(w, bytes / view->dtype->item_size, index)) return;
  for (int32_t i = 0; i < w->ndim; i++) row_major = row_major * w->shape[i] + index[i];
  ag_text_add(t, "                in the weight itself: ");
  ag_text_add_list(t, index, w->ndim, "[", ", ", "]");
  ag_text_addf(t, " (index %lld) of ", (long long)row_major);
  ag_text_add_list(t, w->shape, w->ndim, "[", ", ", "]\n");
}
