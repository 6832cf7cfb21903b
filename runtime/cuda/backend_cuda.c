/* backend_cuda.c - the backend of CUDA tensors: picks a tensor's kernel, launches it, waits, and
 * reads its result. The functions that do not wait are in async_scan.c, run_slot.c and
 * async_device.c.
 *
 * Dense tensors, in any order, go to a dense kernel, which reads them in memory order. If one whose
 * order is not the logical one holds something bad, a strided pass finds its logical index. All
 * other tensors go to the strided kernel. Without kernels (built without nvcc, or by one that is
 * newer than the driver) the tensor's memory is copied to the host and scanned by the CPU's
 * backend: the same results, slowly. */
#define _GNU_SOURCE
#include "tensor/backend.h"

#include <stdlib.h>
#include <string.h>

#include "cuda/kernel_arguments.h"
#include "cuda/async_device.h"
#include "cuda/async_scan.h"
#include "cuda/event_timer.h"
#include "cuda/kernel_file.h"
#include "cuda/kernel_image.h"
#include "cuda/mapped.h"
#include "cuda/named_memory.h"
#include "cuda/run_slot.h"
#include "tensor/shim.h"

enum { TYPE_CUDA = 1, PARTIALS_AT = 64 };

_Static_assert(sizeof(agk_strided) <= 4096 && sizeof(agk_gather) <= 4096,
               "a kernel takes up to 4 KiB of arguments");

AG_WEAK int32_t AOTIGEN_SHIM(get_current_cuda_stream)(int32_t device_index, void **stream);

/* ---- without kernels ------------------------------------------------------------------------ */

static const char *copy_out(ag_cuda_scope *scope, ag_cuda_address from, size_t bytes, void *to) {
  const char *why = ag_cuda_failed(scope, "cuMemcpyDtoHAsync",
                                   scope->cu->cuMemcpyDtoHAsync(to, from, bytes, scope->stream));
  return why ? why : ag_cuda_wait(scope, NULL);
}

/* home: the tensor in host memory, of the same layout. The caller frees *memory, after a failure
 * too.
 */
static const char *copy_to_host(ag_cuda_scope *scope, const ag_cuda_tensor *d, ag_tensor *home,
                                char **memory) {
  size_t bytes = d->to - d->from;
  *memory = malloc(bytes);
  if (!*memory) return ag_cuda_message("no memory for a copy of %lld bytes", (long long)bytes);
  *home = *d->tensor;
  home->data = *memory + ((ag_cuda_address)(uintptr_t)d->tensor->data - d->from);
  home->device_type = 0;
  home->device_index = -1;
  return copy_out(scope, d->from, bytes, *memory);
}

/* ---- one pass ------------------------------------------------------------------------------- */

/* The bytes of a workspace's device memory: the ticket, and from PARTIALS_AT on a result for each
 * block. */
static size_t scratch_bytes(const ag_cuda_device *d) {
  return PARTIALS_AT + ag_cuda_most_blocks(d) * sizeof(agk_result);
}

/* argument: agk_dense or agk_strided. out: the part of it that says where the result goes. */
static const char *run_pass(ag_cuda_scope *scope, const char *name, unsigned blocks, void *argument,
                            agk_out *out, agk_result *result) {
  ag_cuda_workspace *space;
  const char *why = ag_cuda_take_workspace(scope, scratch_bytes(scope->device), &space);
  if (why) return why;
  out->ticket = (uint32_t *)(uintptr_t)space->scratch;
  out->partials = (agk_result *)(uintptr_t)(space->scratch + PARTIALS_AT);
  out->result = (agk_result *)(uintptr_t)space->host_on_device;
  why = ag_cuda_launch(scope, space, name, blocks, AGK_THREADS, argument);
  if (!why) why = ag_cuda_wait(scope, space);
  if (!why) memcpy(result, space->host, sizeof *result);
  ag_cuda_give_workspace(scope, space);
  return why;
}

static const char *pass_strided(ag_cuda_scope *scope, const ag_cuda_tensor *d, bool summary,
                                agk_result *result) {
  uint32_t most = ag_cuda_most_blocks(scope->device);
  agk_strided a;
  ag_cuda_fill_strided(d, summary, &a);
  return run_pass(scope, AGK_STRIDED, ag_cuda_blocks(d->tensor->numel, AG_CUDA_STRIDED_TILE, most),
                  &a, &a.out, result);
}

