/* 510-cuda-stats.c - the CUDA backend on a GPU: right answers. (What it does to the rest of the
 * process is 511's.)
 *
 * A tensor stands in a pool of device memory whose other bytes are all 0xff, which is NaN in every
 * floating type that has one: a kernel that looked beyond the tensor's elements would find it.
 * CUDA_EMULATED says that the kernels run on the CPU (504), a thousand times slower: then there is
 * less of everything.
 */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "5xx/gpu.h"
#include "5xx/reference.h"
#include "tensor/backend.h"

enum { POOL = 80 << 20, MARGIN = 4096, TILE = 16384 };

static const ag_backend *cuda;
static bool emulated;
static char *host;
static uint64_t device;

BEFORE_ALL {
  assert_int_equal(gpu_open(), 0);
  cuda = ag_backend_cuda();
  host = malloc(POOL);
  assert_true(cuda && host);
  memset(host, 0xff, POOL);
  gpu_ok(gpu.cuMemAlloc(&device, POOL));
  gpu_ok(gpu.cuMemcpyHtoD(device, host, POOL));
  print_message("# %s\n", gpu.device_name);
  emulated = getenv("CUDA_EMULATED") != NULL;
}

/* ---- what is put into a tensor -------------------------------------------------------------- */

static void fill(char *at, const ag_dtype *d, size_t bytes, enum filling how, uint64_t seed) {
  size_t size = d->cls == AG_COMPLEX ? d->item_size / 2u : d->item_size;
  for (size_t i = 0; i + size <= bytes; i += size) {
    uint64_t bits = some_bits(d, size, how, &seed);
    memcpy(at + i, &bits, size);
  }
}

/* Elements of t, and only they, into both pools at `at`; the rest stays 0xff. t->data becomes the
 * device's. */
static void place(ag_tensor *t, size_t at, enum filling how, uint64_t seed) {
  size_t item = t->dtype->item_size, bytes = (size_t)span_of(t) * item;
  char *dense = malloc((size_t)t->numel * item + 8);
  assert_non_null(dense);
  fill(dense, t->dtype, (size_t)t->numel * item, how, seed);
  for (int64_t i = 0; i < t->numel; i++)
    memcpy(host + at + (size_t)reference_offset(t, i) * item, dense + (size_t)i * item, item);
  free(dense);
  gpu_ok(gpu.cuMemcpyHtoD(device + at, host + at, bytes + 64));
  t->data = (const void *)(uintptr_t)(device + at);
}

static void clean(const ag_tensor *t) {
  size_t at = (uintptr_t)t->data - device, bytes = (size_t)(span_of(t) * t->dtype->item_size);
  memset(host + at, 0xff, bytes);
  if (bytes) gpu_ok(gpu.cuMemcpyHtoD(device + at, host + at, bytes));
}

static ag_tensor on_host(const ag_tensor *t) {
  return tensor_on_host(t, host + ((uintptr_t)t->data - device));
}

static void check(const ag_tensor *t, unsigned want, void *stream, const char *what) {
  ag_tensor h = on_host(t);
  ag_stats got;
  char of[200];
  const char *why = cuda->stats(t, want, stream, &got);
  bool summary = want & AG_WANT_SUMMARY;
  snprintf(of, sizeof of, "%s, %s, want %u, at %p", t->dtype->name, what, want, t->data);
  if (why) print_message("# %s: %s\n", of, why);
  assert_null(why);
  if (!summary && !t->dtype->exponent) return;
  assert_stats(&h, &got, summary, of);
}

/* ---- tests ---------------------------------------------------------------------------------- */

TEST(test_each_layout) {
  static const char *const fillings[] = {"random bits", "ordinary values",
                                         "the edges of what is finite", "nothing finite", "zeros"};
  static const size_t shifts[] = {0, 1, 2, 4, 8};
  for (int d = 0; d < REFERENCE_DTYPES; d++)
    for (int l = 0; l < TEST_LAYOUTS; l++)
      for (int how = 0; how < FILLINGS; how++)
        for (int s = 0; s < (how || emulated ? 1 : 5); s++) {
          const test_layout *y = &test_layouts[l];
          ag_tensor t = tensor_of(&reference_dtypes[d], y->ndim, y->sizes, y->strides);
          char what[100];
          snprintf(what, sizeof what, "%s, %s", y->what, fillings[how]);
          place(&t, MARGIN + shifts[s], (enum filling)how, (uint64_t)(d * 1000 + l * 10 + how));
          check(&t, AG_WANT_BAD, NULL, what);
          check(&t, AG_WANT_SUMMARY, NULL, what);
          clean(&t);
        }
}

