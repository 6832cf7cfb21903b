// scan_batch.cuh - a part of stats.cu: scans several tensors for bad elements in one launch, and
// writes the results to the host in the last block. scan_batch_sum.cuh also computes summaries.
#ifndef AOTIGEN_SCAN_BATCH_CUH
#define AOTIGEN_SCAN_BATCH_CUH

#include <cstddef>

#include "walk.cuh"

namespace {

// ---- partial results, from all blocks for the last one

// The elements of one target that are not finite, from all blocks. All 0: none. Therefore smallest
// indices are stored as the largest complements.
struct batch_accumulator {
  unsigned long long nan, pos_inf, neg_inf, bad;
  unsigned long long not_first_nan, not_first_pos_inf, not_first_neg_inf;
};

// The finite elements of a block, in a batch with summaries.
struct block_sum {
  uint64_t zero, subnormal, min_key, max_key;
  double sum, sum_squares;
};

struct batch_scratch {
  uint32_t ticket; // three counts: blocks that are done, of them those that found something bad
                   // (BAD), and those that wrote anything (WROTE)
  uint32_t unused[3];
  batch_accumulator targets[AGK_TARGETS];
  block_sum blocks[AGK_SUM_BLOCKS]; // each launch writes those that it reads before
};
static_assert(sizeof(batch_scratch) <= AGK_SCRATCH_BYTES,
              "a launch's scratch is as large as promised");
static_assert(offsetof(batch_scratch, blocks) <= AGK_BAD_BYTES,
              "and so where there are no summaries");
static_assert(sizeof(agk_batch) <= 4096, "a kernel takes up to 4 KiB of arguments");

constexpr uint32_t BLOCK = 1, BAD = 1u << 11, WROTE = 1u << 21; // what a block adds to the ticket
static_assert(AGK_BATCH_BLOCKS < BAD / BLOCK && AGK_BATCH_BLOCKS < WROTE / BAD,
              "a ticket holds three counts of blocks");

__device__ __forceinline__ void add_to(unsigned long long *to, uint64_t n) {
  if (n) atomicAdd(to, static_cast<unsigned long long>(n));
}
__device__ __forceinline__ void raise_to(unsigned long long *to, uint64_t x) {
  if (x) atomicMax(to, static_cast<unsigned long long>(x));
}

__device__ __forceinline__ void add_target_partial(const agk_result &r, batch_accumulator *t) {
  add_to(&t->nan, r.nan);
  add_to(&t->pos_inf, r.pos_inf);
  add_to(&t->neg_inf, r.neg_inf);
  add_to(&t->bad, r.bad);
  raise_to(&t->not_first_nan, ~r.first_nan);
  raise_to(&t->not_first_pos_inf, ~r.first_pos_inf);
  raise_to(&t->not_first_neg_inf, ~r.first_neg_inf);
}

// Reads the target's partial result and clears it for the next kernel. One thread.
__device__ __forceinline__ agk_result take_target_partial(batch_accumulator *t) {
  agk_result r = empty_result();
  r.nan = __ldcg(&t->nan);
  r.pos_inf = __ldcg(&t->pos_inf);
  r.neg_inf = __ldcg(&t->neg_inf);
  r.bad = __ldcg(&t->bad);
  r.first_nan = ~__ldcg(&t->not_first_nan);
  r.first_pos_inf = ~__ldcg(&t->not_first_pos_inf);
  r.first_neg_inf = ~__ldcg(&t->not_first_neg_inf);
  *t = batch_accumulator();
  return r;
}

// ---- one target

// In shared memory: code that distinguishes formats at run time is short of registers, and the
// speed of sums does not matter here.
__device__ __forceinline__ accumulator<uint64_t> &my_accumulator() {
  __shared__ uint64_t of_threads[AGK_THREADS][sizeof(accumulator<uint64_t>) / 8];
  return *reinterpret_cast<accumulator<uint64_t> *>(of_threads[threadIdx.x]);
}

__device__ __forceinline__ unsigned item_of(agk_format f) {
  return static_cast<unsigned>(f.bytes) * f.parts;
}

__device__ __forceinline__ int64_t place_of(const agk_target &s, uint64_t index) {
  const bool in_order = s.how == AGK_IN_ORDER || (s.how == AGK_EDGES && s.ndim == 0);
  return in_order ? static_cast<int64_t>(index) : offset_of(s.sizes, s.strides, s.ndim, index);
}

// The logical index of element `at` in memory order. A dense tensor has no gap and no overlap, so
// each dimension's index follows from `at`.
struct index_in_memory {
  const agk_target &s;
  uint64_t at;
  __device__ __forceinline__ explicit operator uint64_t() const {
    uint64_t index = 0;
    if (s.how != AGK_DENSE) return at;
#pragma unroll 1
    for (int d = 0; d < s.ndim; d++) index = index * s.sizes[d] + at / s.strides[d] % s.sizes[d];
    return index;
  }
};

__device__ __forceinline__ bool lies_in_vectors(const agk_target &s) {
  return s.how != AGK_ANYHOW && !s.bytewise &&
         (reinterpret_cast<uintptr_t>(s.data) & (item_of(s.format) - 1)) == 0;
}

// The general way: any format, any strides.
__device__ __forceinline__ void scan_each(const agk_target &s, unsigned block, unsigned blocks,
                                          accumulator<uint64_t> &t, bool summary) {
  const uint64_t n = s.numel, step = static_cast<uint64_t>(blocks) * AGK_THREADS;
  for (uint64_t i = static_cast<uint64_t>(block) * AGK_THREADS + threadIdx.x; i < n; i += step)
    take_element(t, s.format,
                 static_cast<const char *>(s.data) + place_of(s, i) * item_of(s.format), i, summary,
                 s.bytewise);
}

// Only finds if anything is bad, which is rare. If so, the same block walks its elements again with
// batch_take.
struct batch_scan {
  static constexpr int unrolled = AGK_VECTORS;
  const agk_format &format;
  const agk_words words;
  uint32_t seen;

