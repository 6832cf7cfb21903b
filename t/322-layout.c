/* 322-layout.c - tensor/layout.c against an enumeration of every element: small random tensors,
 * permuted, expanded, with gaps, overlapping, with negative strides and dimensions of size 1.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

#include "tensor/layout.h"

enum { DIMS = 5, MOST = 1024, ROUNDS = 20000 };

typedef struct shape {
  int32_t ndim;
  int64_t sizes[DIMS], strides[DIMS];
} shape;

/* splitmix64 */
static uint64_t below(uint64_t n) {
  static uint64_t seed = 318;
  uint64_t z = seed += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (z ^ z >> 31) % n;
}

/* Dense in a random order, and often spoiled in one dimension. */
static shape random_shape(void) {
  shape s = {.ndim = (int32_t)below(DIMS + 1)};
  int32_t order[DIMS];
  int64_t next = 1;
  for (int32_t i = 0; i < s.ndim; i++) {
    int32_t k = (int32_t)below((uint64_t)i + 1);
    order[i] = order[k];
    order[k] = i;
    s.sizes[i] = 1 + (int64_t)below(4);
  }
  for (int32_t i = 0; i < s.ndim; i++) {
    int32_t d = below(2) ? s.ndim - 1 - i : order[i];
    if (s.strides[d]) d = order[i];
    s.strides[d] = next;
    next *= s.sizes[d];
  }
  if (s.ndim && below(2)) s.strides[below((uint64_t)s.ndim)] = (int64_t)below(12) - 3;
  return s;
}

static int64_t count_of(const shape *s) {
  int64_t n = 1;
  for (int32_t i = 0; i < s->ndim; i++) n *= s->sizes[i];
  return n;
}

static int64_t offset_of(const shape *s, int64_t flat) {
  int64_t offset = 0;
  for (int32_t i = s->ndim - 1; i >= 0; i--) {
    offset += flat % s->sizes[i] * s->strides[i];
    flat /= s->sizes[i];
  }
  return offset;
}

static int64_t offsets[MOST];

static int compare(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

static shape collapse(const shape *s) {
  shape c;
  c.ndim = ag_layout_collapse(s->ndim, s->sizes, s->strides, c.sizes, c.strides);
  return c;
}

TEST(test_collapse) {
  for (int round = 0; round < ROUNDS; round++) {
    shape s = random_shape(), c = collapse(&s), in_place = s;
    assert_true(c.ndim <= s.ndim);
    assert_int_equal(count_of(&c), count_of(&s));
    for (int64_t i = 0; i < count_of(&s); i++) assert_int_equal(offset_of(&c, i), offset_of(&s, i));
    for (int32_t i = 0; i < c.ndim; i++) {
      assert_true(c.sizes[i] > 1);
      assert_true(i == 0 || c.strides[i - 1] != c.sizes[i] * c.strides[i]);
    }
    in_place.ndim = ag_layout_collapse(s.ndim, in_place.sizes, in_place.strides, in_place.sizes,
                                       in_place.strides);
    assert_int_equal(in_place.ndim, c.ndim);
    assert_memory_equal(in_place.sizes, c.sizes, (size_t)c.ndim * sizeof *c.sizes);
    assert_memory_equal(in_place.strides, c.strides, (size_t)c.ndim * sizeof *c.strides);
  }
}

TEST(test_order) {
  int dense = 0, contiguous = 0, other = 0;
  for (int round = 0; round < ROUNDS; round++) {
    shape s = random_shape(), c = collapse(&s);
    int64_t n = count_of(&s), lowest, end;
    bool in_order = true, fills = true;
    for (int64_t i = 0; i < n; i++) {
      offsets[i] = offset_of(&s, i);
      assert_int_equal(ag_layout_offset(s.ndim, s.sizes, s.strides, i), offsets[i]);
      in_order = in_order && offsets[i] == i;
    }
    qsort(offsets, (size_t)n, sizeof *offsets, compare);
    for (int64_t i = 0; i < n; i++) fills = fills && offsets[i] == i;
    assert_int_equal(ag_layout_in_order(c.ndim, c.strides), in_order);
    assert_int_equal(ag_layout_is_dense(c.ndim, c.sizes, c.strides), fills);
    assert_true(ag_layout_extent(s.ndim, s.sizes, s.strides, &lowest, &end));
    assert_int_equal(lowest, offsets[0]);
    assert_int_equal(end, offsets[n - 1] + 1);
    ag_layout l;
    assert_true(ag_layout_measure(s.ndim, s.sizes, s.strides, &l));
    assert_true(l.lowest == lowest && l.end == end && l.in_order == in_order && l.dense == fills);
    assert_int_equal(l.ndim, c.ndim);
    assert_memory_equal(l.sizes, c.sizes, (size_t)c.ndim * sizeof *c.sizes);
    assert_memory_equal(l.strides, c.strides, (size_t)c.ndim * sizeof *c.strides);
    ag_layout_sort(c.ndim, c.sizes, c.strides);
    for (int64_t i = 0; i < n && fills; i++) assert_int_equal(offset_of(&c, i), i);
    contiguous += in_order;
    dense += fills && !in_order;
    other += !fills;
  }
  assert_true(contiguous > ROUNDS / 20 && dense > ROUNDS / 20 && other > ROUNDS / 20);
}

TEST(test_overflow) {
  const int64_t sizes[] = {INT64_MAX / 2, 3}, strides[] = {4, 1}, far[] = {1, INT64_MAX};
  int64_t lowest, end, to[2];
  ag_layout l;
  assert_false(ag_layout_measure(2, sizes, strides, &l));
  assert_false(ag_layout_extent(2, sizes, strides, &lowest, &end));
  assert_false(ag_layout_extent(2, sizes, far, &lowest, &end));
  assert_int_equal(ag_layout_collapse(1, sizes, far + 1, to, to + 1), 1);
}
