/* 342-explain-triton - the graphs of Triton kernels are interpreted: each element is computed as
 * torch computes it, and the way of a bad value is shown. */
#include <math.h>
#include <stdio.h>

#include "explain/explain.h"
#include "explain/memory.h"
#include "explain/solve.h"
#include "shim.h"
#include "triton_graphs.h"

/* The arguments of a kernel: tensors, then numbers. Blocks are not passed. */
enum { PARAMS = 8 };
static fake *tensors[PARAMS];
static int64_t numbers[PARAMS];
static ag_view views[PARAMS];
static ag_operand operands[PARAMS];
static int given;

static void clear(void) {
  for (int i = 0; i < PARAMS; i++)
    if (tensors[i]) fake_free(tensors[i]);
  memset(tensors, 0, sizeof tensors);
  memset(operands, 0, sizeof operands);
  given = 0;
}

BEFORE_EACH { clear(); }

AFTER_EACH { clear(); }

static fake *give(fake *f) {
  ag_view_of_handle(&views[given], f);
  operands[given] = (ag_operand){.view = &views[given]};
  return tensors[given++] = f;
}

static void give_number(int64_t n) {
  numbers[given] = n;
  operands[given++] = (ag_operand){.is_number = true, .number = ag_number_of_whole(n, GRAPH_I64)};
}

/* As the script did whose figures stand below. */
static void fill(fake *f) {
  int64_t n = 1;
  for (int i = 0; i < f->ndim; i++) n *= f->sizes[i];
  for (int64_t i = 0; i < n; i++) FLOATS(f)[i] = (float)((double)(i * 37 % 101 + 1) / 101);
}

/* Element `place` of parameter `param`, as the kernel computes it. */
static double compute(const char *text, int param, int64_t place) {
  ag_graph g;
  ag_interpreter m;
  ag_number x = {0};
  int32_t i;
  assert_true(ag_graph_read(&g, text));
  assert_true(ag_interpreter_begin(&m, &g, operands, ag_memory_load));
  for (i = 0; i < g.naccesses; i++)
    if (g.accesses[i].kind == ACCESS_STORE && g.memories[g.accesses[i].memory].param == param)
      break;
  assert_true(i < g.naccesses);
  assert_int_equal(ag_solve(&m, &g.accesses[i], place), AG_SOLVED);
  if (!ag_interpret(&m, g.accesses[i].value, &x)) fail_msg("%s", m.why.text);
  ag_interpreter_end(&m);
  ag_graph_free(&g);
  return ag_number_real(x);
}

static void assert_near(double x, double y) {
  if (!(fabs(x - y) <= 1e-5 * fabs(y))) fail_msg("%.9g, not %.9g", x, y);
}

/* ---- values --------------------------------------------------------------------------------- */

TEST(test_pointwise) {
  fake *x = give(fake_new("float32", 6, 6, -1)), *y = give(fake_new("float32", 6, 6, -1));
  fill(x);
  give(fake_new("float32", 6, 6, -1));
  give_number(36);
  for (int i = 0; i < 36; i++) {
    FLOATS(y)[i] = -(float)i;
    float by = FLOATS(x)[i] - FLOATS(y)[i], computed = (float)compute(log_sub, 2, i);
    float expected = (float)log((double)by);
    assert_memory_equal(&computed, &expected, sizeof computed);
  }
}

/* torch.log(x).var(1)[3], torch.softmax(x, 1)[3, 7], x.argmax(1)[3] */
TEST(test_loops) {
  give(fake_new("float32", 64, -1));
  fill(give(fake_new("float32", 64, 60, -1)));
  give(fake_new("int64", 64, -1));
  give(fake_new("float32", 64, 60, -1));
  give_number(64);
  give_number(60);
  assert_near(compute(var_softmax, 0, 3), 0.861611009);
  assert_near(compute(var_softmax, 3, 3 * 60 + 7), 0.0161100905);
  assert_int_equal((int)compute(var_softmax, 2, 3), 52);
}

TEST(test_scan) {
  fill(give(fake_new("float32", 60, -1)));
  give(fake_new("float32", 60, -1));
  give_number(1);
  give_number(60);
  assert_near(compute(cumsum, 1, 45), -47.3264389);
  assert_near(compute(cumsum, 1, 0), -4.61512041);
}

