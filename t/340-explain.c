/* 340-explain - a kernel's graph is read, its operators compute what C computes, stores are found,
 * and the way of a bad value is shown. */
#include <float.h>

#include "explaining.h"
#include "explain/lanes.h"
#include "explain/solve.h"

/* ---- the text ------------------------------------------------------------------------------- */

/* for x0 from 0 below 36 step 16: out[x0 + lane] = log(in0[x0 + lane] - in1[x0 + lane]), where
 * x0 + lane < 36; out2[0] = sum of it over all lanes. */
static const char kernel[] =
    "1 c 4 2 1 4 24 4\n"
    "mf 0 in_ptr0\nmf 1 in_ptr1\nmf 2 out_ptr0\nmf 3 out_ptr1\n"
    "f x0 0 1 2 0 -1\nl x0_lane -1 -1 -1 0 0\n"
    "c acc 0 11 19\n"
    "l 0 5 6 -1 -1 0 0\nl 1 5 6 -1 -1 0 1\ns 2 5 6 10 -1 0 2\ns 3 0 -1 23 -1 0 3\n"
    "il 0\nil 36\nil 16\nsl 0\nsl 1\nol + 3 4\nob < 5 1\n" /* 0 to 6 */
    "lf 0 =tmp0\nlf 1 =tmp1\nof - 7 8 =tmp2\nof log 9 =tmp3\n"
    "ff 0.0\ncf 0\nof + 12 10 =acc\nil 20\nob < 3 14\nof where 6 13 12\nof + 7 8\nof * 7 8\n"
    "of where 6 13 12 =acc\n" /* 19 */
    "ef 0\no~ function:+\no~ vec_reduce_all 21 20 =total\nof cast 22\n";

TEST(test_read) {
  ag_graph g;
  assert_true(ag_graph_read(&g, kernel));
  assert_int_equal(g.nnodes, 24);
  assert_int_equal(g.nloops, 2);
  assert_string_equal(g.nodes[10].text, "log");
  assert_string_equal(g.nodes[10].name, "tmp3");
  assert_int_equal(g.nodes[9].args[1], 8);
  assert_int_equal(g.nodes[9].type, GRAPH_F32);
  assert_string_equal(g.memories[3].name, "out_ptr1");
  assert_int_equal(g.carried[0].next, 19);
  ag_graph_free(&g);
}

/* Each cut, and each line changed to something else, is refused or read, and nothing worse. */
TEST(test_read_bad) {
  ag_graph g;
  static const char *const bad[] = {
      "",
      "\n",
      "1",
      "1 c 0 0 0 0 0",
      "2 c 0 0 0 0 0 0\n",
      "1 c 99999999 0 0 0 0 0\n",
      "1 c -1 0 0 0 0 0\n",
      "1 c 0 0 0 0 1 0\n",
      "1 c 0 0 0 0 1 0\nol + 0 0\n",             /* its operand is itself */
      "1 c 0 0 0 0 1 0\nsl 0\n",                 /* no such loop */
      "1 c 0 1 0 0 1 0\nf x 0 0 0 0 -1\nsl 0\n", /* its bound is itself */
      "1 c 0 1 0 0 0 0\nf x -1 -1 -1 0 0\n",     /* within itself */
      "1 c 0 0 0 0 1 0\nzl 0\n",
      "1 c 0 0 0 0 1 0\ni? 0\n",
      "1 c 0 0 0 0 1 0\nil 0x\n",
      "1 c 0 0 0 0 1 0\nil 99999999999999999999x\n",
      "1 c 1 0 0 0 0 0\nmf 0 in\n",
      NULL};
  for (int i = 0; bad[i]; i++) assert_false(ag_graph_read(&g, bad[i]));
  for (size_t n = 0; n + 1 < sizeof kernel; n++) {
    char *cut = strndup(kernel, n);
    assert_false(ag_graph_read(&g, cut));
    free(cut);
  }
  assert_true(ag_graph_read(&g, "1 c 0 0 0 0 0 0\n"));
  ag_graph_free(&g);
}

/* ---- operators ------------------------------------------------------------------------------ */

static ag_number apply(const char *name, graph_type type, int n, ag_number x, ag_number y) {
  ag_number args[] = {x, y}, z = {0};
  ag_op op = ag_op_find(name, n);
  assert_int_not_equal(op, AG_OP_OTHER);
  assert_true(ag_operator_apply(op, type, args, n, &z));
  return z;
}

