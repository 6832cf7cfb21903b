/* decode.h - what the bits of one element mean.
 *
 * It is compiled three times: into the CUDA kernels, into the host code that reads their result,
 * and into the C test that compares it with an independent table. Therefore it is both C11 and CUDA
 * C++, and has no library call, no state, and no floating-point comparison: everything is decided
 * on bits, so that neither -ffast-math nor a flushing FPU changes an answer.
 *
 * Words. A *part* is one real number: a complex element has two, every other element is one. *Bits*
 * are a part's bytes, read little-endian into the low end of a uint64_t. A *key* orders parts as
 * their values are ordered, -0 below +0, by an unsigned comparison: minimum and maximum then have
 * the same bits whatever the order in which elements are visited. */
#ifndef AOTIGEN_DECODE_H
#define AOTIGEN_DECODE_H

#include <stdint.h>
#include <string.h>

#ifdef __CUDACC__
#define AGK_INLINE static __host__ __device__ __forceinline__
#else
#define AGK_INLINE static inline
#endif

/* The values are those of enum ag_class and enum ag_special of the runtime, which asserts it. */
enum agk_class { AGK_OTHER, AGK_BOOL, AGK_SIGNED, AGK_UNSIGNED, AGK_FLOATING, AGK_COMPLEX };
/* AGK_DIFFERS and AGK_HOLDS are not for numbers: a part that differs from the format's pattern, or
 * that holds it, counts as NaN. The pattern is two bytes, `exponent` the upper and `mantissa` the
 * lower one, repeated or cut to the part's width. */
enum agk_special { AGK_IEEE, AGK_FN, AGK_FNUZ, AGK_E8M0, AGK_DIFFERS, AGK_HOLDS };
enum agk_kind { AGK_IS_FINITE, AGK_IS_NAN, AGK_IS_POS_INF, AGK_IS_NEG_INF };

/* One element type. exponent and mantissa are 0 if the class has none. */
typedef struct agk_format {
  uint8_t cls;      /* enum agk_class */
  uint8_t bytes;    /* of one part: 1, 2, 4 or 8 */
  uint8_t parts;    /* 1; 2 for a complex type */
  uint8_t exponent; /* bits */
  uint8_t mantissa; /* bits */
  uint8_t special;  /* enum agk_special */
} agk_format;

AGK_INLINE uint64_t agk_ones(unsigned n) { return n >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << n) - 1; }

/* The sign bit of a part; 0 if the format has no sign. */
AGK_INLINE uint64_t agk_sign(agk_format f) {
  if (f.cls == AGK_BOOL || f.cls == AGK_UNSIGNED || f.special == AGK_E8M0) return 0;
  return (uint64_t)1 << (8u * f.bytes - 1);
}

/* The pattern of AGK_DIFFERS and AGK_HOLDS, as wide as a part. */
AGK_INLINE uint64_t agk_pattern(agk_format f) {
  uint64_t pair = (uint64_t)f.exponent << 8 | f.mantissa;
  return pair * 0x0001000100010001u & agk_ones(8u * f.bytes);
}

/* An enum agk_kind. Integers and bools are finite. */
AGK_INLINE unsigned agk_classify(agk_format f, uint64_t bits) {
  if (f.special >= AGK_DIFFERS)
    return (bits == agk_pattern(f)) == (f.special == AGK_HOLDS) ? AGK_IS_NAN : AGK_IS_FINITE;
  uint64_t exponent = agk_ones(f.exponent) << f.mantissa, mantissa = agk_ones(f.mantissa);
  if (f.cls != AGK_FLOATING && f.cls != AGK_COMPLEX) return AGK_IS_FINITE;
  if (f.special == AGK_FNUZ) return bits == agk_sign(f) ? AGK_IS_NAN : AGK_IS_FINITE;
  if ((bits & exponent) != exponent) return AGK_IS_FINITE;
  if (f.special == AGK_E8M0) return AGK_IS_NAN;
  if (f.special == AGK_FN) return (bits & mantissa) == mantissa ? AGK_IS_NAN : AGK_IS_FINITE;
  if (bits & mantissa) return AGK_IS_NAN;
  return bits & agk_sign(f) ? AGK_IS_NEG_INF : AGK_IS_POS_INF;
}

/* 1 if a finite part is zero, of either sign. */
AGK_INLINE unsigned agk_is_zero(agk_format f, uint64_t bits) {
  if (f.special == AGK_E8M0) return 0;
  if (f.cls == AGK_FLOATING || f.cls == AGK_COMPLEX) bits &= ~agk_sign(f);
  return bits == 0;
}

/* 1 if a part is finite and not zero, but smaller than the format's normal numbers. E8M0 has no
 * such number. */
AGK_INLINE unsigned agk_is_subnormal(agk_format f, uint64_t bits) {
  if (f.cls != AGK_FLOATING || f.special == AGK_E8M0) return 0;
  return !(bits & agk_ones(f.exponent) << f.mantissa) && (bits & agk_ones(f.mantissa));
}

/* The key of a finite part. It fits the part's own width. */
AGK_INLINE uint64_t agk_key(agk_format f, uint64_t bits) {
  uint64_t sign = agk_sign(f), all = agk_ones(8u * f.bytes);
  if (f.cls == AGK_BOOL) return bits != 0;
  if (f.cls == AGK_SIGNED) return bits ^ sign;
  return bits & sign ? ~bits & all : bits | sign;
}

/* The bits that have this key; for a bool, 0 or 1. */
AGK_INLINE uint64_t agk_unkey(agk_format f, uint64_t key) {
  uint64_t sign = agk_sign(f), all = agk_ones(8u * f.bytes);
  if (f.cls == AGK_BOOL || sign == 0) return key;
  if (f.cls == AGK_SIGNED) return key ^ sign;
  return key & sign ? key ^ sign : ~key & all;
}

