/* cpu_scan.c - finds NaN and Inf in contiguous elements, and sums them up; all tests are on bits.
 * Nearly all memory is clean, so one pass only tests in each block if any exponent is all ones, at
 * the speed of memory. Only a block with such an element is counted. */
#define _GNU_SOURCE
#include "tensor/cpu_scan.h"

#include <math.h>
#include <string.h>

#include "tensor/dtype.h"

enum {
  BLOCK = 4096,      /* bytes: it stays in the first-level cache */
  AHEAD = 2048,      /* bytes that are prefetched ahead */
  VECTORS_MOST = 128 /* vectors counted in slots of 8 bits before the slots are added up */
};

/* A type's non-finite values: x is one where (x & mask) == value. It is +Inf if x == pos_inf, -Inf
 * if x == neg_inf, else NaN. */
typedef struct patterns {
  uint64_t mask, value, pos_inf, neg_inf;
  bool has_inf;
} patterns;

static patterns patterns_of(const ag_dtype *d) {
  if (d->special == AG_FN) return (patterns){0x7f, 0x7f, 0, 0, false};
  if (d->special == AG_FNUZ) return (patterns){0xff, 0x80, 0, 0, false};
  if (d->special == AG_E8M0) return (patterns){0xff, 0xff, 0, 0, false};
  if (d->special == AG_HOLDS) {
    uint64_t all = UINT64_MAX >> (64 - 8 * d->item_size),
             pair = (uint64_t)d->exponent << 8 | d->mantissa;
    return (patterns){all, pair * 0x0001000100010001u & all, 0, 0, false};
  }
  uint64_t exponent = ((1ull << d->exponent) - 1) << d->mantissa,
           sign = 1ull << (d->exponent + d->mantissa);
  return (patterns){exponent, exponent, exponent, exponent | sign, true};
}

typedef struct counts {
  int64_t non_finite, pos_inf, neg_inf;
} counts;

/* Vectors of the target's own width; gcc splits wider ones into single elements. */
#define VECTORS(bits)                                                                              \
  typedef uint##bits##_t narrow##bits __attribute__((vector_size(16), aligned(1), may_alias));     \
  typedef uint##bits##_t wide##bits __attribute__((vector_size(32), aligned(1), may_alias));
VECTORS(8)
VECTORS(16)
VECTORS(32)
VECTORS(64)

