/* The bytes of memory that nothing wrote, or that was released: NaN of each floating type, and told
 * apart. */
#include <stddef.h>
#include <stdint.h>

#include "test.h"
#include <math.h>
#include <string.h>

#include "state/released_buffers.h"
#include "tensor/pattern.h"

static void fill(unsigned char element[16], uint32_t word) {
  for (int i = 0; i < 16; i += 4) memcpy(element + i, &word, 4);
}

static const ag_dtype *dtype(unsigned i) {
  static const char *const names[] = {"float16",   "bfloat16",    "float32",      "float64",
                                      "complex64", "float8_e5m2", "float8_e4m3fn"};
  return i < sizeof names / sizeof *names ? ag_dtype_of_name(names[i]) : NULL;
}

TEST(each_is_nan) {
  unsigned char element[16];
  for (unsigned i = 0; dtype(i); i++) {
    fill(element, ag_pattern_word(dtype(i), AG_PATTERN_UNWRITTEN));
    assert_true(isnan(ag_dtype_decode(dtype(i), element)));
    assert_true(ag_pattern_is(dtype(i), AG_PATTERN_UNWRITTEN, element));
    assert_int_equal(ag_pattern_is(dtype(i), AG_PATTERN_ZONE, element), dtype(i)->item_size == 1);
    fill(element, ag_pattern_word(dtype(i), AG_PATTERN_ZONE));
    assert_true(isnan(ag_dtype_decode(dtype(i), element)));
    for (unsigned code = 0; code < AG_PATTERN_CODES && dtype(i)->item_size > 1; code++) {
      fill(element, ag_pattern_released_word(dtype(i), code));
      assert_true(isnan(ag_dtype_decode(dtype(i), element)));
      assert_false(ag_pattern_is(dtype(i), AG_PATTERN_UNWRITTEN, element));
      assert_false(ag_pattern_is(dtype(i), AG_PATTERN_ZONE, element));
      assert_true(ag_pattern_is_released(dtype(i), element, code));
    }
  }
}

/* With four bytes or more, all codes differ; none is the NaN that a processor computes. */
TEST(codes_differ) {
  const ag_dtype *d = ag_dtype_of_name("float32");
  static const uint32_t computed[] = {0x7fffffff, 0x7fc00000, 0xffc00000};
  unsigned char element[16];
  for (unsigned i = 0; i < AG_PATTERN_CODES; i++) {
    fill(element, ag_pattern_released_word(d, i));
    for (unsigned k = 0; k < AG_PATTERN_CODES; k++)
      assert_int_equal(ag_pattern_is_released(d, element, k), i == k);
    for (unsigned k = 0; k < 3; k++) {
      fill(element, computed[k]);
      assert_false(ag_pattern_is_released(d, element, i));
    }
  }
}

/* A NaN that the CPU made of numbers, of either sign, and others. */
TEST(of_numbers) {
  static const struct {
    const char *dtype;
    uint64_t bits;
    bool expected;
  } all[] = {{"float32", 0x7fc00000, true},
             {"float32", 0xffc00000, true},
             {"float32", 0x7fffffff, false},
             {"float32", 0xffffffff, false},
             {"float16", 0x7e00, false},
             {"bfloat16", 0x7fc0, false},
             {"float64", 0xfff8000000000000, true},
             {"float64", 0x7ff8000000000001, false},
             {"complex64", 0x7fc000007fc00000, false},
             {"float8_e5m2", 0x7e, false}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    const ag_dtype *d = ag_dtype_of_name(all[i].dtype);
    unsigned char element[16] = {0};
    memcpy(element, &all[i].bits, sizeof all[i].bits);
    assert_int_equal(ag_pattern_is_default_nan(d, element), all[i].expected);
    fill(element, ag_pattern_word(d, AG_PATTERN_UNWRITTEN));
    assert_false(ag_pattern_is_default_nan(d, element));
  }
}

TEST(buffers_are_found) {
  static const aotigen_buffer row = {.name = "buf0", .line = 7};
  ag_released_buffers *all = ag_released_buffers_create();
  ag_released_buffer found[2];
  const ag_dtype *wide = ag_dtype_of_name("float64"), *half = ag_dtype_of_name("float16");
  unsigned char element[16];
  for (uint64_t i = 0; i < AG_PATTERN_CODES + 3; i++) {
    ag_buffer b = {.row = &row, .launch = i, .release.launch = i + 1};
    assert_int_equal(ag_released_buffers_add(all, &b), i % AG_PATTERN_CODES);
  }
  fill(element, ag_pattern_released_word(wide, 2)); /* the first with this code is forgotten */
  assert_int_equal(ag_released_buffers_find(all, wide, element, found, 2), 1);
  assert_int_equal(found[0].released, AG_PATTERN_CODES + 3);
  assert_int_equal(ag_released_buffers_find(all, half, element, found, 2), 23);
  assert_int_equal(found[0].released, AG_PATTERN_CODES + 3);
  fill(element, ag_pattern_word(wide, AG_PATTERN_UNWRITTEN));
  assert_int_equal(ag_released_buffers_find(all, wide, element, found, 2), 0);
  ag_released_buffers_clear(all);
  fill(element, ag_pattern_released_word(wide, 2));
  assert_int_equal(ag_released_buffers_find(all, wide, element, found, 2), 0);
  assert_int_equal(ag_released_buffers_find(NULL, wide, element, found, 2), 0);
}
