/* 343-explain-requests - elements that the user asks for: the list is read, each is computed again
 * with what it was made of, and what does not exist is named. */
#include <math.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../runtime/base/element_list.h"
#include "../runtime/base/settings.h"
#include "shim.h"

TEST(test_list) {
  ag_element_list l;
  assert_true(
      ag_element_list_read(&l, " 12 : buf0 [ 2,3 ]; gelu,!x:a:b[];model.py:15:args[0][7];"));
  assert_int_equal(l.n, 3);
  assert_int_equal(l.at[0].launch, 12);
  assert_string_equal(l.at[0].name, "buf0");
  assert_string_equal(l.at[0].text, "12 : buf0 [ 2,3 ]");
  assert_true(l.at[0].rank == 2 && l.at[0].index[0] == 2 && l.at[0].index[1] == 3);
  assert_int_equal(l.at[1].launch, 0);
  assert_string_equal(l.at[1].kernels, "gelu,!x:a");
  assert_true(strcmp(l.at[1].name, "b") == 0 && l.at[1].rank == 0);
  assert_string_equal(l.at[2].kernels, "model.py:15");
  assert_string_equal(l.at[2].name, "args[0]");
  ag_element_list_free(&l);
  assert_true(ag_element_list_read(&l, "") && l.n == 0);
  ag_element_list_free(&l);
}

static const char *const bad[] = {
    "buf0",        "buf0[1]",    ":buf0[1]",   "1:[1]",      "1:buf0",
    "1:buf0[1",    "1:buf0[1]x", "1:buf0[-1]", "1:buf0[1,]", "1:buf0[,1]",
    "1:buf0[1 2]", "1:buf0[x]",  "0:buf0[1]",  "!:buf0[1]",  "1:buf0[99999999999999999999]",
    "1:buf0[1];x", NULL};

/* Named once, and ignored. */
TEST(test_bad_list) {
  char expected[256];
  environment("AOTIGEN_EXPLAIN", NULL);
  for (int i = 0; bad[i]; i++) {
    ag_element_list l;
    assert_false(ag_element_list_read(&l, bad[i]));
    capture(2);
    environment("AOTIGEN_EXPLAIN", bad[i]);
    assert_null(ag_settings_get()->explain);
    char *text = captured(2);
    snprintf(expected, sizeof expected,
             "aotigen: ignoring AOTIGEN_EXPLAIN='%s': expected launches and elements such as "
             "3:buf0[2,3] or *gelu*:buf1[0], separated by ;\n",
             bad[i]);
    assert_string_equal(text, expected);
    free(text);
  }
}

/* ---- reports -------------------------------------------------------------------------------- */

/* out[x0] = tmp1 > 0 ? log(tmp1) : tmp1, where tmp1 = in[x0] - 3; out[6] is the sum over x1 of
 * max(log(in[x1]), 0). */
static const char kernel[] =
    "1 c 3 2 1 4 25 3\n"
    "mf 0 in_ptr0\nmf 1 out_ptr0\nmf 2 out_ptr1\n"
    "f x0 0 1 2 0 -1\nf x1 0 1 2 0 -1\n"
    "c acc 1 12 21\n"
    "l 0 3 -1 -1 -1 0 0\ns 1 3 -1 10 -1 0 1\nl 0 14 -1 -1 -1 0 2\ns 2 0 -1 22 -1 0 3\n"
    "il 0\nil 6\nil 1\nsl 0\nlf 0 =tmp0\nff 3.0\nof - 4 5 =tmp1\nff 0.0\nob > 6 7 =tmp2\n"
    "of log 6 =tmp3\nof where 8 9 6 =tmp4\n" /* 10 */
    "il 0\nff 0.0\nil 6\nsl 1\ncf 0\nlf 2 =tmp5\nof log 16 =tmp6\nof max 17 12 =tmp7\n"
    "il 7\nil 8\nof + 15 18 =acc\nef 0\nil 9\nil 10\n";