#define KERNELS(bits, vector, name, attribute)                                                     \
  attribute static bool any##bits##name(const void *data, uint64_t mask, uint64_t value) {         \
    const vector##bits *p = data;                                                                  \
    vector##bits m = (vector##bits){0} + (uint##bits##_t)mask,                                     \
                 v = (vector##bits){0} + (uint##bits##_t)value;                                    \
    vector##bits a = {0}, b = {0}, c = {0}, d = {0};                                               \
    for (size_t i = 0; i < BLOCK / sizeof v; i += 4) {                                             \
      __builtin_prefetch((const char *)(p + i) + AHEAD);                                           \
      if (sizeof v > 16) __builtin_prefetch((const char *)(p + i) + AHEAD + 64);                   \
      a |= (vector##bits)((p[i] & m) == v);                                                        \
      b |= (vector##bits)((p[i + 1] & m) == v);                                                    \
      c |= (vector##bits)((p[i + 2] & m) == v);                                                    \
      d |= (vector##bits)((p[i + 3] & m) == v);                                                    \
    }                                                                                              \
    a |= b | c | d;                                                                                \
    uint64_t words[sizeof a / 8], any = 0;                                                         \
    memcpy(words, &a, sizeof words);                                                               \
    for (size_t i = 0; i < sizeof a / 8; i++) any |= words[i];                                     \
    return any != 0;                                                                               \
  }                                                                                                \
  attribute static int64_t same##bits##name(const void *data, uint64_t mask, uint64_t value) {     \
    const vector##bits *p = data;                                                                  \
    vector##bits m = (vector##bits){0} + (uint##bits##_t)mask,                                     \
                 v = (vector##bits){0} + (uint##bits##_t)value;                                    \
    int64_t sum = 0;                                                                               \
    for (size_t i = 0; i < BLOCK / sizeof v; i += VECTORS_MOST) {                                  \
      vector##bits n = {0};                                                                        \
      uint##bits##_t slots[sizeof n / sizeof(uint##bits##_t)];                                     \
      for (size_t k = i; k < i + VECTORS_MOST; k++) n -= (vector##bits)((p[k] & m) == v);          \
      memcpy(slots, &n, sizeof slots);                                                             \
      for (size_t k = 0; k < sizeof slots / sizeof *slots; k++) sum += (int64_t)slots[k];          \
    }                                                                                              \
    return sum;                                                                                    \
  }

#define ALL_KERNELS(vector, name, attribute)                                                       \
  KERNELS(8, vector, name, attribute)                                                              \
  KERNELS(16, vector, name, attribute)                                                             \
  KERNELS(32, vector, name, attribute) KERNELS(64, vector, name, attribute)

/* Chosen at each call. target_clones would run its resolver before a sanitizer is set up. */
typedef struct kernels {
  bool (*any[4])(const void *, uint64_t, uint64_t);
  int64_t (*same[4])(const void *, uint64_t, uint64_t);
} kernels;
#define TABLE(name)                                                                                \
  {                                                                                                \
    {any8##name, any16##name, any32##name, any64##name}, {                                         \
      same8##name, same16##name, same32##name, same64##name                                        \
    }                                                                                              \
  }

ALL_KERNELS(narrow, _base, )
static const kernels base_kernels = TABLE(_base);

#if defined(__x86_64__)
ALL_KERNELS(wide, _avx2, __attribute__((target("avx2"))))
static const kernels avx2_kernels = TABLE(_avx2);
static const kernels *choose_kernels(void) {
  return __builtin_cpu_supports("avx2") ? &avx2_kernels : &base_kernels;
}
#else
static const kernels *choose_kernels(void) { return &base_kernels; }
#endif

static int log2_of_size(unsigned size) { return size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : 3; }

static uint64_t load_bits(const void *p, unsigned size) {
  uint64_t x = 0;
  memcpy(&x, p, size);
  return x;
}

static void take_first(int64_t *mine, int64_t other) {
  if (*mine < 0 || (other >= 0 && other < *mine)) *mine = other;
}

static bool is_less(const ag_dtype *d, int64_t a, int64_t b) {
  return d->cls == AG_UNSIGNED ? (uint64_t)a < (uint64_t)b : a < b;
}

void ag_stats_merge(ag_stats *h, const ag_stats *more, const ag_dtype *dtype) {
  if (more->finite) {
    if (!h->finite || more->min < h->min) h->min = more->min;
    if (!h->finite || more->max > h->max) h->max = more->max;
    if (!h->finite || is_less(dtype, more->int_min, h->int_min)) h->int_min = more->int_min;
    if (!h->finite || is_less(dtype, h->int_max, more->int_max)) h->int_max = more->int_max;
  }
  h->nan += more->nan;
  h->pos_inf += more->pos_inf;
  h->neg_inf += more->neg_inf;
  h->zero += more->zero;
  h->subnormal += more->subnormal;
  h->finite += more->finite;
  h->sum += more->sum;
  h->sum_squares += more->sum_squares;
  take_first(&h->first_nan, more->first_nan);
  take_first(&h->first_pos_inf, more->first_pos_inf);
  take_first(&h->first_neg_inf, more->first_neg_inf);
}

enum { NAN_BIT = 1, POS_BIT = 2, NEG_BIT = 4 };

static int classify_bits(const patterns *p, uint64_t x) {
  if ((x & p->mask) != p->value) return 0;
  return p->has_inf && x == p->pos_inf   ? POS_BIT
         : p->has_inf && x == p->neg_inf ? NEG_BIT
                                         : NAN_BIT;
}

static void count_kinds(ag_stats *h, int kinds, int64_t index) {
  if (kinds & NAN_BIT && !h->nan++) h->first_nan = index;
  if (kinds & POS_BIT && !h->pos_inf++) h->first_pos_inf = index;
  if (kinds & NEG_BIT && !h->neg_inf++) h->first_neg_inf = index;
}

/* Scans the rest of a block and complex types, and finds first indices. */
static void scan_elements(const ag_dtype *d, const patterns *p, const char *data, int64_t n,
                          int64_t base, int64_t weight, ag_stats *out) {
  unsigned parts = d->cls == AG_COMPLEX ? 2 : 1, size = d->item_size / parts;
  for (int64_t i = 0; i < n; i++) {
    int kinds = 0;
    for (unsigned k = 0; k < parts; k++)
      kinds |= classify_bits(p, load_bits(data + (i * parts + k) * size, size));
    if (kinds) count_kinds(out, kinds, base + i * weight);
  }
}

/* Counts a block with a NaN or Inf. Counts by pattern, unless the block has the first one of its
 * kind. */
static void count_block(const ag_dtype *d, const patterns *p, const kernels *k, const char *data,
                        int64_t base, int64_t weight, ag_stats *out) {
  int bits = log2_of_size(d->item_size);
  counts c = {k->same[bits](data, p->mask, p->value), 0, 0};
  if (p->has_inf) {
    c.pos_inf = k->same[bits](data, UINT64_MAX, p->pos_inf);
    c.neg_inf = k->same[bits](data, UINT64_MAX, p->neg_inf);
  }
  int64_t nan = c.non_finite - c.pos_inf - c.neg_inf;
  if ((nan && !out->nan) || (c.pos_inf && !out->pos_inf) || (c.neg_inf && !out->neg_inf)) {
    scan_elements(d, p, data, BLOCK / d->item_size, base, weight, out);
    return;
  }
  out->nan += nan;
  out->pos_inf += c.pos_inf;
  out->neg_inf += c.neg_inf;
}

static void scan_bad(const ag_dtype *d, const char *data, int64_t n, int64_t base, int64_t weight,
                     ag_stats *out) {
  patterns p = patterns_of(d);
  unsigned part = d->cls == AG_COMPLEX ? d->item_size / 2u : d->item_size;
  int64_t per_block = BLOCK / d->item_size, i = 0;
  const kernels *k = choose_kernels();
  for (; i + per_block <= n; i += per_block) {
    const char *block = data + i * d->item_size;
    if (!k->any[log2_of_size(part)](block, p.mask, p.value)) continue;
    if (d->cls == AG_COMPLEX)
      scan_elements(d, &p, block, per_block, base + i * weight, weight, out);
    else
      count_block(d, &p, k, block, base + i * weight, weight, out);
  }
  scan_elements(d, &p, data + i * d->item_size, n - i, base + i * weight, weight, out);
}

static void summarize_floats(const ag_dtype *d, const char *data, int64_t n, ag_stats *out) {
  patterns p = patterns_of(d);
  uint64_t mantissa = (1ull << d->mantissa) - 1,
           exponent = d->special == AG_E8M0 ? 0 : ((1ull << d->exponent) - 1) << d->mantissa;
  for (int64_t i = 0; i < n; i++, data += d->item_size) {
    uint64_t bits = load_bits(data, d->item_size);
    if (classify_bits(&p, bits)) continue;
    double x = ag_dtype_decode(d, data) + 0.0; /* turns -0 into +0 */
    if (!out->finite || x < out->min) out->min = x;
    if (!out->finite || x > out->max) out->max = x;
    out->finite++;
    out->zero += x == 0;
    out->subnormal += !(bits & exponent) && (bits & mantissa);
    out->sum += x;
    out->sum_squares += x * x;
  }
}

static void summarize_complex(const ag_dtype *d, const char *data, int64_t n, ag_stats *out) {
  patterns p = patterns_of(d);
  unsigned size = d->item_size / 2u;
  for (int64_t i = 0; i < n; i++, data += d->item_size) {
    uint64_t re = load_bits(data, size), im = load_bits(data + size, size),
             sign = 1ull << (8 * size - 1);
    if (classify_bits(&p, re) || classify_bits(&p, im)) continue;
    out->finite++;
    out->zero += !((re | im) & ~sign);
  }
}

static void summarize_integers(const ag_dtype *d, const char *data, int64_t n, ag_stats *out) {
  int unused = 64 - 8 * d->item_size;
  for (int64_t i = 0; i < n; i++, data += d->item_size) {
    uint64_t bits = load_bits(data, d->item_size);
    int64_t x = d->cls == AG_SIGNED ? (int64_t)(bits << unused) >> unused
                : d->cls == AG_BOOL ? bits != 0
                                    : (int64_t)bits;
    if (!out->finite || is_less(d, x, out->int_min)) out->int_min = x;
    if (!out->finite || is_less(d, out->int_max, x)) out->int_max = x;
    out->finite++;
    double value = d->cls == AG_UNSIGNED ? (double)(uint64_t)x : (double)x;
    out->zero += x == 0;
    out->sum += value;
    out->sum_squares += value * value;
  }
  if (!out->finite) return;
  out->min = d->cls == AG_UNSIGNED ? (double)(uint64_t)out->int_min : (double)out->int_min;
  out->max = d->cls == AG_UNSIGNED ? (double)(uint64_t)out->int_max : (double)out->int_max;
}

/* Counts elements that differ from a pattern. Compares block by block, since nearly all do not
 * differ. */
static void scan_pattern(const ag_dtype *d, const char *data, int64_t n, int64_t base,
                         int64_t weight, ag_stats *out) {
  unsigned char pattern[BLOCK];
  const unsigned size = d->item_size;
  for (size_t i = 0; i < BLOCK; i++) pattern[i] = i % 2 ? d->exponent : d->mantissa;
  for (int64_t i = 0; i < n; i += BLOCK / size) {
    int64_t count = n - i < BLOCK / size ? n - i : BLOCK / size;
    const char *block = data + i * size;
    if (!memcmp(block, pattern, (size_t)count * size)) continue;
    for (int64_t k = 0; k < count; k++)
      if (memcmp(block + k * size, pattern, size))
        count_kinds(out, NAN_BIT, base + (i + k) * weight);
  }
}

void ag_cpu_scan_elements(const ag_dtype *d, const void *data, int64_t n, int64_t base,
                          int64_t weight, unsigned want, ag_stats *out) {
  bool floats = ag_dtype_is_floating(d);
  if (d->special == AG_DIFFERS) {
    scan_pattern(d, data, n, base, weight, out);
    return;
  }
  if (floats) scan_bad(d, data, n, base, weight, out);
  if (!(want & AG_WANT_SUMMARY)) return;
  if (!floats)
    summarize_integers(d, data, n, out);
  else if (d->cls == AG_COMPLEX)
    summarize_complex(d, data, n, out);
  else
    summarize_floats(d, data, n, out);
}