/* Its element [1, 5, 7] is stored at a place that is made of digits of the element's number. */
TEST(test_permuted) {
  fill(give(fake_new("float32", 4, 60, 700, -1)));
  give(fake_new("float32", 4, 60, 700, -1));
  give(fake_new("float32", 4, 700, 60, -1));
  give_number(240);
  give_number(700);
  assert_near(compute(permuted, 1, 42000 + 2 * 700 + 3), -1.33435071);
  assert_near(compute(permuted, 2, 42000 + 5 * 60 + 7), -7.0330162);
}

TEST(test_float8) {
  static const unsigned char values[] = {0x3c, 0x40, 0x38, 0x3e}; /* 1, 2, 0.5, 1.5 */
  fake *x = give(fake_new("float8_e5m2", 64, 100, -1));
  for (int i = 0; i < 6400; i++) ((unsigned char *)x->data)[i] = values[i % 4];
  give(fake_new("float32", 64, 100, -1));
  give(fake_new("float8_e5m2", 64, 100, -1));
  give(fake_new("bfloat16", -1));
  give_number(1);
  give_number(6400);
  assert_near(compute(float8, 1, 77), log(2));
  static const double products[] = {96, 192, 48, 160}; /* 100, 200, 50 and 150, rounded */
  for (int i = 0; i < 4; i++) assert_true(compute(float8, 2, i) == products[i]);
  assert_near(compute(float8, 3, 0), 1600 * (exp(1) + exp(2) + exp(0.5) + exp(1.5)));
}

TEST(test_users) {
  fill(give(fake_new("float32", 32, 100, -1)));
  give(fake_new("float32", 32, 100, -1));
  give_number(100);
  give_number(100);
  assert_near(compute(row_softmax, 1, 305), 0.0121687455);
}

/* Rows and columns of one block, of which each is summed: torch.softmax(x, 1)[20, 5], and a column
 * of the second program. */
TEST(test_dimensions) {
  fill(give(fake_new("float32", 50, 60, -1)));
  give(fake_new("float32", 50, 60, -1));
  give(fake_new("float32", 4, 60, -1));
  give_number(50);
  give_number(60);
  assert_near(compute(block_softmax, 1, 20 * 60 + 5), 0.015080383);
  assert_near(compute(block_softmax, 2, 60 + 7), 6.19801998);
}

TEST(test_masked) {
  fill(give(fake_new("float32", 3, 20, -1)));
  give(fake_new("float32", 3, 20, -1));
  give_number(3);
  give_number(20);
  assert_near(compute(masked_softmax, 1, 24), 0.0638855472);
}

static double cast_float8(ag_op op, double x) {
  ag_number n = ag_number_of_real(x, GRAPH_F32);
  return ag_number_cast_float8(op, &n) ? n.real : -1;
}

TEST(test_float8_casts) {
  assert_true(cast_float8(AG_OP_CAST_FLOAT8E4NV, 1.06) == 1);
  assert_true(cast_float8(AG_OP_CAST_FLOAT8E4NV, 1.07) == 1.125);
  assert_true(cast_float8(AG_OP_CAST_FLOAT8E4NV, 448) == 448);
  assert_true(cast_float8(AG_OP_CAST_FLOAT8E4NV, 0x1p-9) == 0x1p-9);
  assert_true(cast_float8(AG_OP_CAST_FLOAT8E4NV, 0x1p-10) == 0);
  assert_true(cast_float8(AG_OP_CAST_FLOAT8E4NV, 500) == -1); /* a device makes 448 of it, or NaN */
  assert_true(cast_float8(AG_OP_CAST_FLOAT8E5, 500) == 512);
  assert_true(isnan(cast_float8(AG_OP_CAST_FLOAT8E5, NAN)));
  assert_true(cast_float8(AG_OP_CAST_FLOAT8E5, INFINITY) == -1);
  assert_true(cast_float8(AG_OP_CAST, 1) == -1);
}

/* ---- solving -------------------------------------------------------------------------------- */