static const char *pass_dense(ag_cuda_scope *scope, const ag_cuda_tensor *d, const char *name,
                              agk_result *result) {
  uint32_t most = ag_cuda_most_blocks(scope->device);
  agk_dense a;
  ag_cuda_fill_dense(d, &a);
  return run_pass(scope, name, ag_cuda_blocks((int64_t)(d->to - d->from), AG_CUDA_TILE, most), &a,
                  &a.out, result);
}

static const char *scan_tensor(ag_cuda_scope *scope, const ag_cuda_tensor *d, bool summary,
                               agk_result *result) {
  const char *name = ag_cuda_dense_kernel(d, summary), *why;
  agk_result where;
  if (!name || !d->layout.dense) return pass_strided(scope, d, summary, result);
  why = pass_dense(scope, d, name, result);
  if (why || !result->bad || d->layout.in_order) return why;
  why = pass_strided(scope, d, false, &where);
  if (why) return why;
  result->first_nan = where.first_nan;
  result->first_pos_inf = where.first_pos_inf;
  result->first_neg_inf = where.first_neg_inf;
  return NULL;
}

/* ---- the vtable ----------------------------------------------------------------------------- */

static const char *read_stats(const ag_tensor *t, unsigned want, void *stream, ag_stats *out) {
  bool summary = want & AG_WANT_SUMMARY,
       floats = t->dtype->cls == AG_FLOATING || t->dtype->cls == AG_COMPLEX, kernels;
  ag_cuda_scope scope;
  ag_cuda_tensor d;
  agk_result result;
  ag_tensor home;
  char *memory;
  const char *why;
  *out = ag_nothing_bad;
  if (t->numel <= 0 || t->dtype->cls == AG_OTHER) return NULL;
  if (!summary && !floats) {
    out->finite = t->numel;
    return NULL;
  }
  why = ag_cuda_enter(&scope, t->device_index, stream);
  if (why) return why;
  ag_cuda_describe(t, &d);
  why = ag_cuda_check_memory(&scope, d.from, d.to);
  if (!why) why = ag_cuda_load(&scope, ag_cuda_kernel_image(), &kernels);
  if (!why && !kernels) {
    why = copy_to_host(&scope, &d, &home, &memory);
    if (!why) why = ag_backend_cpu.stats(&home, want, NULL, out);
    free(memory);
  } else if (!why) {
    why = scan_tensor(&scope, &d, summary, &result);
    if (!why) ag_cuda_report(t, &result, summary, out);
  }
  ag_cuda_leave(&scope);
  return why;
}

/* Reads in pieces, through a workspace's pinned memory, which the kernel writes. */
static const char *read_strided(ag_cuda_scope *scope, const ag_cuda_tensor *d, int64_t first,
                                int64_t count, char *to) {
  int64_t item = d->tensor->dtype->item_size, most = AG_CUDA_PINNED / item;
  agk_gather a;
  ag_cuda_workspace *space;
  const char *why = ag_cuda_take_workspace(scope, scratch_bytes(scope->device), &space);
  if (why) return why;
  ag_cuda_fill_gather(d, &a);
  a.to = (void *)(uintptr_t)space->host_on_device;
  for (int64_t done = 0; !why && done < count; done += a.count) {
    a.first = first + done;
    a.count = count - done < most ? count - done : most;
    why = ag_cuda_launch(scope, space, AGK_GATHER,
                         ag_cuda_blocks(a.count, AGK_THREADS, ag_cuda_most_blocks(scope->device)),
                         AGK_THREADS, &a);
    if (!why) why = ag_cuda_wait(scope, space);
    if (!why) memcpy(to + done * item, space->host, (size_t)(a.count * item));
  }
  ag_cuda_give_workspace(scope, space);
  return why;
}

static const char *read_elements(const ag_tensor *t, int64_t first, int64_t count, void *stream,
                                 void *to) {
  ag_cuda_tensor d;
  ag_cuda_scope scope;
  ag_tensor home;
  char *memory;
  bool kernels;
  const char *why;
  if (count <= 0) return NULL;
  if (first < 0 || first > t->numel - count)
    return ag_cuda_message("elements beyond the tensor's end were asked for");
  why = ag_cuda_enter(&scope, t->device_index, stream);
  if (why) return why;
  ag_cuda_describe(t, &d);
  why = ag_cuda_check_memory(&scope, d.from, d.to);
  if (!why && d.layout.in_order) {
    why = copy_out(&scope, d.from + (uint64_t)(first * t->dtype->item_size),
                   (size_t)(count * t->dtype->item_size), to);
  } else if (!why && !(why = ag_cuda_load(&scope, ag_cuda_kernel_image(), &kernels))) {
    if (kernels) {
      why = read_strided(&scope, &d, first, count, to);
    } else {
      why = copy_to_host(&scope, &d, &home, &memory);
      if (!why) why = ag_backend_cpu.read(&home, first, count, NULL, to);
      free(memory);
    }
  }
  ag_cuda_leave(&scope);
  return why;
}

