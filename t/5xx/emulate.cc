/* emulate.cc - kernels/stats.cu on the CPU: each block is 256 fibers, run one after the other
 * between barriers.
 *
 * Linked into the fake libcuda (fake_cuda.c, -DEMULATE), it runs the kernels' own source, so that
 * all but the hardware is tested where no GPU is: which thread reads what, how a block and a grid
 * add up, alignment, heads and tails. What a warp does together (votes, shuffles, products of
 * matrices) waits for its 32 threads, a barrier for all. A thread that misses either is a fault.
 * Blocks run from the last to the first.
 */
#include <algorithm>
#include <csetjmp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <ucontext.h>

struct uint4 {
  uint32_t x, y, z, w;
};
struct emulated_index {
  unsigned x, y = 1;
};

#define __device__
#define __global__
#define __forceinline__ inline
#define __shared__ static
#define __grid_constant__
#define __launch_bounds__(...)

#include "kernels.h"

namespace {

constexpr unsigned THREADS = AGK_THREADS, STACK = 256 << 10;
enum waiting { FOR_WARP, FOR_BLOCK, FOR_NOTHING };
struct fiber {
  ucontext_t context;
  jmp_buf at;
  bool begun;
  waiting what;
};
fiber fibers[THREADS];
jmp_buf scheduler;
char *stacks;
unsigned current, grid;
uint64_t exchanged[2][THREADS];
unsigned exchanges[THREADS];
int votes;
void (*body)();
std::mutex one_at_a_time;

emulated_index threadIdx, blockIdx, gridDim;

[[noreturn]] void fail(const char *what) {
  std::fprintf(stderr, "emulate: %s, block %u, thread %u\n", what, blockIdx.x, current);
  std::abort();
}

/* setcontext() only begins a fiber: it asks the kernel for signal masks, a hundred times the price
 * of a jump. */
void wait_for(waiting what) {
  fibers[current].what = what;
  if (!_setjmp(fibers[current].at)) _longjmp(scheduler, 1);
}

void resume(unsigned i) {
  current = threadIdx.x = i;
  if (_setjmp(scheduler)) return;
  if (fibers[i].begun) _longjmp(fibers[i].at, 1);
  fibers[i].begun = true;
  setcontext(&fibers[i].context);
}

void __syncthreads() { wait_for(FOR_BLOCK); }

int __syncthreads_or(int vote) {
  if (vote) votes = 1;
  wait_for(FOR_BLOCK);
  int any = votes;
  wait_for(FOR_BLOCK);
  votes = 0;
  wait_for(FOR_BLOCK);
  return any;
}

/* Shows the warp a value of each of its threads. No thread is ever two exchanges ahead: two buffers
 * do. */
const uint64_t *exchange(unsigned mask, uint64_t bits) {
  if (mask != 0xffffffffu) fail("a part of a warp alone");
  uint64_t *slots = exchanged[exchanges[current]++ % 2];
  slots[current] = bits;
  wait_for(FOR_WARP);
  return slots + current / 32 * 32;
}

template <class T> T __shfl_down_sync(unsigned mask, T value, unsigned by) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  const uint64_t *warp = exchange(mask, bits);
  std::memcpy(&value, &warp[current % 32 + by < 32 ? current % 32 + by : current % 32],
              sizeof value);
  return value;
}

unsigned __ballot_sync(unsigned mask, bool mine) {
  const uint64_t *warp = exchange(mask, mine);
  unsigned all = 0;
  for (unsigned i = 0; i < 32; i++) all |= static_cast<unsigned>(warp[i]) << i;
  return all;
}

int __any_sync(unsigned mask, bool mine) { return __ballot_sync(mask, mine) != 0; }

void __syncwarp() { exchange(0xffffffffu, 0); }

unsigned __reduce_add_sync(unsigned mask, unsigned value) {
  const uint64_t *warp = exchange(mask, value);
  unsigned sum = 0;
  for (unsigned i = 0; i < 32; i++) sum += static_cast<unsigned>(warp[i]);
  return sum;
}

