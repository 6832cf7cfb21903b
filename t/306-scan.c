/* 306-scan - the CPU backend against an element-by-element reference: every type, every kind of
 * layout. */
#include <math.h>

#include "../runtime/tensor/cpu_scan.h"
#include "../runtime/tensor/dtype.h"
#include "shim.h"

static uint64_t seed = 88172645463325252u;
static uint64_t chance(void) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  return seed ^= seed << 17;
}

/* With OpenMP, large tensors are scanned by its threads: here by two plain calls. */
void GOMP_parallel(void (*work)(void *), void *data, unsigned threads, unsigned flags);
int omp_get_max_threads(void);
int omp_in_parallel(void);
static int parallel_calls;
void GOMP_parallel(void (*work)(void *), void *data, unsigned threads, unsigned flags) {
  (void)flags;
  parallel_calls++;
  for (unsigned i = 0; i < threads; i++) work(data);
}
int omp_get_max_threads(void) { return 2; }
int omp_in_parallel(void) { return 0; }

static int64_t offset_of(const ag_tensor *t, int64_t flat) {
  int64_t offset = 0;
  for (int i = t->ndim - 1; i >= 0; i--) {
    offset += flat % t->sizes[i] * t->strides[i];
    flat /= t->sizes[i];
  }
  return offset;
}

/* Smaller than the smallest normal number, which differs from the largest in its exponent alone. */
static bool is_subnormal(const ag_dtype *d, double x) {
  if (d->cls != AG_FLOATING || d->special == AG_E8M0) return false;
  int bias = (1 << (d->exponent - 1)) - (d->special != AG_FNUZ);
  return x != 0 && fabs(x) < ldexp(1, 1 - bias);
}

static void reference(const ag_tensor *t, ag_stats *h) {
  int parts = t->dtype->cls == AG_COMPLEX ? 2 : 1, size = t->dtype->item_size / parts;
  *h = ag_nothing_bad;
  for (int64_t i = 0; i < t->numel; i++) {
    const char *p = (const char *)t->data + offset_of(t, i) * t->dtype->item_size;
    bool nan = false, pos = false, neg = false, zero = true;
    double x = 0;
    for (int k = 0; k < parts; k++) {
      x = ag_dtype_decode(t->dtype, p + k * size);
      nan |= isnan(x);
      pos |= x == INFINITY;
      neg |= x == -INFINITY;
      zero &= x == 0;
    }
    if (nan && !h->nan++) h->first_nan = i;
    if (pos && !h->pos_inf++) h->first_pos_inf = i;
    if (neg && !h->neg_inf++) h->first_neg_inf = i;
    if (nan || pos || neg) continue;
    h->zero += zero;
    if (parts == 1 && (!h->finite || x < h->min)) h->min = x;
    if (parts == 1 && (!h->finite || x > h->max)) h->max = x;
    h->subnormal += is_subnormal(t->dtype, x);
    if (parts == 1) h->sum_squares += x * x;
    h->finite++;
  }
}

static void compare(const ag_tensor *t, const char *what) {
  ag_stats mine, other, bad;
  assert_null(ag_backend_cpu.stats(t, AG_WANT_BAD | AG_WANT_SUMMARY, NULL, &mine));
  assert_null(ag_backend_cpu.stats(t, AG_WANT_BAD, NULL, &bad));
  reference(t, &other);
#define SAME(field)                                                                                \
  if (mine.field != other.field)                                                                   \
  fail_msg("%s %s: " #field " is %g, not %g", t->dtype->name, what, (double)mine.field,            \
           (double)other.field)
  SAME(nan);
  SAME(pos_inf);
  SAME(neg_inf);
  SAME(first_nan);
  SAME(first_pos_inf);
  SAME(first_neg_inf);
  SAME(zero);
  SAME(subnormal);
  SAME(finite);
  SAME(min);
  SAME(max);
  if (isfinite(other.sum_squares) &&
      fabs(mine.sum_squares - other.sum_squares) > other.sum_squares * 1e-12)
    fail_msg("%s %s: sum_squares is %a, not %a", t->dtype->name, what, mine.sum_squares,
             other.sum_squares);
  assert_memory_equal(&bad, &mine, offsetof(ag_stats, zero));
  assert_int_equal(bad.first_nan, mine.first_nan);
  assert_int_equal(bad.first_neg_inf, mine.first_neg_inf);
}

static void fill(void *data, const ag_dtype *d, int64_t n, int clean) {
  unsigned char *p = data;
  for (int64_t i = 0; i < n * d->item_size; i++) p[i] = (unsigned char)chance();
  int parts = d->cls == AG_COMPLEX ? 2 : 1, size = d->item_size / parts;
  for (int64_t i = 0; clean && i < n * parts; i++)
    if (!isfinite(ag_dtype_decode(d, p + i * size)) || clean == 1 || i % clean)
      memset(p + i * size, 0x01, (size_t)size);
  if (d->cls == AG_BOOL)
    for (int64_t i = 0; i < n; i++) p[i] &= 1;
}

