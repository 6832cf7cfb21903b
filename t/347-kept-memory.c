/* 347-kept-memory - kernels that overwrite what they read: how a bad value came to be is computed
 * from copies, or from what memory still holds. */
#include <math.h>
#include <stdio.h>

#include "shim.h"

enum { FEW = 6, MANY = 70000 }; /* 70,000 floats are more than 256 KiB */
#define PAD "                "

/* For x0 below N: the memory of parameter `out` = log(in[x0] - 3) * sqrt(w[x0]). */
#define KERNEL(n, out)                                                                             \
  "1 c 3 1 0 3 11 3\nmf 0 in_ptr0\nmf 1 in_ptr1\nmf 2 out_ptr0\nf x0 0 1 2 0 -1\n"                 \
  "l 0 3 -1 -1 -1 0 0\nl 1 3 -1 -1 -1 0 1\ns " out " 3 -1 10 -1 0 2\nil 0\nil " n "\nil 1\n"       \
  "sl 0\nlf 0 =tmp0\nlf 1 =tmp1\nff 3.0\nof - 4 6 =tmp2\nof log 7 =tmp3\nof sqrt 5 =tmp4\n"        \
  "of * 8 9 =tmp5\n"
static const int16_t args_of_params[] = {0, 1, 2};
static const aotigen_graph few_in_place = {KERNEL("6", "0"), args_of_params, 3},
                           many_in_place = {KERNEL("70000", "0"), args_of_params, 3},
                           few_through_two = {KERNEL("6", "2"), args_of_params, 3};
static const aotigen_param in_place[] = {FLOAT32("buf0", AOTIGEN_INOUT),
                                         FLOAT32("arg0_1", AOTIGEN_IN),
                                         FLOAT32("buf1", AOTIGEN_OUT)},
                           through_two[] = {FLOAT32("buf0", AOTIGEN_IN),
                                            FLOAT32("arg0_1", AOTIGEN_IN),
                                            FLOAT32("buf1", AOTIGEN_OUT)};
enum { IN_PLACE, MANY_IN_PLACE, THROUGH_TWO };
static const aotigen_site sites[] = {
    CPU_SITE("cpp_fused_log_0", in_place, 7, .number = 1, .graph = &few_in_place),
    CPU_SITE("cpp_fused_log_1", in_place, 8, .number = 2, .graph = &many_in_place),
    CPU_SITE("cpp_fused_log_2", through_two, 9, .number = 3, .graph = &few_through_two)};

static fake *x, *w, *other;

static void make(int n) {
  x = fake_new("float32", n, -1);
  w = fake_new("float32", n, -1);
  other = fake_new("float32", n, -1);
  for (int i = 0; i < n; i++) {
    FLOATS(x)[i] = 10;
    FLOATS(w)[i] = 4;
  }
}

AFTER_EACH {
  fake_free(x);
  fake_free(w);
  fake_free(other);
}

/* What a run reports whose one launch computes x from itself and w. out: what the last parameter
 * is given. Each run is of a model of its own. */
static uint8_t asserted = 1;

static const char *report(uint32_t site, const fake *out, int n, const char *explained) {
  static char said[8000];
  static aotigen_model models[16];
  static int nmodels;
  aotigen_model *m = &models[nmodels++];
  *m = MODEL(WITH(sites, sites), .nan_asserts = asserted, .explain = explained, .source = "m.cpp");
  const aotigen_value v[] = {handle(x), handle(w), handle(out)};
  aotigen_run run;
  capture(2);
  aotigen_run_begin(&run, m, 0, NULL);
  run.launch++;
  assert_null(aotigen_before(&run, site, v, 3));
  for (int i = 0; i < n; i++) FLOATS(x)[i] = logf(FLOATS(x)[i] - 3) * sqrtf(FLOATS(w)[i]);
  assert_null(aotigen_after(&run, site, NULL, 0));
  aotigen_run_end(&run, 0);
  char *text = captured(2);
  snprintf(said, sizeof said, "%s", text);
  free(text);
  return said;
}

#define EXPLAINED                                                                                  \
  PAD "tmp0 = buf0[4] = 2, before the launch\n" PAD "tmp2 = tmp0 - 3 = -1\n" PAD                   \
      "tmp3 = log(tmp2) = nan   <- here\n" PAD "tmp5 = tmp3 * tmp4 = nan\n"

TEST(test_in_place) {
  make(FEW);
  FLOATS(x)[4] = 2;
  assert_has(report(IN_PLACE, other, FEW, ""),
             "  how           buf0[4] as computed again:\n" EXPLAINED);
}

/* A kernel that is given the memory twice. */
TEST(test_through_two_pointers) {
  make(FEW);
  FLOATS(x)[4] = 2;
  assert_has(report(THROUGH_TWO, x, FEW, ""),
             "  how           buf1[4] as computed again:\n" EXPLAINED);
}

/* No copy is made of more than 256 KiB: the report says what makes one. */
TEST(test_large) {
  make(MANY);
  FLOATS(x)[4] = 2;
  assert_has(report(MANY_IN_PLACE, other, MANY, ""),
             "  how           buf0[4] is not explained: the launch itself overwrote 'buf0', which "
             "it had read; with AOTIGEN_EXPLAIN='1:buf0[4]' it is copied before\n");
}

TEST(test_large_on_request) {
  make(MANY);
  FLOATS(x)[4] = 2;
  const char *said = report(MANY_IN_PLACE, other, MANY, "1:buf0[4]");
  assert_has(said, "  how           buf0[4] as computed again:\n" EXPLAINED);
  assert_has(said, "  how           buf0[4] = nan, as computed again:\n" PAD
                   "tmp0 = buf0[4] = 2, before the launch\n");
}

/* A launch that reads an Inf is suspect: what it overwrites is copied, though it is large. */
TEST(test_large_beside_an_infinity) {
  make(MANY);
  FLOATS(x)[4] = 2;
  FLOATS(w)[9] = INFINITY;
  asserted = 3;
  const char *said = report(MANY_IN_PLACE, other, MANY, "");
  asserted = 1;
  assert_has(said, "NaN perhaps made of Inf");
  assert_has(said, "  how           buf0[4] as computed again:\n" EXPLAINED);
}

/* What memory still holds explains it: whatever was multiplied with a NaN. */
TEST(test_from_what_is_left) {
  make(MANY);
  FLOATS(w)[7] = -2;
  assert_has(report(MANY_IN_PLACE, other, MANY, ""),
             "  how           buf0[7] as computed again; the launch itself overwrote 'buf0', which "
             "it had read:\n" PAD "tmp1 = arg0_1[7] = -2\n" PAD
             "tmp4 = sqrt(tmp1) = nan   <- here\n" PAD "tmp5 = tmp3 * tmp4 = nan\n");
}
