/* 511-cuda-process.c - the CUDA backend on a GPU: a guest that leaves no trace. Prints, without
 * eval_lock, how fast it looks. */
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "5xx/gpu.h"
#include "5xx/reference.h"
#include "tensor/backend.h"

static const ag_backend *cuda;

BEFORE_ALL {
  assert_int_equal(gpu_open(), 0);
  cuda = ag_backend_cuda();
  print_message("# %s\n", gpu.device_name);
  assert_non_null(cuda);
}

static ag_tensor at(const char *dtype, int64_t numel, uint64_t address) {
  ag_tensor t = contiguous(dtype_named(dtype), numel);
  t.data = (const void *)(uintptr_t)address;
  return t;
}

static void assert_no(const char *why) {
  if (why) print_message("# %s\n", why);
  assert_null(why);
}

static void assert_context(void *expected) {
  void *current = &current;
  gpu_ok(gpu.cuCtxGetCurrent(&current));
  assert_ptr_equal(current, expected);
}

/* The very first look: kernels are loaded and memory is had while this thread captures another
 * stream in global mode, which forbids both to a thread that has not relaxed its capture mode. */
TEST(test_first_look_beside_a_capture) {
  uint64_t memory = gpu_alloc(4096);
  void *captured = gpu_stream(), *stream = gpu_stream(), *graph = NULL;
  ag_tensor t = at("float32", 1000, memory);
  ag_stats h;
  gpu_ok(gpu.cuMemsetD8Async(memory, 0, 4096, stream));
  gpu_ok(gpu.cuStreamSynchronize(stream));
  assert_false(cuda->capturing(captured));
  gpu_ok(gpu.cuStreamBeginCapture(captured, 0));
  assert_true(cuda->capturing(captured));
  assert_false(cuda->capturing(stream));
  gpu_ok(gpu.cuMemsetD8Async(memory, 1, 4096, captured));
  assert_no(cuda->stats(&t, AG_WANT_SUMMARY, stream, &h));
  assert_int_equal(h.zero, 1000);
  assert_non_null(strstr(cuda->stats(&t, AG_WANT_SUMMARY, captured, &h), "captured"));
  assert_non_null(cuda->read(&t, 0, 1, captured, &h));
  assert_non_null(cuda->sync(0, captured));
  gpu_ok(gpu.cuStreamEndCapture(captured, &graph));
  assert_non_null(graph);
  assert_false(cuda->capturing(captured));
  assert_no(cuda->stats(&t, AG_WANT_SUMMARY, captured, &h));
  assert_int_equal(h.zero, 1000);
}

TEST(test_context) {
  uint64_t memory = gpu_alloc(4096);
  ag_tensor t = at("float32", 100, memory);
  ag_stats h;
  float to[4];
  for (int i = 0; i < 2; i++) {
    gpu_ok(gpu.cuCtxSetCurrent(i ? NULL : gpu.context));
    assert_no(cuda->stats(&t, AG_WANT_BAD, NULL, &h));
    assert_no(cuda->read(&t, 0, 4, NULL, to));
    assert_no(cuda->sync(0, NULL));
    cuda->capturing(NULL);
    assert_context(i ? NULL : gpu.context);
    t.data = (const void *)8;
    assert_non_null(cuda->stats(&t, AG_WANT_BAD, NULL, &h));
    t.data = (const void *)(uintptr_t)memory;
    assert_context(i ? NULL : gpu.context);
  }
  gpu_ok(gpu.cuCtxSetCurrent(gpu.context));
}

/* Statistics comes after what its stream was given before, and does not wait for another stream. */
TEST(test_order) {
  enum { BYTES = 256 << 20, COPIES = 200 };
  uint64_t a = gpu_alloc(BYTES), b = gpu_alloc(BYTES), small = gpu_alloc(4096);
  void *busy = gpu_stream(), *other = gpu_stream();
  ag_tensor t = at("float32", BYTES / 4, a), s = at("float32", 100, small);
  ag_stats h;
  gpu_ok(gpu.cuMemsetD8Async(small, 0, 4096, other));
  gpu_ok(gpu.cuMemsetD8Async(a, 0, BYTES, busy));
  gpu_ok(gpu.cuMemsetD32Async(b, 0x7fc00000, BYTES / 4, busy));
  assert_no(cuda->stats(&s, AG_WANT_BAD, other, &h));
  for (int i = 0; i < COPIES; i++) gpu_ok(gpu.cuMemcpyDtoDAsync(a, b, BYTES, busy));
  assert_no(cuda->stats(&s, AG_WANT_SUMMARY, other, &h));
  assert_int_equal(h.zero, 100);
  /* 200 copies of 256 MiB take tens of milliseconds, the small look takes microseconds: it came
   * back in the midst of them. */
  assert_int_equal(gpu.cuStreamQuery(busy), 600);
  assert_no(cuda->stats(&t, AG_WANT_BAD, busy, &h));
  assert_int_equal(h.nan, BYTES / 4);
  assert_int_equal(h.first_nan, 0);
  assert_int_equal(gpu.cuStreamQuery(busy), 0);
  gpu_ok(gpu.cuMemFree(a));
  gpu_ok(gpu.cuMemFree(b));
}

