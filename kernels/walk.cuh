// walk.cuh - a part of stats.cu: walks the elements for a grid or a part of one, and handles 16
// bytes of each format.
#ifndef AOTIGEN_WALK_CUH
#define AOTIGEN_WALK_CUH

#include "accumulator.cuh"

namespace {

// ---- contiguous elements

__device__ __forceinline__ uint32_t any_bad(const agk_words &w, uint4 v) {
  return agk_word_bad(w, v.x, 0) | agk_word_bad(w, v.y, 1) | agk_word_bad(w, v.z, 0) |
         agk_word_bad(w, v.w, 1);
}

constexpr unsigned tile_vectors = AGK_THREADS * AGK_VECTORS;

// An operation (Op) has three functions. element() takes one element at any address. vector() takes
// 16 bytes whole, or returns true: then they are taken element by element. tile() does the same for
// AGK_VECTORS of them, all lanes of a warp together, and returns a bit for each that was not taken.

// Takes got[0], then moves all up by one: unrolled, the moves vanish; not unrolled, the code stays
// short.
template <class Op, unsigned V>
__device__ __forceinline__ unsigned by_vector(Op &op, uint4 (&got)[V], unsigned there) {
  unsigned left = 0;
#pragma unroll Op::unrolled
  for (unsigned k = 0; k < V; k++) {
    if (there >> k & 1) left |= static_cast<unsigned>(op.vector(got[0])) << k;
#pragma unroll
    for (unsigned j = 1; j < V; j++) got[j - 1] = got[j];
  }
  return left;
}

// The logarithm of an element's size, which is a power of 2.
__device__ __forceinline__ unsigned shift_of(agk_format f) { return __ffs(f.bytes * f.parts) - 1; }

// The part that a block, one of `blocks`, walks: a tile of whole vectors at `first` and after every
// `step`. The last block also takes, singly, up to 15 elements before the first 16-byte boundary
// and as many after the last one.
struct stretch {
  const char *body; // where whole vectors begin
  uint64_t vectors;
  unsigned shift, head, singles, first, step;

  __device__ __forceinline__ stretch(const void *data, uint64_t n, unsigned shift_, unsigned block,
                                     unsigned blocks)
      : shift(shift_), first(block * tile_vectors), step(blocks * tile_vectors) {
    const unsigned before = (16 - reinterpret_cast<uintptr_t>(data) % 16) % 16 >> shift;
    head = before < n ? before : static_cast<unsigned>(n);
    singles = block == blocks - 1 ? head + ((n - head) & ((16u >> shift) - 1)) : 0;
    vectors = (n - head) >> (4 - shift);
    body = static_cast<const char *>(data) + (head << shift);
  }
  __device__ __forceinline__ const uint4 *vector(uint64_t i) const {
    return reinterpret_cast<const uint4 *>(body) + i;
  }
};

// Takes those vectors of the tile at vector i that were not taken whole, element by element.
template <class Op>
__device__ __forceinline__ void one_by_one(const stretch &s, uint64_t i, unsigned left, Op &op) {
  const unsigned per = 16 >> s.shift;
#pragma unroll 1
  for (; left; left &= left - 1) {
    const uint64_t first = (i + (__ffs(left) - 1) * AGK_THREADS) * per;
#pragma unroll 1
    for (unsigned k = 0; k < per; k++)
      op.element(s.body + ((first + k) << s.shift), s.head + first + k);
  }
}

template <class Op> __device__ __forceinline__ void single_ones(const stretch &s, Op &op) {
  if (threadIdx.x >= s.singles) return;
  const uint64_t index = threadIdx.x < s.head ? threadIdx.x
                                              : threadIdx.x + (s.vectors << (4 - s.shift));
  op.element(s.body + (static_cast<int64_t>(index - s.head) << s.shift), index);
}

// Takes a tile that may end early, and the single elements.
template <class Op>
__device__ __forceinline__ void last_of(const stretch &s, uint64_t tile, Op &op) {
  const uint64_t i = tile + threadIdx.x;
  if (tile < s.vectors) {
    uint4 got[AGK_VECTORS];
    unsigned there = 0;
#pragma unroll
    for (unsigned k = 0; k < AGK_VECTORS; k++)
      if (i + k * AGK_THREADS < s.vectors) {
        got[k] = __ldg(s.vector(i + k * AGK_THREADS));
        there |= 1u << k;
      }
    one_by_one(s, i, by_vector(op, got, there), op);
  }
  single_ones(s, op);
}

template <class Op> __device__ __forceinline__ void walk(const stretch &s, Op &op) {
  uint64_t tile = s.first;
  for (; tile + tile_vectors <= s.vectors; tile += s.step) {
    const uint64_t i = tile + threadIdx.x;
    uint4 got[AGK_VECTORS];
#pragma unroll
    for (unsigned k = 0; k < AGK_VECTORS; k++) got[k] = __ldg(s.vector(i + k * AGK_THREADS));
    one_by_one(s, i, op.tile(got), op);
  }
  last_of(s, tile, op);
}

#ifdef __CUDACC__
__device__ __forceinline__ void fetch(uint4 *to, const uint4 *from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                   static_cast<uint32_t>(__cvta_generic_to_shared(to))),
               "l"(__cvta_generic_to_global(from))
               : "memory");
}
__device__ __forceinline__ void end_of_fetch() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}
// Waits for all fetches but those of the last group.
__device__ __forceinline__ void wait_for_fetch() {
  asm volatile("cp.async.wait_group 1;" ::: "memory");
}
#endif