/* Elements that no program stores, and those of a grid whose size is not known. */
TEST(test_no_store) {
  ag_graph g;
  ag_interpreter m;
  give(fake_new("float32", 6, 6, -1));
  give(fake_new("float32", 6, 6, -1));
  give(fake_new("float32", 6, 6, -1));
  give_number(36);
  assert_true(ag_graph_read(&g, log_sub));
  assert_true(ag_interpreter_begin(&m, &g, operands, ag_memory_load));
  assert_int_equal(ag_solve(&m, &g.accesses[2], 35), AG_SOLVED);
  assert_int_equal(ag_solve(&m, &g.accesses[2], 36), AG_SOLVED_NOT);
  assert_int_equal(ag_solve(&m, &g.accesses[2], -1), AG_SOLVED_NOT);
  ag_interpreter_end(&m);
  ag_graph_free(&g);
  /* out[x + 4 * y], without a mask and without sizes */
  assert_true(ag_graph_read(&g, "1 t 1 2 0 1 6 1\nmf 0 out_ptr0\n"
                                "g x -1 -1 -1 0 -1 -1 -1\ng y -1 -1 -1 1 -1 -1 -1\n"
                                "s 0 4 -1 5 -1 0 0\n"
                                "si 0\nsi 1\nin 4\noi * 1 2\noi + 0 3\nff 1.0\n"));
  assert_true(ag_interpreter_begin(&m, &g, operands, ag_memory_load));
  assert_int_equal(ag_solve(&m, &g.accesses[0], 7), AG_SOLVED_UNDECIDED);
  ag_interpreter_end(&m);
  ag_graph_free(&g);
}

TEST(test_read_bad) {
  ag_graph g;
  static const char *const bad[] = {
      "1 t 0 1 0 0 0 0\ng x -1 -1 -1 0 -1\n",                            /* no tile */
      "1 t 0 1 0 0 0 0\ng x -1 -1 -1 0 -1 0 -1\n",                       /* its operand is itself */
      "1 t 0 2 0 0 0 0\nt r -1 -1 -1 0 -1\nb r0 -1 -1 -1 0 -1 0 -1\n",   /* over nothing */
      "1 t 0 2 0 0 0 0\nt r -1 -1 -1 0 -1\ng x -1 -1 -1 0 -1 0 -1\n",    /* without a block */
      "1 t 0 2 0 0 1 0\nt r 0 0 -1 0 -1\ng x -1 -1 0 4 -1 0 -1\nin 1\n", /* along axis 4 */
      "1 t 0 2 0 0 1 0\nt r 0 0 -1 0 -1\nb r -1 -1 0 0 -1 0 0 9\nin 1x\n", /* no number */
      NULL};
  for (int i = 0; bad[i]; i++) assert_false(ag_graph_read(&g, bad[i]));
  for (size_t n = 0; n + 1 < sizeof var_softmax; n++) {
    char *cut = strndup(var_softmax, n);
    assert_false(ag_graph_read(&g, cut));
    free(cut);
  }
}

/* ---- reports -------------------------------------------------------------------------------- */

static const aotigen_param params[] = {FLOAT32("buf0", AOTIGEN_IN), FLOAT32("buf1", AOTIGEN_IN),
                                       FLOAT32("buf2", AOTIGEN_IN), FLOAT32("buf3", AOTIGEN_IN),
                                       FLOAT32("buf4", AOTIGEN_IN), FLOAT32("buf5", AOTIGEN_IN)};

/* The explanation of element `flat` of parameter `out`. blocks: parameters that are not passed. */
static const char *explain(const char *text, int blocks, size_t out, int64_t flat) {
  static char said[4000];
  static const int16_t list[] = {0, 1, 2, 3, 4, 5, 6, 7};
  int16_t numbers_of[PARAMS];
  for (int i = 0; i < PARAMS; i++) numbers_of[i] = i < given ? list[i] : -1;
  const aotigen_graph graph = {text, numbers_of, (uint32_t)(given + blocks)};
  const aotigen_site site = {
      .function = "run_impl", .kernel = "triton_0", .nparams = 4, .graph = &graph};
  const aotigen_model model = MODEL(.sites = &site, .nsites = 1);
  ag_arg args[PARAMS];
  ag_record r = {.launch = {.model = &model}, .nargs = (size_t)given, .args = args};
  ag_text t = {0};
  for (int i = 0; i < given; i++) {
    args[i] = (ag_arg){.param = &params[i % 6], .view = views[i]};
    if (!tensors[i]) args[i].value = integer(numbers[i]);
    if (!tensors[i]) args[i].view.state = AG_VIEW_NONE;
  }
  ag_explain_add(&t, &r, out, flat);
  snprintf(said, sizeof said, "%s", ag_text_string(&t));
  ag_text_free(&t);
  return said;
}