static float compute(const char *name, int n, float x, float y) {
  ag_number z =
      apply(name, GRAPH_F32, n, ag_number_of_real(x, GRAPH_F32), ag_number_of_real(y, GRAPH_F32));
  return (float)z.real;
}

static int64_t compute_whole(const char *name, graph_type type, int64_t x, int64_t y) {
  return apply(name, type, 2, ag_number_of_whole(x, type), ag_number_of_whole(y, type)).whole;
}

static void check_same(float x, float y) {
  if (isnan(x) && isnan(y)) return;
  assert_memory_equal(&x, &y, sizeof x);
}

static const float samples[] = {0.0f,  -0.0f,  1.0f,     -1.0f,     0.1f, -2.5f,
                                3e38f, 1e-40f, INFINITY, -INFINITY, NAN,  7.0f};
enum { SAMPLES = sizeof samples / sizeof *samples };

TEST(test_float32) {
  for (int i = 0; i < SAMPLES; i++) {
    float x = samples[i];
    check_same(compute("sqrt", 1, x, 0), sqrtf(x));
    check_same(compute("abs", 1, x, 0), fabsf(x));
    check_same(compute("neg", 1, x, 0), -x);
    check_same(compute("floor", 1, x, 0), floorf(x));
    check_same(compute("ceil", 1, x, 0), ceilf(x));
    check_same(compute("trunc", 1, x, 0), truncf(x));
    check_same(compute("round", 1, x, 0), nearbyintf(x));
    check_same(compute("log", 1, x, 0), (float)log((double)x));
    check_same(compute("exp", 1, x, 0), (float)exp((double)x));
    check_same(compute("tanh", 1, x, 0), (float)tanh((double)x));
    check_same(compute("erf", 1, x, 0), (float)erf((double)x));
    check_same(compute("reciprocal", 1, x, 0), 1.0f / x);
    for (int k = 0; k < SAMPLES; k++) {
      float y = samples[k];
      check_same(compute("+", 2, x, y), x + y);
      check_same(compute("-", 2, x, y), x - y);
      check_same(compute("*", 2, x, y), x * y);
      check_same(compute("/", 2, x, y), x / y);
      check_same(compute("fmod", 2, x, y), fmodf(x, y));
      check_same(compute("hypot", 2, x, y), (float)hypot((double)x, (double)y));
      check_same(compute("maximum", 2, x, y), isnan(x) || isnan(y) ? NAN : x > y ? x : y);
      check_same(compute("minimum", 2, x, y), isnan(x) || isnan(y) ? NAN : x < y ? x : y);
      assert_int_equal(compute_whole("<", GRAPH_I64, i, k), i < k);
      ag_number a = ag_number_of_real(x, GRAPH_F32), b = ag_number_of_real(y, GRAPH_F32);
      assert_int_equal(apply("signbit", GRAPH_BOOL, 1, a, a).whole, signbit(x) != 0);
      assert_int_equal(apply("<", GRAPH_BOOL, 2, a, b).whole, x < y);
      assert_int_equal(apply(">=", GRAPH_BOOL, 2, a, b).whole, x >= y);
      assert_int_equal(apply("==", GRAPH_BOOL, 2, a, b).whole, x == y);
      assert_int_equal(apply("!=", GRAPH_BOOL, 2, a, b).whole, x != y);
    }
  }
}

TEST(test_integers) {
  assert_int_equal(compute_whole("+", GRAPH_I32, INT32_MAX, 1), INT32_MIN);
  assert_int_equal(compute_whole("*", GRAPH_I32, 65536, 65537), 65536);
  assert_int_equal(compute_whole("-", GRAPH_U8, 3, 5), 254);
  assert_int_equal(compute_whole("//", GRAPH_I64, 17, 5), 3);
  assert_int_equal(compute_whole("%", GRAPH_I64, 17, 5), 2);
  assert_int_equal(compute_whole("max", GRAPH_I64, -3, 5), 5);
  assert_int_equal(compute_whole("<<", GRAPH_I64, 3, 4), 48);
  assert_int_equal(compute_whole("&", GRAPH_I64, 12, 10), 8);
  ag_number args[] = {{.type = GRAPH_I64, .whole = -7}, {.type = GRAPH_I64, .whole = 2}}, z;
  assert_false(ag_operator_apply(AG_OP_FLOOR_DIVIDE, GRAPH_I64, args, 2, &z));
  args[1].whole = 0;
  assert_false(ag_operator_apply(AG_OP_MODULO, GRAPH_I64, args, 2, &z));
  assert_int_equal(ag_op_find("no_such_function", 1), AG_OP_OTHER);
}

