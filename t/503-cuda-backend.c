/* 503-cuda-backend.c - the CUDA backend on a fake libcuda (5xx/fake_cuda.c): what it asks of the
 * driver, and what it does when the driver says no. FAKE_CUDA names the library. The kernels' own
 * arithmetic is 500's and, on a GPU, 510's.
 *
 * Each test has devices of its own, since what happened to a device stays with the process.
 */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "5xx/fake_driver.h"
#include "5xx/reference.h"
#include "tensor/backend.h"
#include "cuda/driver.h"
#include "kernels.h"

static const ag_backend *cuda;

BEFORE_ALL { assert_non_null(getenv("FAKE_CUDA")); } /* prove t/503-cuda-backend.c sets it */

TEST(test_no_driver) {
  assert_null(ag_backend_cuda());
  assert_null(ag_backend_cuda());
}

TEST(test_driver_comes) {
  assert_int_equal(fake_open(), 0);
  cuda = ag_backend_cuda();
  assert_non_null(cuda);
  assert_int_equal(cuda->device_type, 1);
  assert_ptr_equal(cuda, ag_backend_cuda());
  assert_int_equal(fake_count("cuInit"), 0);
}

/* ---- tensors in the fake's memory ----------------------------------------------------------- */

static char pool[1 << 20] __attribute__((aligned(64)));

/* Random bits, one part in four something special. */
static void fill(const ag_dtype *d, uint64_t seed, size_t bytes) {
  size_t size = d->cls == AG_COMPLEX ? d->item_size / 2u : d->item_size;
  for (size_t i = 0; i + size <= bytes; i += size) {
    uint64_t bits = next_random(&seed), kind = next_random(&seed) % 24;
    uint64_t ones = d->exponent ? ((uint64_t)1 << d->exponent) - 1 : 0;
    if (kind < 3 && d->mantissa)
      bits = (bits & (uint64_t)1 << (8 * size - 1)) | ones << d->mantissa | (kind == 2);
    if (kind == 3) bits = 0;
    if (kind == 4) bits = (uint64_t)1 << (8 * size - 1);
    if (kind == 5) bits = ~(uint64_t)0;
    memcpy(pool + i, &bits, size);
  }
}

static ag_tensor of_layout(const ag_dtype *d, const test_layout *l, size_t skip_bytes) {
  ag_tensor t = tensor_of(d, l->ndim, l->sizes, l->strides);
  t.data = pool + skip_bytes;
  return t;
}

static void check_stats(const ag_tensor *t, unsigned want, void *stream, const char *what) {
  ag_stats got, expected;
  double magnitude;
  char of[200];
  const char *why = cuda->stats(t, want, stream, &got);
  snprintf(of, sizeof of, "%s, %s, want %u", t->dtype->name, what, want);
  if (why) print_message("# %s: %s\n", of, why);
  assert_null(why);
  reference_stats(t, &expected, &magnitude);
  if (!(want & AG_WANT_SUMMARY) && !t->dtype->exponent) return;
  assert_true(reference_agrees(t->dtype, &got, &expected, magnitude, want & AG_WANT_SUMMARY, of));
}

TEST(test_everything) {
  fake_memory(pool, sizeof pool);
  for (int d = 0; d < REFERENCE_DTYPES; d++)
    for (int l = 0; l < TEST_LAYOUTS; l++)
      for (unsigned want = 1; want <= 3; want++)
        for (size_t skip_bytes = 0; skip_bytes < 3; skip_bytes++) {
          ag_tensor t = of_layout(&reference_dtypes[d], &test_layouts[l], skip_bytes);
          fill(t.dtype, (uint64_t)(d * 100 + l), (size_t)(span_of(&t) * t.dtype->item_size) + 16);
          check_stats(&t, want, NULL, test_layouts[l].what);
        }
  assert_rules_kept();
  assert_int_equal(fake_count("cuInit"), 1);
  assert_int_equal(fake_count("cuModuleLoadData"), 1);
  assert_int_equal(fake_count("cuMemAlloc_v2"), 1);
  assert_int_equal(fake_count("cuMemHostAlloc"), 1);
}

