// scan_batch_sum.cuh - a part of stats.cu: a batch with summaries. Written for latency: reading a
// few hundred kilobytes takes no longer than one fence.
//
// A block branches once to the code of its target's format, keeps its accumulator in registers, and
// writes one block_sum. Bad elements, if it found any, are added with atomics as in scan_batch.cuh.
// The last block gathers, a team of threads for each target. Every target is summed up; `summary`
// decides only whether the sums are written to the host.
#ifndef AOTIGEN_SCAN_BATCH_SUM_CUH
#define AOTIGEN_SCAN_BATCH_SUM_CUH

#include "fast.cuh"
#include "scan_batch.cuh"

namespace {

#ifdef __CUDACC__
// The thread that counts last sees what the others wrote before they counted.
__device__ __forceinline__ uint32_t count_in(uint32_t *at, uint32_t n) {
  uint32_t before;
  asm volatile("atom.acq_rel.gpu.add.u32 %0, [%1], %2;"
               : "=r"(before)
               : "l"(at), "r"(n)
               : "memory");
  return before;
}

// Hides from the compiler that p points to the kernel's argument: it is then read like other
// memory.
template <class T> __device__ __forceinline__ const T *opaque(const T *p) {
  asm volatile("" : "+l"(p));
  return p;
}
#endif

// ---- what a warp does together

__device__ __forceinline__ uint32_t min_of_warp(uint32_t x) { return __reduce_min_sync(full, x); }
__device__ __forceinline__ uint32_t max_of_warp(uint32_t x) { return __reduce_max_sync(full, x); }

// Compares the upper halves, then the lower halves of those that have the best.
__device__ __forceinline__ uint64_t min_of_warp(uint64_t x) {
  const uint32_t mine = static_cast<uint32_t>(x >> 32), best = min_of_warp(mine);
  return static_cast<uint64_t>(best) << 32 |
         min_of_warp(mine == best ? static_cast<uint32_t>(x) : full);
}
__device__ __forceinline__ uint64_t max_of_warp(uint64_t x) { return ~min_of_warp(~x); }

__device__ __forceinline__ block_sum empty_sum() { return {0, 0, UINT64_MAX, 0, 0, 0}; }

__device__ __forceinline__ void merge(block_sum &a, const block_sum &b) {
  a.zero += b.zero;
  a.subnormal += b.subnormal;
  keep_min(a.min_key, b.min_key);
  keep_max(a.max_key, b.max_key);
  a.sum += b.sum;
  a.sum_squares += b.sum_squares;
}

// Merges into each lane the sums of the next 2 * by - 1 lanes; by: a power of two, at most 16.
__device__ __forceinline__ void merge_lanes(block_sum &s, unsigned by) {
#pragma unroll
  for (unsigned n = 16; n > 0; n /= 2)
    if (n <= by)
      merge(s,
            {shuffle_down(s.zero, n), shuffle_down(s.subnormal, n), shuffle_down(s.min_key, n),
             shuffle_down(s.max_key, n), shuffle_down(s.sum, n), shuffle_down(s.sum_squares, n)});
}

__device__ __forceinline__ block_sum &my_warp_sum() {
  __shared__ block_sum of_warps[warps];
  return of_warps[threadIdx.x / 32];
}

template <class Key> __device__ __forceinline__ void add_to_warps(const accumulator<Key> &t) {
  const uint64_t least = min_of_warp(t.min_key), most = max_of_warp(t.max_key);
  block_sum s = {__reduce_add_sync(full, t.zero),
                 __reduce_add_sync(full, t.subnormal),
                 least > most ? UINT64_MAX : least,
                 most,
                 t.sum,
                 t.sum_squares};
#pragma unroll
  for (unsigned by = 16; by > 0; by /= 2) {
    s.sum += shuffle_down(s.sum, by);
    s.sum_squares += shuffle_down(s.sum_squares, by);
  }
  if (threadIdx.x % 32 == 0) merge(my_warp_sum(), s);
}

// ---- one target

// Contiguous elements, in global memory or in a tile that was gathered. first: the logical index of
// the first one.
struct run {
  const char *data;
  uint64_t n, first;
};

// The elements of a vector, one by one.
template <unsigned bytes, class Op>
__device__ __forceinline__ void take_elements(const agk_target &s, uint4 v, uint64_t index,
                                              Op &op) {
  uint64_t low = static_cast<uint64_t>(v.y) << 32 | v.x,
           high = static_cast<uint64_t>(v.w) << 32 | v.z;
#pragma unroll 1
  for (unsigned i = 0; i < 16 / bytes; i++) {
    op.bits(low & agk_ones(8 * bytes), index_in_memory{s, index + i});
    low = bytes == 8 ? high : low >> (8 * bytes % 64) | high << (64 - 8 * bytes) % 64;
    high >>= 8 * bytes % 64;
  }
}

// One vector for each thread that has one. Returns true if it was taken whole.
template <class Op> __device__ __forceinline__ bool take_vectors(uint4 v, bool there, Op &op) {
  if constexpr (Op::together) {
    const uint4 one[1] = {v};
    return __any_sync(full, !there) ? !there : op.quick(one);
  } else {
    return !there || !op.vector(v);
  }
}

// Each thread takes up to AGK_VECTORS vectors at a time, fewer if then not every block had some. A
// vector that is not taken whole is read again, element by element.
template <unsigned bytes, class Op>
__device__ __forceinline__ void walk_vectors(const agk_target &s, const uint4 *body, uint64_t n,
                                             uint64_t first, unsigned block, unsigned blocks,
                                             Op &op) {
  const uint64_t rounds = (n + AGK_THREADS - 1) / AGK_THREADS;
  const unsigned each = rounds <= blocks ? 1 : rounds <= 2 * blocks ? 2 : AGK_VECTORS;
#pragma unroll 1
  for (uint64_t at = static_cast<uint64_t>(block) * each * AGK_THREADS; at < n;
       at += static_cast<uint64_t>(blocks) * each * AGK_THREADS) {
    const uint64_t i = at + threadIdx.x;
    uint4 got[AGK_VECTORS];
    unsigned left = 0;
#pragma unroll
    for (unsigned k = 0; k < AGK_VECTORS; k++)
      if (k < each && i + k * AGK_THREADS < n) got[k] = body[i + k * AGK_THREADS];
    if constexpr (Op::together) { // a whole tile costs less than its vectors do
      if (each == AGK_VECTORS && at + tile_vectors <= n && op.quick(got)) continue;
    }
#pragma unroll 1
    for (unsigned k = 0; k < each; k++) {
      if (!take_vectors(got[0], i + k * AGK_THREADS < n, op)) left |= 1u << k;
#pragma unroll
      for (unsigned j = 1; j < AGK_VECTORS; j++) got[j - 1] = got[j];
    }
#pragma unroll 1
    for (; left; left &= left - 1) {
      const uint64_t again = i + (__ffs(left) - 1) * AGK_THREADS;
      const uint4 v = body[again];
      if (!Op::together || op.vector(v))
        take_elements<bytes>(s, v, first + again * (16 / bytes), op);
    }
  }
}

// True if strided elements lie in whole vectors, such as the rows of a wider matrix.
__device__ __forceinline__ bool lies_in_rows(const agk_target &s) {
  const int last = s.ndim - 1;
  const unsigned item = item_of(s.format);
  uint64_t odd = reinterpret_cast<uintptr_t>(s.data);
  if (last < 0 || s.strides[last] != 1) return false;
  odd |= static_cast<uint64_t>(s.sizes[last]) * item;
#pragma unroll 1
  for (int d = 0; d < last; d++) odd |= static_cast<uint64_t>(s.strides[d]) * item;
  return odd % 16 == 0;
}

template <unsigned bytes> struct word_of { using type = uint64_t; };
template <> struct word_of<1> { using type = uint8_t; };
template <> struct word_of<2> { using type = uint16_t; };
template <> struct word_of<4> { using type = uint32_t; };

// Strided elements, gathered a tile at a time in their logical order. Sizes and indices fit 32
// bits.
template <unsigned bytes> struct gathering {
  const agk_target &s;
  unsigned per_row; // vectors, or 0 where the elements are copied one by one
  uint32_t units;   // units that are copied at once

  __device__ __forceinline__ explicit gathering(const agk_target &of)
      : s(of), per_row(0), units(static_cast<uint32_t>(of.numel)) {
    if (!lies_in_rows(s)) return;
    per_row = static_cast<uint32_t>(s.sizes[s.ndim - 1]) / (16 / bytes);
    units /= 16 / bytes;
  }
  __device__ __forceinline__ const char *at(uint32_t i) const {
    const uint32_t row = per_row ? i / per_row : i;
    const int64_t offset = offset_of(s.sizes, s.strides, s.ndim - (per_row != 0), row) * bytes;
    return static_cast<const char *>(s.data) + offset + (per_row ? (i - row * per_row) * 16 : 0);
  }
  template <class Unit>
  __device__ __forceinline__ static void copy(const char *const (&from)[AGK_VECTORS], uint4 *tile) {
    Unit got[AGK_VECTORS];
#pragma unroll
    for (unsigned k = 0; k < AGK_VECTORS; k++)
      got[k] = __ldg(reinterpret_cast<const Unit *>(from[k]));
#pragma unroll
    for (unsigned k = 0; k < AGK_VECTORS; k++)
      reinterpret_cast<Unit *>(tile)[threadIdx.x + k * AGK_THREADS] = got[k];
  }
  // Gathers tile_vectors units from `first` on; beyond the last, repeats the last.
  __device__ __forceinline__ run gather(uint32_t first, uint4 *tile) const {
    const uint32_t count = units - first < tile_vectors ? units - first : tile_vectors;
    const char *from[AGK_VECTORS] = {};
#pragma unroll 1
    for (uint32_t i = threadIdx.x; i < tile_vectors; i += AGK_THREADS) {
#pragma unroll
      for (unsigned k = 1; k < AGK_VECTORS; k++) from[k - 1] = from[k];
      from[AGK_VECTORS - 1] = at(first + (i < count ? i : count - 1));
    }
    if (per_row)
      copy<uint4>(from, tile);
    else
      copy<typename word_of<bytes>::type>(from, tile);
    const uint64_t each = per_row ? 16 / bytes : 1;
    return {reinterpret_cast<const char *>(tile), count * each, first * each};
  }
};

template <unsigned bytes, class Op>
__device__ __forceinline__ void take_run(const agk_target &s, const run &r, unsigned block,
                                         unsigned blocks, Op &op) {
  const unsigned before =
      static_cast<unsigned>((16 - reinterpret_cast<uintptr_t>(r.data) % 16) % 16 / bytes);
  const unsigned head = before < r.n ? before : static_cast<unsigned>(r.n),
                 singles = head + static_cast<unsigned>((r.n - head) % (16 / bytes));
  const uint64_t vectors = (r.n - head) / (16 / bytes);
  if (block == blocks - 1 && threadIdx.x < singles) {
    const uint64_t i = threadIdx.x < head ? threadIdx.x : threadIdx.x + vectors * (16 / bytes);
    op.bits(load_part(r.data + i * bytes, bytes, false), index_in_memory{s, r.first + i});
  }
  walk_vectors<bytes>(s, reinterpret_cast<const uint4 *>(r.data + head * bytes), vectors,
                      r.first + head, block, blocks, op);
}

// The loop stands inside the code of one format: outside of the switch over formats, the compiler
// would keep in registers what each of them needs.
template <class Op, unsigned bytes>
__device__ __forceinline__ void scan_as(const agk_target &s, unsigned block, unsigned blocks,
                                        uint4 *tile) {
  const bool gathers = s.how == AGK_ANYHOW;
  Op op;
#pragma unroll 1
  for (uint32_t first = block * tile_vectors;; first += blocks * tile_vectors) {
    run r = {static_cast<const char *>(s.data), static_cast<uint64_t>(s.numel), 0};
    if (gathers) {
      const gathering<bytes> g(s);
      if (first >= g.units) break;
      __syncthreads();
      r = g.gather(first, tile);
      __syncthreads();
    }
    take_run<bytes>(s, r, gathers ? 0 : block, gathers ? 1 : blocks, op);
    if (!gathers) break;
  }
  add_to_warps(op.seen());
}

__device__ constexpr unsigned code_of(agk_format f) {
  return f.cls | f.bytes << 4u | f.parts << 8u | f.special << 12u | f.exponent << 16u |
         f.mantissa << 24u;
}

__device__ __forceinline__ void scan_format(const agk_target &s, unsigned block, unsigned blocks,
                                            uint4 *tile) {
  switch (code_of(s.format)) {
#define AGK_CASE(name, cls, bytes, exponent, mantissa, special)                                    \
  case code_of({cls, bytes, 1, exponent, mantissa, special}):                                      \
    scan_as<op_of<cls, bytes, exponent, mantissa, special>::type, bytes>(s, block, blocks, tile);  \
    break;
    AGK_SUMMARY_FORMATS(AGK_CASE)
    default: break;
  }
}

// Each warp's sums go to my_warp_sum(), each thread's bad elements to my_nonfinite().
__device__ __forceinline__ void scan_and_sum(const agk_target &s, unsigned block, unsigned blocks) {
  __shared__ uint4 tile[tile_vectors];
  if (threadIdx.x % 32 == 0) my_warp_sum() = empty_sum();
  clear_nonfinite();
  if (!s.bytewise && s.format.parts == 1 && (s.how != AGK_ANYHOW || !(s.numel >> 31))) {
    scan_format(s, block, blocks, tile);
    return;
  }
  accumulator<uint64_t> t;
  scan_each(s, block, blocks, t, true);
  add_to_warps(t);
}

// ---- from blocks to results

// Adds the bad elements of a block that has seen some. All threads.
__device__ __forceinline__ void add_block_nonfinite(batch_accumulator *to, agk_result *shared) {
  merge_threads(result_of(accumulator<uint64_t>()), shared);
  if (threadIdx.x == 0) add_target_partial(shared[0], to);
}

// Merges a thread's share of the sums of blocks first .. end - 1.
__device__ __forceinline__ block_sum gather(const batch_scratch *scratch, unsigned first,
                                            unsigned end, unsigned rank, unsigned team) {
  block_sum r = empty_sum();
#pragma unroll 1
  for (unsigned b = first + rank; b < end; b += team) {
    const block_sum &of = scratch->blocks[b];
    merge(r, {load_fresh(&of.zero), load_fresh(&of.subnormal), load_fresh(&of.min_key),
              load_fresh(&of.max_key), __ldcg(&of.sum), __ldcg(&of.sum_squares)});
  }
  return r;
}

// A target's head and tail, copied by a team. The constructor starts loads that are in flight while
// the team gathers.
struct edges_of {
  const agk_target &s;
  int rank, step;
  unsigned item;
  bool aligned, ready;
  uint64_t bits;