TEST(test_casts) {
  ag_number x = ag_number_of_real(90000, GRAPH_F32);
  assert_true(isinf(ag_number_cast(x, GRAPH_F16).real));
  assert_true(ag_number_cast(ag_number_of_real(65519, GRAPH_F32), GRAPH_F16).real == 65504);
  assert_true(ag_number_cast(ag_number_of_real(0.1, GRAPH_F64), GRAPH_F16).real == 0.0999755859375);
  assert_true(ag_number_cast(ag_number_of_real(0x1p-25, GRAPH_F64), GRAPH_F16).real == 0);
  assert_true(ag_number_cast(ag_number_of_real(0x1.8p-25, GRAPH_F64), GRAPH_F16).real == 0x1p-24);
  assert_true(ag_number_cast(ag_number_of_real(257, GRAPH_F32), GRAPH_BF16).real == 256);
  assert_true(ag_number_cast(ag_number_of_real(0.1, GRAPH_F64), GRAPH_F32).real == (double)0.1f);
  assert_int_equal(ag_number_cast(ag_number_of_real(-3.9, GRAPH_F32), GRAPH_I32).whole, -3);
  assert_int_equal(ag_number_cast(ag_number_of_whole(300, GRAPH_I32), GRAPH_U8).whole, 44);
  assert_int_equal(ag_number_cast(ag_number_of_real(NAN, GRAPH_F32), GRAPH_BOOL).whole, 1);
}

static int64_t count_ulps(double x, double y, graph_type type) {
  return ag_number_count_ulps(ag_number_of_real(x, type), ag_number_of_real(y, type));
}

TEST(test_ulps) {
  assert_int_equal(count_ulps(1, 1, GRAPH_F32), 0);
  assert_int_equal(count_ulps(1, nextafterf(1, 2), GRAPH_F32), 1);
  assert_int_equal(count_ulps(nextafterf(1, 0), nextafterf(1, 2), GRAPH_F32), 2);
  assert_int_equal(count_ulps(FLT_MAX, INFINITY, GRAPH_F32), 1);
  assert_int_equal(count_ulps(0, 0x1p-149, GRAPH_F32), 1);
  assert_int_equal(count_ulps(-0x1p-149, 0x1p-149, GRAPH_F32), 2);
  assert_int_equal(count_ulps(65504, INFINITY, GRAPH_F16), 1);
  assert_int_equal(count_ulps(1, 1.0009765625, GRAPH_F16), 1);
  assert_int_equal(count_ulps(1, 1.0078125, GRAPH_BF16), 1);
  assert_int_equal(count_ulps(nextafter(1, 2), 1, GRAPH_F64), 1);
  assert_int_equal(count_ulps(1, NAN, GRAPH_F32), -1);
  assert_int_equal(count_ulps(1, 1, GRAPH_F8), -1);
}

/* ---- a kernel ------------------------------------------------------------------------------- */

TEST(test_solve) {
  ag_graph g;
  ag_interpreter m;
  assert_true(ag_graph_read(&g, kernel));
  assert_true(ag_interpreter_begin(&m, &g, operands, ag_memory_load));
  for (int i = 0; i < 36; i++) {
    ag_number x;
    assert_int_equal(ag_solve(&m, &g.accesses[2], i), AG_SOLVED);
    assert_int_equal(m.loops.steps[0], i / 16 * 16);
    assert_int_equal(m.loops.lane, i % 16);
    assert_true(ag_interpret(&m, g.accesses[2].value, &x));
    check_same((float)x.real, logf(i == 35 ? 36.0f - 100.0f : (float)i + 1));
  }
  assert_int_equal(ag_solve(&m, &g.accesses[2], 36), AG_SOLVED_NOT);
  assert_int_equal(ag_solve(&m, &g.accesses[2], -1), AG_SOLVED_NOT);
  assert_int_equal(ag_solve(&m, &g.accesses[2], INT64_MAX), AG_SOLVED_UNDECIDED);
  assert_int_equal(ag_solve(&m, &g.accesses[3], 0), AG_SOLVED);
  ag_interpreter_end(&m);
  ag_graph_free(&g);
}

