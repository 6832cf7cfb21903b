/* 158-check-points.c - points of loops are counted, and gone over, up to the ends of 64 bits. */
#include "bounds/points.h"
#include "unit.h"

static const graph_node loaded = {.kind = NODE_LOAD};

static points make(int64_t low, int64_t high) {
  return (points){.at = {{.node = &loaded, .low = low, .high = high}}, .n = 1};
}

TEST(test_count) {
  static const struct {
    int64_t low, high, count;
  } rows[] = {{0, 0, 1},
              {-3, 3, 7},
              {1, 0, 0},
              {0, INT64_MAX - 1, INT64_MAX},
              {0, INT64_MAX, INT64_MAX},
              {-1, INT64_MAX - 1, INT64_MAX},
              {INT64_MIN, INT64_MAX, INT64_MAX},
              {INT64_MIN, -1, INT64_MAX}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    points p = make(rows[i].low, rows[i].high);
    assert_int_equal(points_count(&p), rows[i].count);
  }
}

TEST(test_next) {
  points p = make(INT64_MAX - 2, INT64_MAX);
  points_first(&p);
  assert_true(points_next(&p));
  assert_true(points_next(&p));
  assert_int_equal(p.at[0].value, INT64_MAX);
  assert_false(points_next(&p));
  p = make(INT64_MIN, INT64_MAX);
  points_first(&p);
  assert_true(points_next(&p));
  assert_int_equal(p.at[0].value, INT64_MIN + 1);
}
