/* cuda_tensor.h - a strided tensor as the kernels take it: as few dimensions as it has runs of
 * memory, its format, and whether it may be touched at all. For the two ways of looking at one:
 * backend_cuda.c, which waits, and cuda_watch.c, which does not.
 */
#ifndef AOTIGEN_CUDA_TENSOR_H
#define AOTIGEN_CUDA_TENSOR_H

#include "tensor/backend.h"
#include "cuda/driver.h"
#include "kernels.h"

agk_format ag_cuda_format(const ag_dtype *d);

/* Neighbouring dimensions that one stride walks through become one; the order of the elements
 * stays. */
void ag_cuda_collapse(const ag_tensor *t, agk_layout *l);
bool ag_cuda_in_order(const agk_layout *l);
/* Do the elements fill their memory without gap or overlap, in whatever order? */
bool ag_cuda_dense(const agk_layout *l);

/* The bytes before and behind the first element that the tensor reaches to; behind: one past the
 * last. numel > 0. */
void ag_cuda_reach(const ag_tensor *t, int64_t *before, int64_t *behind);

/* NULL where the device can read all of it. A kernel that reads where nothing is would kill the
 * very context that is being debugged. */
const char *ag_cuda_check_reach(ag_cuda_scope *scope, const ag_tensor *t);

/* The kernel that takes agk_dense and can do it, or NULL. For a tensor without gaps. */
const char *ag_cuda_dense_kernel(const ag_tensor *t, bool summary);

/* What a block of a pass over one tensor has under way: bytes of a dense one, elements of a strided
 * one. */
enum { AG_CUDA_TILE = AGK_THREADS * AGK_VECTORS * 16, AG_CUDA_STRIDED_TILE = AGK_THREADS * 4 };

/* The most blocks of a launch that are resident together. */
static inline uint32_t ag_cuda_most_blocks(const ag_cuda_device *d) {
  return (uint32_t)d->sms * AGK_BLOCKS_PER_SM;
}

/* As many blocks as `work` is worth, `most` at most. */
uint32_t ag_cuda_blocks(int64_t work, int64_t tile, uint32_t most);

/* Is a part of an element not where its type must be: it is read byte by byte. */
bool ag_cuda_is_bytewise(const ag_tensor *t);

/* The kernels' arguments, but for where the results go. `l` is the tensor's, collapsed. */
void ag_cuda_fill_dense(const ag_tensor *t, agk_dense *a);
void ag_cuda_fill_strided(const ag_tensor *t, const agk_layout *l, bool summary, agk_strided *a);
void ag_cuda_fill_gather(const ag_tensor *t, const agk_layout *l, agk_gather *a);

/* A result, as backends report it. */
void ag_cuda_report(const ag_tensor *t, const agk_result *r, bool summary, ag_stats *out);

#endif
