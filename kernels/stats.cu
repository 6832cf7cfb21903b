// stats.cu - the kernels that kernels.h declares. It uses decode.h for element formats, and no
// torch.
#include "fast.cuh"
#include "scan_batch.cuh"
#include "scan_batch_sum.cuh"

#define AGK_KERNEL extern "C" __global__ void __launch_bounds__(AGK_THREADS, AGK_BLOCKS_PER_SM)
#define AGK_SUM_KERNEL                                                                             \
  extern "C" __global__ void __launch_bounds__(AGK_THREADS, AGK_SUM_BLOCKS_PER_SM)

AGK_KERNEL aotigen_bad_dense(const __grid_constant__ agk_dense p) {
  bad_only op{p.format, p.words, {}};
  clear_nonfinite();
  walk(stretch(p.data, p.numel, shift_of(p.format), blockIdx.x, gridDim.x), op);
  finish(result_of(op.t), p.out, false);
}

// Fetching ahead does not pay if a tile takes long anyway, such as one of 1-byte elements (measured
// on an H200).
#define AGK_SUMMARY(name, cls, bytes, exponent, mantissa, special)                                 \
  AGK_KERNEL aotigen_summary_##name(const __grid_constant__ agk_dense p) {                         \
    const stretch of_block(p.data, p.numel, __builtin_ctz(bytes), blockIdx.x, gridDim.x);          \
    op_of<cls, bytes, exponent, mantissa, special>::type op;                                       \
    clear_nonfinite();                                                                             \
    if (op.ahead)                                                                                  \
      walk_ahead(of_block, op);                                                                    \
    else                                                                                           \
      walk(of_block, op);                                                                          \
    finish(result_of(op.seen()), p.out, true);                                                     \
  }
AGK_SUMMARY_FORMATS(AGK_SUMMARY)

AGK_KERNEL aotigen_stats_strided(const __grid_constant__ agk_strided p) {
  accumulator<uint64_t> t;
  clear_nonfinite();
  const agk_layout &l = p.layout;
  const unsigned item = static_cast<unsigned>(p.format.bytes) * p.format.parts;
  const uint64_t n = p.numel, step = static_cast<uint64_t>(gridDim.x) * AGK_THREADS;
  for (uint64_t i = static_cast<uint64_t>(blockIdx.x) * AGK_THREADS + threadIdx.x; i < n; i += step)
    take_element(t, p.format,
                 static_cast<const char *>(p.data) +
                     offset_of(l.sizes, l.strides, l.ndim, i) * item,
                 i, p.summary, l.bytewise);
  finish(result_of(t), p.out, p.summary);
}

AGK_KERNEL aotigen_gather(const __grid_constant__ agk_gather p) {
  const agk_layout &l = p.layout;
  const uint64_t n = p.count, step = static_cast<uint64_t>(gridDim.x) * AGK_THREADS;
  for (uint64_t i = static_cast<uint64_t>(blockIdx.x) * AGK_THREADS + threadIdx.x; i < n; i += step)
    copy_element(static_cast<char *>(p.to) + i * p.item_size,
                 static_cast<const char *>(p.data) +
                     offset_of(l.sizes, l.strides, l.ndim, p.first + i) * p.item_size,
                 p.item_size, l.bytewise);
}

// A kernel that was launched early (runtime/cuda/driver.h) may begin before the work that writes
// its targets has ended: it waits for that work here.
__device__ __forceinline__ void await_stream() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

AGK_KERNEL aotigen_scan_batch(const __grid_constant__ agk_batch p) {
  await_stream();
  scan_batch(p);
}

AGK_KERNEL aotigen_scan_batch_few(const __grid_constant__ agk_batch_few p) {
  await_stream();
  scan_batch(p);
}

AGK_SUM_KERNEL aotigen_scan_batch_sum(const __grid_constant__ agk_batch p) {
  await_stream();
  scan_batch_and_sum(p);
}

AGK_SUM_KERNEL aotigen_scan_batch_sum_few(const __grid_constant__ agk_batch_few p) {
  await_stream();
  scan_batch_and_sum(p);
}

extern "C" __global__ void aotigen_replay_begin(const __grid_constant__ agk_replay_mark p) {
  if (blockIdx.x || threadIdx.x) return;
  p.replay->epoch++;
  p.replay->muted = *static_cast<volatile uint32_t *>(&p.replayed->held) != 0;
}

extern "C" __global__ void aotigen_replay_end(const __grid_constant__ agk_replay_mark p) {
  if (blockIdx.x || threadIdx.x) return;
  if (p.keep && !p.replay->muted) hold_replay(p.replayed, p.replay->epoch);
  __threadfence_system();
  store(&p.replayed->finished, p.replay->epoch);
}

__device__ __forceinline__ uint64_t nanoseconds() {
#ifdef __CUDA_ARCH__
  uint64_t t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
#else // t/5xx/emulate.cc
  static uint64_t t;
  t += 1000;
#endif
  return t;
}

extern "C" __global__ void aotigen_hold(const __grid_constant__ agk_hold p) {
  if (blockIdx.x || threadIdx.x) return;
  const uint64_t begun = nanoseconds();
  while (static_cast<int32_t>(*static_cast<volatile uint32_t *>(p.go) - p.until) < 0) {
    if (nanoseconds() - begun < p.most_ns) continue;
    __threadfence_system();
    store(p.late, p.until);
    return;
  }
}