TEST(test_reduction) {
  ag_graph g;
  ag_interpreter m;
  ag_number x;
  double sum = 0;
  for (int i = 0; i < 35; i++) sum += log(i + 1.0);
  ((float *)in1->data)[35] = 0;
  sum += log(36);
  assert_true(ag_graph_read(&g, kernel));
  assert_true(ag_interpreter_begin(&m, &g, operands, ag_memory_load));
  assert_int_equal(ag_solve(&m, &g.accesses[3], 0), AG_SOLVED);
  assert_true(ag_interpret(&m, g.accesses[3].value, &x));
  assert_true(fabs(x.real - sum) < 1e-4 * sum);
  ag_interpreter_end(&m);
  ag_graph_free(&g);
}

/* ---- a report ------------------------------------------------------------------------------- */

TEST(test_explain) {
  ((float *)out0->data)[35] = NAN;
  assert_string_equal(explain(kernel, 2, 35), "  how           buf0[5, 5] as computed again:\n"
                                              "                tmp0 = arg0_1[5, 5] = 36\n"
                                              "                tmp1 = arg1_1[5, 5] = 100\n"
                                              "                tmp2 = tmp0 - tmp1 = -64\n"
                                              "                tmp3 = log(tmp2) = nan   <- here\n");
  ((float *)out1->data)[0] = NAN;
  assert_string_equal(explain(kernel, 3, 0),
                      "  how           buf1[] as computed again; 'acc' goes bad at x0 = 35:\n"
                      "                tmp0 = arg0_1[5, 5] = 36\n"
                      "                tmp1 = arg1_1[5, 5] = 100\n"
                      "                tmp2 = tmp0 - tmp1 = -64\n"
                      "                tmp3 = log(tmp2) = nan   <- here\n"
                      "                acc = acc + tmp3 = nan\n"
                      "                total = sum(acc, 16 lanes) = nan\n");
}

/* Lane 3 goes bad in iteration 16, lane 1 in iteration 32: the first is shown. */
/* Variables of one name, as those of a lambda and of what is around it. */
static const char *call_again(const char *from, const char *to, const char *then, const char *by) {
  static char text[sizeof kernel + 32];
  const char *one = strstr(kernel, from), *two = strstr(one, then);
  snprintf(text, sizeof text, "%.*s%s%.*s%s%s", (int)(one - kernel), kernel, to,
           (int)(two - one - (ptrdiff_t)strlen(from)), one + strlen(from), by, two + strlen(then));
  return text;
}

TEST(test_namesakes) {
  ((float *)out0->data)[35] = NAN;
  assert_string_equal(explain(call_again("=tmp1", "=tmp0", "=tmp3", "=tmp0"), 2, 35),
                      "  how           buf0[5, 5] as computed again:\n"
                      "                tmp0_2 = arg0_1[5, 5] = 36\n"
                      "                tmp0_3 = arg1_1[5, 5] = 100\n"
                      "                tmp2 = tmp0_2 - tmp0_3 = -64\n"
                      "                tmp0 = log(tmp2) = nan   <- here\n");
  assert_string_equal(explain(call_again("=tmp1", "=tmp0", "=tmp3", "=tmp0_2"), 2, 35),
                      "  how           buf0[5, 5] as computed again:\n"
                      "                tmp0 = arg0_1[5, 5] = 36\n"
                      "                tmp0_3 = arg1_1[5, 5] = 100\n"
                      "                tmp2 = tmp0 - tmp0_3 = -64\n"
                      "                tmp0_2 = log(tmp2) = nan   <- here\n");
}

TEST(test_first_term) {
  ((float *)in1->data)[33] = 100;
  ((float *)in1->data)[19] = 100;
  ((float *)in1->data)[35] = 0;
  ((float *)out1->data)[0] = NAN;
  assert_non_null(strstr(explain(kernel, 3, 0), "; 'acc' goes bad at x0 = 19:\n"));
}

