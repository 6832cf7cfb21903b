/* emulate.cc - kernels/health.cu on the CPU: each block is 256 fibers, run one after the other between barriers.
 *
 * Linked into the fake libcuda (fake_cuda.c, -DEMULATE), it runs the kernels' own source, so that all but the hardware is
 * tested where no GPU is: which thread reads what, how a block and a grid add up, alignment, heads and tails. A thread
 * that misses a barrier is a fault. Blocks run from the last to the first.
 */
#include <csetjmp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <ucontext.h>

struct uint4 { uint32_t x, y, z, w; };
struct emulated_index { unsigned x; };

#define __device__
#define __global__
#define __forceinline__ inline
#define __shared__ static
#define __grid_constant__
#define __launch_bounds__(...)

#include "kernels.h"

namespace {

constexpr unsigned THREADS = AGK_THREADS, STACK = 256 << 10;
struct fiber { ucontext_t context; jmp_buf at; bool begun, done; };
fiber fibers[THREADS];
jmp_buf scheduler;
char *stacks;
unsigned current, grid;
uint64_t exchanged[2][THREADS];
unsigned shuffles[THREADS];
int votes;
void (*body)();
std::mutex one_at_a_time;

emulated_index threadIdx, blockIdx, gridDim;

[[noreturn]] void fail(const char *what) {
  std::fprintf(stderr, "emulate: %s, block %u, thread %u\n", what, blockIdx.x, current);
  std::abort();
}

/* setcontext() only begins a fiber: it asks the kernel for signal masks, a hundred times the price of a jump. */
void barrier() {
  if (!_setjmp(fibers[current].at)) _longjmp(scheduler, 1);
}

void resume(unsigned i) {
  current = threadIdx.x = i;
  if (_setjmp(scheduler)) return;
  if (fibers[i].begun) _longjmp(fibers[i].at, 1);
  fibers[i].begun = true;
  setcontext(&fibers[i].context);
}

void __syncthreads() { barrier(); }

int __syncthreads_or(int vote) {
  if (vote) votes = 1;
  barrier();
  int any = votes;
  barrier();
  votes = 0;
  barrier();
  return any;
}

/* Every thread of the block takes part in each of ours. No thread is ever two shuffles ahead: two buffers do. */
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned by) {
  uint64_t bits = 0;
  if (mask != 0xffffffffu) fail("a shuffle of half a warp");
  std::memcpy(&bits, &value, sizeof value);
  uint64_t *slots = exchanged[shuffles[current]++ % 2];
  slots[current] = bits;
  barrier();
  bits = slots[current % 32 + by < 32 ? current + by : current];
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

void __threadfence() {}
int __ffs(unsigned x) { return __builtin_ffs(static_cast<int>(x)); }

template <class T>
T __ldcg(const T *p) { return *p; }

template <class T>
T __ldg(const T *p) {
  if (reinterpret_cast<uintptr_t>(p) % sizeof(T)) fail("a misaligned load");
  return *p;
}

unsigned atomicInc(uint32_t *at, unsigned most) {
  unsigned before = *at;
  *at = before >= most ? 0 : before + 1;
  return before;
}

/* A fiber lives on from block to block. */
void run_fiber() {
  for (;;) {
    body();
    fibers[current].done = true;
    barrier();
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

/* All fibers up to their next barrier, over and over; those of a block end after the same number of them. */
void run_block(unsigned index) {
  volatile unsigned done = 0;
  blockIdx.x = index;
  gridDim.x = grid;
  votes = 0;
  for (unsigned i = 0; i < THREADS; i++) fibers[i].done = false;
  while (done < THREADS) {
    for (unsigned i = 0; i < THREADS; i++) {
      if (fibers[i].done) continue;
      resume(i);
      done = done + fibers[i].done;
    }
    if (done && done < THREADS) fail("some threads left before a barrier");
  }
}

}  // namespace

#include "health.cu"

static agk_dense dense;
static agk_strided strided;
static agk_gather gathered;

/* 0, or -1 where no kernel has that name. */
extern "C" int emulate(const char *name, unsigned blocks, const void *argument) {
  std::lock_guard<std::mutex> lock(one_at_a_time);
  body = nullptr;
  if (!std::strcmp(name, AGK_STRIDED)) body = [] { aotigen_health_strided(strided); };
  if (!std::strcmp(name, AGK_GATHER)) body = [] { aotigen_gather(gathered); };
  if (!std::strcmp(name, AGK_BAD_DENSE)) body = [] { aotigen_bad_dense(dense); };
#define SUMMARY(format, ...) \
  if (!std::strcmp(name, AGK_SUMMARY_PREFIX #format)) body = [] { aotigen_summary_##format(dense); };
  AGK_SUMMARY_FORMATS(SUMMARY)
  if (!body) return -1;
  if (!std::strcmp(name, AGK_STRIDED)) std::memcpy(&strided, argument, sizeof strided);
  else if (!std::strcmp(name, AGK_GATHER)) std::memcpy(&gathered, argument, sizeof gathered);
  else std::memcpy(&dense, argument, sizeof dense);
  if (!stacks) make_fibers();
  grid = blocks;
  for (unsigned i = 0; i < blocks; i++) run_block(blocks - 1 - i);
  return 0;
}
