/* pattern.c - see pattern.h. */
#define _GNU_SOURCE
#include "tensor/pattern.h"

#include <string.h>

/* 0x7ff5 is a NaN as bfloat16 and float16, 0x7ff57ff5 as float32, 0x7ff57ff57ff57ff5 as float64; so
 * are ZONE, and RELEASED with any last digit but 0. A byte of 0x7f is a NaN of float8_e5m2 and
 * float8_e4m3fn. */
enum {
  WIDE = 0x7ff5,
  ZONE = 0x7ffd,
  RELEASED = 0x7ff0,
  NARROW = 0x7f7f,
  NARROW_FNUZ = 0x8080,
  NARROW_E8M0 = 0xffff
};
/* Last digits of RELEASED. Excluded are 5 and 13, of unwritten memory and of red zones, and 15, of
 * the NaN that a GPU computes. */
static const uint8_t digits[12] = {1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 14};

static unsigned pair_of(const ag_dtype *d, enum ag_pattern which) {
  if (d->item_size > 1) return which == AG_PATTERN_ZONE ? ZONE : WIDE;
  return d->special == AG_FNUZ ? NARROW_FNUZ : d->special == AG_E8M0 ? NARROW_E8M0 : NARROW;
}

uint32_t ag_pattern_word(const ag_dtype *d, enum ag_pattern which) {
  return pair_of(d, which) * 0x00010001u;
}

bool ag_pattern_is(const ag_dtype *d, enum ag_pattern which, const void *element) {
  uint64_t pattern[2];
  uint32_t word = ag_pattern_word(d, which);
  pattern[0] = pattern[1] = (uint64_t)word << 32 | word;
  return d->item_size <= sizeof pattern && !memcmp(element, pattern, d->item_size);
}

bool ag_pattern_is_default_nan(const ag_dtype *d, const void *element) {
  uint64_t bits = 0;
  if (d->cls != AG_FLOATING || d->item_size < 4) return false;
  memcpy(&bits, element, d->item_size);
  return (bits & ((1ull << d->mantissa) - 1)) == 1ull << (d->mantissa - 1);
}

static uint16_t half_of(unsigned code, bool high) {
  unsigned digit = (high ? code / sizeof digits : code) % sizeof digits;
  return (uint16_t)(RELEASED | digits[digit]);
}

uint32_t ag_pattern_released_word(const ag_dtype *d, unsigned code) {
  if (d->item_size == 1) return ag_pattern_word(d, AG_PATTERN_UNWRITTEN);
  return (uint32_t)half_of(code, true) << 16 | half_of(code, false);
}

bool ag_pattern_is_released(const ag_dtype *d, const void *element, unsigned code) {
  uint16_t half;
  uint32_t words[4], word = ag_pattern_released_word(d, code);
  if (d->item_size == 2) {
    memcpy(&half, element, sizeof half);
    return half == half_of(code, false) || half == half_of(code, true);
  }
  if (d->item_size < 4 || d->item_size > sizeof words) return false;
  memcpy(words, element, d->item_size);
  for (unsigned i = 0; i < d->item_size / sizeof *words; i++)
    if (words[i] != word) return false;
  return true;
}

#define PATTERN(size, pair, special)                                                               \
  { "pattern", -1, size, AG_FLOATING, (pair) >> 8, (pair)&0xff, special }
#define PATTERNS(wide, special)                                                                    \
  {                                                                                                \
    PATTERN(1, NARROW, special), PATTERN(1, NARROW_FNUZ, special),                                 \
        PATTERN(1, NARROW_E8M0, special), PATTERN(2, wide, special), PATTERN(4, wide, special)     \
  }

const ag_dtype *ag_pattern_dtype(const ag_dtype *d, enum ag_pattern which) {
  static const ag_dtype types[2][5] = {PATTERNS(WIDE, AG_HOLDS), PATTERNS(ZONE, AG_DIFFERS)};
  int i = d->item_size > 2        ? 4
          : d->item_size == 2     ? 3
          : d->special == AG_FNUZ ? 1
          : d->special == AG_E8M0 ? 2
                                  : 0;
  return &types[which][i];
}