static const aotigen_param params[] = {FLOAT32("arg0_1", AOTIGEN_IN), FLOAT32("buf0", AOTIGEN_OUT),
                                       FLOAT32("buf1", AOTIGEN_OUT)};
static const int16_t args_of_params[] = {0, 1, 2};
static const aotigen_graph graph = {kernel, args_of_params, 3, 0};
static const aotigen_site sites[] = {
    CPU_SITE("cpp_fused_log_0", params, 7, .flags = 0, .number = 1, .graph = &graph),
    EXTERN_SITE("aoti_torch_cpu_mm_out", params, 9, .number = 2)};

static float inputs[6];

static void run_launches(aotigen_model *m, const aotigen_value *v, uint32_t n) {
  aotigen_run run;
  aotigen_run_begin(&run, m, 0, NULL);
  for (uint32_t i = 0; i < n; i++) {
    run.launch++;
    if (!run.wanted[i]) continue;
    assert_null(aotigen_before(&run, i, v, 3));
    assert_null(aotigen_after(&run, i, NULL, 0));
  }
  aotigen_run_end(&run, 0);
}

/* A process of its own has runs of so many launches each, by digits, and exits. */
static pid_t run_process(aotigen_model *m, const aotigen_value *v, const char *launches) {
  pid_t child = fork();
  if (child) {
    assert_int_equal(waitpid(child, NULL, 0), child);
    return child;
  }
  for (; *launches; launches++) run_launches(m, v, (uint32_t)(*launches - '0'));
  exit(0);
}

/* The output of runs of a model made with `built` in this environment: one run with two launches,
 * or those of a process. */
static const char *all_says(const char *built, const char *given, const char *process) {
  static char said[8000];
  static aotigen_model models[32];
  static int n;
  aotigen_model *m = &models[n++];
  *m = MODEL(WITH(sites, sites), .check_inputs = 2, .explain = built, .source = "m.cpp");
  fake *in = fake_new("float32", 6, -1), *out = fake_new("float32", 6, -1),
       *sum = fake_new("float32", -1);
  const aotigen_value v[] = {handle(in), handle(out), handle(sum)};
  FLOATS(sum)[0] = 0;
  for (int i = 0; i < 6; i++) {
    FLOATS(in)[i] = inputs[i];
    FLOATS(out)[i] = inputs[i] > 3 ? logf(inputs[i] - 3) : inputs[i] - 3;
    FLOATS(sum)[0] += inputs[i] > 1 ? logf(inputs[i]) : 0;
  }
  environment("AOTIGEN_EXPLAIN", given);
  capture(2);
  pid_t child = process ? run_process(m, v, process) : 0;
  if (!process) run_launches(m, v, 2);
  char *text = captured_of(2, child);
  snprintf(said, sizeof said, "%s", text);
  free(text);
  fake_free(in);
  fake_free(out);
  fake_free(sum);
  environment("AOTIGEN_EXPLAIN", NULL);
  return said;
}

static const char *says(const char *built, const char *given) {
  return all_says(built, given, NULL);
}

BEFORE_EACH {
  static const float values[] = {1, 2, 4, -2, 6, 7};
  memcpy(inputs, values, sizeof inputs);
}

#define PAD "                "

TEST(test_value) {
  assert_string_equal(says("", "1:buf0[4]"),
                      "aotigen: explained as asked in run 1, launch 1: cpp_fused_log_0\n"
                      "  launched at   m.cpp:7, in run_impl\n"
                      "  output        buf0: float32 [6] on cpu\n"
                      "  how           buf0[4] = 1.09861, as computed again:\n" PAD
                      "tmp0 = arg0_1[4] = 6\n" PAD "tmp1 = tmp0 - 3 = 3\n" PAD
                      "tmp2 = tmp1 > 0 = true\n" PAD "tmp3 = log(tmp1) = 1.09861\n" PAD
                      "tmp4 = where(tmp2, tmp3, tmp1) = 1.09861\n");
}

