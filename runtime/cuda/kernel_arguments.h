/* kernel_arguments.h - a tensor as the kernels take it (kernels.h): its format, its layout, the
 * arguments of each kernel; and their results as ag_stats. For backend_cuda.c, which waits, and
 * async_scan.c, which does not. Reads no tensor memory. Any thread.
 */
#ifndef AOTIGEN_CUDA_KERNEL_ARGUMENTS_H
#define AOTIGEN_CUDA_KERNEL_ARGUMENTS_H

#include "tensor/layout.h"
#include "cuda/driver.h"
#include "kernels.h"

/* A tensor as the source of the kernels' arguments. */
typedef struct ag_cuda_tensor {
  const ag_tensor *tensor;
  agk_format format;
  bool aligned;  /* its elements are aligned to their type's size */
  bool bytewise; /* not even the parts of its elements are aligned: they are read byte by byte */
  ag_cuda_address from, to; /* its elements lie between these */
  ag_layout layout;
} ag_cuda_tensor;

/* t: must live as long as *d is used; numel > 0. */
void ag_cuda_describe(const ag_tensor *t, ag_cuda_tensor *d);
/* The same without the layout's dimensions and their order. */
void ag_cuda_describe_extent(const ag_tensor *t, ag_cuda_tensor *d);

/* NULL if the device can read this memory. A kernel that reads unmapped memory would destroy the
 * context that is being debugged. */
const char *ag_cuda_check_memory(ag_cuda_scope *scope, ag_cuda_address from, ag_cuda_address to);

/* The kernel for a dense tensor (it takes agk_dense), or NULL if there is none for its format or
 * alignment: then AGK_STRIDED is the right one. */
const char *ag_cuda_dense_kernel(const ag_cuda_tensor *d, bool summary);

/* The amount that a block loads at once: bytes of a dense tensor, elements of a strided one. */
enum { AG_CUDA_TILE = AGK_THREADS * AGK_VECTORS * 16, AG_CUDA_STRIDED_TILE = AGK_THREADS * 4 };

/* The largest number of blocks of a launch that are resident at the same time. */
static inline uint32_t ag_cuda_most_blocks(const ag_cuda_device *d) {
  return (uint32_t)d->sms * AGK_BLOCKS_PER_SM;
}

/* The number of blocks: one for each `tile` of `work`, at most `most`. */
uint32_t ag_cuda_blocks(int64_t work, int64_t tile, uint32_t most);

/* The kernels' arguments, except for where results go. */
void ag_cuda_fill_dense(const ag_cuda_tensor *d, agk_dense *a);
void ag_cuda_fill_strided(const ag_cuda_tensor *d, bool summary, agk_strided *a);
void ag_cuda_fill_gather(const ag_cuda_tensor *d, agk_gather *a);

/* Converts a kernel's result to ag_stats. summary: the pass made one. */
void ag_cuda_report(const ag_tensor *t, const agk_result *result, bool summary, ag_stats *out);

#endif