/* out[x0 + lane] = sum over x1 below 2 of in0[x0 + lane + 18 * x1]: no lane is one of x1. */
TEST(test_lanes_of_another_loop) {
  static const char columns[] = "1 c 4 3 1 2 17 4\n"
                                "mf 0 in_ptr0\nmf 1 in_ptr1\nmf 2 out_ptr0\nmf 3 out_ptr1\n"
                                "f x0 0 1 2 0 -1\nl x0_lane -1 -1 -1 0 0\nf x1 0 3 4 0 0\n"
                                "c acc 2 13 15\n"
                                "l 0 11 9 -1 -1 0 0\ns 2 8 9 16 -1 0 1\n"
                                "il 0\nil 18\nil 16\nil 2\nil 1\nsl 0\nsl 1\nsl 2\n"
                                "ol + 5 6\nob < 8 1\nol * 7 1\nol + 8 10\n"
                                "lf 0 =tmp0\nff 0.0\ncf 0\nof + 14 12 =acc\nef 0\n";
  ((float *)in0->data)[21] = NAN;
  ((float *)out0->data)[3] = NAN;
  assert_non_null(strstr(explain(columns, 2, 3), "; 'acc' goes bad at x1 = 1:\n"));
}

/* A sum that overflows: no term is bad. */
TEST(test_overflow) {
  static const char *const parts[] = {"buf1[] as computed again; 'acc' goes bad at x0 = 32:\n",
                                      "                acc = 2e+38\n",
                                      "                acc = acc + tmp0 = inf   <- here\n"};
  static const char sum[] = "1 c 4 2 1 2 14 4\n"
                            "mf 0 in_ptr0\nmf 1 in_ptr1\nmf 2 out_ptr0\nmf 3 out_ptr1\n"
                            "f x0 0 1 2 0 -1\nl x0_lane -1 -1 -1 0 0\n"
                            "c acc 0 8 10\n"
                            "l 0 5 6 -1 -1 0 0\ns 3 0 -1 13 -1 0 1\n"
                            "il 0\nil 36\nil 16\nsl 0\nsl 1\nol + 3 4\nob < 5 1\n"
                            "lf 0 =tmp0\nff 0.0\ncf 0\nof + 9 7 =acc\n"
                            "ef 0\no~ function:+\no~ vec_reduce_all 12 11 =total\n";
  for (int i = 0; i < 36; i++) ((float *)in0->data)[i] = i % 16 ? 1.0f : 1e38f;
  ((float *)in0->data)[32] = 3e38f;
  ((float *)out1->data)[0] = INFINITY;
  const char *said = explain(sum, 3, 0);
  for (int i = 0; i < 3; i++) assert_non_null(strstr(said, parts[i]));
}

/* The first lanes of the two halves are 1e17 and -1e17; either one absorbs the ones of other
 * lanes. */
TEST(test_order_of_lanes) {
  static const struct {
    graph_type type;
    double sum;
  } cases[] = {{GRAPH_F32, 14}, {GRAPH_F64, 7}};
  for (int c = 0; c < 2; c++) {
    ag_number lanes[16];
    for (int i = 0; i < 16; i++)
      lanes[i] = ag_number_of_real(i % 8 ? 1 : i ? -1e17 : 1e17, cases[c].type);
    assert_true(ag_lanes_join(AG_OP_ADD, lanes, 16));
    assert_true(lanes[0].real == cases[c].sum);
  }
}

TEST(test_not_explained) {
  ((float *)out0->data)[3] = NAN; /* log(4) is none */
  assert_string_equal(explain(kernel, 2, 3),
                      "  how           buf0[0, 3] is not explained: computed again from what is in "
                      "memory now it is finite\n");
  ((float *)out0->data)[4] = 1.0f;
  assert_string_equal(explain(kernel, 2, 4), "");
  assert_string_equal(explain("nonsense", 2, 3), "");
  assert_string_equal(
      explain("1 c 1 0 0 0 0 4\nmf 2 out_ptr0\n", 2, 3),
      "  how           buf0[0, 3] is not explained: no store of the kernel to it is "
      "known\n");
  assert_string_equal(
      explain("1 c 1 0 0 1 2 4\nmf 2 out_ptr0\ns 0 0 -1 1 -1 0 0\nil 3\nof mystery 0\n", 2, 3),
      "  how           buf0[0, 3] is not explained: 'mystery' is not known\n");
}

/* An exponential that the kernel rounds up beyond the greatest number. */
TEST(test_ulp) {
  ((float *)out0->data)[0] = INFINITY;
  assert_string_equal(explain("1 c 1 0 0 1 2 4\nmf 2 out_ptr0\ns 0 0 -1 1 -1 0 0\nil 0\n"
                              "ff 3.40282347e+38\n",
                              2, 0),
                      "  how           buf0[0, 0] is not explained: computed again it is "
                      "3.40282347e+38, which differs by 1 ulp\n");
}