AGK_INLINE double agk_double(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* An integer part or a bool, as int64_t; for uint64 the same bits. */
AGK_INLINE int64_t agk_integer(agk_format f, uint64_t bits) {
  unsigned up = 64u - 8u * f.bytes;
  if (f.cls == AGK_BOOL) return bits != 0;
  if (f.cls == AGK_SIGNED) return (int64_t)(bits << up) >> up;
  return (int64_t)bits;
}

/* A finite floating part narrower than double: rebuilt field by field, exact, subnormals too. */
AGK_INLINE double agk_widen(agk_format f, uint64_t bits) {
  uint64_t magnitude = bits & ~agk_sign(f), mantissa = magnitude & agk_ones(f.mantissa),
           exponent = magnitude >> f.mantissa;
  uint64_t bias = agk_ones(f.exponent - 1u) + (f.special == AGK_FNUZ);
  double x;
  if (f.special == AGK_E8M0) return agk_double((bits + 1023 - 127) << 52);
  if (exponent)
    x = agk_double((exponent + 1023 - bias) << 52 | mantissa << (52 - f.mantissa));
  else
    x = (double)(uint32_t)mantissa * agk_double((1024 - bias - f.mantissa) << 52);
  return bits & agk_sign(f) ? -x : x;
}

#ifdef __CUDA_ARCH__
/* The same by one multiplication, for formats whose values float has, too: the field is read as if
 * it were float's, then scaled by the difference of the biases. A GPU multiplies subnormals exactly
 * and as fast as anything. */
AGK_INLINE float agk_float(agk_format f, uint32_t bits) {
  uint32_t sign = (uint32_t)agk_sign(f),
           bias = (uint32_t)agk_ones(f.exponent - 1u) + (f.special == AGK_FNUZ);
  float x;
  if (f.special == AGK_E8M0) return __uint_as_float(bits ? bits << 23 : 1u << 22);
  x = __uint_as_float((bits & ~sign) << (23 - f.mantissa)) * __uint_as_float((254 - bias) << 23);
  return bits & sign ? -x : x;
}
#endif

/* The value of a finite part. Exact except for integers beyond 2^53, which are rounded. */
AGK_INLINE double agk_value(agk_format f, uint64_t bits) {
  if (f.cls == AGK_UNSIGNED) return (double)bits;
  if (f.cls == AGK_BOOL || f.cls == AGK_SIGNED) return (double)agk_integer(f, bits);
  if (f.bytes == 8) return agk_double(bits);
#ifdef __CUDA_ARCH__
  if (f.exponent <= 8) return (double)agk_float(f, (uint32_t)bits);
#endif
  return agk_widen(f, bits);
}

/* ---- whole words ---------------------------------------------------------------------------- */

/* Constants of the test if any part in 32 bits is not finite. The test takes four to six integer
 * operations for every floating format: a lane that is not finite carries into its own sign bit,
 * and no lane carries into the next. A part of 8 bytes shows in its upper (odd) word. For FNUZ and
 * E8M0, whose NaN is one pattern, it looks for a lane that equals the pattern. */
typedef struct agk_words {
  uint32_t flip;    /* xor: brings NaN of FNUZ and E8M0, and the pattern, to 0 */
  uint32_t own;     /* all ones if a lane's own sign bit counts too, else 0 */
  uint32_t invert;  /* all ones if a zero lane is sought, else 0 */
  uint32_t mask[2]; /* for even and odd words */
  uint32_t add[2];
  uint32_t sign[2];
} agk_words;

AGK_INLINE agk_words agk_words_of(agk_format f) {
  agk_words w = {0, 0, 0, {0, 0}, {0, 0}, {0, 0}};
  uint32_t lanes = f.bytes == 1 ? 0x01010101u : f.bytes == 2 ? 0x00010001u : 1u;
  unsigned width = f.bytes >= 4 ? 32 : 8u * f.bytes,
           low = f.bytes == 8 ? f.mantissa - 32u : f.mantissa;
  if (f.cls != AGK_FLOATING && f.cls != AGK_COMPLEX) return w;
  w.sign[1] = lanes << (width - 1);
  if (f.special == AGK_IEEE) {
    w.mask[1] = lanes * (uint32_t)(agk_ones(f.exponent) << low);
    w.add[1] = lanes << low;
  } else {
    w.mask[1] = lanes * (uint32_t)agk_ones(width - 1);
    w.add[1] = f.special == AGK_FN ? lanes : w.mask[1];
    if (f.special != AGK_FN) w.own = 0xffffffffu;
    if (f.special != AGK_FN && f.special != AGK_DIFFERS) w.invert = 0xffffffffu;
    if (f.special >= AGK_DIFFERS) w.flip = (uint32_t)agk_pattern(f) * lanes;
    if (f.special == AGK_FNUZ || f.special == AGK_E8M0)
      w.flip = f.special == AGK_FNUZ ? w.sign[1] : 0xffffffffu;
  }
  if (f.bytes < 8) {
    w.mask[0] = w.mask[1];
    w.add[0] = w.add[1];
    w.sign[0] = w.sign[1];
  }
  return w;
}

/* Not 0 if a part in the word is not finite. odd: 1 for the second, fourth ... word of a 16-byte
 * group. */
AGK_INLINE uint32_t agk_word_bad(agk_words w, uint32_t word, unsigned odd) {
  uint32_t flipped = word ^ w.flip, carried = (flipped & w.mask[odd]) + w.add[odd];
  return ((carried | (flipped & w.own)) ^ w.invert) & w.sign[odd];
}

#endif
