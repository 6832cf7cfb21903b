/* kept_tensor.c - see kept_tensor.h. */
#include "watch/kept_tensor.h"

#include <stdatomic.h>
#include <string.h>

#include "base/settings.h"
#include "tensor/reader.h"
#include "tensor/shim.h"

enum { ARRIVED = 1, ALIGN = 64 };

static _Atomic uint64_t held_bytes; /* of all runs */

static size_t bytes_of(const ag_view *view) {
  return (size_t)(view->highest - view->lowest) * view->t.dtype->item_size;
}

size_t ag_kept_tensor_room(const ag_view *view) {
  if (view->state != AG_VIEW_OK || !ag_view_fits_storage(view)) return 0;
  size_t bytes = bytes_of(view);
  return bytes > AG_COPY_MOST ? 0 : (AG_FETCHED + bytes + ALIGN - 1) / ALIGN * ALIGN;
}

/* The memory from the lowest element to the highest, as a list of elements. */
static ag_tensor flat_memory(const ag_view *view) {
  ag_tensor t = {.dtype = view->t.dtype,
                 .numel = view->highest - view->lowest,
                 .ndim = 1,
                 .device_type = view->t.device_type,
                 .device_index = view->t.device_index};
  t.data = (const char *)view->t.data + view->lowest * view->t.dtype->item_size;
  t.sizes[0] = t.numel;
  t.strides[0] = 1;
  return t;
}

static bool is_on_host(const ag_view *view) {
  return view->t.device_type == ag_backend_cpu.device_type;
}

static bool fetch(const ag_view *view, void *stream, const ag_pinned *room) {
  const ag_backend *b = ag_backend_of_device_type(view->t.device_type);
  if (!b || !b->async || !room->device) return false;
  ag_tensor flat = flat_memory(view);
  *(volatile uint32_t *)room->host = 0;
  return !b->async->device->fetch(view->t.device_index, stream, &flat, true, 0, flat.numel, ARRIVED,
                                  room);
}

bool ag_kept_tensor_copy(ag_kept_tensor *k, void *stream, const ag_pinned *room) {
  k->room = *room;
  k->on_its_way = false;
  if (k->view.t.numel && is_on_host(&k->view)) {
    memcpy(room->host + AG_FETCHED, flat_memory(&k->view).data, bytes_of(&k->view));
  } else if (k->view.t.numel) {
    if (!fetch(&k->view, stream, room)) return false;
    k->on_its_way = true;
  }
  k->copy = k->view;
  k->copy.handle = NULL;
  k->copy.t.device_type = ag_backend_cpu.device_type;
  k->copy.t.device_index = -1;
  k->copy.t.data = room->host + AG_FETCHED - k->view.lowest * k->view.t.dtype->item_size;
  k->how = AG_KEPT_COPIED;
  return true;
}

void ag_kept_tensor_hold(ag_kept_tensor *k) {
  AtenTensorHandle own = NULL;
  k->how = AG_NOT_KEPT;
  k->handle = NULL;
  if (k->view.state != AG_VIEW_OK) {
    k->why = "it is not a strided tensor of a known dtype";
    return;
  }
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

bool ag_kept_tensor_has_arrived(const ag_kept_tensor *k) {
  return k->how != AG_KEPT_COPIED || !k->on_its_way ||
         __atomic_load_n((const uint32_t *)k->room.host, __ATOMIC_ACQUIRE) == ARRIVED;
}

void ag_kept_tensor_release(ag_kept_tensor *k) {
  if (k->how == AG_KEPT_HELD) {
    AOTIGEN_SHIM(delete_tensor_object)(k->handle);
    atomic_fetch_sub(&held_bytes, bytes_of(&k->view));
  }
  k->how = AG_NOT_KEPT;
  k->handle = NULL;
}

const ag_view *ag_kept_tensor_view(const ag_kept_tensor *k) {
  return k->how == AG_KEPT_COPIED ? &k->copy : k->how == AG_KEPT_HELD ? &k->view : NULL;
}
