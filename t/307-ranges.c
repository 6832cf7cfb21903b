/* 307-ranges - what is known of bytes: writes that cover, split, touch and interleave. */
#include "../runtime/state/ranges.h"
#include "shim.h"

static ag_ranges r;
static ag_known k;
static const ag_findings clean = {1, 0, 0, 0, {AG_NO_ORIGIN, AG_NO_ORIGIN}, {0, 0}},
                         nan_of_3 = {1, AG_NAN, 0, 0, {3, AG_NO_ORIGIN}, {0, 0}},
                         unscanned = {0, 0, 0, 0, {AG_NO_ORIGIN, AG_NO_ORIGIN}, {0, 0}};
static char memory[4096];

BEFORE_EACH { ag_ranges_clear(&r); }

/* Elements [first, first + n) of float32, `stride` apart. */
static const ag_view *view_of(const char *dtype, int64_t first, int64_t n, int64_t stride) {
  static ag_view v;
  memset(&v, 0, sizeof v);
  v.state = AG_VIEW_OK;
  v.t.dtype = ag_dtype_of_name(dtype);
  v.t.data = memory + first * 4;
  v.t.ndim = 1;
  v.t.sizes[0] = n;
  v.t.strides[0] = stride;
  v.storage_bytes = -1;
  ag_view_measure(&v);
  return &v;
}
#define V(first, n) view_of("float32", first, n, 1)

static void ask(int64_t first, int64_t n) { ag_ranges_query(&r, V(first, n), &k); }

TEST(exact) {
  ask(0, 10);
  assert_false(k.any || k.covered || k.found.scanned);
  ag_ranges_write(&r, V(0, 10), 5, 2, 1, &clean);
  ask(0, 10);
  assert_true(k.covered && k.exact && k.found.scanned && !k.found.bad);
  assert_int_equal(k.last->launch, 5);
  assert_int_equal(k.last->site, 2);
  ask(2, 3); /* a part of what is clean is clean */
  assert_true(k.covered && !k.exact && k.found.scanned);
  ask(5, 10);
  assert_true(k.any && !k.covered && !k.found.scanned);
  ask(10, 5);
  assert_false(k.any);
}

TEST(part_of_bad) {
  ag_ranges_write(&r, V(0, 10), 1, 0, 0, &nan_of_3);
  ask(0, 10);
  assert_true(k.found.scanned && k.found.bad == AG_NAN && k.found.origin[AG_NAN_ORIGIN] == 3);
  ask(0, 5); /* may be clean; if it is not, the origin is known */
  assert_true(!k.found.scanned && k.found.bad == AG_NAN && k.found.origin[AG_NAN_ORIGIN] == 3);
}

TEST(splits) {
  ag_ranges_write(&r, V(0, 30), 1, 0, 0, &clean);
  ag_ranges_write(&r, V(10, 10), 2, 0, 0, &nan_of_3);
  assert_int_equal(r.count, 3);
  ask(0, 10);
  assert_true(k.found.scanned && !k.found.bad && k.last->launch == 1);
  ask(20, 10);
  assert_true(k.found.scanned && !k.found.bad && k.last->launch == 1);
  ask(0, 30);
  assert_true(k.covered && !k.found.scanned && k.found.bad == AG_NAN && k.last->launch == 2 &&
              k.seen == 1);
  ag_ranges_write(&r, V(5, 20), 3, 0, 0, &clean);
  ask(0, 30);
  assert_true(k.covered && k.found.scanned && !k.found.bad && r.count == 3);
  ag_ranges_write(&r, V(0, 30), 4, 0, 0, &unscanned);
  assert_int_equal(r.count, 1);
}

TEST(touching) {
  ag_ranges_write(&r, V(0, 10), 1, 0, 0, &clean);
  ag_ranges_write(&r, V(10, 10), 2, 0, 0, &clean);
  ask(0, 20);
  assert_true(k.covered && k.found.scanned && k.seen == 1);
  ag_ranges_forget(&r, V(9, 2));
  ask(0, 20);
  assert_false(k.covered);
  ask(0, 9);
  assert_true(k.covered);
  ask(11, 9);
  assert_true(k.covered);
}

TEST(types_differ) {
  ag_ranges_write(&r, V(0, 10), 1, 0, 0, &clean);
  ag_ranges_query(&r, view_of("int32", 0, 10, 1), &k);
  assert_true(k.covered && !k.found.scanned && !k.exact);
}

TEST(gaps) {
  ag_ranges_write(&r, V(0, 20), 1, 0, 0, &nan_of_3);
  ag_ranges_write(&r, view_of("float32", 0, 10, 2), 2, 0, 0,
                  &clean); /* every second: the NaN may be among the others */
  ask(0, 20);
  assert_true(k.covered && k.found.bad == AG_NAN && k.found.origin[AG_NAN_ORIGIN] == 3);
}

/* NaN of that origin, the first of them in element `first`. */
static ag_findings nan_at(uint16_t origin, int64_t first) {
  return (ag_findings){1,
                       AG_NAN,
                       0,
                       0,
                       {origin, AG_NO_ORIGIN},
                       {first < 0 ? 0 : (uintptr_t)(memory + first * 4), 0}};
}