unsigned __reduce_min_sync(unsigned mask, unsigned value) {
  const uint64_t *warp = exchange(mask, value);
  return static_cast<unsigned>(*std::min_element(warp, warp + 32));
}

unsigned __reduce_max_sync(unsigned mask, unsigned value) {
  const uint64_t *warp = exchange(mask, value);
  return static_cast<unsigned>(*std::max_element(warp, warp + 32));
}

/* ---- what the hardware has instructions for ------------------------------------------------- */

unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  for (int i = 0; i < 32; i += 8) c += (a >> i & 255) * (b >> i & 255);
  return c;
}

template <class Lane, class Choose>
uint32_t by_lanes(uint32_t a, uint32_t b, uint32_t c, Choose choose) {
  uint32_t result = 0;
  for (unsigned i = 0; i < 4; i += sizeof(Lane)) {
    const Lane slot = choose(choose(static_cast<Lane>(a >> 8 * i), static_cast<Lane>(b >> 8 * i)),
                             static_cast<Lane>(c >> 8 * i));
    result |= (static_cast<uint32_t>(slot) & (sizeof(Lane) == 2 ? 0xffffu : 0xffffffffu)) << 8 * i;
  }
  return result;
}

template <class T> T larger(T a, T b) { return std::max(a, b); }
template <class T> T smaller(T a, T b) { return std::min(a, b); }
uint32_t __vimax3_s16x2(uint32_t a, uint32_t b, uint32_t c) {
  return by_lanes<int16_t>(a, b, c, larger<int16_t>);
}
uint32_t __vimax3_u16x2(uint32_t a, uint32_t b, uint32_t c) {
  return by_lanes<uint16_t>(a, b, c, larger<uint16_t>);
}
uint32_t __vimin3_u16x2(uint32_t a, uint32_t b, uint32_t c) {
  return by_lanes<uint16_t>(a, b, c, smaller<uint16_t>);
}
uint32_t __vimax3_s32(uint32_t a, uint32_t b, uint32_t c) {
  return by_lanes<int32_t>(a, b, c, larger<int32_t>);
}
uint32_t __vimax3_u32(uint32_t a, uint32_t b, uint32_t c) {
  return by_lanes<uint32_t>(a, b, c, larger<uint32_t>);
}
uint32_t __vimin3_u32(uint32_t a, uint32_t b, uint32_t c) {
  return by_lanes<uint32_t>(a, b, c, smaller<uint32_t>);
}