/* Compares how often each kernel is launched for a tensor of layout l. */
static void expect_passes(const ag_dtype *d, const test_layout *l, unsigned want, int bad_dense,
                          int strided, int summary_float32) {
  ag_tensor t = of_layout(d, l, 0);
  int a = fake_count(AGK_BAD_DENSE), b = fake_count(AGK_STRIDED),
      c = fake_count(AGK_SUMMARY_PREFIX "float32");
  check_stats(&t, want, NULL, l->what);
  assert_int_equal(fake_count(AGK_BAD_DENSE) - a, bad_dense);
  assert_int_equal(fake_count(AGK_STRIDED) - b, strided);
  assert_int_equal(fake_count(AGK_SUMMARY_PREFIX "float32") - c, summary_float32);
}

TEST(test_which_kernel) {
  static const test_layout dense = {"contiguous", 2, {10, 20}, {20, 1}},
                           turned = {"transposed", 2, {10, 20}, {1, 10}},
                           gaps = {"gaps", 2, {10, 20}, {40, 1}};
  const ag_dtype *f = dtype_named("float32"), *c = dtype_named("complex64"),
                 *i = dtype_named("int32");
  float nan_value = NAN;
  memset(pool, 0, sizeof pool);
  expect_passes(f, &dense, AG_WANT_BAD, 1, 0, 0);
  expect_passes(f, &dense, AG_WANT_SUMMARY, 0, 0, 1);
  expect_passes(f, &turned, AG_WANT_BAD, 1, 0, 0);
  expect_passes(f, &turned, AG_WANT_SUMMARY, 0, 0, 1);
  expect_passes(f, &gaps, AG_WANT_BAD, 0, 1, 0);
  expect_passes(c, &dense, AG_WANT_BAD, 1, 0, 0);
  expect_passes(c, &dense, AG_WANT_SUMMARY, 0, 1, 0);
  expect_passes(i, &dense, AG_WANT_BAD, 0, 0, 0);
  memcpy(pool + 4 * 11, &nan_value, 4);
  expect_passes(f, &dense, AG_WANT_BAD, 1, 0, 0);
  expect_passes(f, &turned, AG_WANT_BAD, 1, 1, 0);
  expect_passes(f, &turned, AG_WANT_SUMMARY, 0, 1, 1);
}

/* Integers cannot be bad, and an empty tensor holds nothing: the driver is not even asked. */
TEST(test_free_of_charge) {
  const ag_dtype *i = dtype_named("int64"), *f = dtype_named("float32");
  ag_tensor a = contiguous(i, 100), b = contiguous(f, 0);
  int before = fake_count("cuCtxPushCurrent_v2");
  ag_stats h;
  char nothing;
  a.data = pool;
  assert_null(cuda->stats(&a, AG_WANT_BAD, NULL, &h));
  assert_int_equal(h.nan + h.pos_inf + h.neg_inf, 0);
  assert_int_equal(h.first_nan, -1);
  assert_null(cuda->stats(&b, AG_WANT_SUMMARY, NULL, &h));
  assert_int_equal(h.finite, 0);
  assert_int_equal(h.first_neg_inf, -1);
  assert_null(cuda->read(&b, 0, 0, NULL, &nothing));
  assert_int_equal(fake_count("cuCtxPushCurrent_v2"), before);
}

/* ---- read ----------------------------------------------------------------------------------- */

static void check_read(const ag_tensor *t, int64_t first, int64_t count) {
  size_t item = t->dtype->item_size;
  char *got = malloc((size_t)count * item + 1);
  const char *why;
  assert_non_null(got);
  got[(size_t)count * item] = 0x5a;
  why = cuda->read(t, first, count, NULL, got);
  if (why) print_message("# %s\n", why);
  assert_null(why);
  for (int64_t i = 0; i < count; i++)
    assert_memory_equal(got + (size_t)i * item,
                        (const char *)t->data + (size_t)reference_offset(t, first + i) * item,
                        item);
  assert_int_equal(got[(size_t)count * item], 0x5a);
  free(got);
}