/* Addresses that no memory stands behind are refused, and the context lives. */
TEST(test_wild_memory) {
  static float on_the_host[100];
  uint64_t memory = gpu_alloc(2 << 20);
  ag_tensor t = at("float32", 100, 16);
  ag_stats h;
  assert_non_null(cuda->stats(&t, AG_WANT_BAD, NULL, &h));
  assert_non_null(cuda->read(&t, 0, 1, NULL, on_the_host));
  t.data = on_the_host;
  if (!cuda->stats(&t, AG_WANT_BAD, NULL, &h))
    print_message("# this device reads the host's memory\n");
  t = at("float32", (int64_t)1 << 40, memory);
  assert_non_null(cuda->stats(&t, AG_WANT_BAD, NULL, &h));
  t = at("float32", 2 << 18, memory);
  gpu_ok(gpu.cuMemsetD8Async(memory, 0, 2 << 20, NULL));
  assert_no(cuda->stats(&t, AG_WANT_SUMMARY, NULL, &h));
  assert_int_equal(h.zero, 2 << 18);
  gpu_ok(gpu.cuCtxSynchronize());
  gpu_ok(gpu.cuMemFree(memory));
}

/* Pinned host memory is memory that the device can read. */
TEST(test_pinned_memory) {
  void *pinned = NULL;
  float nan_value = NAN;
  ag_tensor t;
  ag_stats h;
  gpu_ok(gpu.cuMemHostAlloc(&pinned, 4096, 3));
  memset(pinned, 0, 4096);
  memcpy((char *)pinned + 400, &nan_value, 4);
  t = at("float32", 1024, (uintptr_t)pinned);
  assert_no(cuda->stats(&t, AG_WANT_BAD, NULL, &h));
  assert_int_equal(h.first_nan, 100);
}

/* Memory of two mappings side by side, as torch's expandable segments are, and the hole behind
 * them. */
TEST(test_mapped_memory) {
  enum { GRANULE = 2 << 20 };
  const struct {
    int type, handles, location, id;
    void *meta;
    unsigned char flags[8];
  } property = {1, 0, 1, 0, NULL, {0}};
  const struct { int location, id, access; } access = {1, 0, 3};
  uint64_t base = 0;
  ag_tensor t;
  ag_stats h;
  gpu_ok(gpu.cuMemAddressReserve(&base, 3 * GRANULE, 0, 0, 0));
  for (int i = 0; i < 2; i++) {
    unsigned long long handle = 0;
    gpu_ok(gpu.cuMemCreate(&handle, GRANULE, &property, 0));
    gpu_ok(gpu.cuMemMap(base + (uint64_t)i * GRANULE, GRANULE, 0, handle, 0));
  }
  gpu_ok(gpu.cuMemSetAccess(base, 2 * GRANULE, &access, 1));
  gpu_ok(gpu.cuMemsetD8Async(base, 0, 2 * GRANULE, NULL));
  t = at("float32", 2 * GRANULE / 4, base);
  assert_no(cuda->stats(&t, AG_WANT_SUMMARY, NULL, &h));
  assert_int_equal(h.zero, 2 * GRANULE / 4);
  t.numel = t.sizes[0] = t.numel + 1;
  assert_non_null(cuda->stats(&t, AG_WANT_SUMMARY, NULL, &h));
  gpu_ok(gpu.cuCtxSynchronize());
}

TEST(test_limits) {
  int64_t limits[3] = {0, 0, 0};
  assert_no(cuda->grid_limits(0, limits));
  assert_int_equal(limits[0], 2147483647);
  assert_int_equal(limits[1], 65535);
  assert_int_equal(limits[2], 65535);
  assert_non_null(cuda->grid_limits(63, limits));
}

