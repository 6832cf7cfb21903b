/* async_device.c - see async_device.h. It copies elements and queries errors, and launches no
 * scan. */
#define _GNU_SOURCE
#include "cuda/async_device.h"

#include <string.h>

#include "cuda/kernel_arguments.h"

/* ---- pinned memory -------------------------------------------------------------------------- */

const char *ag_cuda_pin(ag_cuda_scope *scope, size_t bytes, ag_pinned *p) {
  void *host = p->host;
  if (!host) {
    const char *why =
        ag_cuda_failed(scope, "cuMemHostAlloc",
                       scope->cu->cuMemHostAlloc(
                           &host, bytes, AG_CU_HOSTALLOC_PORTABLE | AG_CU_HOSTALLOC_DEVICEMAP));
    if (why) return why;
    memset(host, 0, bytes);
  }
  *p = (ag_pinned){.host = host, .size = bytes};
  const char *why = ag_cuda_failed(scope, "cuMemHostGetDevicePointer",
                                   scope->cu->cuMemHostGetDevicePointer(&p->device, host, 0));
  if (why) p->device = 0;
  return why;
}

static const char *pin_on_device(int32_t device_index, size_t bytes, ag_pinned *memory) {
  ag_cuda_scope scope;
  const char *why = ag_cuda_enter_apart(&scope, device_index);
  if (why) return why;
  *memory = (ag_pinned){0};
  why = ag_cuda_pin(&scope, bytes, memory);
  ag_cuda_leave(&scope);
  return why;
}

/* ---- elements by themselves ----------------------------------------------------------------- */

static const char *gather_elements(ag_cuda_scope *scope, const ag_cuda_tensor *d, int64_t first,
                                   int64_t count, uint64_t to) {
  agk_gather a;
  ag_cuda_fill_gather(d, &a);
  a.first = first;
  a.count = count;
  a.to = (void *)(uintptr_t)to;
  return ag_cuda_launch(scope, NULL, AGK_GATHER,
                        ag_cuda_blocks(count, AGK_THREADS, ag_cuda_most_blocks(scope->device)),
                        AGK_THREADS, &a);
}

static const char *copy_in_memory_order(ag_cuda_scope *scope, const ag_cuda_tensor *d,
                                        int64_t first, int64_t count, char *to) {
  int64_t item = d->tensor->dtype->item_size;
  return ag_cuda_failed(scope, "cuMemcpyDtoHAsync",
                        scope->cu->cuMemcpyDtoHAsync(to, d->from + (uint64_t)(first * item),
                                                     (size_t)(count * item), scope->stream));
}

static const char *fetch_elements(int32_t device_index, void *stream, const ag_tensor *t,
                                  bool in_memory, int64_t first, int64_t count, uint32_t number,
                                  const ag_pinned *to) {
  ag_cuda_scope scope;
  ag_cuda_tensor d;
  const char *why = ag_cuda_enter_quick(&scope, device_index, stream);
  if (why) return why;
  ag_cuda_describe(t, &d);
  if (first == 0) why = ag_cuda_check_memory(&scope, d.from, d.to);
  if (!why)
    why = in_memory ? copy_in_memory_order(&scope, &d, first, count, to->host + AG_FETCHED)
                    : gather_elements(&scope, &d, first, count, to->device + AG_FETCHED);
  /* With the barrier, unlike a mark (run_slot.c): the reader of the word reads what was copied
   * before it. */
  if (!why)
    why = ag_cuda_failed(&scope, "cuStreamWriteValue32",
                         scope.cu->cuStreamWriteValue32(stream, to->device, number, 0));
  ag_cuda_leave(&scope);
  return why;
}

/* ---- errors --------------------------------------------------------------------------------- */

static void *side_stream_of(int32_t device_index) {
  ag_cuda_scope scope;
  void *stream;
  if (ag_cuda_enter_apart(&scope, device_index)) return NULL;
  stream = ag_cuda_side_stream(&scope);
  ag_cuda_leave(&scope);
  return stream;
}

/* Queries the side stream, which is empty: the driver then reports a lost context, and no capture
 * of the model's is disturbed. */
static const char *query_device(int32_t device_index) {
  void *stream = ag_cuda_sticky_error(device_index) ? NULL : side_stream_of(device_index);
  return stream ? ag_cuda_query(device_index, stream) : ag_cuda_sticky_error(device_index);
}

const ag_device_ops ag_cuda_device_ops = {
    .pin = pin_on_device,
    .fetch = fetch_elements,
    .sticky_error = ag_cuda_sticky_error,
    .name = ag_cuda_device_name,
    .query = query_device,
    .query_stream = ag_cuda_query,
    .only_index = ag_cuda_only_device,
    .side_stream = side_stream_of,
};