/* The value is finite: log(-1) is not taken. */
TEST(test_hidden) {
  const char *said = says("", "*log*:buf0[1]");
  assert_non_null(strstr(said, "buf0[1] = -1, as computed again:\n"));
  assert_non_null(strstr(said, PAD "tmp3 = log(tmp1) = nan   <- here\n"));
  assert_non_null(strstr(said, PAD "tmp4 = where(tmp2, tmp3, tmp1) = -1\n"));
}

/* In iteration 3 of a sum, log() is NaN; max() drops it. */
TEST(test_hidden_in_loop) {
  const char *said = says("", "1:buf1[]");
  assert_non_null(strstr(said, PAD "at x1 = 3:\n" PAD "tmp5 = arg0_1[3] = -2\n" PAD
                                   "tmp6 = log(tmp5) = nan   <- here\n"));
  inputs[3] = 5;
  assert_null(strstr(says("", "1:buf1[]"), "at x1"));
}

/* When building, and in its place the environment. */
TEST(test_built) {
  assert_non_null(strstr(says("1:buf0[4]", NULL), "buf0[4] = 1.09861"));
  assert_null(strstr(says("1:buf0[4]", "1:buf0[1]"), "buf0[4]"));
  assert_string_equal(says("1:buf0[4]", ""), "");
  assert_string_equal(says(NULL, NULL), "");
  assert_string_equal(says("nonsense", NULL),
                      "aotigen: ignoring --explain='nonsense': expected launches and elements such "
                      "as 3:buf0[2,3] or *gelu*:buf1[0], separated by ;\n");
}

TEST(test_absent) {
#define WARNING "aotigen: warning: AOTIGEN_EXPLAIN="
  assert_string_equal(says("", "1:buf7[0]"),
                      WARNING "'1:buf7[0]': launch 1, cpp_fused_log_0, writes "
                              "no 'buf7'; it writes buf0, buf1\n");
  assert_string_equal(says("", "1:buf0[6]"), WARNING "'1:buf0[6]': the tensor has no such element: "
                                                     "it is buf0: float32 [6] on cpu\n");
  assert_string_equal(says("", "1:buf0[1, 1]"),
                      WARNING "'1:buf0[1, 1]': the tensor has no such element: it is buf0: float32 "
                              "[6] on cpu\n");
  assert_string_equal(says("", "2:buf0[1]"), WARNING
                      "'2:buf0[1]': launch 2, aoti_torch_cpu_mm_out, is no kernel whose text "
                      "is understood: how it computes is not known\n");
}

/* No run of the process has the launch: that is said once, at exit. */
TEST(test_missing) {
  const char *said = all_says("", "3:buf0[1]", "222");
  assert_non_null(strstr(said, " of m.cpp checked no launch 3; it has 2 launches\n"));
  assert_int_equal(count(said, WARNING), 1);
  said = all_says("", "gelu:buf0[1]", "2");
  assert_non_null(strstr(said, "that 'gelu' selects writes 'buf0'\n"));
  said = all_says("--", "*:buf7[0];1:buf0[4]", "2");
  assert_non_null(strstr(said, "that '*' selects writes 'buf7'\n"));
  assert_non_null(strstr(said, "buf0[4] = 1.09861"));
  said = all_says("", "2:buf0[1]", "12"); /* the second run has it */
  assert_null(strstr(said, "checked no launch"));
  assert_non_null(strstr(said, "'2:buf0[1]': launch 2, aoti_torch_cpu_mm_out, is no kernel"));
  environment("AOTIGEN_RUNS", "4000-"); /* it says so itself */
  assert_null(strstr(all_says("", "1:buf0[4]", "2"), "checked no launch"));
  environment("AOTIGEN_RUNS", NULL);
}
