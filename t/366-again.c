/* 366-again - a finding that each run has is told in full once; then it has few lines, and a last
 * one at the end. The log has all of them. */
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "checks/again.h"
#include "nan_launches.h"

/* At the end of a process; called by hand, since a test's process lives on. */
static char *in_child(void (*acts)(void)) {
  capture(2);
  pid_t child = fork();
  if (!child) {
    acts();
    exit(0);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  return captured_of(2, child);
}

/* The text has `format` with the numbers of the first run and of one so many later: runs are
 * counted over all tests. */
static void assert_runs(const char *text, const char *format, int later, int other) {
  int first;
  char expected[512];
  assert_int_equal(sscanf(text, "aotigen: NaN born in run %d, ", &first), 1);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  snprintf(expected, sizeof expected, format, first + later, first + other);
#pragma GCC diagnostic pop
  assert_has(text, expected);
}

static int lines_of(const char *text) { return count(text, "\n"); }

static void folds(const char *reports) {
  environment("AOTIGEN_REPORTS", reports);
  model.nan_asserts = 1;
}

static void log_once(float value) {
  begin();
  launch_log(value);
  aotigen_run_end(&run, 0);
}

static void three_hundred(void) {
  for (int i = 0; i < 300; i++) log_once(NAN);
}

/* Its 1st, 2nd, 4th, ... 256th return, and the end. */
TEST(told_once) {
  folds(NULL);
  begin_log();
  char *text = in_child(three_hundred), *log = end_log();
  assert_int_equal(count(text, "  launched at "), 1);
  assert_int_equal(count(text, "; again: told in run "), 9);
  assert_runs(
      text,
      "\naotigen: NaN born in run %d, launch 1: cpp_fused_log_sub_sum_0; again: told in run "
      "%d, in 1 run since\n",
      1, 0);
  assert_runs(
      text,
      "\naotigen: NaN born in run %d, launch 1: cpp_fused_log_sub_sum_0; again: told in run "
      "%d, in 256 runs since\n",
      256, 0);
  const char *last = strstr(text, "in 256 runs since\n");
  assert_int_equal(lines_of(last), 2);
  assert_runs(text, ", launch 1: cpp_fused_log_sub_sum_0: again in runs %d to %d (299 runs)\n", 1,
              299);
  assert_int_equal(count(log, "\"event\":\"born\""), 300);
  free(text);
  free(log);
}

static void other_elements(void) {
  log_once(NAN);
  begin();
  BEFORE(LOG, handle(arg), handle(b0), handle(b3));
  FLOATS(b0)[4] = 0;
  FLOATS(b0)[2] = NAN;
  after(LOG);
  aotigen_run_end(&run, 0);
}

/* What differs from the first is told; a line that was written needs no last one. */
TEST(another_element) {
  folds(NULL);
  char *text = in_child(other_elements);
  assert_has(
      text,
      ", launch 1: cpp_fused_log_sub_sum_0, buf0: NaN in 1 of 6 elements, the first at [0, 2] "
      "(index 2): nan, bits 0x7fc00000; again: told in run ");
  assert_int_equal(count(text, "again"), 1);
  free(text);
}

static void passed_on(void) {
  for (int i = 0; i < 3; i++) {
    begin();
    launch_log(NAN);
    launch_mm(NAN);
    aotigen_run_end(&run, 0);
  }
}

/* The path of a folded finding is folded, too. */
TEST(paths) {
  folds(NULL);
  char *text = in_child(passed_on);
  assert_int_equal(count(text, "propagated through"), 1);
  assert_int_equal(count(text, "; again: "), 2);
  free(text);
}

static void two_of_a_run(void) {
  begin();
  launch_log(NAN);
  FLOATS(b1)[1] = 0;
  BEFORE(SIGMOID, handle(b1));
  FLOATS(b1)[1] = NAN;
  after(SIGMOID);
  aotigen_run_end(&run, 0);
}

/* Other launches are other findings, and so is the same launch when another of its outputs is bad.
 */
TEST(others_are_told) {
  folds(NULL);
  capture(2);
  two_of_a_run();
  begin();
  BEFORE(LOG, handle(arg), handle(b0), handle(b3));
  FLOATS(b0)[4] = 0;
  FLOATS(b3)[0] = NAN;
  after(LOG);
  aotigen_run_end(&run, 0);
  FLOATS(b3)[0] = 0;
  char *text = captured(2);
  assert_int_equal(count(text, "  launched at "), 3);
  assert_int_equal(count(text, "again"), 0);
  free(text);
}

/* What becomes of a report whose `how` has these lines. */
static enum ag_telling note(const char *how) {
  static int runs;
  char report[1000];
  ag_text line = {0};
  runs++;
  snprintf(report, sizeof report,
           "aotigen: NaN born in run %d, launch 9: cpp_fused_div_log_3\n"
           "  launched at   model.cpp:9, in run_impl\n"
           "  output        buf9: float32 [6] on cpu\n"
           "                NaN in 1 of 6 elements, the first at [%d] (index 2): nan\n%s",
           runs, runs % 6, how);
  enum ag_telling told = ag_again_note(ag_model_state_of(&model), report, &line);
  ag_text_free(&line);
  return told;
}

#define HOW "  how           buf9[2] as computed again:\n                "

static void operations(void) {
  static const char none[] =
      "  how           buf9[2] is not explained: it takes more than 2 million steps to compute\n";
  assert_int_equal(note(none), AG_TELL_IN_FULL);
  assert_int_equal(note(HOW "tmp1 = log(a[2]) = nan   <- here\n"), AG_TELL_FOLDED);
  assert_int_equal(note(HOW "tmp0 = -4\n                tmp1 = log(a[1, 3]) = nan   <- here\n"),
                   AG_TELL_FOLDED);
  assert_int_equal(note(HOW "tmp4 = tmp2 / tmp3 = nan   <- here\n                tmp1 = nan\n"),
                   AG_TELL_IN_FULL);
  assert_int_equal(note(HOW "tmp4 = tmp2 / tmp3 = nan   <- here\n"), AG_TELL_FOLDED);
  assert_int_equal(note(none), AG_TELL_FOLDED);
  assert_int_equal(note(""), AG_TELL_FOLDED);
}

/* A launch computes several lines of the model: a value that is born at another operation is
 * another finding, at another element it is not. */
TEST(other_operations_are_told) {
  folds(NULL);
  free(in_child(operations));
}

TEST(all_in_full) {
  folds("all");
  capture(2);
  for (int i = 0; i < 3; i++) log_once(NAN);
  char *text = captured(2);
  assert_int_equal(count(text, "  launched at "), 3);
  assert_int_equal(count(text, "again"), 0);
  free(text);
}

static void limited(void) {
  two_of_a_run();
  two_of_a_run();
}

TEST(limit) {
  folds("1");
  char *text = in_child(limited);
  assert_int_equal(count(text, "  launched at "), 1);
  assert_runs(text,
              "aotigen: NaN born in run %d, launch 2: cpp_fused_sigmoid_1, buf2: NaN in 1 of 6 "
              "elements, the first at [0, 1] (index 1): nan, bits 0x7fc00000; not told in full: "
              "AOTIGEN_REPORTS=1\n",
              0, 0);
  assert_int_equal(count(text, ", in 1 run since\n"), 2);
  assert_has(text, "\naotigen: findings of model.cpp that were not told in full: 1 "
                   "(AOTIGEN_REPORTS=1)\n");
  free(text);
}

/* A fault is thrown in each run, whether it is told or not. */
TEST(thrown_each_time) {
  folds("0");
  environment("AOTIGEN_ON_FAULT", "throw");
  capture(2);
  for (int i = 0; i < 3; i++) {
    begin();
    launch_log(NAN);
    const char *thrown = aotigen_before_outputs(&run);
    assert_non_null(thrown);
    assert_has(thrown, ", launch 1: cpp_fused_log_sub_sum_0, buf0: NaN in 1 of 6 elements, ");
    assert_has(thrown, "; AOTIGEN_REPORTS limits the full reports");
    aotigen_run_end(&run, 1);
  }
  char *text = captured(2);
  assert_int_equal(lines_of(text), 3);
  free(text);
}

/* The child tells what it found itself. */
static void count_in_child(void) { log_once(NAN); }

TEST(child) {
  folds(NULL);
  capture(2);
  for (int i = 0; i < 7; i++) log_once(NAN);
  free(captured(2));
  char *text = in_child(count_in_child);
  assert_int_equal(lines_of(text), 1);
  assert_has(text, ", in 1 run since\n");
  free(text);
}

static void *log_many(void *data) {
  (void)data;
  const void *handles[] = {arg};
  fake *out = fake_new("float32", 2, 3, -1), *other = fake_new("float32", -1);
  for (int i = 0; i < 100; i++) {
    aotigen_run r;
    aotigen_run_begin(&r, &model, 0, NULL);
    aotigen_check_inputs(&r, handles);
    aotigen_inputs_owned(&r);
    r.launch = 1;
    const aotigen_value v[] = {handle(arg), handle(out), handle(other)};
    FLOATS(out)[4] = 0;
    if (!aotigen_before(&r, LOG, v, 3)) {
      FLOATS(out)[4] = NAN;
      aotigen_after(&r, LOG, NULL, 0);
    }
    aotigen_run_end(&r, 0);
  }
  fake_free(out);
  fake_free(other);
  return NULL;
}

static void many_threads(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, log_many, NULL);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
}

TEST(threads) {
  folds(NULL);
  char *text = in_child(many_threads);
  assert_int_equal(count(text, "  launched at "), 1);
  assert_has(text, " (399 runs)\n");
  free(text);
}