float __uint_as_float(uint32_t bits) {
  float x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

/* Finite float16 alone: a multiplication puts the exponent right. */
float half_of(uint32_t word, unsigned upper) {
  const uint32_t bits = word >> 16 * upper & 0xffff;
  if ((bits & 0x7c00) == 0x7c00) fail("no finite float16 reaches the tensor cores");
  return __uint_as_float((bits & 0x8000) << 16 | (bits & 0x7fff) << 13) * 0x1p112f;
}

/* c += A * B as mma.m16n8k8 lays them out: thread 4 g + i holds rows g (and g + 8) of A and column
 * g of B at 2 i and 2 i + 1. */
void products(float (&c)[4], uint32_t d) {
  const uint64_t *warp = exchange(0xffffffffu, d);
  const unsigned row = current % 32 / 4, column = current % 4 * 2;
  for (unsigned n = 0; n < 2; n++)
    for (unsigned k = 0; k < 8; k++) {
      const float a = half_of(static_cast<uint32_t>(warp[row * 4 + k / 2]), k % 2),
                  b = half_of(static_cast<uint32_t>(warp[(column + n) * 4 + k / 2]), k % 2);
      c[n] += a * b;
      c[2 + n] += b;
    }
}

void __threadfence_system() {}
void __threadfence() {}
int __ffs(unsigned x) { return __builtin_ffs(static_cast<int>(x)); }

template <class T> T __ldcg(const T *p) { return *p; }

template <class T> T __ldg(const T *p) {
  if (reinterpret_cast<uintptr_t>(p) % sizeof(T)) fail("a misaligned load");
  return *p;
}

template <class T> T atomicAdd(T *at, T n) {
  const T before = *at;
  *at += n;
  return before;
}

template <class T> T atomicMax(T *at, T n) {
  const T before = *at;
  *at = std::max(before, n);
  return before;
}

uint32_t count_in(uint32_t *at, uint32_t n) { return atomicAdd(at, n); }

template <class T> const T *opaque(const T *p) { return p; }

void fetch(uint4 *to, const uint4 *from) { *to = __ldg(from); }
void end_of_fetch() {}
void wait_for_fetch() {}

unsigned atomicInc(uint32_t *at, unsigned most) {
  unsigned before = *at;
  *at = before >= most ? 0 : before + 1;
  return before;
}

/* A fiber lives on from block to block. */
void run_fiber() {
  for (;;) {
    body();
    wait_for(FOR_NOTHING);
  }
}

void make_fibers() {
  stacks = static_cast<char *>(std::malloc(static_cast<size_t>(THREADS) * STACK));
  for (unsigned i = 0; i < THREADS; i++) {
    getcontext(&fibers[i].context);
    fibers[i].context.uc_stack.ss_sp = stacks + static_cast<size_t>(i) * STACK;
    fibers[i].context.uc_stack.ss_size = STACK;
    fibers[i].context.uc_link = nullptr;
    makecontext(&fibers[i].context, run_fiber, 0);
  }
}

/* One warp up to a barrier of the block. */
waiting run_warp(unsigned first) {
  for (;;) {
    for (unsigned i = first; i < first + 32; i++) resume(i);
    for (unsigned i = first; i < first + 32; i++)
      if (fibers[i].what != fibers[first].what) fail("a warp's threads part ways");
    if (fibers[first].what != FOR_WARP) return fibers[first].what;
  }
}

/* All warps up to their next barrier, over and over; those of a block end after the same number of
 * them. */
void run_block(unsigned index) {
  waiting what;
  blockIdx.x = index;
  gridDim.x = grid;
  votes = 0;
  do {
    what = run_warp(0);
    for (unsigned first = 32; first < THREADS; first += 32)
      if (run_warp(first) != what) fail("some threads left before a barrier");
  } while (what != FOR_NOTHING);
}

} // namespace

#include "stats.cu"

template <class T> T argument_of;

template <class T> void bring(void (*run)(), const void *argument) {
  body = run;
  std::memcpy(&argument_of<T>, argument, sizeof(T));
}

/* 0, or -1 where no kernel has that name. */
extern "C" int emulate(const char *name, unsigned blocks, const void *argument) {
  std::lock_guard<std::mutex> lock(one_at_a_time);
  body = nullptr;
#define KERNEL(called, type, run)                                                                  \
  if (!std::strcmp(name, called)) bring<type>([] { run(argument_of<type>); }, argument);
#define SUMMARY(format, ...) KERNEL(AGK_SUMMARY_PREFIX #format, agk_dense, aotigen_summary_##format)
  KERNEL(AGK_STRIDED, agk_strided, aotigen_stats_strided)
  KERNEL(AGK_GATHER, agk_gather, aotigen_gather)
  KERNEL(AGK_BAD_DENSE, agk_dense, aotigen_bad_dense)
  KERNEL(AGK_BATCH, agk_batch, aotigen_scan_batch)
  KERNEL(AGK_BATCH_FEW, agk_batch_few, aotigen_scan_batch_few)
  KERNEL(AGK_BATCH_SUM, agk_batch, aotigen_scan_batch_sum)
  KERNEL(AGK_BATCH_SUM_FEW, agk_batch_few, aotigen_scan_batch_sum_few)
  KERNEL(AGK_REPLAY_BEGIN, agk_replay_mark, aotigen_replay_begin)
  KERNEL(AGK_REPLAY_END, agk_replay_mark, aotigen_replay_end)
  KERNEL(AGK_HOLD, agk_hold, aotigen_hold)
  AGK_SUMMARY_FORMATS(SUMMARY)
  if (!body) return -1;
  if (!stacks) make_fibers();
  grid = blocks;
  for (unsigned i = 0; i < blocks; i++) run_block(blocks - 1 - i);
  return 0;
}