TEST(test_read) {
  for (int d = 0; d < REFERENCE_DTYPES; d++)
    for (int l = 0; l < TEST_LAYOUTS; l++)
      for (size_t skip_bytes = 0; skip_bytes < 2; skip_bytes++) {
        ag_tensor t = of_layout(&reference_dtypes[d], &test_layouts[l], skip_bytes);
        fill(t.dtype, (uint64_t)d, (size_t)(span_of(&t) * t.dtype->item_size) + 16);
        check_read(&t, 0, t.numel);
        if (t.numel > 3) check_read(&t, 2, t.numel - 3);
      }
  assert_int_equal(fake_faults(), 0);
}

/* More than the pinned memory holds: in pieces. */
TEST(test_read_in_pieces) {
  const int64_t sizes[] = {30000, 3}, strides[] = {4, 1};
  ag_tensor t = tensor_of(dtype_named("float64"), 2, sizes, strides);
  int before = fake_count(AGK_GATHER);
  t.data = pool;
  fill(t.dtype, 5, sizeof pool);
  check_read(&t, 0, t.numel);
  assert_true(fake_count(AGK_GATHER) - before > 1);
  assert_non_null(cuda->read(&t, 0, t.numel + 1, NULL, pool));
  assert_non_null(cuda->read(&t, -1, 1, NULL, pool));
  assert_non_null(cuda->read(&t, t.numel, 1, NULL, pool));
}

/* ---- where the driver says no --------------------------------------------------------------- */

static void assert_says(const char *why, const char *what) {
  assert_non_null(why);
  if (!strstr(why, what)) print_message("# '%s' does not say '%s'\n", why, what);
  assert_non_null(strstr(why, what));
}

TEST(test_devices) {
  ag_tensor t = contiguous(dtype_named("float32"), 10);
  static const int32_t none[] = {-1, 14 + 2, 63, 64, INT32_MAX};
  ag_stats h;
  int64_t limits[3];
  t.data = pool;
  for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
    t.device_index = none[i];
    assert_non_null(cuda->stats(&t, AG_WANT_BAD, NULL, &h));
    assert_int_equal(h.first_nan, -1);
    assert_non_null(cuda->sync(none[i], NULL));
    assert_non_null(cuda->grid_limits(none[i], limits));
  }
  t.device_index = 15;
  assert_says(cuda->stats(&t, AG_WANT_BAD, NULL, &h), "no context");
  assert_says(cuda->sync(15, NULL), "'cuda:15'");
  assert_int_equal(fake_faults(), 0);
}

TEST(test_wild_memory) {
  static char elsewhere[64];
  ag_tensor t = contiguous(dtype_named("float32"), 10);
  int launches = fake_count("cuLaunchKernel");
  ag_stats h;
  t.data = elsewhere;
  assert_says(cuda->stats(&t, AG_WANT_BAD, NULL, &h), "cannot read memory at address");
  assert_says(cuda->read(&t, 0, 1, NULL, pool), "cannot read memory at address");
  t.data = pool + sizeof pool - 36;
  assert_says(cuda->stats(&t, AG_WANT_BAD, NULL, &h), "cannot read memory at address");
  t.data = NULL;
  assert_says(cuda->stats(&t, AG_WANT_BAD, NULL, &h), "cannot read memory at address");
  assert_int_equal(fake_count("cuLaunchKernel"), launches);
  t.data = pool + sizeof pool - 40;
  assert_null(cuda->stats(&t, AG_WANT_BAD, NULL, &h));
}

/* Every call of the driver fails once, with memory short or an argument refused: a message each
 * time, nothing left behind, and the next try works. */