/* Twenty dimensions that nothing can merge. */
TEST(test_many_dimensions) {
  int64_t sizes[64], strides[64], step = 1;
  ag_tensor t;
  for (int i = 0; i < 64; i++) {
    sizes[i] = i % 4 == 0 ? 2 : 1;
    strides[i] = 1;
  }
  for (int i = 0; i < 64; i += 4) {
    int at = i * 5 % 64;
    strides[at] = step;
    step = step * 2 + 1;
  }
  t = tensor_of(dtype_named("bfloat16"), 64, sizes, strides);
  assert_int_equal(t.numel, 65536);
  place(&t, MARGIN, RANDOM_BITS, 1);
  check(&t, AG_WANT_BAD, NULL, "64 dimensions");
  check(&t, AG_WANT_SUMMARY, NULL, "64 dimensions");
  clean(&t);
}

/* Lengths around whole vectors and whole tiles, from every alignment that the type allows. */
TEST(test_lengths) {
  static const char *const names[] = {
      "float8_e4m3fn", "float8_e5m2fnuz", "float8_e8m0fnu", "float16",   "bfloat16",
      "float32",       "float64",         "complex32",      "complex64", "complex128",
      "bcomplex32",    "uint8",           "int16",          "int64",     "bool"};
  for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
    const ag_dtype *d = dtype_named(names[n]);
    int64_t item = d->item_size, tile = TILE / item;
    const int64_t lengths[] = {1,    2,        3,    15,       16,           17,
                               31,   33,       63,   100,      255,          257,
                               1023, tile - 1, tile, tile + 1, 4 * tile - 3, 9 * tile + 5};
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
      for (int64_t shift = 0; shift < 16; shift += emulated ? (item < 16 ? 16 - item : 16) : item) {
        ag_tensor t = contiguous(d, lengths[l]);
        place(&t, (size_t)(MARGIN + shift), l % 2 ? RANDOM_BITS : ORDINARY, (uint64_t)(n + l));
        check(&t, AG_WANT_BAD, NULL, "a length");
        check(&t, AG_WANT_SUMMARY, NULL, "a length");
        clean(&t);
      }
  }
}

/* Every value of the narrow formats, alone: its kind, its minimum, maximum and sum are itself. */
static void check_alone(const ag_dtype *d, uint32_t values, uint32_t by) {
  for (uint32_t i = 0; i < values; i++)
    memcpy(host + MARGIN + (size_t)i * d->item_size, &i, d->item_size);
  gpu_ok(gpu.cuMemcpyHtoD(device + MARGIN, host + MARGIN, (size_t)values * d->item_size));
  for (uint32_t i = 0; i < values; i += by) {
    ag_tensor t = contiguous(d, 1);
    t.data = (const void *)(uintptr_t)(device + MARGIN + (size_t)i * d->item_size);
    check(&t, AG_WANT_SUMMARY, NULL, "one value");
  }
}

TEST(test_all_bits) {
  for (int d = 0; d < REFERENCE_DTYPES; d++) {
    const ag_dtype *y = &reference_dtypes[d];
    if (y->item_size > 2) continue;
    check_alone(y, y->item_size == 1 ? 256 : 65536, emulated ? 61 : 1);
    {
      ag_tensor t = contiguous(y, y->item_size == 1 ? 256 : 65536);
      t.data = (const void *)(uintptr_t)(device + MARGIN);
      check(&t, AG_WANT_BAD, NULL, "every value there is");
      check(&t, AG_WANT_SUMMARY, NULL, "every value there is");
      clean(&t);
    }
  }
}

/* Scans whole tiles that are read as words. First all elements are finite, with magnitudes from
 * `from` to `to` (in 1/64 of all finite magnitudes) and the signs that `signs` allows; then one
 * element in the midst is of another kind. */