// Like walk(), for an operation that takes long over a tile: meanwhile, the next two tiles are
// fetched into shared memory. Each thread reads only what it fetched itself.
template <class Op> __device__ __forceinline__ void walk_ahead(const stretch &s, Op &op) {
  __shared__ uint4 fetched[2][AGK_VECTORS][AGK_THREADS];
  uint64_t tile = s.first, next = tile;
  unsigned slot = 0;
#pragma unroll 1
  for (unsigned begun = 0;; begun++) {
    if (begun > 1) {
      const uint64_t i = tile + threadIdx.x;
      uint4 got[AGK_VECTORS];
      if (tile + tile_vectors > s.vectors) break;
      wait_for_fetch();
#pragma unroll
      for (unsigned k = 0; k < AGK_VECTORS; k++) got[k] = fetched[slot][k][threadIdx.x];
      one_by_one(s, i, op.tile(got), op);
      tile += s.step;
    }
    if (next + tile_vectors <= s.vectors) {
#pragma unroll
      for (unsigned k = 0; k < AGK_VECTORS; k++)
        fetch(&fetched[slot][k][threadIdx.x], s.vector(next + threadIdx.x + k * AGK_THREADS));
    }
    end_of_fetch();
    next += s.step;
    slot ^= 1;
  }
  last_of(s, tile, op);
}

// Only exponents matter here, and words are tested as a whole: one kernel serves every format.
struct bad_only {
  static constexpr int unrolled = AGK_VECTORS;
  const agk_format &format;
  const agk_words &words;
  accumulator<uint32_t> t;

  __device__ __forceinline__ void element(const char *at, uint64_t index) {
    take_element(t, format, at, index, false, false);
  }
  __device__ __forceinline__ bool vector(uint4 v) { return any_bad(words, v); }
  __device__ __forceinline__ unsigned tile(uint4 (&got)[AGK_VECTORS]) {
    return by_vector(*this, got, full);
  }
};

template <unsigned cls, unsigned bytes, unsigned exponent, unsigned mantissa, unsigned special>
struct summary_of {
  template <bool wide, class Narrow, class Wide> struct choose { using type = Wide; };
  template <class Narrow, class Wide> struct choose<false, Narrow, Wide> { using type = Narrow; };
  static constexpr agk_format f = {cls, bytes, 1, exponent, mantissa, special};
  static constexpr int unrolled = bytes == 1 ? 1 : AGK_VECTORS;
  static constexpr bool ahead = bytes > 1;
  static constexpr bool floating = cls == AGK_FLOATING;
  // 16 integers of up to 4 bytes add up exactly, and at less cost than in double. So do the squares
  // of up to 2 bytes.
  using partial_sum = typename choose<floating || bytes == 8, int64_t, double>::type;
  using partial_squares = typename choose<floating || bytes >= 4, int64_t, double>::type;
  using key = typename choose<bytes == 8, uint32_t, uint64_t>::type;
  static constexpr bool together = false; // true if there is a quick(), for whole warps
  accumulator<key> t;

  __device__ __forceinline__ void element(const char *at, uint64_t index) {
    take_element(t, f, at, index, true, false);
  }
  template <class Index> __device__ __forceinline__ void bits(uint64_t bits, Index index) {
    const unsigned kind = agk_classify(f, bits);
    if (kind != AGK_IS_FINITE)
      take_bad(1u << kind, static_cast<uint64_t>(index));
    else
      add_finite(t, f, bits);
  }
  __device__ __forceinline__ bool vector(uint4 v) {
    const uint32_t w[4] = {v.x, v.y, v.z, v.w};
    if (floating && any_bad(agk_words_of(f), v)) return true;
    partial_sum sum = 0;
    partial_squares squares = 0;
#pragma unroll
    for (unsigned i = 0; i < 16; i += bytes) {
      uint64_t bits = bytes == 8 ? static_cast<uint64_t>(w[i / 4 + 1]) << 32 | w[i / 4]
                                 : w[i / 4] >> 8 * (i % 4);
      bits &= agk_ones(8 * bytes);
      take_finite(t, f, bits);
      const partial_sum x = floating || bytes == 8 ? static_cast<partial_sum>(agk_value(f, bits))
                                                   : static_cast<partial_sum>(agk_integer(f, bits));
      sum += x;
      squares += static_cast<partial_squares>(x) * static_cast<partial_squares>(x);
    }
    t.sum += static_cast<double>(sum);
    t.sum_squares += static_cast<double>(squares);
    return false;
  }
  template <unsigned V> __device__ __forceinline__ unsigned tile(uint4 (&got)[V]) {
    return by_vector(*this, got, full);
  }
  __device__ __forceinline__ const accumulator<key> &seen() { return t; }
};

// ---- elements at any address

// The element's distance from the first one, in elements. Most indices and sizes fit 32 bits, where
// a division costs a quarter; an Index of 32 bits promises that all do.
template <class Index>
__device__ __forceinline__ int64_t offset_of(const int64_t *sizes, const int64_t *strides, int ndim,
                                             Index index) {
  int64_t offset = 0;
  int d = ndim - 1;
  if (d < 0) return 0;
  for (; d > 0; d--) {
    const Index size = static_cast<Index>(sizes[d]);
    if (index < size) break;
    const Index q = static_cast<uint64_t>(index) >> 32
                        ? index / size
                        : static_cast<uint32_t>(index) / static_cast<uint32_t>(size);
    offset += static_cast<int64_t>(index - q * size) * strides[d];
    index = q;
  }
  return offset + static_cast<int64_t>(index) * strides[d];
}

__device__ __forceinline__ void copy_element(char *to, const char *from, unsigned bytes,
                                             bool bytewise) {
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

} // namespace

#endif
