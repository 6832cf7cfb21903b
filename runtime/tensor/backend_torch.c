/* backend_torch.c - readers: finds the backend of a tensor's device. If there is none, has torch
 * copy the elements to the host. */
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stddef.h>

#include "tensor/reader.h"
#include "tensor/shim.h"

enum { BACKENDS_MOST = 4 };
typedef const ag_backend *find_backend(void);
static find_backend *_Atomic registered[BACKENDS_MOST];

void ag_backend_register(find_backend *find) {
  for (int i = 0; i < BACKENDS_MOST; i++) {
    find_backend *there = NULL;
    if (atomic_compare_exchange_strong(&registered[i], &there, find) || there == find) return;
  }
}

const ag_backend *ag_backend_of_device_type(int32_t type) {
  if (type == AOTIGEN_SHIM(device_type_cpu)()) return &ag_backend_cpu;
  for (int i = 0; i < BACKENDS_MOST; i++) {
    find_backend *find = atomic_load(&registered[i]);
    const ag_backend *backend = find ? find() : NULL;
    if (backend && backend->device_type == type) return backend;
  }
  return NULL;
}

static int32_t create_contiguous(const ag_view *view, AtenTensorHandle *copy) {
  int64_t strides[AG_MAX_DIMS], step = 1;
  for (int32_t i = view->t.ndim - 1; i >= 0; i--) {
    strides[i] = step;
    step *= view->t.sizes[i] > 1 ? view->t.sizes[i] : 1;
  }
  return AOTIGEN_SHIM(empty_strided)(view->t.ndim, view->t.sizes, strides, view->dtype_number,
                                     AOTIGEN_SHIM(device_type_cpu)(), 0, copy);
}

/* Has torch copy the elements to the host; torch first has to create a view that the wrapper only
 * describes. */
static const char *copy_by_torch(ag_reader *reader, const ag_view *v) {
  AtenTensorHandle source = (AtenTensorHandle)(uintptr_t)v->handle, view = NULL, copy = NULL;
  const char *why = "torch could not copy it to the host";
  if (!AOTIGEN_SHIM(empty_strided) || !AOTIGEN_SHIM(copy_) || !AOTIGEN_SHIM(_reinterpret_tensor) ||
      !source)
    return "aotigen cannot read memory of its device";
  if (v->is_view && AOTIGEN_SHIM(_reinterpret_tensor)(source, v->t.ndim, v->t.sizes, v->t.strides,
                                                      v->view_offset, &view))
    goto out;
  if (create_contiguous(v, &copy)) goto out;
  if (AOTIGEN_SHIM(copy_)(copy, view ? view : source, 0)) goto out;
  ag_view_of_handle(&reader->copy, copy);
  if (reader->copy.state != AG_VIEW_OK) goto out;
  reader->backend = &ag_backend_cpu;
  reader->tensor = &reader->copy.t;
  reader->owned = copy;
  copy = NULL;
  why = NULL;
out:
  if (view) AOTIGEN_SHIM(delete_tensor_object)(view);
  if (copy) AOTIGEN_SHIM(delete_tensor_object)(copy);
  return why;
}

const char *ag_reader_open(ag_reader *reader, const ag_view *view, void *stream) {
  reader->backend = ag_backend_of_device_type(view->t.device_type);
  reader->tensor = &view->t;
  reader->stream = stream;
  reader->owned = NULL;
  if (reader->backend) return NULL;
  if (AOTIGEN_SHIM(device_type_meta) && view->t.device_type == AOTIGEN_SHIM(device_type_meta)())
    return "a tensor on 'meta' has no elements";
  return copy_by_torch(reader, view);
}

void ag_reader_close(ag_reader *reader) {
  if (reader->owned) AOTIGEN_SHIM(delete_tensor_object)((AtenTensorHandle)reader->owned);
  reader->owned = NULL;
}

const char *ag_reader_stats(ag_reader *reader, unsigned want, ag_stats *out) {
  return reader->backend->stats(reader->tensor, want, reader->stream, out);
}

const char *ag_reader_read(ag_reader *reader, int64_t first, int64_t count, void *to) {
  return reader->backend->read(reader->tensor, first, count, reader->stream, to);
}

const char *ag_view_stats(const ag_view *view, unsigned want, void *stream, ag_stats *out) {
  ag_reader r;
  const char *why = ag_reader_open(&r, view, stream);
  if (why) return why;
  why = ag_reader_stats(&r, want, out);
  ag_reader_close(&r);
  return why;
}

const char *ag_view_read(const ag_view *view, int64_t first, int64_t count, void *stream,
                         void *to) {
  ag_reader r;
  const char *why = ag_reader_open(&r, view, stream);
  if (why) return why;
  why = ag_reader_read(&r, first, count, to);
  ag_reader_close(&r);
  return why;
}