static void layouts(const ag_dtype *d, void *data) {
  ag_tensor t = {.data = data, .dtype = d};
  const struct {
    const char *what;
    int32_t ndim;
    int64_t sizes[4], strides[4];
  } all[] = {{"contiguous", 2, {70, 101}, {101, 1}},
             {"scalar", 0, {0}, {0}},
             {"transposed", 2, {101, 70}, {1, 101}},
             {"slice", 2, {50, 60}, {101, 1}},
             {"every third", 1, {2000}, {3}},
             {"expanded", 3, {3, 40, 50}, {0, 50, 1}},
             {"expanded inside", 2, {900, 4}, {1, 0}},
             {"channels last", 4, {2, 5, 20, 30}, {3000, 1, 150, 5}},
             {"size one", 3, {1, 77, 1}, {9, 1, 3}},
             {"overlapping", 2, {100, 8}, {2, 1}},
             {"empty", 2, {0, 5}, {5, 1}},
             {"three", 1, {3}, {1}}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    t.ndim = all[i].ndim;
    t.numel = 1;
    for (int k = 0; k < t.ndim; k++) {
      t.sizes[k] = all[i].sizes[k];
      t.strides[k] = all[i].strides[k];
      t.numel *= t.sizes[k];
    }
    compare(&t, all[i].what);
    if (!t.numel) continue;
    char *copy = malloc((size_t)(t.numel * d->item_size));
    int64_t first = (int64_t)(chance() % (uint64_t)t.numel), n = t.numel - first;
    assert_null(ag_backend_cpu.read(&t, first, n, NULL, copy));
    for (int64_t k = 0; k < n; k++)
      assert_memory_equal(copy + k * d->item_size,
                          (char *)data + offset_of(&t, first + k) * d->item_size, d->item_size);
    free(copy);
  }
}

TEST(all_types) {
  static const char *const names[] = {
#define X(name, ...) #name,
#include "shared/dtypes.def"
#undef X
  };
  enum { N = 70 * 101 };
  char *data = malloc(N * 16 + 1);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const ag_dtype *d = ag_dtype_of_name(names[i]);
    for (int clean = 0; clean < 1000; clean += 333) { /* wild, none bad, a few */
      fill(data, d, N, clean);
      layouts(d, data);
    }
  }
  memmove(data + 1, data, N * 4);
  layouts(ag_dtype_of_name("float32"), data + 1); /* no alignment is asked for */
  free(data);
}

/* Each bad value at each place of a block, alone. */
TEST(every_place) {
  static const uint32_t bad[] = {0x7fc00000, 0xffc00000, 0x7f800001, 0x7f800000, 0xff800000};
  enum { N = 3000 };
  uint32_t *data = calloc(N, 4);
  ag_tensor t = {.data = data,
                 .dtype = ag_dtype_of_name("float32"),
                 .numel = N,
                 .ndim = 1,
                 .sizes = {N},
                 .strides = {1}};
  ag_stats h;
  for (int i = 0; i < N; i++) {
    for (int k = 0; k < 5; k++) {
      data[i] = bad[k];
      assert_null(ag_backend_cpu.stats(&t, AG_WANT_BAD, NULL, &h));
      assert_int_equal(h.nan + h.pos_inf * 10 + h.neg_inf * 100, k < 3 ? 1 : k == 3 ? 10 : 100);
      assert_int_equal(k < 3 ? h.first_nan : k == 3 ? h.first_pos_inf : h.first_neg_inf, i);
    }
    data[i] = 0x7f7fffff;
  }
  free(data);
}

TEST(large) {
  enum { N = 1 << 20 };
  float *data = calloc(N, 4);
  ag_tensor t = {.data = data,
                 .dtype = ag_dtype_of_name("float32"),
                 .numel = N,
                 .ndim = 1,
                 .sizes = {N},
                 .strides = {1}};
  data[700001] = data[N - 1] = NAN;
  data[9] = -3;
  data[N - 2] = 5;
  int before = parallel_calls;
  compare(&t, "large");
  assert_int_equal(parallel_calls, before + 2);
  free(data);
}

TEST(integers) {
  uint64_t unsigned_values[] = {5, UINT64_MAX, 0};
  int64_t signed_values[] = {INT64_MAX, INT64_MIN, 0};
  ag_stats h;
  ag_tensor t = {.data = unsigned_values,
                 .dtype = ag_dtype_of_name("uint64"),
                 .numel = 3,
                 .ndim = 1,
                 .sizes = {3},
                 .strides = {1}};
  assert_null(ag_backend_cpu.stats(&t, AG_WANT_SUMMARY, NULL, &h));
  assert_true((uint64_t)h.int_max == UINT64_MAX && h.int_min == 0 && h.zero == 1);
  t.data = signed_values;
  t.dtype = ag_dtype_of_name("int64");
  assert_null(ag_backend_cpu.stats(&t, AG_WANT_SUMMARY, NULL, &h));
  assert_true(h.int_max == INT64_MAX && h.int_min == INT64_MIN);
}

TEST(refuses) {
  float x = 0;
  ag_stats h;
  ag_tensor t = {.data = NULL,
                 .dtype = ag_dtype_of_name("float32"),
                 .numel = 3,
                 .ndim = 1,
                 .sizes = {3},
                 .strides = {1}};
  assert_non_null(ag_backend_cpu.stats(&t, AG_WANT_BAD, NULL, &h));
  t.data = &x;
  assert_non_null(ag_backend_cpu.read(&t, 2, 2, NULL, &x));
  assert_non_null(ag_backend_cpu.check_kernel_file("/nonexistent"));
  assert_non_null(ag_backend_cpu.check_kernel_file("/"));
  assert_non_null(ag_backend_cpu.check_kernel_file("/dev/null"));
}
