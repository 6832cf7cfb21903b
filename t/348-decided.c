/* 348-decided - whether a launch passed a bad value on, where its kernel may have made one of its
 * own: the kernel's graph decides it for the first bad element. */
#include <math.h>
#include <stdio.h>

#include "shim.h"

/* For x0 below 6: out0[x0] = c[x0] > 0 ? a[x0] : sqrt(b[x0]); out1[x0] = a[x0] - a[4]; out2[x0] =
 * float8(a[x0] * 2) */
static const char kernel[] =
    "1 c 6 1 0 7 18 6\nmf 0 in_ptr0\nmf 1 in_ptr1\nmf 2 in_ptr2\nmf 3 out_ptr0\nmf 4 out_ptr1\n"
    "m8 5 out_ptr2\nf x0 0 1 2 0 -1\n"
    "l 0 3 -1 -1 -1 0 0\nl 1 3 -1 -1 -1 0 1\nl 2 3 -1 -1 -1 0 2\nl 0 4 -1 -1 -1 0 3\n"
    "s 3 3 -1 12 -1 0 4\ns 4 3 -1 13 -1 0 5\ns 5 3 -1 16 -1 0 6\n"
    "il 0\nil 6\nil 1\nsl 0\nil 4\nlf 0 =tmp0\nlf 1 =tmp1\nlf 2 =tmp2\nlf 3 =tmp3\nff 0.0\n"
    "ob > 7 9 =tmp4\nof sqrt 6 =tmp5\nof where 10 5 11 =tmp6\nof - 5 8 =tmp7\nff 2.0\n"
    "of * 5 14 =tmp8\no8 cast 15 =tmp9\nil 0\n";
static const int16_t args_of_params[] = {0, 1, 2, 3, 4, 5};
static const aotigen_graph graph = {kernel, args_of_params, 6};

/* What the kernel's text tells without the elements: of `a` a NaN may be lost. */
static const aotigen_text selects = {.reached_by = 7, .selected_by = {7, 7, 7}, .stored = 1},
                          may_lose = {.reached_by = 1, .selected_by = {1, 1, 1}, .stored = 1};
#define INPUT(n)                                                                                   \
  { .name = n, .dtype = "float32", .role = AOTIGEN_IN, .kind = AOTIGEN_INPUT }
#define OUTPUT(n, type, says)                                                                      \
  { .name = n, .dtype = type, .role = AOTIGEN_OUT, .kind = AOTIGEN_TENSOR, .text = &(says) }
static const aotigen_param params[] = {INPUT("a"),
                                       INPUT("b"),
                                       INPUT("c"),
                                       OUTPUT("buf0", "float32", selects),
                                       OUTPUT("buf1", "float32", may_lose),
                                       OUTPUT("buf2", "float8_e4m3fn", may_lose)};
static const aotigen_site sites[] = {
    CPU_SITE("cpp_fused_where_0", params, 7, .number = 1, .graph = &graph)};
static const aotigen_input inputs[] = {
    {.name = "a", .ndim = -1}, {.name = "b", .ndim = -1}, {.name = "c", .ndim = -1}};

enum { A, B, C, OUT0, OUT1, OUT2, ARGS };
static fake *all[ARGS];

BEFORE_EACH {
  for (int i = 0; i < ARGS; i++) all[i] = fake_new(i == OUT2 ? "float8_e4m3fn" : "float32", 6, -1);
  for (int i = 0; i < 6; i++) FLOATS(all[A])[i] = FLOATS(all[B])[i] = FLOATS(all[C])[i] = 1;
}

AFTER_EACH {
  for (int i = 0; i < ARGS; i++) fake_free(all[i]);
}

static void launch(aotigen_run *run) {
  aotigen_value v[ARGS];
  const float *a = FLOATS(all[A]);
  for (int i = 0; i < ARGS; i++) v[i] = handle(all[i]);
  run->launch++;
  assert_null(aotigen_before(run, 0, v, ARGS));
  for (int i = 0; i < 6; i++) {
    FLOATS(all[OUT0])[i] = FLOATS(all[C])[i] > 0 ? a[i] : sqrtf(FLOATS(all[B])[i]);
    FLOATS(all[OUT1])[i] = a[i] - a[4];
    ((unsigned char *)all[OUT2]->data)[i] = isnan(a[i]) ? 0x7f : 0x40;
  }
  assert_null(aotigen_after(run, 0, NULL, 0));
}

static const char *report(void) {
  static char said[8000];
  static aotigen_model models[8];
  static int n;
  aotigen_model *m = &models[n++];
  *m = MODEL(WITH(sites, sites), WITH(inputs, inputs), .nan_asserts = 1, .source = "m.cpp");
  const void *const given[] = {all[A], all[B], all[C]};
  aotigen_run run;
  capture(2);
  aotigen_run_begin(&run, m, 0, NULL);
  aotigen_check_inputs(&run, given);
  launch(&run);
  aotigen_run_end(&run, 0);
  char *text = captured(2);
  snprintf(said, sizeof said, "%s", text);
  free(text);
  return said;
}

/* The NaN that a[4] holds is in each difference, and where() selects it. */
TEST(test_passed_on) {
  FLOATS(all[A])[4] = NAN;
  const char *said = report();
  assert_has(said, ": NaN of the input 'a' propagated through 1 launch\n");
  assert_has(said, ", to buf0\n");
  assert_lacks(said, "perhaps");
}

/* A root of its own, where where() selects the NaN away. */
TEST(test_of_its_own) {
  FLOATS(all[A])[4] = NAN;
  FLOATS(all[B])[4] = -1;
  FLOATS(all[C])[4] = 0;
  const char *said = report();
  assert_has(said, "buf0 is bad too, perhaps of its own: NaN in 1 of 6 elements, the first at [4]");
  assert_lacks(said, "buf1 is bad too");
  assert_lacks(said, "buf2 is bad too");
}

/* The first bad element was passed on, and a later one is a root of its own. */
TEST(test_of_its_own_behind) {
  FLOATS(all[A])[1] = NAN;
  FLOATS(all[B])[4] = -1;
  FLOATS(all[C])[4] = 0;
  const char *said = report();
  assert_has(said, "buf0 is bad too, perhaps of its own: NaN in 2 of 6 elements, the first at [1]");
}
