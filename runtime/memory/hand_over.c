/* hand_over.c - outputs of the model leave guarded memory: the host gets a copy in torch's own. */
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stdlib.h>

#include "checks/finding.h"
#include "state/buffers.h"
#include "state/run_state.h"
#include "tensor/shim.h"

static AtenTensorHandle copy_of(const ag_view *v, AtenTensorHandle tensor) {
  AtenTensorHandle copy = NULL;
  int32_t dtype;
  if (!AOTIGEN_SHIM(empty_strided) || !AOTIGEN_SHIM(copy_) ||
      AOTIGEN_SHIM(get_dtype)(tensor, &dtype))
    return NULL;
  if (AOTIGEN_SHIM(empty_strided)(v->t.ndim, v->t.sizes, v->t.strides, dtype, v->t.device_type,
                                  v->t.device_index, &copy))
    return NULL;
  if (!AOTIGEN_SHIM(copy_)(copy, tensor, 0)) return copy;
  AOTIGEN_SHIM(delete_tensor_object)(copy);
  return NULL;
}

/* What the buffer left unwritten is found in the copy, when the run is over. */
static void add_copy(const ag_buffer *b, AtenTensorHandle copy) {
  ag_view v;
  ag_buffer *own = b->poisoned ? malloc(sizeof *own) : NULL;
  if (!own) return;
  ag_view_of_handle(&v, copy);
  *own = *b;
  own->t = v.t;
  own->memory = (char *)(uintptr_t)v.t.data;
  own->bytes = (size_t)v.t.numel * v.t.dtype->item_size;
  own->front = own->back = 0;
  own->handle = NULL;
  own->guard = AOTIGEN_GUARD_POISON;
  own->is_own = true;
  own->named = own->kept = false;
  ag_buffers_add(own);
}

void *aotigen_hand_over(aotigen_run *run, const void *tensor) {
  static atomic_flag said = ATOMIC_FLAG_INIT;
  ag_view v;
  if (!run->state || !tensor) return NULL;
  ag_view_of_handle(&v, tensor);
  const ag_buffer *b = ag_buffers_find(run, &v);
  if (!b || b->is_own || v.state != AG_VIEW_OK || !v.dense) return NULL;
  AtenTensorHandle copy = copy_of(&v, (AtenTensorHandle)(uintptr_t)tensor);
  if (!copy && !atomic_flag_test_and_set(&said))
    ag_warn("run %llu of %s: the output in '%s', and perhaps others, could not be copied: the host "
            "gets guarded memory",
            (unsigned long long)run->number, run->model->source, b->row->name);
  if (copy) add_copy(b, copy);
  return copy;
}