TEST(test_explain_sum) {
  fake *x = give(fake_new("float32", 4, 70, -1));
  for (int i = 0; i < 280; i++) FLOATS(x)[i] = 1;
  give(fake_new("float32", 4, 70, -1));
  FLOATS(give(fake_new("float32", 4, -1)))[2] = INFINITY;
  give_number(4);
  give_number(70);
  assert_string_equal(explain(exp_sum, 1, 2, 2),
                      "  how           buf2[2] as computed again; 'tmp12' goes bad at r0 = 34:\n"
                      "                tmp12 = 3.4e+38 before r0 = 34\n"
                      "                tmp0 = buf0[2, 34] = 1\n"
                      "                tmp6 = abs(tmp0) = 1\n"
                      "                tmp8 = tmp6 * 1e+37 = 1e+37\n"
                      "                tmp11 = where((r0_mask & xmask), tmp8, 0) = 1e+37\n"
                      "                tmp12 = sum(tmp11 over r0) = inf   <- here\n");
}

/* The product is finite in float32, which the kernel computes in. */
TEST(test_explain_store) {
  fake *x = give(fake_new("float16", 7, 9, -1)), *y = give(fake_new("float16", 7, 9, -1));
  ((uint16_t *)x->data)[31] = 0x5cb0; /* 300 */
  ((uint16_t *)y->data)[31] = 0x7c00; /* Inf */
  give_number(63);
  assert_string_equal(explain(half_square, 1, 1, 31),
                      "  how           buf1[3, 4] as computed again:\n"
                      "                buf0[3, 4] = 300\n"
                      "                tmp0 = float32(buf0[3, 4]) = 300\n"
                      "                tmp1 = tmp0 * tmp0 = 90000\n"
                      "                float16(tmp1) = inf   <- here\n");
}

TEST(test_explain_softmax) {
  fake *x = give(fake_new("float32", 3, 20, -1)), *y = give(fake_new("float32", 3, 20, -1));
  for (int i = 20; i < 40; i++) FLOATS(x)[i] = -INFINITY;
  FLOATS(y)[20] = NAN;
  give_number(3);
  give_number(20);
  const char *said = explain(masked_softmax, 1, 1, 20);
  assert_has(said, "                tmp0 = buf0[1, 0] = -inf\n");
  assert_has(said, " max2(tmp5 over r0) = -inf\n");
  assert_has(said, " = nan   <- here\n");
}

/* Zero variance: 0 * Inf. */
TEST(test_explain_norm) {
  fake *x = give(fake_new("float32", 40, -1)), *y = give(fake_new("float32", 4, 40, -1));
  for (int i = 0; i < 40; i++) FLOATS(x)[i] = 5;
  FLOATS(y)[0] = NAN;
  give_number(4);
  give_number(40);
  const char *said = explain(layer_norm, 1, 1, 0);
  assert_has(said, "                tmp24 = rsqrt(tmp23) = inf\n");
  assert_has(said, "                tmp25 = tmp13 * tmp24 = nan   <- here\n");
}

/* The first term that is bad, in a loop over blocks, and in a scan. */
TEST(test_explain_loops) {
  FLOATS(give(fake_new("float32", 64, -1)))[3] = NAN;
  fake *x = give(fake_new("float32", 64, 60, -1));
  fill(x);
  FLOATS(x)[3 * 60 + 27] = FLOATS(x)[3 * 60 + 50] = -1;
  give(fake_new("int64", 64, -1));
  give(fake_new("float32", 64, 60, -1));
  give_number(64);
  give_number(60);
  const char *said = explain(var_softmax, 2, 0, 3);
  assert_has(said, "'tmp3_mean' goes bad at r0 = 27");
  assert_has(said, "                tmp0 = buf1[3, 27] = -1\n"
                   "                tmp1 = log(tmp0) = nan   <- here\n");
  assert_has(said, " = welford(tmp3_mean, tmp3_m2, tmp3_weight over r0)[1] = nan\n");
}

