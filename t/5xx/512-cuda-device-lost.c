/* 512-cuda-device-lost.c - the CUDA backend on a GPU whose context a stray kernel has killed. The
 * process is lost to CUDA after this. */
#include <stdio.h>
#include <time.h>

#include "5xx/gpu.h"
#include "5xx/reference.h"
#include "tensor/backend.h"
#include "kernels.h"

/* The library's own; shim.c's stand-in where it was built without nvcc, and then this test is not
 * run. */
extern const unsigned char aotigen_stats_fatbin[];

static const ag_backend *cuda;
static uint64_t memory;
static void *stream;
static char first[512];

BEFORE_ALL {
  assert_int_equal(gpu_open(), 0);
  cuda = ag_backend_cuda();
  assert_non_null(cuda);
  gpu_ok(gpu.cuMemAlloc(&memory, 4096));
  gpu_ok(gpu.cuStreamCreate(&stream, 1));
}

static ag_tensor a_tensor(void) {
  ag_tensor t = contiguous(dtype_named("float32"), 1000);
  t.data = (const void *)(uintptr_t)memory;
  return t;
}

/* Our own gather, sent to an address where nothing is: as good a stray kernel as any. */
static void stray(void) {
  static agk_gather g = {.first = 0, .count = 1, .item_size = 4};
  void *module = NULL, *function = NULL, *arguments[] = {&g};
  g.data = (const void *)(uintptr_t)0x100;
  g.to = (void *)(uintptr_t)memory;
  gpu_ok(gpu.cuModuleLoadData(&module, aotigen_stats_fatbin));
  gpu_ok(gpu.cuModuleGetFunction(&function, module, AGK_GATHER));
  gpu_ok(gpu.cuLaunchKernel(function, 1, 1, 1, AGK_THREADS, 1, 1, 0, stream, arguments, NULL));
}

TEST(test_alive) {
  ag_tensor t = a_tensor();
  ag_stats h;
  assert_null(cuda->stats(&t, AG_WANT_SUMMARY, stream, &h));
  assert_null(cuda->sync(0, stream));
}

TEST(test_death_is_told) {
  const char *why;
  stray();
  why = cuda->sync(0, stream);
  assert_non_null(why);
  print_message("# %s\n", why);
  assert_non_null(
      strstr(why, "an illegal memory access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS, 700)"));
  snprintf(first, sizeof first, "%s", why);
}

TEST(test_all_say_the_same_at_once) {
  ag_tensor t = a_tensor();
  struct timespec begun, ended;
  int64_t limits[3];
  ag_stats h;
  float to[4];
  clock_gettime(CLOCK_MONOTONIC, &begun);
  for (int i = 0; i < 1000; i++) {
    assert_string_equal(cuda->stats(&t, AG_WANT_BAD, stream, &h), first);
    assert_string_equal(cuda->stats(&t, AG_WANT_SUMMARY, NULL, &h), first);
    assert_string_equal(cuda->read(&t, 0, 4, stream, to), first);
    assert_string_equal(cuda->sync(0, stream), first);
    cuda->capturing(stream);
    cuda->grid_limits(0, limits);
  }
  clock_gettime(CLOCK_MONOTONIC, &ended);
  assert_true(ended.tv_sec - begun.tv_sec < 5);
}

/* Torch later sees the same error as it would without us. */
TEST(test_the_error_is_still_there) {
  void *current = NULL;
  assert_int_equal(gpu.cuStreamSynchronize(stream), 700);
  gpu.cuCtxGetCurrent(&current);
  assert_ptr_equal(current, gpu.context);
}