TEST(test_each_call_fails_once) {
  static const char *const names[] = {"cuDeviceGet",
                                      "cuDeviceGetAttribute",
                                      "cuDevicePrimaryCtxGetState",
                                      "cuDevicePrimaryCtxRetain",
                                      "cuCtxPushCurrent_v2",
                                      "cuStreamIsCapturing",
                                      "cuPointerGetAttribute",
                                      "cuMemHostAlloc",
                                      "cuMemHostGetDevicePointer_v2",
                                      "cuMemAlloc_v2",
                                      "cuMemsetD32Async",
                                      "cuModuleGetFunction",
                                      "cuLaunchKernel"};
  const int64_t sizes[] = {11, 3}, strides[] = {5, 1};
  ag_tensor t = tensor_of(dtype_named("float16"), 2, sizes, strides);
  ag_stats h;
  char to[66];
  t.data = pool;
  t.device_index = 1;
  fill(t.dtype, 3, 200);
  fake_push(7);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    fake_fail(names[i], 1, 2);
    assert_says(cuda->stats(&t, AG_WANT_SUMMARY, NULL, &h),
                "out of memory (CUDA_ERROR_OUT_OF_MEMORY, 2)");
    assert_int_equal(fake_depth(), 1);
    assert_int_equal(fake_top(), 7);
    assert_int_equal(fake_mode(), 0);
  }
  check_stats(&t, AG_WANT_SUMMARY, NULL, "after all that");
  fake_fail("cuMemcpyDtoHAsync_v2", 1, 2);
  t = contiguous(t.dtype, 33);
  t.data = pool;
  t.device_index = 1;
  assert_says(cuda->read(&t, 0, 33, NULL, to), "'cuMemcpyDtoHAsync' on device 'cuda:1'");
  check_read(&t, 0, 33);
  assert_int_equal(fake_top(), 7);
  fake_pop();
  assert_int_equal(fake_count("cuMemHostAlloc") + fake_count("cuMemAlloc_v2"), 2 * 3);
  assert_int_equal(fake_faults(), 0);
}

/* Kernels that the driver does not want are offered once. The host does the work then, with the
 * same answers. */
TEST(test_kernels_refused) {
  int before = fake_count("cuModuleLoadData"), launches = fake_count("cuLaunchKernel");
  fake_fail("cuModuleLoadData", 1, 222);
  for (int d = 0; d < REFERENCE_DTYPES; d++)
    for (int l = 0; l < TEST_LAYOUTS; l++) {
      ag_tensor t = of_layout(&reference_dtypes[d], &test_layouts[l], 0);
      t.device_index = 2;
      fill(t.dtype, (uint64_t)(d * 100 + l), (size_t)(span_of(&t) * t.dtype->item_size) + 16);
      check_stats(&t, AG_WANT_BAD, NULL, test_layouts[l].what);
      check_stats(&t, AG_WANT_SUMMARY, NULL, test_layouts[l].what);
      check_read(&t, 0, t.numel);
      if (t.numel > 3) check_read(&t, 1, t.numel - 2);
    }
  assert_int_equal(fake_count("cuModuleLoadData") - before, 1);
  assert_int_equal(fake_count("cuLaunchKernel"), launches);
}

/* After a sticky error, whichever call sees it: the same message from every function, and the
 * driver is left alone. */
TEST(test_dead_context) {
  static const char *const names[] = {"cuStreamSynchronize", "cuLaunchKernel",
                                      "cuPointerGetAttribute", "cuMemsetD32Async",
                                      "cuStreamIsCapturing"};
  static const char text[] =
      "an illegal memory access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS, 700)";
  ag_stats h;
  char first[300], to[64];
  for (int i = 0; i < 5; i++) {
    ag_tensor t = contiguous(dtype_named("float32"), 10);
    int pushed;
    t.data = pool;
    t.device_index = 3 + i;
    if (i % 2) fake_push(9);
    fake_fail(names[i], 1, 700);
    snprintf(first, sizeof first, "%s", cuda->stats(&t, AG_WANT_BAD, NULL, &h));
    assert_says(first, text);
    pushed = fake_count("cuCtxPushCurrent_v2");
    assert_string_equal(cuda->stats(&t, AG_WANT_SUMMARY, NULL, &h), first);
    assert_string_equal(cuda->read(&t, 0, 1, NULL, to), first);
    assert_string_equal(cuda->sync(3 + i, NULL), first);
    assert_int_equal(fake_count("cuCtxPushCurrent_v2"), pushed);
    assert_int_equal(fake_depth(), i % 2);
    if (i % 2) fake_pop();
    t.device_index = 0;
    check_stats(&t, AG_WANT_BAD, NULL, "another device");
  }
  assert_rules_kept();
}