static void check_tiles(const ag_dtype *d, unsigned from, unsigned to, unsigned signs,
                        uint64_t seed) {
  uint64_t sign = (uint64_t)1 << (8 * d->item_size - 1),
           all = d->special == AG_FN     ? sign - 1
                 : d->special == AG_IEEE ? (sign - 1) ^ ((1u << d->mantissa) - 1)
                                         : sign;
  uint64_t low = all * from / 64, high = from == to ? low + 1 : all * to / 64;
  ag_tensor t = contiguous(d, 4 * TILE / d->item_size + 37);
  char what[100], *at = host + MARGIN + 16, *middle = at + 2 * TILE + 1000 * d->item_size;
  bool other = next_random(&seed) % 2;
  snprintf(what, sizeof what, "tiles of %u/64 to %u/64, signs %u, seed %u", from, to, signs,
           (unsigned)seed);
  for (int64_t i = 0; i < t.numel; i++) {
    uint64_t bits = low + next_random(&seed) % (high > low ? high - low : 1);
    if (signs == 1 || (signs == 2 && next_random(&seed) % 2))
      bits |= d->special == AG_FNUZ && !bits ? 0 : sign;
    if (d->special == AG_E8M0) bits = from * 3 + next_random(&seed) % 60;
    memcpy(at + i * d->item_size, &bits, d->item_size);
  }
  if (other) memset(middle, from % 2 ? 0xff : 0, d->item_size);
  gpu_ok(gpu.cuMemcpyHtoD(device + MARGIN + 16, at, (size_t)t.numel * d->item_size));
  t.data = (const void *)(uintptr_t)(device + MARGIN + 16);
  check(&t, AG_WANT_SUMMARY, NULL, what);
  clean(&t);
}

TEST(test_tiles) {
  static const unsigned ranges[][2] = {{0, 64},  {0, 0},   {0, 1},   {0, 16},  {1, 2},  {8, 9},
                                       {16, 17}, {30, 34}, {40, 48}, {48, 64}, {63, 64}};
  for (int d = 0; d < REFERENCE_DTYPES; d++) {
    if (reference_dtypes[d].cls != AG_FLOATING || reference_dtypes[d].item_size > 4) continue;
    for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++)
      for (unsigned signs = 0; signs < 3; signs++)
        for (uint64_t seed = 0; seed < (emulated ? 2 : 6); seed++)
          check_tiles(&reference_dtypes[d], ranges[r][0], ranges[r][1], signs, seed * 99 + r);
  }
}

/* One bad value among good ones, at every place. */
TEST(test_every_place) {
  static const char *const names[] = {"float8_e4m3fn", "float8_e4m3fnuz", "float8_e8m0fnu",
                                      "bfloat16",      "float32",         "float64",
                                      "complex64"};
  for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
    const ag_dtype *d = dtype_named(names[n]);
    size_t item = d->item_size;
    ag_tensor t = contiguous(d, emulated ? 70 : 700);
    uint64_t nan_bits[2] = {0, 0};
    ag_stats before;
    memset(nan_bits, 0xff, item);
    if (d->special == AG_FNUZ) nan_bits[0] = 0x80;
    if (d->cls == AG_COMPLEX) memset(nan_bits, 0, item / 2);
    place(&t, MARGIN + item, ORDINARY, n);
    assert_null(cuda->stats(&t, AG_WANT_BAD, NULL, &before));
    assert_int_equal(before.nan + before.pos_inf + before.neg_inf, 0);
    for (int64_t i = 0; i < t.numel; i++) {
      uint64_t keep[2] = {0, 0};
      ag_stats h;
      char *at = host + MARGIN + item + (size_t)i * item;
      memcpy(keep, at, item);
      gpu_ok(gpu.cuMemcpyHtoD((uintptr_t)t.data + (uint64_t)i * item, nan_bits, item));
      for (unsigned want = 1; want <= 2; want++) {
        assert_null(cuda->stats(&t, want, NULL, &h));
        if (h.nan != 1 || h.first_nan != i)
          print_message("# %s: nan %d at %d, not %d\n", d->name, (int)h.nan, (int)h.first_nan,
                        (int)i);
        assert_int_equal(h.nan, 1);
        assert_int_equal(h.first_nan, i);
        assert_int_equal(h.pos_inf + h.neg_inf, 0);
      }
      gpu_ok(gpu.cuMemcpyHtoD((uintptr_t)t.data + (uint64_t)i * item, keep, item));
    }
    clean(&t);
  }
}