static const char *sync_stream(int32_t device_index, void *stream) {
  ag_cuda_scope scope;
  const char *why = ag_cuda_enter(&scope, device_index, stream);
  if (why) return why;
  why = ag_cuda_wait(&scope, NULL);
  ag_cuda_leave(&scope);
  return why;
}

/* Allocates nothing and waits for nothing, so that a capture takes it as a node. */
static const char *fill_memory(int32_t device_index, void *stream, void *to, uint32_t word,
                               size_t words) {
  ag_cuda_scope scope;
  const char *why = ag_cuda_enter_quick(&scope, device_index, stream);
  if (why) return why;
  why = ag_cuda_failed(
      &scope, "cuMemsetD32Async",
      scope.cu->cuMemsetD32Async((ag_cuda_address)(uintptr_t)to, word, words, stream));
  ag_cuda_leave(&scope);
  return why;
}

static const char *write_memory(int32_t device_index, void *stream, void *to, const void *from,
                                size_t bytes) {
  const ag_cuda_address begin = (ag_cuda_address)(uintptr_t)to;
  ag_cuda_scope scope;
  const char *why = ag_cuda_enter(&scope, device_index, stream);
  if (why) return why;
  why = ag_cuda_check_memory(&scope, begin, begin + bytes);
  if (!why)
    why = ag_cuda_failed(&scope, "cuMemcpyHtoDAsync",
                         scope.cu->cuMemcpyHtoDAsync(begin, from, bytes, stream));
  if (!why) why = ag_cuda_wait(&scope, NULL);
  ag_cuda_leave(&scope);
  return why;
}

/* The guards query this before each launch. After a device's first call, the answer is in
 * memory. */
static const char *grid_limits(int32_t device_index, int64_t limits[3]) {
  static int64_t kept[AG_CUDA_DEVICES][3];
  static atomic_bool known[AG_CUDA_DEVICES];
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  bool have = device_index >= 0 && device_index < AG_CUDA_DEVICES;
  int values[3];
  const char *why;
  if (!have || !atomic_load(&known[device_index])) {
    why = ag_cuda_attributes(device_index, AG_CU_MAX_GRID_DIM_X, 3, values);
    if (why) return why;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < 3 && !atomic_load(&known[device_index]); i++)
      kept[device_index][i] = values[i]; /* once known they are read without the lock */
    atomic_store(&known[device_index], true);
    pthread_mutex_unlock(&lock);
  }
  memcpy(limits, kept[device_index], sizeof kept[device_index]);
  return NULL;
}

static void *current_stream(int32_t device_index) {
  void *stream = NULL;
  if (!AOTIGEN_SHIM(get_current_cuda_stream) ||
      AOTIGEN_SHIM(get_current_cuda_stream)(device_index, &stream))
    return NULL;
  return stream;
}

const ag_backend *ag_backend_cuda(void) {
  static const ag_async async = {
      .slot = &ag_run_slot_ops,
      .batch = &ag_scan_batch_ops,
      .replay = &ag_run_slot_replay_ops,
      .device = &ag_cuda_device_ops,
  };
  static const ag_backend cuda = {
      .name = "cuda",
      .device_type = TYPE_CUDA,
      .stats = read_stats,
      .read = read_elements,
      .fill = fill_memory,
      .write = write_memory,
      .map = ag_cuda_map,
      .unmap = ag_cuda_unmap,
      .take_named = ag_cuda_take_named,
      .give_named = ag_cuda_give_named,
      .sync = sync_stream,
      .capturing = ag_cuda_capturing,
      .grid_limits = grid_limits,
      .current_stream = current_stream,
      .check_kernel_file = ag_cuda_check_kernel_file,
      .async = &async,
      .timer = &ag_event_timer_ops,
  };
  return ag_cuda_loaded() ? &cuda : NULL;
}
