// health.cu - the kernels that kernels.h promises. Knows element formats through decode.h and nothing of torch.
#include "kernels.h"

namespace {

constexpr unsigned warps = AGK_THREADS / 32;

// What one thread has seen. 32-bit counts do: a grid is never so small that a thread meets 2^32 elements.
template <class Key>
struct tally {
  uint32_t nan = 0, pos_inf = 0, neg_inf = 0, bad = 0, zero = 0;
  uint64_t first_nan = AGK_NONE, first_pos_inf = AGK_NONE, first_neg_inf = AGK_NONE;
  Key min_key = static_cast<Key>(~static_cast<Key>(0)), max_key = 0;
  double sum = 0;
};

__device__ __forceinline__ void lower(uint64_t &a, uint64_t b) { a = b < a ? b : a; }
__device__ __forceinline__ void raise(uint64_t &a, uint64_t b) { a = b > a ? b : a; }

// kinds: one bit for each agk_kind that a part of the element is.
template <class Key>
__device__ __forceinline__ void take_bad(tally<Key> &t, unsigned kinds, uint64_t index) {
  t.bad++;
  if (kinds & 1u << AGK_IS_NAN) {
    t.nan++;
    lower(t.first_nan, index);
  }
  if (kinds & 1u << AGK_IS_POS_INF) {
    t.pos_inf++;
    lower(t.first_pos_inf, index);
  }
  if (kinds & 1u << AGK_IS_NEG_INF) {
    t.neg_inf++;
    lower(t.first_neg_inf, index);
  }
}

__device__ __forceinline__ uint64_t load_part(const char *at, unsigned bytes, bool bytewise) {
  if (bytewise) {
    uint64_t bits = 0;
#pragma unroll 1
    for (unsigned i = 0; i < bytes; i++) bits |= static_cast<uint64_t>(static_cast<uint8_t>(at[i])) << 8 * i;
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
__device__ __forceinline__ void take_finite(tally<Key> &t, agk_format f, uint64_t bits) {
  Key key = static_cast<Key>(agk_key(f, bits));
  t.min_key = key < t.min_key ? key : t.min_key;
  t.max_key = key > t.max_key ? key : t.max_key;
  t.zero += agk_is_zero(f, bits);
}

// One element, wherever it lies. A format known to the compiler folds all of it away but its own case.
template <class Key>
__device__ __forceinline__ void take(tally<Key> &t, agk_format f, const char *at, uint64_t index, bool summary, bool bytewise) {
  uint64_t bits = load_part(at, f.bytes, bytewise);
  unsigned kinds = 1u << agk_classify(f, bits);
  if (f.parts == 2) {
    uint64_t other = load_part(at + f.bytes, f.bytes, bytewise);
    kinds |= 1u << agk_classify(f, other);
    if (kinds == 1u << AGK_IS_FINITE) t.zero += agk_is_zero(f, bits) & agk_is_zero(f, other);
  }
  if (kinds != 1u << AGK_IS_FINITE) {
    take_bad(t, kinds, index);
  } else if (summary && f.parts == 1) {
    take_finite(t, f, bits);
    t.sum += agk_value(f, bits);
  }
}

// ---- from threads to one result ---------------------------------------------------------------------------------------

template <class Key>
__device__ __forceinline__ agk_result result_of(const tally<Key> &t) {
  agk_result r = {t.nan, t.pos_inf, t.neg_inf, t.bad, t.zero, t.first_nan, t.first_pos_inf, t.first_neg_inf, t.min_key, t.max_key, t.sum};
  if (t.min_key > t.max_key) r.min_key = UINT64_MAX;
  return r;
}

__device__ __forceinline__ void merge(agk_result &a, const agk_result &b) {
  a.nan += b.nan;
  a.pos_inf += b.pos_inf;
  a.neg_inf += b.neg_inf;
  a.bad += b.bad;
  a.zero += b.zero;
  lower(a.first_nan, b.first_nan);
  lower(a.first_pos_inf, b.first_pos_inf);
  lower(a.first_neg_inf, b.first_neg_inf);
  lower(a.min_key, b.min_key);
  raise(a.max_key, b.max_key);
  a.sum += b.sum;
}

__device__ __forceinline__ uint64_t down(uint64_t x, unsigned by) {
  return __shfl_down_sync(0xffffffffu, static_cast<unsigned long long>(x), by);
}

__device__ __forceinline__ void merge_warp(agk_result &r) {
#pragma unroll 1
  for (unsigned by = 16; by > 0; by /= 2) {
    agk_result o;
    o.nan = down(r.nan, by);
    o.pos_inf = down(r.pos_inf, by);
    o.neg_inf = down(r.neg_inf, by);
    o.bad = down(r.bad, by);
    o.zero = down(r.zero, by);
    o.first_nan = down(r.first_nan, by);
    o.first_pos_inf = down(r.first_pos_inf, by);
    o.first_neg_inf = down(r.first_neg_inf, by);
    o.min_key = down(r.min_key, by);
    o.max_key = down(r.max_key, by);
    o.sum = __shfl_down_sync(0xffffffffu, r.sum, by);
    merge(r, o);
  }
}

// Leaves the block's result in thread 0. Without a summary a clean block is done after one vote.
__device__ __forceinline__ void merge_block(agk_result &r, agk_result *shared, bool summary) {
  if (!summary && !__syncthreads_or(r.bad != 0)) return;
  merge_warp(r);
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = r;
  __syncthreads();
  if (threadIdx.x == 0) {
#pragma unroll 1
    for (unsigned w = 1; w < warps; w++) merge(r, shared[w]);
  }
}

// Past the first-level cache, which may hold what this address had before.
__device__ __forceinline__ agk_result load_result(const agk_result *p) {
  const unsigned long long *q = reinterpret_cast<const unsigned long long *>(p);
  return {__ldcg(q), __ldcg(q + 1), __ldcg(q + 2), __ldcg(q + 3), __ldcg(q + 4), __ldcg(q + 5), __ldcg(q + 6), __ldcg(q + 7),
          __ldcg(q + 8), __ldcg(q + 9), __ldcg(reinterpret_cast<const double *>(q + 10))};
}

// Twice around at most: over the block's threads, then, in the last block, over what the blocks left.
__device__ __forceinline__ void finish(agk_result r, const agk_out &out, bool summary) {
  __shared__ agk_result shared[warps];
  __shared__ bool last;
#pragma unroll 1
  for (bool gathered = gridDim.x == 1;; gathered = true) {
    merge_block(r, shared, summary);
    if (gathered) break;
    if (threadIdx.x == 0) {
      out.partials[blockIdx.x] = r;
      __threadfence();
      last = atomicInc(out.ticket, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;
    __threadfence();
    r = result_of(tally<uint64_t>());
#pragma unroll 1
    for (unsigned i = threadIdx.x; i < gridDim.x; i += AGK_THREADS) merge(r, load_result(out.partials + i));
  }
  if (threadIdx.x == 0) *out.result = r;
}

// ---- elements that lie one behind the other ---------------------------------------------------------------------------

__device__ __forceinline__ bool any_bad(const agk_words &w, uint4 v) {
  return agk_word_bad(w, v.x, 0) | agk_word_bad(w, v.y, 1) | agk_word_bad(w, v.z, 0) | agk_word_bad(w, v.w, 1);
}

// An operation has element(), for one element anywhere, and vector(), which takes 16 bytes whole or returns true: then they
// are taken element by element.

// Only exponents matter here, and words are tested whole: one kernel serves every format.
struct bad_only {
  static constexpr int unrolled = AGK_VECTORS;
  const agk_dense &p;
  tally<uint32_t> t;

  __device__ __forceinline__ void element(const char *at, uint64_t index) { take(t, p.format, at, index, false, false); }
  __device__ __forceinline__ bool vector(uint4 v) { return any_bad(p.words, v); }
};

template <unsigned cls, unsigned bytes, unsigned exponent, unsigned mantissa, unsigned special>
struct summary_of {
  template <bool wide, class Narrow, class Wide> struct choose { using type = Wide; };
  template <class Narrow, class Wide> struct choose<false, Narrow, Wide> { using type = Narrow; };
  static constexpr agk_format f = {cls, bytes, 1, exponent, mantissa, special};
  static constexpr int unrolled = bytes == 1 ? 1 : AGK_VECTORS;
  static constexpr bool floating = cls == AGK_FLOATING;
  // Integers of up to 4 bytes: 16 of them add up exactly, and cheaper than in double.
  using partial_sum = typename choose<floating || bytes == 8, int64_t, double>::type;
  using key = typename choose<bytes == 8, uint32_t, uint64_t>::type;
  tally<key> t;

  __device__ __forceinline__ void element(const char *at, uint64_t index) { take(t, f, at, index, true, false); }
  __device__ __forceinline__ bool vector(uint4 v) {
    const uint32_t w[4] = {v.x, v.y, v.z, v.w};
    if (floating && any_bad(agk_words_of(f), v)) return true;
    partial_sum sum = 0;
#pragma unroll
    for (unsigned i = 0; i < 16; i += bytes) {
      uint64_t bits = bytes == 8 ? static_cast<uint64_t>(w[i / 4 + 1]) << 32 | w[i / 4] : w[i / 4] >> 8 * (i % 4);
      bits &= agk_ones(8 * bytes);
      take_finite(t, f, bits);
      sum += floating || bytes == 8 ? static_cast<partial_sum>(agk_value(f, bits)) : static_cast<partial_sum>(agk_integer(f, bits));
    }
    t.sum += static_cast<double>(sum);
    return false;
  }
};

// Up to 15 elements before the first 16-byte boundary and behind the last one go singly, through the last block.
template <class Op>
__device__ __forceinline__ void walk(const agk_dense &p, unsigned item, Op &op) {
  const char *data = static_cast<const char *>(p.data);
  const uint64_t n = p.numel, step = static_cast<uint64_t>(gridDim.x) * AGK_THREADS * AGK_VECTORS;
  uint64_t head = (16 - reinterpret_cast<uintptr_t>(data) % 16) % 16 / item;
  head = head < n ? head : n;
  const uint64_t per = 16 / item, vectors = (n - head) / per, tail = (n - head) % per;
  const char *body = data + head * item;
  const uint4 *v = reinterpret_cast<const uint4 *>(body);
  for (uint64_t i = static_cast<uint64_t>(blockIdx.x) * AGK_THREADS * AGK_VECTORS + threadIdx.x; i < vectors; i += step) {
    uint4 got[AGK_VECTORS];
    unsigned left = 0;
#pragma unroll
    for (unsigned k = 0; k < AGK_VECTORS; k++)
      if (i + k * AGK_THREADS < vectors) got[k] = __ldg(v + i + k * AGK_THREADS);
    // Always the first, then all move up: unrolled the moves vanish, and where code would grow too long it need not be.
#pragma unroll Op::unrolled
    for (unsigned k = 0; k < AGK_VECTORS; k++) {
      if (i + k * AGK_THREADS < vectors) left |= static_cast<unsigned>(op.vector(got[0])) << k;
#pragma unroll
      for (unsigned j = 1; j < AGK_VECTORS; j++) got[j - 1] = got[j];
    }
#pragma unroll 1
    for (; left; left &= left - 1) {
      const uint64_t first = (i + (__ffs(left) - 1) * AGK_THREADS) * per;
#pragma unroll 1
      for (unsigned k = 0; k < per; k++) op.element(body + (first + k) * item, head + first + k);
    }
  }
  if (blockIdx.x != gridDim.x - 1) return;
  if (threadIdx.x >= head + tail) return;
  const uint64_t i = threadIdx.x < head ? threadIdx.x : n - tail + (threadIdx.x - head);
  op.element(data + i * item, i);
}

// ---- elements anywhere ------------------------------------------------------------------------------------------------

// In elements. Most indices and sizes fit 32 bits, where a division costs a quarter.
__device__ __forceinline__ int64_t offset_of(const agk_layout &l, uint64_t index) {
  int64_t offset = 0;
  int d = l.ndim - 1;
  if (d < 0) return 0;
  for (; d > 0; d--) {
    const uint64_t size = l.sizes[d];
    if (index < size) break;
    const uint64_t q = index >> 32 ? index / size : static_cast<uint32_t>(index) / static_cast<uint32_t>(size);
    offset += static_cast<int64_t>(index - q * size) * l.strides[d];
    index = q;
  }
  return offset + static_cast<int64_t>(index) * l.strides[d];
}

__device__ __forceinline__ void copy_element(char *to, const char *from, unsigned bytes, bool bytewise) {
  if (bytewise || (bytes & (bytes - 1)) || bytes > 16) {
#pragma unroll 1
    for (unsigned i = 0; i < bytes; i++) to[i] = from[i];
    return;
  }
  switch (bytes) {
  case 1: *to = *from; break;
  case 2: *reinterpret_cast<uint16_t *>(to) = *reinterpret_cast<const uint16_t *>(from); break;
  case 4: *reinterpret_cast<uint32_t *>(to) = *reinterpret_cast<const uint32_t *>(from); break;
  case 8: *reinterpret_cast<uint64_t *>(to) = *reinterpret_cast<const uint64_t *>(from); break;
  default: *reinterpret_cast<uint4 *>(to) = *reinterpret_cast<const uint4 *>(from); break;
  }
}

}  // namespace

extern "C" __global__ void __launch_bounds__(AGK_THREADS, AGK_BLOCKS_PER_SM) aotigen_bad_dense(const __grid_constant__ agk_dense p) {
  bad_only op{p, {}};
  walk(p, static_cast<unsigned>(p.format.bytes) * p.format.parts, op);
  finish(result_of(op.t), p.out, false);
}

#define AGK_SUMMARY(name, cls, bytes, exponent, mantissa, special)                                              \
  extern "C" __global__ void __launch_bounds__(AGK_THREADS, AGK_BLOCKS_PER_SM) aotigen_summary_##name(          \
      const __grid_constant__ agk_dense p) {                                                                    \
    summary_of<cls, bytes, exponent, mantissa, special> op;                                                     \
    walk(p, bytes, op);                                                                                         \
    finish(result_of(op.t), p.out, true);                                                                       \
  }
AGK_SUMMARY_FORMATS(AGK_SUMMARY)

extern "C" __global__ void __launch_bounds__(AGK_THREADS, AGK_BLOCKS_PER_SM)
    aotigen_health_strided(const __grid_constant__ agk_strided p) {
  tally<uint64_t> t;
  const unsigned item = static_cast<unsigned>(p.format.bytes) * p.format.parts;
  const uint64_t n = p.numel, step = static_cast<uint64_t>(gridDim.x) * AGK_THREADS;
  for (uint64_t i = static_cast<uint64_t>(blockIdx.x) * AGK_THREADS + threadIdx.x; i < n; i += step)
    take(t, p.format, static_cast<const char *>(p.data) + offset_of(p.layout, i) * item, i, p.summary, p.layout.bytewise);
  finish(result_of(t), p.out, p.summary);
}

extern "C" __global__ void __launch_bounds__(AGK_THREADS, AGK_BLOCKS_PER_SM) aotigen_gather(const __grid_constant__ agk_gather p) {
  const uint64_t n = p.count, step = static_cast<uint64_t>(gridDim.x) * AGK_THREADS;
  for (uint64_t i = static_cast<uint64_t>(blockIdx.x) * AGK_THREADS + threadIdx.x; i < n; i += step)
    copy_element(static_cast<char *>(p.to) + i * p.item_size,
                 static_cast<const char *>(p.data) + offset_of(p.layout, p.first + i) * p.item_size, p.item_size, p.layout.bytewise);
}