TEST(test_sync) {
  int waits = fake_count("cuStreamSynchronize");
  assert_null(cuda->sync(0, NULL));
  assert_int_equal(fake_count("cuStreamSynchronize"), waits + 1);
  fake_fail("cuStreamSynchronize", 1, 1);
  assert_says(
      cuda->sync(0, NULL),
      "'cuStreamSynchronize' on device 'cuda:0': invalid argument (CUDA_ERROR_INVALID_VALUE, 1)");
  assert_null(cuda->sync(0, NULL));
}

/* Waits that fail without a sticky error leave a workspace in doubt. When none is left that is
 * said, not waited for. */
TEST(test_workspaces_lost) {
  ag_tensor t = contiguous(dtype_named("float32"), 10);
  ag_stats h;
  t.data = pool;
  t.device_index = 8;
  for (int i = 0; i < AG_CUDA_WORKSPACES; i++) {
    fake_fail("cuStreamSynchronize", 1, 1);
    assert_says(cuda->stats(&t, AG_WANT_BAD, NULL, &h), "cuStreamSynchronize");
  }
  alarm(60);
  assert_says(cuda->stats(&t, AG_WANT_BAD, NULL, &h), "no scratch memory is left");
  alarm(0);
  check_read(&t, 0, 10);
}

/* ---- capture -------------------------------------------------------------------------------- */

TEST(test_capture) {
  ag_tensor t = contiguous(dtype_named("float32"), 10);
  int dummy, *stream = &dummy;
  ag_stats h;
  t.data = pool;
  assert_false(cuda->capturing(stream));
  fake_capture(stream, 1);
  assert_true(cuda->capturing(stream));
  assert_false(cuda->capturing(&t));
  assert_says(cuda->stats(&t, AG_WANT_BAD, stream, &h), "captured");
  assert_says(cuda->read(&t, 0, 1, stream, &dummy), "captured");
  assert_says(cuda->sync(0, stream), "captured");
  /* On another stream and a device that was not used yet: memory and kernels are still to be
   * had, and nothing breaks. */
  t.device_index = 10;
  check_stats(&t, AG_WANT_SUMMARY, &t, "beside a capture");
  fake_push(0);
  assert_true(cuda->capturing(NULL));
  assert_true(cuda->capturing(stream));
  fake_capture(stream, 2);
  assert_true(cuda->capturing(stream));
  fake_capture(NULL, 0);
  assert_false(cuda->capturing(stream));
  assert_false(cuda->capturing(NULL));
  fake_pop();
  assert_rules_kept();
}

/* ---- threads -------------------------------------------------------------------------------- */

enum { THREADS = 24, ROUNDS = 200, EACH = 500 };
static pthread_barrier_t start;

/* Each thread scans its own tensor, whose one NaN is at the index given by the thread's number. */
static void *look_on(void *argument) {
  intptr_t n = (intptr_t)argument, wrong = 0;
  ag_tensor t = contiguous(dtype_named("float32"), EACH);
  ag_stats h;
  t.data = pool + n * EACH * 4;
  t.device_index = 11;
  fake_push((int)n % 8);
  pthread_barrier_wait(&start);
  for (int i = 0; i < ROUNDS; i++)
    wrong += cuda->stats(&t, i % 2 ? AG_WANT_BAD : AG_WANT_SUMMARY, NULL, &h) || h.nan != 1 ||
             h.first_nan != n * 7;
  wrong += fake_depth() != 1 || fake_top() != n % 8 || fake_mode() != 0;
  return (void *)wrong;
}