/* In place: the kernel is given the tensor twice, to load it and to store to it. */
TEST(test_in_place_twice) {
  ((float *)out0->data)[35] = NAN;
  const ag_view other = views[3];
  views[3] = views[2];
  const char *said = explain(kernel, 3, 35);
  views[3] = other;
  assert_non_null(strstr(said, "tmp3 = log(tmp2) = nan   <- here\n"));
}

/* The kernel stores through a view of the tensor, without its first row: a part of what is
 * concatenated. */
TEST(test_stored_through_a_view) {
  const ag_view part = views[2], other = views[3];
  ((float *)out0->data)[35] = ((float *)out0->data)[3] = NAN;
  ((float *)in1->data)[29] = 100;
  views[3] = part;
  views[2].t.data = (char *)part.t.data + 6 * sizeof(float);
  assert_string_equal(explain(kernel, 3, 3), "  how           buf1[0, 3] is not explained: no "
                                             "store of the kernel to it is known\n");
  assert_string_equal(explain(kernel, 3, 35), "  how           buf1[5, 5] as computed again:\n"
                                              "                tmp0 = arg0_1[4, 5] = 30\n"
                                              "                tmp1 = arg1_1[4, 5] = 100\n"
                                              "                tmp2 = tmp0 - tmp1 = -70\n"
                                              "                tmp3 = log(tmp2) = nan   <- here\n");
  views[2] = part;
  views[3] = other;
}

/* exp(100) - exp(101) of a GPU that multiplies and subtracts in one step. */
TEST(test_other_kind) {
  ((float *)out0->data)[35] = -INFINITY;
  const char *said = explain(kernel, 2, 35);
  assert_non_null(strstr(said, "] as computed again, each operation by itself, as nan:\n"));
  assert_non_null(strstr(said, "tmp3 = log(tmp2) = nan   <- here\n"));
}

/* In place: what was loaded is gone. */
TEST(test_overwritten) {
  ((float *)out0->data)[3] = NAN;
  assert_string_equal(explain("1 c 1 0 0 2 3 4\nmf 2 in_out_ptr0\nl 0 0 -1 -1 -1 0 0\n"
                              "s 0 0 -1 2 -1 0 1\nil 3\nlf 0\nof log 1\n",
                              2, 3),
                      "  how           buf0[0, 3] is not explained: the launch itself overwrote "
                      "'buf0', which it had read; with AOTIGEN_EXPLAIN='0:buf0[0,3]' it is copied "
                      "before\n");
}

/* out0[indices[x0], 0] = log(in0[x0] - 3), or += */
#define THROUGH_INDICES(access)                                                                    \
  "1 c 4 1 0 3 10 4\nmf 0 in_ptr0\nml 1 in_ptr1\nmf 2 out_ptr0\nmf 3 out_ptr1\nf x0 0 1 2 0 -1\n"  \
  "l 1 3 -1 -1 -1 0 0\nl 0 3 -1 -1 -1 0 1\n" access                                                \
  " 2 6 -1 9 -1 0 2\nil 0\nil 6\nil 1\nsl 0\nll 0 =tmp0\nlf 1 =tmp1\nol * 1 4\nff 3.0\n"           \
  "of - 5 7 =tmp2\nof log 8 =tmp3\n"

/* Through an index that is loaded: the iteration that stored a bad value is found, and that index.
 */
TEST(test_through_indices) {
  static const int64_t at[] = {5, 2, 4, 2, 3, 0};
  fake *indices = fake_new("int64", 6, -1);
  memcpy(indices->data, at, sizeof at);
  const ag_view other = views[1];
  ag_view_of_handle(&views[1], indices);
  for (int i = 0; i < 6; i++) FLOATS(out0)[6 * i] = NAN;
  assert_string_equal(explain(THROUGH_INDICES("s"), 2, 12),
                      "  how           buf0[2, 0] as computed again; stored at x0 = 1, where "
                      "arg1_1[1] = 2:\n"
                      "                tmp1 = arg0_1[0, 1] = 2\n"
                      "                tmp2 = tmp1 - 3 = -1\n"
                      "                tmp3 = log(tmp2) = nan   <- here\n");
  assert_non_null(
      strstr(explain(THROUGH_INDICES("a"), 2, 12), "; added at x0 = 1, where arg1_1[1] = 2:\n"));
  assert_string_equal(explain(THROUGH_INDICES("s"), 2, 6),
                      "  how           buf0[1, 0] is not explained: no store of the kernel to it "
                      "is known\n");
  assert_string_equal(explain(THROUGH_INDICES("s"), 2, 0),
                      "  how           buf0[0, 0] is not explained: which iteration stored it is "
                      "not known\n");
  views[1] = other;
  fake_free(indices);
}