  __device__ __forceinline__ void element(const char *at, uint64_t) {
    for (unsigned p = 0; p < format.parts; p++)
      seen |= agk_classify(format, load_part(at + p * format.bytes, format.bytes, false)) !=
              AGK_IS_FINITE;
  }
  __device__ __forceinline__ bool vector(uint4 v) {
    seen |= any_bad(words, v);
    return false;
  }
  __device__ __forceinline__ unsigned tile(uint4 (&got)[AGK_VECTORS]) {
    return by_vector(*this, got, full);
  }
};

struct batch_take {
  static constexpr int unrolled = 1;
  const agk_target &s;
  accumulator<uint64_t> &t;

  __device__ __forceinline__ void element(const char *at, uint64_t index) {
    take_element(t, s.format, at, index_in_memory{s, index}, false, false);
  }
  __device__ __forceinline__ bool vector(uint4) { return true; }
  __device__ __forceinline__ unsigned tile(uint4 (&)[AGK_VECTORS]) {
    return (1u << AGK_VECTORS) - 1;
  }
};

__device__ __forceinline__ void fill_target(const agk_target &s, unsigned block, unsigned blocks) {
  uint32_t *to = static_cast<uint32_t *>(const_cast<void *>(s.data));
  const uint64_t n = s.numel, step = static_cast<uint64_t>(blocks) * AGK_THREADS;
  for (uint64_t i = static_cast<uint64_t>(block) * AGK_THREADS + threadIdx.x; i < n; i += step)
    to[i] = s.word;
}

// Each thread stores its counts in my_nonfinite(). Returns, to all threads, if the block may have
// found something bad.
__device__ __forceinline__ bool scan_target(const agk_target &s, unsigned block, unsigned blocks) {
  if (s.how == AGK_FILL) fill_target(s, block, blocks);
  if (s.how == AGK_EDGES || s.how == AGK_FILL) return false;
  if (lies_in_vectors(s)) {
    batch_scan op{s.format, agk_words_of(s.format), 0};
    walk(stretch(s.data, s.numel, shift_of(s.format), block, blocks), op);
    if (!__syncthreads_or(op.seen != 0)) return false;
  }
  accumulator<uint64_t> &t = my_accumulator();
  t = accumulator<uint64_t>();
  clear_nonfinite();
  if (lies_in_vectors(s)) {
    batch_take op{s, t};
    stretch of_block(s.data, s.numel, shift_of(s.format), block, blocks);
    single_ones(of_block, op);
    of_block.singles = 0; // saves a register in the loop
    walk(of_block, op);
    return true;
  }
  scan_each(s, block, blocks, t, false);
  return __syncthreads_or(my_nonfinite().bad != 0);
}

__device__ __forceinline__ void copy_edges(const agk_target &s) {
  const char *data = static_cast<const char *>(s.data);
  char *edges = static_cast<char *>(s.edges);
  const unsigned item = item_of(s.format);
  const bool bytewise =
      ((reinterpret_cast<uintptr_t>(data) | reinterpret_cast<uintptr_t>(edges)) & (item - 1)) != 0;
  for (int i = threadIdx.x; i < s.head + s.tail; i += AGK_THREADS) {
    const uint64_t index = i < s.head ? i : s.numel - s.tail + (i - s.head);
    copy_element(edges + static_cast<size_t>(i) * item, data + place_of(s, index) * item, item,
                 bytewise);
  }
}

// ---- the last block

struct last_block {
  agk_result merging[warps];
  agk_result results[AGK_TARGETS];
  int64_t sizes[AGK_MAX_DIMS], strides[AGK_MAX_DIMS];
  int ndim;
};

__device__ __forceinline__ uint64_t first_of(const agk_result &r, unsigned kind) {
  return kind == 0 ? r.first_nan : kind == 1 ? r.first_pos_inf : r.first_neg_inf;
}

// One warp or more; thread: the index among them. r: in shared memory.
__device__ __forceinline__ void write_result(agk_found *to, const agk_result &r, unsigned thread) {
  const uint64_t *from = reinterpret_cast<const uint64_t *>(&r);
  if (thread < sizeof r / 8) reinterpret_cast<uint64_t *>(&to->result)[thread] = from[thread];
}

__device__ __forceinline__ void write_target(const agk_target &s, const agk_result &r,
                                             unsigned thread) {
  const unsigned item = item_of(s.format);
  write_result(s.found, r, thread);
  if (thread < 3 && first_of(r, thread) != AGK_NONE)
    copy_element(reinterpret_cast<char *>(s.found->first[thread]),
                 static_cast<const char *>(s.data) + place_of(s, first_of(r, thread)) * item, item,
                 true);
  if (thread != 0) return;
  s.found->firsts = (r.first_nan != AGK_NONE) | (r.first_pos_inf != AGK_NONE) << 1 |
                    (r.first_neg_inf != AGK_NONE) << 2;
  s.found->has_summary = 0;
}

// The offset in the probe of the element that matches element `flat` of the target by broadcasting.
// False if there is none.
__device__ __forceinline__ bool find_match(const agk_target &s, uint64_t flat, const agk_probe &w,
                                           int64_t *offset) {
  *offset = 0;
  if (w.ndim > s.logical_ndim || w.numel <= 0) return false;
#pragma unroll 1
  for (int i = 0; i < w.ndim; i++) {
    const uint64_t size = s.logical_sizes[s.logical_ndim - 1 - i], mine = w.sizes[w.ndim - 1 - i];
    if (mine != size && mine != 1) return false;
    if (mine != 1) *offset += static_cast<int64_t>(flat % size) * w.strides[w.ndim - 1 - i];
    flat /= size;
  }
  return true;
}

// Collapses the probe's layout like ag_layout_collapse() (runtime/tensor/layout.c).
__device__ __forceinline__ void load_layout(const agk_probe &w, last_block &l) {
  __syncthreads();
  for (int d = threadIdx.x; d < w.ndim; d += AGK_THREADS) {
    l.sizes[d] = w.sizes[d];
    l.strides[d] = w.strides[d];
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    int n = 0;
#pragma unroll 1
    for (int d = 0; d < w.ndim; d++) {
      const int64_t size = l.sizes[d], stride = l.strides[d];
      if (size == 1) continue;
      if (n && l.strides[n - 1] == stride * size) {
        l.sizes[n - 1] *= size;
      } else {
        l.sizes[n++] = size;
      }
      l.strides[n - 1] = stride;
    }
    l.ndim = n;
  }
  __syncthreads();
}

__device__ __forceinline__ void sum_probe(const agk_probe &w, last_block &l,
                                          accumulator<uint64_t> &t) {
  const unsigned item = item_of(w.format);
  t = accumulator<uint64_t>();
  clear_nonfinite();
  load_layout(w, l);
  for (uint64_t i = threadIdx.x; i < static_cast<uint64_t>(w.numel); i += AGK_THREADS)
    take_element(t, w.format,
                 static_cast<const char *>(w.data) +
                     offset_of(l.sizes, l.strides, l.ndim, i) * item,
                 i, true, w.bytewise);
  merge_threads(result_of(t), l.merging);
  __syncthreads();
  write_result(w.found, l.merging[0], threadIdx.x);
  __syncthreads();
}

// True if target k has a bad value of this kind for which its probes are scanned.
template <class P>
__device__ __forceinline__ bool wants_probes(const P &p, const last_block &l, int k,
                                             unsigned kind) {
  return p.targets[k].probe_kinds >> kind & 1 && first_of(l.results[k], kind) != AGK_NONE;
}

template <class P>
__device__ __forceinline__ bool any_wants_probes(const P &p, const last_block &l) {
#pragma unroll 1
  for (int k = 0; k < p.head.count; k++)
    for (unsigned kind = 0; kind < 3; kind++)
      if (wants_probes(p, l, k, kind)) return true;
  return false;
}

template <class P>
__device__ __forceinline__ bool copy_match(const P &p, const agk_probe &w, unsigned kind,
                                           const last_block &l) {
  const unsigned item = item_of(w.format);
  int64_t offset;
  int k = 0;
  while (k < p.head.count && !wants_probes(p, l, k, kind)) k++;
  if (k == p.head.count || !find_match(p.targets[k], first_of(l.results[k], kind), w, &offset))
    return false;
  copy_element(reinterpret_cast<char *>(w.found->first[kind]),
               static_cast<const char *>(w.data) + offset * item, item, true);
  return true;
}

template <class P>
__device__ __forceinline__ void scan_probes(const P &p, last_block &l, accumulator<uint64_t> &t) {
  if (!any_wants_probes(p, l)) return;
#pragma unroll 1
  for (int i = 0; i < p.head.nprobes; i++) {
    const agk_probe &w = p.head.probes[i];
    const bool sums = w.numel > 0 && w.numel <= AGK_PROBE_MOST;
    const bool mine = threadIdx.x < 3 && copy_match(p, w, threadIdx.x, l);
    if (sums) sum_probe(w, l, t);
    const unsigned firsts = __ballot_sync(full, mine);
    if (threadIdx.x != 0) continue;
    w.found->firsts = firsts;
    w.found->has_summary = sums;
  }
}

// ---- the ends

__device__ __forceinline__ bool is_muted(const agk_batch_head &h) {
  return h.replay && __ldcg(&h.replay->muted);
}

template <class T> __device__ __forceinline__ void store(T *to, T value) {
  *static_cast<volatile T *>(to) = value;
}

// Lets the host read this replay's results. One thread.
__device__ __forceinline__ void hold_replay(agk_replayed *to, uint32_t epoch) {
  store(&to->reported, epoch);
  __threadfence_system();
  store(&to->held, 1u);
}

__device__ __forceinline__ uint32_t token_of(const agk_batch_head &h) {
  return h.replay ? __ldcg(&h.replay->epoch) : h.token;
}

// One thread, after everything for the host was written.
__device__ __forceinline__ void write_done(const agk_batch_head &h, uint32_t token, bool bad,
                                           bool muted, bool wrote) {
  agk_replayed *replayed = h.replayed;
  if (muted) {
    if (bad) store(&replayed->missed, *static_cast<volatile uint32_t *>(&replayed->missed) + 1);
    return;
  }
  if (wrote) __threadfence_system();
  if (h.replay && bad) {
    hold_replay(replayed, token);
    __threadfence_system();
  }
  if (h.done) store(h.done, token << 1 | (bad ? 1u : 0u));
}

// The last block. wrote: some block wrote to scratch or to the host.
template <class P>
__device__ __forceinline__ void finish_batch(const P &p, bool bad, bool wrote, bool muted) {
  __shared__ last_block l;
  batch_scratch *scratch = static_cast<batch_scratch *>(p.head.scratch);
  if (wrote) {
    __threadfence();
#pragma unroll 1
    for (int k = 0; k < p.head.count; k++) {
      const agk_target &s = p.targets[k];
      if (s.how == AGK_FILL || (!bad && !s.edges)) continue;
      if (threadIdx.x == 0) l.results[k] = take_target_partial(&scratch->targets[k]);
      __syncthreads();
      if (!muted) write_target(s, l.results[k], threadIdx.x);
    }
    if (bad && !muted) scan_probes(p, l, my_accumulator());
    __threadfence_system();
    __syncthreads();
  }
  if (threadIdx.x != 0) return;
  scratch->ticket = 0;
  write_done(p.head, token_of(p.head), bad, muted, wrote);
}

// Finds the target of this block by binary search: each target that is read may be a cache miss.
template <class P> __device__ __forceinline__ int target_of(const P &p) {
  int low = 0, high = p.head.count - 1;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (blockIdx.x < p.targets[middle].end_block)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

// P: agk_batch or agk_batch_few; no target wants a summary.
template <class P> __device__ __forceinline__ void scan_batch(const P &p) {
  __shared__ agk_result shared[warps];
  __shared__ uint32_t after;
  batch_scratch *scratch = static_cast<batch_scratch *>(p.head.scratch);
  const int k = target_of(p);
  const agk_target &s = p.targets[k];
  const unsigned first = k ? p.targets[k - 1].end_block : 0;
  const bool wrote = scan_target(s, blockIdx.x - first, s.end_block - first),
             edges = s.edges && blockIdx.x == s.end_block - 1;
  bool bad = false;
  if (wrote) {
    merge_threads(result_of(my_accumulator()), shared);
    if (threadIdx.x == 0) {
      add_target_partial(shared[0], &scratch->targets[k]);
      bad = shared[0].bad != 0;
    }
  }
  if (edges) {
    if (!is_muted(p.head)) copy_edges(s);
    __threadfence_system();
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    const uint32_t mine = BLOCK + (bad ? BAD : 0) + (wrote || edges ? WROTE : 0);
    if (wrote) __threadfence();
    after = atomicAdd(&scratch->ticket, mine) + mine;
  }
  __syncthreads();
  if (after % BAD != gridDim.x) return;
  finish_batch(p, after % WROTE >= BAD, after >= WROTE, is_muted(p.head));
}

} // namespace

#endif
