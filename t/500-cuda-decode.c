/* 500-cuda-decode.c - kernels/decode.h on the host: every value of the narrow formats, the edges of
 * the wide ones.
 *
 * What is right comes from elsewhere: float8 from torch (5xx/float8.inc), half from counting
 * upwards by its spacing, bfloat16 and float from the machine's float, double from itself. Values
 * are compared as bits.
 */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "test.h"

#include "kernels.h"
#ifdef __SSE2__
#include <xmmintrin.h>
#endif

static const uint32_t float8[256][5] = {
#include "5xx/float8.inc"
};
/* By the columns of float8.inc. */
static const agk_format float8_formats[5] = {{AGK_FLOATING, 1, 1, 5, 2, AGK_IEEE},
                                             {AGK_FLOATING, 1, 1, 4, 3, AGK_FN},
                                             {AGK_FLOATING, 1, 1, 5, 2, AGK_FNUZ},
                                             {AGK_FLOATING, 1, 1, 4, 3, AGK_FNUZ},
                                             {AGK_FLOATING, 1, 1, 8, 0, AGK_E8M0}};
static const agk_format half = {AGK_FLOATING, 2, 1, 5, 10, AGK_IEEE},
                        bfloat16 = {AGK_FLOATING, 2, 1, 8, 7, AGK_IEEE};
static const agk_format float32 = {AGK_FLOATING, 4, 1, 8, 23, AGK_IEEE},
                        float64 = {AGK_FLOATING, 8, 1, 11, 52, AGK_IEEE};

static uint64_t bits_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static double from_float_bits(uint32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return (double)x;
}

static double halves[65536];

/* 1024 neighbours are 2^-24 apart, and 1024 more; from there on each 1024 are twice as far apart as
 * the last. */
BEFORE_ALL {
  double value = 0, step = 0x1p-24;
  for (unsigned i = 0; i < 0x7c00; i++) {
    if (i > 1024 && i % 1024 == 0) step *= 2;
    halves[i] = value;
    halves[i | 0x8000] = -value;
    value += step;
  }
  for (unsigned i = 0x7c00; i < 0x8000; i++) {
    halves[i] = i > 0x7c00 ? NAN : INFINITY;
    halves[i | 0x8000] = i > 0x7c00 ? NAN : -INFINITY;
  }
  assert_true(value == 65536);
}

static double from_half_bits(uint16_t bits) { return halves[bits]; }

static unsigned kind_of(double x) {
  return isnan(x)    ? AGK_IS_NAN
         : !isinf(x) ? AGK_IS_FINITE
         : x > 0     ? AGK_IS_POS_INF
                     : AGK_IS_NEG_INF;
}

/* 2 to the power of 1 - bias, as the standards have it. */
static double smallest_normal(agk_format f) {
  return ldexp(1, 2 - (1 << (f.exponent - 1)) - (f.special == AGK_FNUZ));
}

/* One value: its kind, and where it is finite value, zero, and the way to a key and back. */
static void check(agk_format f, uint64_t bits, double expected) {
  assert_int_equal(agk_classify(f, bits), kind_of(expected));
  if (!isfinite(expected)) return;
  assert_int_equal(bits_of(agk_value(f, bits)), bits_of(expected));
  assert_int_equal(agk_is_zero(f, bits), expected == 0);
  assert_int_equal(agk_is_subnormal(f, bits),
                   f.special != AGK_E8M0 && expected != 0 && fabs(expected) < smallest_normal(f));
  assert_int_equal(agk_unkey(f, agk_key(f, bits)), bits);
  assert_true(agk_key(f, bits) <= agk_ones(8u * f.bytes));
}

/* Keys order as values do, -0 below +0. */
static void check_order(agk_format f, uint64_t a, uint64_t b, double x, double y) {
  bool less = x < y || (x == 0 && y == 0 && signbit(x) && !signbit(y));
  if (isfinite(x) && isfinite(y)) assert_int_equal(agk_key(f, a) < agk_key(f, b), less);
}

TEST(test_float8) {
  for (int k = 0; k < 5; k++)
    for (unsigned i = 0; i < 256; i++) {
      check(float8_formats[k], i, from_float_bits(float8[i][k]));
      for (unsigned j = 0; j < 256; j++)
        check_order(float8_formats[k], i, j, from_float_bits(float8[i][k]),
                    from_float_bits(float8[j][k]));
    }
}

/* The tables must have what each kind is known for, or they would prove nothing. */
TEST(test_float8_census) {
  static const int nans[5] = {6, 2, 1, 1, 1}, infs[5] = {2, 0, 0, 0, 0}, zeros[5] = {2, 2, 1, 1, 0};
  static const double largest[5] = {57344, 448, 57344, 240, 0x1p127};
  for (int k = 0; k < 5; k++) {
    int nan = 0, inf = 0, zero = 0;
    double most = 0;
    for (unsigned i = 0; i < 256; i++) {
      unsigned kind = agk_classify(float8_formats[k], i);
      nan += kind == AGK_IS_NAN;
      inf += kind == AGK_IS_POS_INF || kind == AGK_IS_NEG_INF;
      if (kind != AGK_IS_FINITE) continue;
      zero += (int)agk_is_zero(float8_formats[k], i);
      most = fmax(most, agk_value(float8_formats[k], i));
    }
    assert_int_equal(nan, nans[k]);
    assert_int_equal(inf, infs[k]);
    assert_int_equal(zero, zeros[k]);
    assert_true(most == largest[k]);
  }
}

