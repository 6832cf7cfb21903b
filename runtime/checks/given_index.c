/* given_index.c - see given_index.h. A kernel often reads a weight transposed or in slices, so that
 * an index of the view is not the one under which a user finds the element. */
#define _GNU_SOURCE
#include "checks/given_index.h"

#include <string.h>

#include "tensor/layout.h"

/* The shape of an input or a weight. */
typedef struct given {
  int32_t ndim;
  int64_t shape[AG_MAX_DIMS], stride[AG_MAX_DIMS];
} given;

static bool read_weight(given *to, const aotigen_weight *w) {
  if (!w->shape || !w->stride || w->ndim <= 0 || w->ndim > AG_MAX_DIMS) return false;
  to->ndim = w->ndim;
  memcpy(to->shape, w->shape, (size_t)w->ndim * sizeof *w->shape);
  memcpy(to->stride, w->stride, (size_t)w->ndim * sizeof *w->stride);
  return true;
}

/* False where a size or a stride is not the same in every run. */
static bool read_input(given *to, const aotigen_input *input) {
  if (!input->dims || input->ndim <= 0 || input->ndim > AG_MAX_DIMS ||
      input->flags & AOTIGEN_ANY_STRIDES)
    return false;
  to->ndim = input->ndim;
  for (int32_t i = 0; i < input->ndim; i++) {
    const aotigen_dim *d = &input->dims[i];
    if (d->min != d->max || d->min < 0 || d->stride == AOTIGEN_ANY) return false;
    to->shape[i] = d->min;
    to->stride[i] = d->stride;
  }
  return true;
}

static bool read_given(given *to, const aotigen_model *m, const ag_arg *a) {
  uint32_t index = a->values.index;
  if (a->values.source == AG_FROM_WEIGHT)
    return index < m->nweights && read_weight(to, &m->weights[index]);
  return a->values.source == AG_FROM_INPUT && index < m->ninputs &&
         read_input(to, &m->inputs[index]);
}

/* The dimension with the largest stride below `below`, -1 where there is none. */
static int32_t next_dim(const given *of, int64_t below) {
  int32_t best = -1;
  for (int32_t i = 0; i < of->ndim; i++)
    if (of->shape[i] > 1 && of->stride[i] < below && (best < 0 || of->stride[i] > of->stride[best]))
      best = i;
  return best;
}

/* The index of the element at `offset`. False where elements share memory, or none is there. */
static bool find_index(const given *of, int64_t offset, int64_t index[AG_MAX_DIMS]) {
  int64_t stride = INT64_MAX;
  memset(index, 0, (size_t)of->ndim * sizeof *index);
  for (int32_t d; (d = next_dim(of, stride)) >= 0; offset %= stride) {
    stride = of->stride[d];
    if (stride <= 0 || offset / stride >= of->shape[d]) return false;
    index[d] = offset / stride;
  }
  return offset == 0;
}

static bool is_same_shape(const given *of, const ag_tensor *t) {
  size_t bytes = (size_t)of->ndim * sizeof *of->shape;
  return of->ndim == t->ndim && !memcmp(of->shape, t->sizes, bytes) &&
         !memcmp(of->stride, t->strides, bytes);
}

bool ag_given_index_find(ag_given_index *to, ag_evaluation *e, const ag_arg *a, int64_t flat) {
  const ag_tensor *view = &a->view.t;
  given of;
  ag_known known;
  if (flat < 0 || !read_given(&of, e->launch.model, a)) return false;
  ag_ranges *table = a->values.source == AG_FROM_WEIGHT ? &e->known.weights : &e->known.inputs;
  ag_ranges_query(table, &a->view, &known);
  if (!known.last || known.last->site != a->values.index) return false;
  int64_t bytes = (int64_t)((uintptr_t)view->data - known.last->begin) +
                  ag_layout_offset(view->ndim, view->sizes, view->strides, flat) *
                      view->dtype->item_size;
  if (bytes < 0 || bytes % view->dtype->item_size || is_same_shape(&of, view) ||
      !find_index(&of, bytes / view->dtype->item_size, to->index))
    return false;
  to->ndim = of.ndim;
  to->row_major = 0;
  memcpy(to->shape, of.shape, sizeof to->shape);
  for (int32_t i = 0; i < of.ndim; i++) to->row_major = to->row_major * of.shape[i] + to->index[i];
  return true;
}

void ag_given_index_add(ag_text *t, ag_evaluation *e, const ag_arg *a, int64_t flat) {
  ag_given_index found;
  if (!ag_given_index_find(&found, e, a, flat)) return;
  ag_text_add(t, a->values.source == AG_FROM_WEIGHT ? "                in the weight itself: "
                                                    : "                in the input itself: ");
  ag_text_add_list(t, found.index, found.ndim, "[", ", ", "]");
  ag_text_addf(t, " (index %lld) of ", (long long)found.row_major);
  ag_text_add_list(t, found.shape, found.ndim, "[", ", ", "]\n");
}
