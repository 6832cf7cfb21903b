// accumulator.cuh - a part of stats.cu: what one thread has counted, and how a block and a grid
// merge it.
#ifndef AOTIGEN_ACCUMULATOR_CUH
#define AOTIGEN_ACCUMULATOR_CUH

#include "kernels.h"

namespace {

constexpr unsigned warps = AGK_THREADS / 32, full = 0xffffffffu;

__device__ __forceinline__ void keep_min(uint64_t &a, uint64_t b) { a = b < a ? b : a; }
__device__ __forceinline__ void keep_max(uint64_t &a, uint64_t b) { a = b > a ? b : a; }

// The elements that are not finite. There are hardly ever any, so the counts are in shared memory,
// which leaves registers for the loop.
struct nonfinite {
  uint64_t first_nan, first_pos_inf, first_neg_inf;
  uint32_t nan, pos_inf, neg_inf, bad;
};

__device__ __forceinline__ nonfinite &my_nonfinite() {
  __shared__ nonfinite of_threads[AGK_THREADS];
  return of_threads[threadIdx.x];
}

__device__ __forceinline__ void clear_nonfinite() {
  my_nonfinite() = {AGK_NONE, AGK_NONE, AGK_NONE, 0, 0, 0, 0};
}

// The finite elements that one thread has counted. 32-bit counts suffice: no thread of a grid reads
// 2^32 elements.
template <class Key> struct accumulator {
  uint32_t zero = 0, subnormal = 0;
  Key min_key = static_cast<Key>(~static_cast<Key>(0)), max_key = 0;
  double sum = 0, sum_squares = 0;
};

// kinds: one bit for each agk_kind that a part of the element has.
__device__ __forceinline__ void take_bad(unsigned kinds, uint64_t index) {
  nonfinite &t = my_nonfinite();
  t.bad++;
  if (kinds & 1u << AGK_IS_NAN) {
    t.nan++;
    keep_min(t.first_nan, index);
  }
  if (kinds & 1u << AGK_IS_POS_INF) {
    t.pos_inf++;
    keep_min(t.first_pos_inf, index);
  }
  if (kinds & 1u << AGK_IS_NEG_INF) {
    t.neg_inf++;
    keep_min(t.first_neg_inf, index);
  }
}

__device__ __forceinline__ uint64_t load_part(const char *at, unsigned bytes, bool bytewise) {
  if (bytewise) {
    uint64_t bits = 0;
#pragma unroll 1
    for (unsigned i = 0; i < bytes; i++)
      bits |= static_cast<uint64_t>(static_cast<uint8_t>(at[i])) << 8 * i;
    return bits;
  }
  switch (bytes) {
    case 1: return *reinterpret_cast<const uint8_t *>(at);
    case 2: return *reinterpret_cast<const uint16_t *>(at);
    case 4: return *reinterpret_cast<const uint32_t *>(at);
    default: return *reinterpret_cast<const uint64_t *>(at);
  }
}

template <class Key>
__device__ __forceinline__ void take_finite(accumulator<Key> &t, agk_format f, uint64_t bits) {
  Key key = static_cast<Key>(agk_key(f, bits));
  t.min_key = key < t.min_key ? key : t.min_key;
  t.max_key = key > t.max_key ? key : t.max_key;
  t.zero += agk_is_zero(f, bits);
  t.subnormal += agk_is_subnormal(f, bits);
}

template <class Key>
__device__ __forceinline__ void add_finite(accumulator<Key> &t, agk_format f, uint64_t bits) {
  const double x = agk_value(f, bits);
  take_finite(t, f, bits);
  t.sum += x;
  t.sum_squares += x * x;
}

// One element at any address. If the compiler knows the format, only the code of its case remains.
// Index may be a type that computes the index when converted, which only happens for a bad element.
template <class Key, class Index>
__device__ __forceinline__ void take_element(accumulator<Key> &t, agk_format f, const char *at,
                                             Index index, bool summary, bool bytewise) {
  uint64_t bits = load_part(at, f.bytes, bytewise);
  unsigned kinds = 1u << agk_classify(f, bits);
  if (f.parts == 2) {
    uint64_t other = load_part(at + f.bytes, f.bytes, bytewise);
    kinds |= 1u << agk_classify(f, other);
    if (kinds == 1u << AGK_IS_FINITE) t.zero += agk_is_zero(f, bits) & agk_is_zero(f, other);
  }
  if (kinds != 1u << AGK_IS_FINITE) {
    take_bad(kinds, static_cast<uint64_t>(index));
  } else if (summary && f.parts == 1) {
    add_finite(t, f, bits);
  }
}

// ---- from threads to one result

__device__ __forceinline__ agk_result empty_result() {
  return {0, 0, 0, 0, 0, 0, AGK_NONE, AGK_NONE, AGK_NONE, UINT64_MAX, 0, 0, 0};
}

template <class Key> __device__ __forceinline__ agk_result result_of(const accumulator<Key> &t) {
  const nonfinite &seen = my_nonfinite();
  agk_result r = {seen.nan,    seen.pos_inf,   seen.neg_inf,       seen.bad,           t.zero,
                  t.subnormal, seen.first_nan, seen.first_pos_inf, seen.first_neg_inf, t.min_key,
                  t.max_key,   t.sum,          t.sum_squares};
  if (t.min_key > t.max_key) r.min_key = UINT64_MAX;
  return r;
}

__device__ __forceinline__ void merge(agk_result &a, const agk_result &b) {
  a.nan += b.nan;
  a.pos_inf += b.pos_inf;
  a.neg_inf += b.neg_inf;
  a.bad += b.bad;
  a.zero += b.zero;
  a.subnormal += b.subnormal;
  keep_min(a.first_nan, b.first_nan);
  keep_min(a.first_pos_inf, b.first_pos_inf);
  keep_min(a.first_neg_inf, b.first_neg_inf);
  keep_min(a.min_key, b.min_key);
  keep_max(a.max_key, b.max_key);
  a.sum += b.sum;
  a.sum_squares += b.sum_squares;
}

template <class T> __device__ __forceinline__ T shuffle_down(T x, unsigned by) {
  return __shfl_down_sync(full, x, by);
}

__device__ __forceinline__ uint64_t shuffle_down(uint64_t x, unsigned by) {
  return __shfl_down_sync(full, static_cast<unsigned long long>(x), by);
}

__device__ __forceinline__ void merge_warp(agk_result &r) {
#pragma unroll 1
  for (unsigned by = 16; by > 0; by /= 2) {
    r.nan += shuffle_down(r.nan, by);
    r.pos_inf += shuffle_down(r.pos_inf, by);
    r.neg_inf += shuffle_down(r.neg_inf, by);
    r.bad += shuffle_down(r.bad, by);
    r.zero += shuffle_down(r.zero, by);
    r.subnormal += shuffle_down(r.subnormal, by);
    keep_min(r.first_nan, shuffle_down(r.first_nan, by));
    keep_min(r.first_pos_inf, shuffle_down(r.first_pos_inf, by));
    keep_min(r.first_neg_inf, shuffle_down(r.first_neg_inf, by));
    keep_min(r.min_key, shuffle_down(r.min_key, by));
    keep_max(r.max_key, shuffle_down(r.max_key, by));
    r.sum += shuffle_down(r.sum, by);
    r.sum_squares += shuffle_down(r.sum_squares, by);
  }
}

// Stores the block's result in shared[0], for thread 0 only and until the next barrier. All threads
// must call it.
__device__ __forceinline__ void merge_threads(agk_result r, agk_result *shared) {
  merge_warp(r);
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = r;
  __syncthreads();
  if (threadIdx.x == 0) {
#pragma unroll 1
    for (unsigned w = 1; w < warps; w++) merge(shared[0], shared[w]);
  }
}

// Bypasses the first-level cache, which may hold an older value.
__device__ __forceinline__ uint64_t load_fresh(const uint64_t *p) {
  return __ldcg(reinterpret_cast<const unsigned long long *>(p));
}

__device__ __forceinline__ agk_result load_result(const agk_result *p) {
  return {load_fresh(&p->nan),       load_fresh(&p->pos_inf),       load_fresh(&p->neg_inf),
          load_fresh(&p->bad),       load_fresh(&p->zero),          load_fresh(&p->subnormal),
          load_fresh(&p->first_nan), load_fresh(&p->first_pos_inf), load_fresh(&p->first_neg_inf),
          load_fresh(&p->min_key),   load_fresh(&p->max_key),       __ldcg(&p->sum),
          __ldcg(&p->sum_squares)};
}

// Merges the block's threads, and then, in the last block, the blocks' partial results. Without a
// summary, a block in which nothing is bad needs one vote.
__device__ __forceinline__ void finish(agk_result r, const agk_out &out, bool summary) {
  __shared__ agk_result shared[warps];
  __shared__ bool last;
#pragma unroll 1
  for (bool gathered = gridDim.x == 1;; gathered = true) {
    if (summary || __syncthreads_or(r.bad != 0))
      merge_threads(r, shared);
    else if (threadIdx.x == 0)
      shared[0] = empty_result();
    if (gathered) break;
    if (threadIdx.x == 0) {
      out.partials[blockIdx.x] = shared[0];
      __threadfence();
      last = atomicInc(out.ticket, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;
    __threadfence();
    r = empty_result();
#pragma unroll 1
    for (unsigned i = threadIdx.x; i < gridDim.x; i += AGK_THREADS)
      merge(r, load_result(out.partials + i));
  }
  if (threadIdx.x == 0) *out.result = shared[0];
}

} // namespace

#endif
