/* reference.h - what stats must say of a tensor in host memory, in the plainest way; and the
 * comparison. For tests alone.
 *
 * Independent of kernels/decode.h: values come from ldexp() and from the machine's own float and
 * double.
 */
#ifndef AOTIGEN_T_REFERENCE_H
#define AOTIGEN_T_REFERENCE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "../test.h"
#include "tensor/backend.h"

static const ag_dtype reference_dtypes[] = {
#define X(name, cls, size, exponent, mantissa, special, ...)                                       \
  {#name, -1, size, cls, exponent, mantissa, special},
#include "shared/dtypes.def"
#undef X
};
enum { REFERENCE_DTYPES = sizeof reference_dtypes / sizeof *reference_dtypes };

__attribute__((unused)) static const ag_dtype *dtype_named(const char *name) {
  for (int i = 0; i < REFERENCE_DTYPES; i++)
    if (!strcmp(reference_dtypes[i].name, name)) return &reference_dtypes[i];
  return NULL;
}

/* splitmix64 */
__attribute__((unused)) static uint64_t next_random(uint64_t *s) {
  uint64_t z = *s += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

/* One real number of a floating type; bytes: where it lies. */
static double reference_float(const ag_dtype *d, int size, const void *bytes) {
  uint64_t bits = 0;
  int e = d->exponent, m = d->mantissa, exponent, bias = (1 << (e - 1)) - (d->special != AG_FNUZ);
  double mantissa;
  bool minus;
  memcpy(&bits, bytes, (size_t)size);
  if (size == 8) {
    double x;
    memcpy(&x, bytes, 8);
    return x;
  }
  if (d->special == AG_E8M0) return bits == 255 ? NAN : ldexp(1, (int)bits - 127);
  if (d->special == AG_FNUZ && bits == 128) return NAN;
  minus = bits >> (e + m) & 1;
  exponent = (int)(bits >> m & ((1u << e) - 1));
  mantissa = (double)(bits & ((1u << m) - 1));
  if (d->special == AG_IEEE && exponent == (1 << e) - 1)
    return mantissa > 0 ? NAN : minus ? -INFINITY : INFINITY;
  if (d->special == AG_FN && (bits & 127) == 127) return NAN;
  mantissa = exponent ? ldexp(mantissa + ldexp(1, m), exponent - bias - m)
                      : ldexp(mantissa, 1 - bias - m);
  return minus ? -mantissa : mantissa;
}

static int64_t reference_integer(const ag_dtype *d, const void *bytes) {
  uint64_t bits = 0;
  memcpy(&bits, bytes, d->item_size);
  if (d->cls == AG_BOOL) return bits != 0;
  if (d->cls == AG_SIGNED && d->item_size == 1) return (int8_t)bits;
  if (d->cls == AG_SIGNED && d->item_size == 2) return (int16_t)bits;
  if (d->cls == AG_SIGNED && d->item_size == 4) return (int32_t)bits;
  return (int64_t)bits;
}

/* The offset of logical element `flat`, in elements from the first. */
static int64_t reference_offset(const ag_tensor *t, int64_t flat) {
  int64_t offset = 0;
  for (int d = t->ndim - 1; d >= 0; d--) {
    offset += flat % t->sizes[d] * t->strides[d];
    flat /= t->sizes[d];
  }
  return offset;
}

/* One real number that is finite: is it smaller than the normal ones? */
static bool reference_subnormal(const ag_dtype *d, double x) {
  int bias = (1 << (d->exponent - 1)) - (d->special != AG_FNUZ);
  return d->cls == AG_FLOATING && d->special != AG_E8M0 && x != 0 && fabs(x) < ldexp(1, 1 - bias);
}

/* A zero counts as +0. */
static void reference_finite(ag_stats *h, double x, double *magnitude) {
  x = x == 0 ? 0 : x;
  if (h->finite++ == 0) h->min = h->max = x;
  if (x < h->min) h->min = x;
  if (x > h->max) h->max = x;
  h->zero += x == 0;
  h->sum += x;
  h->sum_squares += x * x;
  *magnitude += fabs(x);
}

static void reference_floating(const ag_tensor *t, const char *at, int64_t i, ag_stats *h,
                               double *magnitude) {
  int parts = t->dtype->cls == AG_COMPLEX ? 2 : 1, size = t->dtype->item_size / parts;
  double x = reference_float(t->dtype, size, at),
         y = parts == 2 ? reference_float(t->dtype, size, at + size) : x;
  if (isnan(x) || isnan(y)) {
    if (h->nan++ == 0) h->first_nan = i;
  }
  if ((isinf(x) && x > 0) || (isinf(y) && y > 0)) {
    if (h->pos_inf++ == 0) h->first_pos_inf = i;
  }
  if ((isinf(x) && x < 0) || (isinf(y) && y < 0)) {
    if (h->neg_inf++ == 0) h->first_neg_inf = i;
  }
  if (!isfinite(x) || !isfinite(y)) return;
  if (parts == 1) {
    reference_finite(h, x, magnitude);
    h->subnormal += reference_subnormal(t->dtype, x);
  } else {
    h->finite++;
    h->zero += x == 0 && y == 0;
  }
}

static void reference_integral(const ag_tensor *t, const char *at, ag_stats *h, double *magnitude) {
  int64_t x = reference_integer(t->dtype, at);
  bool is_unsigned = t->dtype->cls == AG_UNSIGNED, first = h->finite == 0;
  double value = is_unsigned ? (double)(uint64_t)x : (double)x;
  if (first || (is_unsigned ? (uint64_t)x < (uint64_t)h->int_min : x < h->int_min)) h->int_min = x;
  if (first || (is_unsigned ? (uint64_t)x > (uint64_t)h->int_max : x > h->int_max)) h->int_max = x;
  reference_finite(h, value, magnitude);
}

/* t->data is host memory. magnitude: the sum of the absolute values, which bounds the error of any
 * order of addition. */
__attribute__((unused)) static void reference_stats(const ag_tensor *t, ag_stats *h,
                                                    double *magnitude) {
  *h = ag_nothing_bad;
  *magnitude = 0;
  for (int64_t i = 0; i < t->numel; i++) {
    const char *at = (const char *)t->data + reference_offset(t, i) * t->dtype->item_size;
    if (t->dtype->cls == AG_FLOATING || t->dtype->cls == AG_COMPLEX)
      reference_floating(t, at, i, h, magnitude);
    else
      reference_integral(t, at, h, magnitude);
  }
}

static bool reference_same_bits(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

/* Narrow formats are added up in float, a few at a time. */
static double reference_slack(const ag_dtype *d, double magnitude, const ag_stats *h) {
  return magnitude *
         ((d->exponent && d->item_size <= 2 ? 1e-6 : 0) + 0x1p-52 * (double)(h->finite + 4));
}

/* True if stats() found what it should. Prints the differences. */
__attribute__((unused)) static bool reference_agrees(const ag_dtype *d, const ag_stats *got,
                                                     const ag_stats *expected, double magnitude,
                                                     bool summary, const char *of) {
  double slack = reference_slack(d, magnitude, expected),
         slack_squares = reference_slack(d, expected->sum_squares, expected);
  bool bad = got->nan != expected->nan || got->pos_inf != expected->pos_inf ||
             got->neg_inf != expected->neg_inf || got->first_nan != expected->first_nan ||
             got->first_pos_inf != expected->first_pos_inf ||
             got->first_neg_inf != expected->first_neg_inf;
  if (summary)
    bad = bad || got->zero != expected->zero || got->finite != expected->finite ||
          !reference_same_bits(got->min, expected->min) ||
          !reference_same_bits(got->max, expected->max) || got->int_min != expected->int_min ||
          got->int_max != expected->int_max || got->subnormal != expected->subnormal ||
          (isfinite(magnitude) && isfinite(slack) && !(fabs(got->sum - expected->sum) <= slack)) ||
          (isfinite(slack_squares) &&
           !(fabs(got->sum_squares - expected->sum_squares) <= slack_squares));
  if (!bad) return true;
  for (int i = 0; i < 2; i++) {
    const ag_stats *h = i ? expected : got;
    printf("# %s, %s: nan %lld at %lld, inf %lld at %lld, -inf %lld at %lld, zero %lld, subnormal "
           "%lld, finite %lld, min %a, max %a, sum %a, squares %a, int %lld..%lld\n",
           of, i ? "expected" : "got", (long long)h->nan, (long long)h->first_nan,
           (long long)h->pos_inf, (long long)h->first_pos_inf, (long long)h->neg_inf,
           (long long)h->first_neg_inf, (long long)h->zero, (long long)h->subnormal,
           (long long)h->finite, h->min, h->max, h->sum, h->sum_squares, (long long)h->int_min,
           (long long)h->int_max);
  }
  return false;
}

/* Asserts that the device's statistics of a tensor are those of the reference and of the CPU's
 * backend; `h` is that tensor in host memory. */
__attribute__((unused)) static void assert_stats(const ag_tensor *h, const ag_stats *got,
                                                 bool summary, const char *of) {
  ag_stats expected, cpu;
  double magnitude;
  reference_stats(h, &expected, &magnitude);
  assert_true(reference_agrees(h->dtype, got, &expected, magnitude, summary, of));
  assert_null(ag_backend_cpu.stats(h, summary ? AG_WANT_SUMMARY : AG_WANT_BAD, NULL, &cpu));
  assert_true(reference_agrees(h->dtype, got, &cpu, magnitude, summary, "the CPU's backend"));
}

/* ---- tensors -------------------------------------------------------------------------------- */

static ag_tensor tensor_of(const ag_dtype *dtype, int ndim, const int64_t *sizes,
                           const int64_t *strides) {
  ag_tensor t = {.dtype = dtype, .ndim = ndim, .numel = 1, .device_type = 1};
  for (int i = 0; i < ndim; i++) {
    t.sizes[i] = sizes[i];
    t.strides[i] = strides[i];
    t.numel *= sizes[i];
  }
  return t;
}

__attribute__((unused)) static ag_tensor contiguous(const ag_dtype *dtype, int64_t numel) {
  const int64_t stride = 1;
  return tensor_of(dtype, 1, &numel, &stride);
}

/* Elements from the lowest address to one past the highest. Of an empty tensor 0. */
__attribute__((unused)) static int64_t span_of(const ag_tensor *t) {
  int64_t span = 1;
  if (t->numel == 0) return 0;
  for (int i = 0; i < t->ndim; i++) span += (t->sizes[i] - 1) * t->strides[i];
  return span;
}

/* The same tensor, with its elements at `data` in host memory. */
__attribute__((unused)) static ag_tensor tensor_on_host(const ag_tensor *t, const void *data) {
  ag_tensor h = *t;
  h.data = data;
  h.device_type = 0;
  h.device_index = -1;
  return h;
}

/* Layouts that a wrapper meets, with what makes each of them special. */
typedef struct test_layout {
  const char *what;
  int ndim;
  int64_t sizes[8], strides[8];
} test_layout;

static const test_layout test_layouts[] = {
    {"0-dim", 0, {0}, {0}},
    {"one element", 3, {1, 1, 1}, {7, 0, 1}},
    {"empty", 2, {0, 5}, {5, 1}},
    {"contiguous", 3, {7, 11, 13}, {143, 13, 1}},
    {"a size of 1 with a wild stride", 3, {9, 1, 17}, {17, 99999, 1}},
    {"transposed", 2, {33, 65}, {1, 33}},
    {"channels last", 4, {2, 3, 5, 7}, {105, 1, 21, 3}},
    {"rows of a wider matrix", 2, {37, 41}, {64, 1}},
    {"every second element", 1, {501}, {2}},
    {"a column", 2, {301, 1}, {17, 1}},
    {"expanded", 3, {6, 50, 4}, {0, 1, 0}},
    {"expanded to many", 2, {1000, 3}, {0, 0}},
    {"overlapping windows", 2, {60, 8}, {1, 1}},
    {"permuted with a gap", 3, {5, 6, 7}, {1, 50, 5}},
    {"two dimensions that are one", 4, {3, 4, 5, 6}, {240, 60, 12, 2}},
    {"dense but for the outermost", 3, {4, 8, 8}, {100, 8, 1}},
};
enum { TEST_LAYOUTS = sizeof test_layouts / sizeof *test_layouts };

/* The contents that a tensor may be filled with. */
enum filling { RANDOM_BITS, ORDINARY, FINITE_EDGES, ALL_BAD, ZEROS, FILLINGS };

/* One number of d; size: its bytes, half an element's where that is complex. */
__attribute__((unused)) static uint64_t some_bits(const ag_dtype *d, size_t size, enum filling how,
                                                  uint64_t *seed) {
  uint64_t bits = next_random(seed), kind = next_random(seed) % 8,
           sign = (uint64_t)1 << (8 * size - 1);
  uint64_t ones = d->exponent ? (((uint64_t)1 << d->exponent) - 1) << d->mantissa : 0,
           step = (uint64_t)1 << d->mantissa;
  if (how == ZEROS) return d->exponent && kind == 0 && d->special == AG_IEEE ? sign : 0;
  if (d->special == AG_E8M0 && how != ALL_BAD && how != RANDOM_BITS)
    return how == ORDINARY ? 120 + bits % 16 : bits % 255;
  if (how == RANDOM_BITS || !d->exponent)
    return kind == 0   ? 0
           : kind == 1 ? ~(uint64_t)0
           : kind == 2 ? sign
           : kind == 3 ? sign - 1
                       : bits;
  if (how == ALL_BAD) return (bits & sign) | ones | (kind < 3 ? 0 : bits & (step - 1));
  /* The largest, the smallest normal, the largest and smallest subnormal, zeros, and what lies
   * between. */
  if (how == FINITE_EDGES && kind < 5)
    return (bits & sign) | (kind == 0   ? ones - 1
                            : kind == 1 ? step
                            : kind == 2 ? step - 1
                            : kind == 3 ? 1
                                        : 0);
  return (bits & (sign | (step - 1))) | ((ones / step / 2 - 3 + bits % 7) * step & ones);
}

#endif