/* Many blocks: whole, turned, with gaps; and the same bits each time. */
TEST(test_large) {
  static const char *const names[] = {"float8_e5m2", "float16",   "float32",
                                      "float64",     "complex64", "int32"};
  static const test_layout layouts[] = {
      {"contiguous", 1, {5000017}, {1}},
      {"transposed", 2, {2001, 2003}, {1, 2001}},
      {"channels last", 4, {8, 64, 56, 56}, {200704, 1, 3584, 64}},
      {"rows of a wider matrix", 2, {2003, 1001}, {2048, 1}}};
  void *stream = gpu_stream();
  for (size_t n = 0; n < (emulated ? 1 : sizeof names / sizeof *names); n++)
    for (int l = 0; l < 4; l++)
      for (int how = 0; how < 3; how += 2) {
        ag_tensor t =
            tensor_of(dtype_named(names[n]), layouts[l].ndim, layouts[l].sizes, layouts[l].strides);
        ag_stats a, b;
        place(&t, MARGIN, how ? FINITE_EDGES : RANDOM_BITS, n);
        check(&t, AG_WANT_BAD, stream, layouts[l].what);
        check(&t, AG_WANT_SUMMARY, stream, layouts[l].what);
        assert_null(cuda->stats(&t, AG_WANT_SUMMARY, stream, &a));
        for (int i = 0; i < 10; i++) {
          assert_null(cuda->stats(&t, AG_WANT_SUMMARY, i % 2 ? stream : NULL, &b));
          assert_memory_equal(&a, &b, sizeof a);
        }
        clean(&t);
      }
}

TEST(test_read) {
  static char got[70000 * 16];
  for (int d = 0; d < REFERENCE_DTYPES; d++)
    for (int l = 0; l <= TEST_LAYOUTS; l++) {
      static const test_layout big = {"a large gather", 2, {1000, 70}, {100, 1}};
      const test_layout *y = l == TEST_LAYOUTS ? &big : &test_layouts[l];
      size_t item = reference_dtypes[d].item_size;
      for (size_t shift = 0; shift < 2; shift++) {
        ag_tensor t = tensor_of(&reference_dtypes[d], y->ndim, y->sizes, y->strides);
        int64_t first = t.numel > 5 ? 3 : 0, count = t.numel - 2 * (t.numel > 5);
        const char *why;
        place(&t, MARGIN + shift, RANDOM_BITS, (uint64_t)(d + l));
        count -= first;
        why = cuda->read(&t, first, count, NULL, got);
        if (why) print_message("# %s, %s: %s\n", t.dtype->name, y->what, why);
        assert_null(why);
        for (int64_t i = 0; i < count; i++)
          assert_memory_equal(
              got + (size_t)i * item,
              host + MARGIN + shift + (size_t)reference_offset(&t, first + i) * item, item);
        clean(&t);
      }
    }
}

/* ---- threads -------------------------------------------------------------------------------- */

enum { THREADS = 16, EACH = 20000 };

/* Each with a stream of its own, of whatever context is current: none. */
static void *look_on(void *argument) {
  intptr_t n = (intptr_t)argument, wrong = 0;
  ag_tensor t = contiguous(dtype_named("float32"), EACH);
  void *stream = NULL, *current;
  ag_stats h;
  float back[3];
  wrong += gpu.cuCtxSetCurrent(gpu.context) || gpu.cuStreamCreate(&stream, 1) ||
           gpu.cuCtxSetCurrent(NULL);
  t.data = (const void *)(uintptr_t)(device + MARGIN + (uint64_t)n * EACH * 4);
  for (int i = 0; i < (emulated ? 5 : 300); i++) {
    wrong += cuda->stats(&t, i % 2 ? AG_WANT_BAD : AG_WANT_SUMMARY, stream, &h) || h.nan != 1 ||
             h.first_nan != n * 1000 + 7;
    wrong += cuda->read(&t, 5, 3, stream, back) ||
             !(back[0] == 0 && back[1] == 0 && !isnan(back[1]));
  }
  wrong += gpu.cuCtxGetCurrent(&current) || current;
  return (void *)wrong;
}

TEST(test_threads) {
  static const float nan_value = NAN;
  pthread_t threads[THREADS];
  intptr_t wrong = 0;
  gpu_ok(gpu.cuMemsetD8Async(device + MARGIN, 0, THREADS * EACH * 4, NULL));
  for (intptr_t i = 0; i < THREADS; i++)
    gpu_ok(
        gpu.cuMemcpyHtoD(device + MARGIN + (uint64_t)(i * EACH + i * 1000 + 7) * 4, &nan_value, 4));
  for (intptr_t i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, look_on, (void *)i), 0);
  for (intptr_t i = 0; i < THREADS; i++) {
    void *result;
    pthread_join(threads[i], &result);
    wrong += (intptr_t)result;
  }
  assert_int_equal(wrong, 0);
  gpu_ok(gpu.cuMemcpyHtoD(device + MARGIN, host + MARGIN, THREADS * EACH * 4));
}