  __device__ __forceinline__ const char *at(int i) const {
    return static_cast<const char *>(s.data) +
           place_of(s, i < s.head ? i : s.numel - s.tail + (i - s.head)) * item;
  }
  __device__ __forceinline__ edges_of(const agk_target &of, bool wanted, int rank_, int step_)
      : s(of), rank(rank_), step(step_), item(item_of(of.format)), ready(false), bits(0) {
    aligned = ((reinterpret_cast<uintptr_t>(s.data) | reinterpret_cast<uintptr_t>(s.edges)) &
               (item - 1)) == 0;
    if (!wanted || !s.edges || rank >= s.head + s.tail || item > 8 || !aligned) return;
    ready = true;
    bits = load_part(at(rank), item, false);
  }
  __device__ __forceinline__ void store() const {
    char *to = static_cast<char *>(s.edges) + static_cast<size_t>(rank) * item;
    switch (item) {
      case 1: *to = static_cast<char>(bits); break;
      case 2: *reinterpret_cast<uint16_t *>(to) = static_cast<uint16_t>(bits); break;
      case 4: *reinterpret_cast<uint32_t *>(to) = static_cast<uint32_t>(bits); break;
      default: *reinterpret_cast<uint64_t *>(to) = bits; break;
    }
  }
  __device__ __forceinline__ void copy() const {
    if (!s.edges) return;
    if (ready) store();
#pragma unroll 1
    for (int i = rank + (ready ? step : 0); i < s.head + s.tail; i += step)
      copy_element(static_cast<char *>(s.edges) + static_cast<size_t>(i) * item, at(i), item,
                   !aligned);
  }
};

// A team of threads for each target, 16 at least: its result goes to l.results and to the host.
template <class P>
__device__ __forceinline__ void finish_targets(const P &p, bool bad, bool muted, last_block &l) {
  batch_scratch *scratch = static_cast<batch_scratch *>(p.head.scratch);
  const unsigned count = p.head.count, team = AGK_THREADS / (count <= 1   ? 1
                                                             : count <= 2 ? 2
                                                             : count <= 4 ? 4
                                                             : count <= 8 ? 8
                                                                          : 16);
  const unsigned k = threadIdx.x / team, rank = threadIdx.x % team;
  const bool mine = k < count;
  const agk_target &s = p.targets[mine ? k : 0];
  const edges_of edges(s, mine && !muted, rank, team);
  block_sum r = gather(scratch, mine && k ? p.targets[k - 1].end_block : 0,
                       mine && s.how != AGK_EDGES ? s.end_block : 0, rank, team);
  merge_lanes(r, (team < 32 ? team : 32) / 2);
  if (team > 32) {
    if (rank % 32 == 0) my_warp_sum() = r;
    __syncthreads();
    r = rank < team / 32 ? (&my_warp_sum())[rank] : empty_sum();
    merge_lanes(r, team / 64);
  }
  if (mine && rank == 0) {
    agk_result &to = l.results[k];
    to = bad ? take_target_partial(&scratch->targets[k]) : empty_result();
    to.zero = r.zero;
    to.subnormal = r.subnormal;
    to.min_key = r.min_key;
    to.max_key = r.max_key;
    to.sum = r.sum;
    to.sum_squares = r.sum_squares;
  }
  __syncwarp();
  if (mine && rank < 32 && !muted && (bad || s.summary || s.edges))
    write_target(s, l.results[k], rank);
  if (mine && !muted) edges.copy();
}

template <class P>
__device__ __forceinline__ void finish_sums(const P &p, uint32_t token, bool bad, bool muted) {
  __shared__ last_block l;
  finish_targets(p, bad, muted, l);
  __syncthreads();
  if (bad && !muted) {
    accumulator<uint64_t> t;
    scan_probes(p, l, t);
    __syncthreads();
  }
  if (threadIdx.x != 0) return;
  static_cast<batch_scratch *>(p.head.scratch)->ticket = 0;
  write_done(p.head, token, bad, muted, true);
}

// Writes the block's counts to scratch. All threads; returns true if something was bad.
__device__ __forceinline__ bool write_block_partial(batch_scratch *scratch, int k) {
  __shared__ agk_result shared[warps];
  const bool bad = __syncthreads_or(my_nonfinite().bad != 0);
  if (threadIdx.x < 32) {
    block_sum all = threadIdx.x < warps ? (&my_warp_sum())[threadIdx.x] : empty_sum();
    merge_lanes(all, warps / 2);
    if (threadIdx.x == 0) scratch->blocks[blockIdx.x] = all;
  }
  if (bad) add_block_nonfinite(&scratch->targets[k], shared);
  return bad;
}

// Copies the filled part of an argument of many targets to shared memory: each of its lines is a
// cache miss, so all are fetched at once. The first two warps have other work meanwhile.
template <class P> __device__ __forceinline__ void load_argument(const P &p, P &to) {
  const uint64_t *from = opaque(reinterpret_cast<const uint64_t *>(&p));
  const unsigned n =
      static_cast<unsigned>((sizeof(agk_batch_head) + p.head.count * sizeof(agk_target)) / 8);
#pragma unroll 2
  for (unsigned i = threadIdx.x - 64; i < n; i += AGK_THREADS - 64)
    reinterpret_cast<uint64_t *>(&to)[i] = from[i];
}

template <class P> __device__ __forceinline__ void scan_batch_and_sum(const P &p) {
  constexpr bool brings = sizeof(P) > sizeof(agk_batch_few);
  __shared__ uint64_t argument[brings ? sizeof(P) / 8 : 1];
  __shared__ uint32_t after, token;
  __shared__ bool muted;
  batch_scratch *scratch = static_cast<batch_scratch *>(p.head.scratch);
  const int k = target_of(p);
  const agk_target &s = p.targets[k];
  const unsigned first = k ? p.targets[k - 1].end_block : 0;
  bool bad = false;
  if (s.how != AGK_EDGES) {
    scan_and_sum(s, blockIdx.x - first, s.end_block - first);
    bad = write_block_partial(scratch, k);
  }
  if (brings && threadIdx.x >= 64) load_argument(p, *reinterpret_cast<P *>(argument));
  if (threadIdx.x == 32) { // while the ticket is on its way
    muted = is_muted(p.head);
    token = token_of(p.head);
  }
  if (threadIdx.x == 0) {
    const uint32_t mine = BLOCK + (bad ? BAD : 0);
    after = gridDim.x == 1 ? mine : count_in(&scratch->ticket, mine) + mine;
  }
  __syncthreads();
  if (after % BAD == gridDim.x)
    finish_sums(brings ? *reinterpret_cast<const P *>(argument) : p, token, after >= BAD, muted);
}

} // namespace

#endif