TEST(test_threads) {
  pthread_t threads[THREADS];
  int allocations = fake_count("cuMemAlloc_v2"), modules = fake_count("cuModuleLoadData");
  float nan_value = NAN;
  memset(pool, 0, sizeof pool);
  pthread_barrier_init(&start, NULL, THREADS);
  for (intptr_t i = 0; i < THREADS; i++) {
    memcpy(pool + (i * EACH + i * 7) * 4, &nan_value, 4);
    assert_int_equal(pthread_create(&threads[i], NULL, look_on, (void *)i), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    void *wrong;
    pthread_join(threads[i], &wrong);
    assert_null(wrong);
  }
  assert_in_range(fake_count("cuMemAlloc_v2") - allocations, 1, AG_CUDA_WORKSPACES);
  assert_int_equal(fake_count("cuModuleLoadData") - modules, 1);
  assert_int_equal(fake_faults(), 0);
}

/* ---- what needs no stream ------------------------------------------------------------------- */

TEST(test_grid_limits) {
  int64_t limits[3] = {0, 0, 0};
  int before;
  assert_null(cuda->grid_limits(0, limits));
  assert_int_equal(limits[0], 2147483647);
  assert_int_equal(limits[1], 65535);
  assert_int_equal(limits[2], 65535);
  before = fake_count("cuDeviceGetAttribute");
  for (int i = 0; i < 100; i++) assert_null(cuda->grid_limits(0, limits));
  assert_int_equal(fake_count("cuDeviceGetAttribute"), before);
  /* A device without a context has limits all the same. */
  assert_null(cuda->grid_limits(15, limits));
}

static const char *check_file(const void *bytes, size_t n) {
  char path[64];
  const char *why;
  int fd;
  snprintf(path, sizeof path, "build/tmp/kernel-XXXXXX");
  fd = mkstemp(path);
  assert_true(fd >= 0);
  assert_int_equal(write(fd, bytes, n), n);
  close(fd);
  why = cuda->check_kernel_file(path);
  unlink(path);
  return why;
}

TEST(test_kernel_files) {
  static const char ptx[] =
      "//\n// Generated by NVIDIA NVVM Compiler\n//\n\n.version 8.0\n.target sm_80\n";
  /* An ELF header of CUDA's machine, and one section whose 16 bytes are the last of the file. */
  unsigned char cubin[64 + 64 + 16] = "\177ELF\2\1\1",
                                fatbin[16 + 32] = {0x50, 0xed, 0x55, 0xba, 1, 0, 16, 0, 32};
  cubin[18] = 190;
  cubin[40] = 64;
  cubin[58] = 64;
  cubin[60] = 1;
  cubin[64 + 4] = 1;
  cubin[64 + 24] = 128;
  cubin[64 + 32] = 16;
  assert_null(check_file(cubin, sizeof cubin));
  assert_says(check_file(cubin, sizeof cubin - 1), "is cut short: 143 bytes");
  assert_says(check_file(cubin, 100), "is cut short");
  assert_says(check_file(cubin, 30), "holds no kernel");
  cubin[18] = 62;
  assert_says(check_file(cubin, sizeof cubin), "not one of CUDA");
  assert_null(check_file(fatbin, sizeof fatbin));
  assert_says(check_file(fatbin, sizeof fatbin - 1), "is cut short");
  assert_null(check_file(ptx, sizeof ptx - 1));
  assert_says(check_file("hello\n", 6), "holds no kernel");
  assert_says(check_file("", 0), "is empty");
  assert_says(cuda->check_kernel_file("build/tmp"), "is not a file");
  assert_says(cuda->check_kernel_file("build/tmp/no such.cubin"),
              "cannot open 'build/tmp/no such.cubin'");
  assert_int_equal(mkfifo("build/tmp/kernel-fifo", 0600), 0);
  alarm(60);
  assert_says(cuda->check_kernel_file("build/tmp/kernel-fifo"), "is not a file");
  alarm(0);
  unlink("build/tmp/kernel-fifo");
}