TEST(test_explain_scan) {
  fake *x = give(fake_new("float32", 60, -1)), *y = give(fake_new("float32", 60, -1));
  fill(x);
  FLOATS(x)[9] = -1;
  FLOATS(y)[9] = FLOATS(y)[40] = NAN;
  give_number(1);
  give_number(60);
  static const char chain[] = "                tmp0 = buf0[9] = -1\n"
                              "                tmp1 = log(tmp0) = nan   <- here\n";
  const char *said = explain(cumsum, 2, 1, 40);
  assert_has(said, "buf1[40] as computed again; 'tmp4' goes bad at r0 = 9:\n");
  assert_has(said, chain);
  assert_has(explain(cumsum, 2, 1, 9), chain);
}

/* in_out[x] += in[x]; out[x] = log(in_out[x]) + in[x] */
static const char in_place[] =
    "1 t 4 2 0 4 10 4\nmf 0 in_out_ptr0\nmf 1 in_ptr0\nmf 2 out_ptr0\nmi 3 xnumel\n"
    "g x -1 1 -1 0 -1 -1 -1\ng program_x -1 -1 -1 1 -1 -1 -1\n"
    "l 0 2 3 -1 -1 0 0\nl 1 2 3 -1 -1 0 1\ns 0 2 3 6 -1 0 2\ns 2 2 3 8 -1 0 3\n"
    "in 36\nin 36\nsi 0\nob < 2 0 =xmask\nlf 0 =tmp0\nlf 1 =tmp1\nof + 4 5 =tmp2\n"
    "of log 6 =tmp3\nof + 7 5 =tmp4\nin 0\n";

/* The loaded value was overwritten, but what was computed from it is there. */
TEST(test_in_place) {
  fake *sum = give(fake_new("float32", 36, -1)), *in = give(fake_new("float32", 36, -1));
  fake *out = give(fake_new("float32", 36, -1));
  give_number(36);
  FLOATS(sum)[7] = -3;
  FLOATS(in)[7] = 4;
  FLOATS(out)[7] = FLOATS(sum)[8] = FLOATS(sum)[9] = NAN;
  assert_string_equal(explain(in_place, 0, 2, 7),
                      "  how           buf2[7] as computed again:\n"
                      "                tmp1 = buf1[7] = 4\n"
                      "                tmp2 = tmp0 + tmp1 = -3, as the kernel stored it\n"
                      "                tmp3 = log(tmp2) = nan   <- here\n"
                      "                tmp4 = tmp3 + tmp1 = nan\n");
  assert_string_equal(explain(in_place, 0, 0, 8),
                      "  how           buf0[8] is not explained: the launch itself overwrote "
                      "'buf0', which it had read; with AOTIGEN_EXPLAIN='0:buf0[8]' it is copied "
                      "before\n");
  FLOATS(in)[9] = NAN; /* it is bad, whatever the other was */
  assert_string_equal(explain(in_place, 0, 0, 9),
                      "  how           buf0[9] as computed again:\n"
                      "                tmp1 = buf1[9] = nan   <- here\n"
                      "                tmp2 = tmp0 + tmp1 = nan, as the kernel stored it\n");
}

/* Without the device that it lies on, or another value: a line says why. */
TEST(test_not_explained) {
  fake *x = give(fake_new("float32", 60, -1)), *y = give(fake_new("float32", 60, -1));
  fill(x);
  FLOATS(y)[9] = NAN;
  give_number(1);
  give_number(60);
  assert_string_equal(explain(cumsum, 2, 1, 9),
                      "  how           buf1[9] is not explained: computed again from what is in "
                      "memory now it is finite\n");
  /* which dimension of a block of two is summed */
  static const char two[] = "1 t 4 2 0 2 8 4\nmf 0 in_ptr0\nmf 1 out_ptr0\nmi 2 n\nmi 3 m\n"
                            "t rows 0 2 -1 0 -1\nt columns 0 2 -1 0 -1\n"
                            "l 0 5 -1 -1 -1 0 0\ns 1 0 -1 7 -1 0 1\n"
                            "in 0\nin 1\nin 8\nsi 0\nsi 1\noi + 3 4\nlf 0\nof sum 6 1\n";
  FLOATS(y)[0] = NAN;
  assert_string_equal(
      explain(two, 0, 1, 0),
      "  how           buf1[0] is not explained: over which of its dimensions 'sum' "
      "goes is not known\n");
}