/* Ten elements with such NaN. */
static void write_bad(int64_t from, uint16_t origin, int64_t first) {
  const ag_findings found = nan_at(origin, first);
  ag_ranges_write(&r, V(from, 10), 1, 0, 0, &found);
}

static uintptr_t ask_for_address(int64_t first, int64_t n) {
  ask(first, n);
  assert_true(k.covered && k.found.bad == AG_NAN && k.found.origin[AG_NAN_ORIGIN] == 3);
  return k.found.first_address[AG_NAN_ORIGIN];
}

/* The address of the first bad element is known for one bad part, not for several. */
TEST(address) {
  ag_ranges_write(&r, V(0, 50), 1, 0, 0, &clean);
  write_bad(10, 3, 12);
  assert_int_equal(ask_for_address(10, 10), memory + 12 * 4);
  assert_int_equal(ask_for_address(0, 50), memory + 12 * 4);
  write_bad(20, 3, 27);
  assert_int_equal(ask_for_address(0, 30), 0);
  write_bad(30, 3, 31);
  assert_int_equal(ask_for_address(0, 40), 0);
  assert_int_equal(ask_for_address(0, 50), 0);
  assert_false(k.found.uncertain);
}

/* If the address in one of two bad parts is not known, that in the other may not be the first. */
TEST(address_unknown) {
  ag_ranges_write(&r, V(0, 40), 1, 0, 0, &clean);
  write_bad(0, 3, -1);
  write_bad(20, 3, 25);
  assert_int_equal(ask_for_address(0, 40), 0);
  assert_int_equal(ask_for_address(10, 30), memory + 25 * 4);
}

/* One of them is named, with the doubt that it may be the other. */
TEST(two_origins) {
  write_bad(0, 3, 2);
  write_bad(10, 4, 15);
  assert_int_equal(ask_for_address(0, 20), 0);
  assert_int_equal(k.found.uncertain, AG_NAN);
  assert_int_equal(ask_for_address(0, 10), memory + 2 * 4);
  assert_false(k.found.uncertain);
  /* Those of Inf are kept apart from those of NaN. */
  const ag_findings of_5 = {1, AG_POS_INF, 0, 0, {AG_NO_ORIGIN, 5}, {0, (uintptr_t)memory + 80}},
                    of_6 = {1, AG_NEG_INF, 0, 0, {AG_NO_ORIGIN, 6}, {0, (uintptr_t)memory + 120}};
  ag_ranges_write(&r, V(20, 10), 2, 0, 0, &of_5);
  ask(10, 20);
  assert_true(k.found.origin[AG_NAN_ORIGIN] == 4 && k.found.origin[AG_INF_ORIGIN] == 5);
  assert_int_equal(k.found.first_address[AG_NAN_ORIGIN], memory + 15 * 4);
  assert_int_equal(k.found.first_address[AG_INF_ORIGIN], memory + 80);
  assert_int_equal(k.found.bad, AG_NAN | AG_POS_INF);
  assert_false(k.found.uncertain);
  ag_ranges_write(&r, V(30, 10), 3, 0, 0, &of_6);
  ask(10, 30);
  assert_int_equal(k.found.bad, AG_NAN | AG_INF);
  assert_int_equal(k.found.uncertain, AG_INF);
  assert_int_equal(k.found.first_address[AG_INF_ORIGIN], 0);
}

TEST(doubts) {
  ag_ranges_write(&r, V(0, 10), 1, 0, 0, &clean);
  ag_ranges_mark_uncertain(&r, V(3, 2), 7, 4, 2);
  ask(0, 10);
  assert_true(k.covered && !k.found.scanned && k.last->launch == 7 && k.last->site == 4);
}

TEST(devices) {
  ag_ranges_write(&r, V(0, 10), 1, 0, 0, &clean);
  ag_view other = *V(0, 10);
  other.t.device_type = FAKE_CUDA;
  ag_ranges_query(&r, &other, &k);
  assert_false(k.any);
  ag_ranges_write(&r, &other, 2, 0, 0, &nan_of_3);
  ask(0, 10);
  assert_true(k.found.scanned && !k.found.bad);
}

/* Against a byte map: random writes and questions. */
TEST(by_chance) {
  uint64_t owner[1024] = {0}, seed = 1;
  for (uint64_t launch = 1; launch < 3000; launch++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    int64_t first = (int64_t)(seed >> 33 & 1023), n = (int64_t)(seed >> 50 & 127) + 1;
    if (first + n > 1024) n = 1024 - first;
    if (seed >> 62)
      ag_ranges_write(&r, V(first, n), launch, 0, 0, &clean);
    else
      ag_ranges_forget(&r, V(first, n));
    for (int64_t i = first; i < first + n; i++) owner[i] = seed >> 62 ? launch : 0;
    first = (int64_t)(seed >> 20 & 1023);
    n = (int64_t)(seed >> 10 & 63) + 1;
    if (first + n > 1024) n = 1024 - first;
    uint64_t last = 0, least = UINT64_MAX;
    for (int64_t i = first; i < first + n; i++) {
      if (owner[i] > last) last = owner[i];
      if (owner[i] < least) least = owner[i];
    }
    ask(first, n);
    assert_int_equal(k.any, last > 0);
    assert_int_equal(k.covered, least > 0);
    if (last) assert_int_equal(k.last->launch, last);
  }
}