TEST(test_half) {
  for (uint32_t i = 0; i < 65536; i++) {
    check(half, i, from_half_bits((uint16_t)i));
    check_order(half, i, (i * 40503u) & 0xffff, from_half_bits((uint16_t)i),
                from_half_bits((uint16_t)(i * 40503u)));
    check_order(half, i, (i + 1) & 0xffff, from_half_bits((uint16_t)i),
                from_half_bits((uint16_t)(i + 1)));
  }
}

TEST(test_bfloat16) {
  for (uint32_t i = 0; i < 65536; i++) {
    check(bfloat16, i, from_float_bits(i << 16));
    check_order(bfloat16, i, (i * 40503u) & 0xffff, from_float_bits(i << 16),
                from_float_bits(i * 40503u << 16));
  }
}

static uint64_t next_random(uint64_t *s) {
  uint64_t z = *s += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

/* Every exponent with the mantissas at its edges, of both signs, and random bits. */
TEST(test_wide) {
  const uint64_t edges[] = {0, 1, 2, 3};
  uint64_t random = 1;
  for (uint64_t sign = 0; sign < 2; sign++)
    for (uint64_t e = 0; e < 2048; e++)
      for (unsigned m = 0; m < 8; m++) {
        uint64_t low32 = m < 4 ? edges[m] : (1u << 23) - 1 - edges[m - 4],
                 low64 = m < 4 ? edges[m] : (1ull << 52) - 1 - edges[m - 4];
        uint32_t a = (uint32_t)(sign << 31 | (e & 255) << 23 | low32);
        uint64_t b = sign << 63 | e << 52 | low64;
        check(float32, a, from_float_bits(a));
        check(float64, b, agk_double(b));
      }
  for (int i = 0; i < 300000; i++) {
    uint64_t a = next_random(&random), b = next_random(&random);
    check(float32, (uint32_t)a, from_float_bits((uint32_t)a));
    check(float64, a, agk_double(a));
    check_order(float32, (uint32_t)a, (uint32_t)b, from_float_bits((uint32_t)a),
                from_float_bits((uint32_t)b));
    check_order(float64, a, b, agk_double(a), agk_double(b));
  }
}

/* torch.set_flush_denormal(True) sets these bits in the host's FPU: subnormals must come through
 * all the same. */
TEST(test_flushing_fpu) {
#ifdef __SSE2__
  unsigned before = _mm_getcsr();
  uint64_t smallest_float, smallest_half;
  _mm_setcsr(before | 0x8040);
  smallest_float = bits_of(agk_value(float32, 1));
  smallest_half = bits_of(agk_value(half, 0x8001));
  _mm_setcsr(before);
  assert_int_equal(smallest_float, bits_of(0x1p-149));
  assert_int_equal(smallest_half, bits_of(-0x1p-24));
#else
  skip();
#endif
}

TEST(test_integers) {
  for (uint8_t bytes = 1; bytes <= 8; bytes = (uint8_t)(bytes * 2)) {
    agk_format s = {AGK_SIGNED, bytes, 1, 0, 0, AGK_IEEE},
               u = {AGK_UNSIGNED, bytes, 1, 0, 0, AGK_IEEE};
    uint64_t all = agk_ones(8u * bytes), top = all ^ all >> 1;
    const uint64_t rising[] = {top, top + 1, all, 0, 1, top - 1};
    for (int i = 0; i < 6; i++) {
      int64_t value = (int64_t)(rising[i] << (64 - 8 * bytes)) >> (64 - 8 * bytes);
      assert_int_equal(agk_classify(s, rising[i]), AGK_IS_FINITE);
      assert_int_equal(agk_integer(s, rising[i]), value);
      assert_true(agk_value(s, rising[i]) == (double)value);
      assert_int_equal(agk_integer(u, rising[i]), rising[i]);
      assert_true(agk_value(u, rising[i]) == (double)rising[i]);
      assert_int_equal(agk_is_zero(s, rising[i]), rising[i] == 0);
      assert_int_equal(agk_unkey(s, agk_key(s, rising[i])), rising[i]);
      assert_int_equal(agk_unkey(u, agk_key(u, rising[i])), rising[i]);
      if (i) assert_true(agk_key(s, rising[i - 1]) < agk_key(s, rising[i]));
    }
    assert_true(agk_key(u, top) > agk_key(u, top - 1));
  }
}

/* torch stores 0 and 1, but a kernel may have left anything. */
TEST(test_bool) {
  agk_format f = {AGK_BOOL, 1, 1, 0, 0, AGK_IEEE};
  for (unsigned i = 0; i < 256; i++) {
    assert_int_equal(agk_classify(f, i), AGK_IS_FINITE);
    assert_int_equal(agk_integer(f, i), i != 0);
    assert_int_equal(agk_key(f, i), i != 0);
    assert_true(agk_value(f, i) == (i != 0));
    assert_int_equal(agk_is_zero(f, i), i == 0);
  }
}

/* One value in one slot among others that are finite, and among others that are not. */
static void check_slot(agk_format f, unsigned slot, uint64_t value, uint64_t others) {
  unsigned width = 8u * f.bytes, slots = 16u / f.bytes;
  uint64_t both[2] = {0, 0};
  bool bad = false;
  uint32_t seen = 0;
  agk_words words = agk_words_of(f);
  for (unsigned i = 0; i < slots; i++) {
    uint64_t v = i == slot ? value : others;
    both[i * width / 64] |= v << (i * width % 64);
    bad = bad || agk_classify(f, v) != AGK_IS_FINITE;
  }
  for (unsigned w = 0; w < 4; w++)
    seen |= agk_word_bad(words, (uint32_t)(both[w / 2] >> 32 * (w % 2)), w % 2);
  assert_int_equal(seen != 0, bad);
}

TEST(test_words) {
  uint64_t random = 7;
  for (int k = 0; k < 5; k++)
    for (unsigned i = 0; i < 256; i++)
      for (unsigned j = 0; j < 256; j++)
        for (unsigned slot = 0; slot < 4; slot++) check_slot(float8_formats[k], slot, i, j);
  for (uint32_t i = 0; i < 65536; i++)
    for (unsigned slot = 0; slot < 8; slot++) {
      check_slot(half, slot, i, slot % 2 ? 0x7bff : 0x8001);
      check_slot(bfloat16, slot, i, slot % 2 ? 0x7f7f : 0x8001);
      check_slot(half, slot, i, (i * 40503u) & 0xffff);
    }
  for (int i = 0; i < 300000; i++) {
    uint64_t a = next_random(&random), exponent = next_random(&random);
    /* Every other one with the exponent full, or short of it by one. */
    uint32_t a32 = i % 2 ? (uint32_t)a
                         : (uint32_t)(a | 0x7f800000u) ^ (uint32_t)((exponent & 1) << 23);
    uint64_t a64 = i % 2 ? a : (a | 0x7ff0000000000000u) ^ (exponent & 1) << 52;
    check_slot(float32, i % 4, a32, 0x7f7fffffu);
    check_slot(float64, i % 2, a64, 0xffefffffffffffffu);
  }
  check_slot(float64, 0, 0x7ff0000000000000u, 0);
  check_slot(float64, 1, 0x7ff0000000000001u, 0);
  check_slot(float64, 1, 0x000fffffffffffffu, 0);
}

/* Integers have no NaN: their words are never bad. */
TEST(test_words_of_integers) {
  agk_format f = {AGK_SIGNED, 4, 1, 0, 0, AGK_IEEE};
  agk_words w = agk_words_of(f);
  assert_int_equal(agk_word_bad(w, 0xffffffffu, 0) | agk_word_bad(w, 0x7f800000u, 1), 0);
}

/* The list that makes the kernels: no format twice, none that the device code could not hold. */
TEST(test_formats) {
#define AS_FORMAT(name, cls, bytes, exponent, mantissa, special)                                   \
  {cls, bytes, 1, exponent, mantissa, special},
  static const agk_format all[] = {AGK_SUMMARY_FORMATS(AS_FORMAT)};
  const size_t n = sizeof all / sizeof *all;
  assert_int_equal(sizeof(agk_result) % 8, 0);
  for (size_t i = 0; i < n; i++) {
    assert_int_equal(16 % all[i].bytes, 0);
    if (all[i].cls == AGK_FLOATING && all[i].special != AGK_E8M0)
      assert_int_equal(all[i].exponent + all[i].mantissa + 1, 8 * all[i].bytes);
    for (size_t j = 0; j < i; j++) assert_memory_not_equal(&all[i], &all[j], sizeof all[i]);
  }
}

/* Each format of one byte is tested by the values that torch has for it. */
TEST(test_float8_is_complete) {
#define AS_NAMED(name, cls, bytes, exponent, mantissa, special)                                    \
  {#name, {cls, bytes, 1, exponent, mantissa, special}},
  static const struct {
    const char *name;
    agk_format format;
  } all[] = {AGK_SUMMARY_FORMATS(AS_NAMED)};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    bool found = all[i].format.cls != AGK_FLOATING || all[i].format.bytes > 1;
    for (int k = 0; k < 5; k++)
      found = found || !memcmp(&all[i].format, &float8_formats[k], sizeof all[i].format);
    if (!found) fail_msg("%s has no column in 5xx/float8.inc and float8_formats", all[i].name);
  }
}