/* out0[y0] = 0; then out0[indices[x0], 0] += in0[x0] * 7e37 */
#define ADDED(accesses, n, nodes)                                                                  \
  "1 c 4 2 0 " n " 4\nmf 0 in_ptr0\nml 1 in_ptr1\nmf 2 out_ptr0\nmf 3 out_ptr1\n"                  \
  "f y0 0 3 2 0 -1\nf x0 0 1 2 0 -1\ns 2 4 -1 5 -1 0 0\n"                                          \
  "l 0 6 -1 -1 -1 0 1\nl 1 6 -1 -1 -1 0 2\n" accesses                                              \
  "il 0\nil 6\nil 1\nil 36\nsl 0\nff 0.0\nsl 1\nll 2\nol * 7 1\nlf 1 =tmp1\nff 7e37\n"             \
  "of * 9 10 =tmp2\n" nodes

/* The sums are loaded again: out1[0] = out0[2, 0] * 3 */
static const char reloaded[] =
    ADDED("l 2 8 -1 -1 -1 0 3\ns 2 8 -1 13 -1 0 4\nl 2 14 -1 -1 -1 0 5\ns 3 0 -1 17 -1 0 6\n",
          "7 18", "lf 3\nof + 12 11\nil 12\nlf 5 =tmp3\nff 3.0\nof * 15 16 =tmp4\n");

/* Finite terms whose sum is not: in a loop of one thread, and by atomic operations. */
TEST(sums_through_indices) {
  static const char serial[] =
      ADDED("l 2 8 -1 -1 -1 0 3\ns 2 8 -1 13 -1 0 4\n", "5 14", "lf 3\nof + 12 11\n"),
                    atomic[] = ADDED("a 2 8 -1 11 -1 0 3\n", "4 12", "");
  static const char lines[] = "added at x0 = 3, where arg1_1[3] = 2:\n"
                              "                tmp1 = arg0_1[0, 3] = 4\n"
                              "                tmp2 = tmp1 * 7e+37 = 2.8e+38\n"
                              "                buf0[2, 0] = 1.4e+38 so far\n"
                              "                buf0[2, 0] + tmp2 = inf   <- here\n";
  static const int64_t at[] = {5, 2, 4, 2, 3, 0};
  fake *indices = fake_new("int64", 6, -1);
  memcpy(indices->data, at, sizeof at);
  const ag_view other = views[1];
  ag_view_of_handle(&views[1], indices);
  FLOATS(out0)[12] = FLOATS(out0)[18] = INFINITY;
  assert_string_equal(explain(serial, 2, 12) + strlen("  how           buf0[2, 0] as computed "
                                                      "again; "),
                      lines);
  const char *said = explain(atomic, 2, 12);
  assert_non_null(strstr(said, "as computed again, term by term in one thread; added at"));
  assert_non_null(strstr(said, lines));
  assert_true(explained.is_known && !explained.takes_infinity);
  FLOATS(out1)[0] = INFINITY;
  assert_string_equal(
      explain(reloaded, 3, 0),
      "  how           buf1[] as computed again; added at x0 = 3, where arg1_1[3] = 2:\n"
      "                tmp1 = arg0_1[0, 3] = 4\n"
      "                tmp2 = tmp1 * 7e+37 = 2.8e+38\n"
      "                buf0[2, 0] = 1.4e+38 so far\n"
      "                buf0[2, 0] + tmp2 = inf   <- here\n"
      "                tmp3 = buf0[2, 0] = inf\n"
      "                tmp4 = tmp3 * 3 = inf\n");
  FLOATS(in0)[4] = INFINITY;
  assert_non_null(strstr(explain(serial, 2, 18), "added at x0 = 4, where arg1_1[4] = 3:\n"
                                                 "                tmp1 = arg0_1[0, 4] = inf   <- "
                                                 "here\n"));
  assert_non_null(strstr(explain(THROUGH_INDICES("a"), 2, 12), "overwrote 'buf0', which it had"));
  views[1] = other;
  fake_free(indices);
}
