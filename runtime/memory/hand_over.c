/* hand_over.c - hands outputs of the model over to the host: those in guarded memory as a copy in
 * torch's own. */
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stdlib.h>

#include "checks/finding.h"
#include "state/buffers.h"
#include "state/run_state.h"
#include "tensor/shim.h"

static void drop(AtenTensorHandle tensor) {
  if (tensor) AOTIGEN_SHIM(delete_tensor_object)(tensor);
}

/* A tensor of the layout of `t`, with the elements of `from`. */
static AtenTensorHandle copy_of(const ag_tensor *t, AtenTensorHandle from) {
  AtenTensorHandle copy = NULL;
  int32_t dtype;
  if (!AOTIGEN_SHIM(empty_strided) || !AOTIGEN_SHIM(copy_) || AOTIGEN_SHIM(get_dtype)(from, &dtype))
    return NULL;
  if (AOTIGEN_SHIM(empty_strided)(t->ndim, t->sizes, t->strides, dtype, t->device_type,
                                  t->device_index, &copy))
    return NULL;
  if (!AOTIGEN_SHIM(copy_)(copy, from, 0)) return copy;
  drop(copy);
  return NULL;
}

/* A view with `t`'s layout, `offset` elements from the start of `of`. */
static AtenTensorHandle view_of(AtenTensorHandle of, const ag_tensor *t, int64_t offset) {
  AtenTensorHandle view = NULL;
  if (!AOTIGEN_SHIM(_reinterpret_tensor) ||
      AOTIGEN_SHIM(_reinterpret_tensor)(of, t->ndim, t->sizes, t->strides, offset, &view))
    return NULL;
  return view;
}

/* Copies the whole buffer of a view of a part, and returns the same view of the copy, since the
 * host also sees the offset and the storage. */
static AtenTensorHandle copy_around(const ag_buffer *b, const ag_view *v, AtenTensorHandle part) {
  const int64_t offset = ((const char *)v->t.data - (const char *)b->t.data) /
                         (int64_t)v->t.dtype->item_size;
  AtenTensorHandle whole = view_of(part, &b->t, -offset), view = NULL;
  AtenTensorHandle copy = whole ? copy_of(&b->t, whole) : NULL;
  if (copy) view = view_of(copy, &v->t, offset);
  drop(copy);
  drop(whole);
  return view;
}

/* Has the copy checked for unwritten elements when the run is over. */
static void add_copy(const ag_buffer *b, AtenTensorHandle copy) {
  ag_view v;
  ag_buffer *own = b->memory.poisoned ? malloc(sizeof *own) : NULL;
  if (!own) return;
  ag_view_of_handle(&v, copy);
  if (v.state != AG_VIEW_OK) {
    free(own);
    return;
  }
  *own = *b;
  own->t = v.t;
  own->memory.begin = (char *)(uintptr_t)v.t.data;
  own->memory.bytes = (size_t)v.t.numel * v.t.dtype->item_size;
  own->memory.front = own->memory.back = 0;
  own->memory.handle = NULL;
  own->memory.guard = AOTIGEN_GUARD_POISON;
  own->memory.is_own = true;
  own->memory.named = own->memory.kept = false;
  ag_buffers_add(own);
}

void *aotigen_hand_over(aotigen_run *run, const void *tensor) {
  static atomic_flag said = ATOMIC_FLAG_INIT;
  ag_view v;
  if (!run->state || !tensor) return NULL;
  ag_view_of_handle(&v, tensor);
  const ag_buffer *b = ag_buffers_find(run, &v);
  if (!b || b->memory.is_own || v.state != AG_VIEW_OK) return NULL;
  AtenTensorHandle given = (AtenTensorHandle)(uintptr_t)tensor;
  const bool part = !ag_buffer_is_whole(b, &v) && v.t.dtype == b->t.dtype;
  AtenTensorHandle copy = part ? copy_around(b, &v, given) : v.dense ? copy_of(&v.t, given) : NULL;
  if (!copy && !atomic_flag_test_and_set(&said))
    ag_warn("run %llu of %s: torch did not copy the output in '%s', and perhaps others: the host "
            "gets guarded memory, which is valid until it releases it",
            (unsigned long long)run->number, run->model->source, b->row->name);
  if (copy && v.dense) add_copy(b, copy);
  return copy;
}
