/* kept_tensor.c - see kept_tensor.h. */
#include "watch/kept_tensor.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/settings.h"
#include "tensor/shim.h"

enum { ALIGN = 64 };

static _Atomic uint64_t held_bytes; /* of all runs */

static size_t bytes_of(const ag_view *view) {
  return (size_t)(view->highest - view->lowest) * view->t.dtype->item_size;
}

void ag_kept_tensor_read(ag_kept_tensor *k, const void *handle) {
  k->how = AG_NOT_KEPT;
  k->handle = NULL;
  k->why = NULL;
  k->values = AG_VALUES_UNCOMPARED;
  ag_view_of_handle(&k->view, handle);
  if (k->view.state != AG_VIEW_OK)
    k->why = "it is not a strided tensor of a known dtype";
  else if (ag_view_find_lazy_bit(&k->view))
    k->why = "torch negates or conjugates its elements as it reads them";
}

bool ag_kept_tensor_can_copy(const ag_kept_tensor *k, size_t most) {
  const ag_view *view = &k->view;
  return !k->why && ag_view_fits_storage(view) && bytes_of(view) <= most &&
         (view->t.device_type == ag_backend_cpu.device_type ||
          view->highest - view->lowest <= AG_COPY_ELEMENTS);
}

size_t ag_kept_tensor_room(const ag_kept_tensor *k) {
  return (bytes_of(&k->view) + ALIGN - 1) / ALIGN * ALIGN;
}

void ag_kept_tensor_begin_copy(ag_kept_tensor *k) {
  const ag_view *view = &k->view;
  k->flat.dtype = view->t.dtype;
  k->flat.numel = view->highest - view->lowest;
  k->flat.ndim = 1;
  k->flat.device_type = view->t.device_type;
  k->flat.device_index = view->t.device_index;
  k->flat.data = (const char *)view->t.data + view->lowest * view->t.dtype->item_size;
  k->flat.sizes[0] = k->flat.numel;
  k->flat.strides[0] = 1;
  k->how = AG_KEPT_COPIED;
}

void ag_kept_tensor_end_copy(ag_kept_tensor *k, const void *flat) {
  k->copy = k->view;
  k->copy.handle = NULL;
  k->copy.t.device_type = ag_backend_cpu.device_type;
  k->copy.t.device_index = -1;
  k->copy.t.data = (const char *)flat - k->view.lowest * k->view.t.dtype->item_size;
}

void ag_host_copies_begin(ag_host_copies *c, size_t bytes) {
  c->used = 0;
  if (bytes <= c->room) return;
  free(c->at);
  c->at = aligned_alloc(ALIGN, bytes);
  c->room = c->at ? bytes : 0;
}

void ag_host_copies_add(ag_host_copies *c, ag_kept_tensor *k) {
  const size_t room = ag_kept_tensor_room(k);
  if (k->how != AG_KEPT_COPIED || k->view.t.device_type != ag_backend_cpu.device_type) return;
  if (room > c->room - c->used) {
    k->how = AG_NOT_KEPT;
    return;
  }
  if (k->flat.numel)
    memcpy(c->at + c->used, k->flat.data, (size_t)k->flat.numel * k->flat.dtype->item_size);
  ag_kept_tensor_end_copy(k, c->at + c->used);
  c->used += room;
}

void ag_kept_tensor_hold(ag_kept_tensor *k) {
  AtenTensorHandle own = NULL;
  k->how = AG_NOT_KEPT;
  if (k->why) return;
  uint64_t bytes = bytes_of(&k->view);
  if (!(AOTIGEN_SHIM(new_tensor_handle))) {
    k->why = "this torch gives no second handle to a tensor";
    return;
  }
  if (atomic_fetch_add(&held_bytes, bytes) + bytes > ag_settings_get()->keep_bytes) {
    k->why = "it is beyond AOTIGEN_KEEP_BYTES";
  } else if (AOTIGEN_SHIM(new_tensor_handle)((AtenTensorHandle)(uintptr_t)k->view.handle, &own)) {
    k->why = "torch gave no handle to it";
  } else {
    k->handle = own;
    k->how = AG_KEPT_HELD;
    return;
  }
  atomic_fetch_sub(&held_bytes, bytes);
}

void ag_kept_tensor_lose(ag_kept_tensor *k, const char *why) {
  k->how = AG_NOT_KEPT;
  k->why = why;
}

void ag_kept_tensor_release(ag_kept_tensor *k) {
  if (k->handle) {
    AOTIGEN_SHIM(delete_tensor_object)(k->handle);
    atomic_fetch_sub(&held_bytes, bytes_of(&k->view));
  }
  k->how = AG_NOT_KEPT;
  k->handle = NULL;
}

const ag_view *ag_kept_tensor_view(const ag_kept_tensor *k) {
  return k->how == AG_KEPT_COPIED ? &k->copy : k->how == AG_KEPT_HELD ? &k->view : NULL;
}