/* ---- huge ----------------------------------------------------------------------------------- */

static bool room_for(size_t bytes) {
  size_t free_bytes = 0, total = 0;
  gpu_ok(gpu.cuMemGetInfo(&free_bytes, &total));
  if (free_bytes < bytes + ((size_t)1 << 30))
    print_message("# skipped: %zu MiB of device memory are free, %zu are needed\n",
                  free_bytes >> 20, bytes >> 20);
  return free_bytes >= bytes + ((size_t)1 << 30);
}

/* 2^33 elements and some, one bad one behind the first 2^32, one at the end; whole, and every
 * second one. */
TEST(test_huge) {
  const int64_t n = ((int64_t)1 << 33) + 7, bad = ((int64_t)1 << 32) + 12346, half = (n + 1) / 2,
                two = 2;
  ag_tensor t, s;
  ag_stats h;
  uint64_t memory;
  unsigned char got[2];
  if (!room_for((size_t)n)) skip();
  memory = gpu_alloc((size_t)n);
  gpu_ok(gpu.cuMemsetD8Async(memory, 0x38, (size_t)n, NULL));
  gpu_ok(gpu.cuMemsetD8Async(memory + (uint64_t)bad, 0x7f, 1, NULL));
  gpu_ok(gpu.cuMemsetD8Async(memory + (uint64_t)n - 1, 0xff, 1, NULL));
  t = at("float8_e4m3fn", n, memory);
  for (unsigned want = 1; want <= 2; want++) {
    assert_no(cuda->stats(&t, want, NULL, &h));
    assert_int_equal(h.nan, 2);
    assert_int_equal(h.first_nan, bad);
  }
  assert_int_equal(h.finite, n - 2);
  assert_true(h.min == 1 && h.max == 1 && h.sum == (double)(n - 2));
  s = tensor_of(t.dtype, 1, &half, &two);
  s.data = t.data;
  assert_no(cuda->stats(&s, AG_WANT_SUMMARY, NULL, &h));
  assert_int_equal(h.nan, 2);
  assert_int_equal(h.first_nan, bad / 2);
  assert_true(h.sum == (double)(half - 2));
  assert_no(cuda->read(&t, bad - 1, 2, NULL, got));
  assert_int_equal(got[0], 0x38);
  assert_int_equal(got[1], 0x7f);
  assert_no(cuda->read(&s, bad / 2 - 1, 2, NULL, got));
  assert_int_equal(got[1], 0x7f);
  gpu_ok(gpu.cuMemFree(memory));
}

/* ---- speed ---------------------------------------------------------------------------------- */

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int compare(const void *a, const void *b) {
  return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static double median_seconds(const ag_tensor *t, unsigned want) {
  double times[21];
  ag_stats h;
  for (int i = 0; i < 21; i++) {
    double begun = now();
    assert_no(cuda->stats(t, want, NULL, &h));
    times[i] = now() - begun;
  }
  qsort(times, 21, sizeof *times, compare);
  return times[10];
}

/* Blocking calls, launch and wait included. Told, not evaluated: that is the benchmark's. */
TEST(test_speed_is_told) {
  static const char *const names[] = {"float32", "bfloat16",  "float16", "float8_e4m3fn",
                                      "float64", "complex64", "int32",   "int8"};
  const size_t bytes = (size_t)1 << 30;
  uint64_t memory;
  if (!room_for(bytes)) skip();
  memory = gpu_alloc(bytes);
  gpu_ok(gpu.cuMemsetD8Async(memory, 0x31, bytes, NULL));
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    ag_tensor t = at(names[i], (int64_t)bytes / dtype_named(names[i])->item_size, memory),
              small = at(names[i], 393216 / dtype_named(names[i])->item_size, memory);
    print_message(
        "# %-14s bad %6.0f GB/s, summary %6.0f GB/s; of 384 KiB: bad %5.1f us, summary %5.1f us\n",
        names[i], (double)bytes / median_seconds(&t, AG_WANT_BAD) * 1e-9,
        (double)bytes / median_seconds(&t, AG_WANT_SUMMARY) * 1e-9,
        median_seconds(&small, AG_WANT_BAD) * 1e6, median_seconds(&small, AG_WANT_SUMMARY) * 1e6);
  }
  gpu_ok(gpu.cuMemFree(memory));
}
