/* 550-cuda-marks - how many launches of asynchronous runs have a mark behind them, and which are
 * suspects where the device is lost between two marks. */
#include <math.h>

#include "5xx/lagging_graph.h"

static const char mark_call[] = "cuStreamWriteValue32_v2";

/* ---- the number of marks -------------------------------------------------------------------- */

/* Only the names of launches are wanted: nothing is scanned. */
static void use_names(const char *marks) {
  environment("AOTIGEN_MARKS", marks ? marks : "8");
  model = new_model(0, 3, 0);
  capture(1);
  capture(2);
}

static void end_silently(void) {
  free(captured(1));
  assert_has_freed(captured(2), "");
}

static int marks_of_run(const lineup *l, uint64_t launches) {
  int before = fake_count(mark_call);
  whole_run(&model, l, launches, 0, -1, 0);
  fake_wait(l->stream);
  ag_evaluator_settle();
  return fake_count(mark_call) - before;
}

TEST(one_of_eight_is_marked) {
  environment("AOTIGEN_MARKS", "8");
  lineup l = new_lineup(0);
  use_names(NULL);
  fake_late(100);
  assert_int_equal(marks_of_run(&l, 20), 3); /* 8, 16, and the last */
  assert_int_equal(marks_of_run(&l, 16), 2);
  assert_int_equal(marks_of_run(&l, 1), 1);
  end_silently();
}

TEST(all_are_marked) {
  environment("AOTIGEN_MARKS", "8");
  lineup l = new_lineup(0);
  use_names("all");
  assert_int_equal(marks_of_run(&l, 20), 20);
  end_silently();
}

TEST(one_of_so_many_is_marked) {
  environment("AOTIGEN_MARKS", "8");
  lineup l = new_lineup(0);
  use_names("3");
  assert_int_equal(marks_of_run(&l, 20), 7);
  end_silently();
}

TEST(a_long_run_has_a_bound) {
  environment("AOTIGEN_MARKS", "8");
  lineup l = new_lineup(0);
  use_names("1000000");
  assert_int_equal(marks_of_run(&l, 130), 3); /* 64, 128, and the last */
  end_silently();
}

TEST(scanned_launches_need_none) {
  environment("AOTIGEN_MARKS", "8");
  lineup l = new_lineup(0);
  model = new_model(3, 0, 0);
  assert_int_equal(marks_of_run(&l, 20), 0);
}

TEST(waited_for_launches_need_none) {
  environment("AOTIGEN_MARKS", "8");
  lineup l = new_lineup(0);
  use_names(NULL);
  model.sync = 1;
  assert_int_equal(marks_of_run(&l, 20), 0);
  end_silently();
}

/* The watchdog says of one launch that the device has not ended it. */
TEST(watched_launches_are_all_marked) {
  environment("AOTIGEN_MARKS", "8");
  lineup l = new_lineup(0);
  environment("AOTIGEN_WATCHDOG", "60");
  use_names(NULL);
  assert_int_equal(marks_of_run(&l, 20), 20);
  end_silently();
}

TEST(a_graph_marks_all) {
  environment("AOTIGEN_MARKS", "8");
  lineup l = new_lineup(0);
  use_names(NULL);
  warm_up(&l);
  int before = fake_count(mark_call);
  capture_graph(&l);
  int captured_marks = fake_count(mark_call) - before;
  assert_true(captured_marks >= 3);
  replay(&l, 0, -1);
  fake_forget_recording();
  end_silently();
}

/* Whoever waits for the end of the run's launches has the last one marked. */
TEST(results_that_are_thrown_are_waited_for) {
  environment("AOTIGEN_MARKS", "8");
  lineup l = new_lineup(0);
  environment("AOTIGEN_ON_FAULT", "throw");
  use_names(NULL);
  fake_late(100);
  assert_int_equal(marks_of_run(&l, 5), 1);
  end_silently();
}

/* Nobody waits for a launch of which nothing tells that it is over. */
TEST(the_process_ends_within_a_run) {
  environment("AOTIGEN_MARKS", "8");
  static aotigen_run run;
  lineup l = new_lineup(0);
  use_names(NULL);
  begin(&run, &model, &l);
  for (int i = 0; i < 3; i++) assert_null(launch(&run, &l, -1, 0));
  fake_wait(l.stream);
  end_silently();
  alarm(8); /* the evaluator's thread would wait for 10 s */
}

/* ---- a device that is lost between two marks --------------------------------------------------
 */

/* A whole run of names, of which the device dies in launch `where`; what the wrapper throws. */
static void names_to_death(uint64_t launches, uint64_t where, char *message, size_t room) {
  lineup l = new_lineup(0);
  aotigen_run run;
  fake_late(30000);
  begin(&run, &model, &l);
  for (uint64_t i = 1; i <= launches; i++) {
    if (i == where) fake_death(l.stream, 0, 700);
    assert_null(launch(&run, &l, -1, 0));
  }
  assert_null(aotigen_before_outputs(&run));
  fake_wait(l.stream);
  const char *fault = aotigen_run_failed(&run, driver_error);
  assert_non_null(fault);
  snprintf(message, room, "%s", fault);
  aotigen_run_end(&run, 1);
}

TEST(eight_are_suspects) {
  environment("AOTIGEN_MARKS", "8");
  char message[8000];
  use_names(NULL);
  names_to_death(20, 12, message, sizeof message);
  free(captured(1));
  char *text = captured(2);
  assert_has(text, "aotigen: device error on 'cpu', in one of 8 launches that are not known to "
                   "have finished: AOTIGEN_MARKS=all marks each launch\n");
  assert_int_equal(count(text, "aotigen: device error in run 1, launch "), 8);
  assert_int_equal(count(text, "  last finished launch 8: triton_poi_fused_mul_1, as far as is "
                               "known\n"),
                   8);
  assert_has(text, "  not finished  launch 9: triton_poi_fused_add_0, as far as is known\n");
  assert_has(text, "  not finished  launch 16: triton_poi_fused_mul_1, as far as is known\n");
  assert_has(text, "  behind it     11 more, up to launch 20\n");
  assert_has(text, "  behind it     4 more, up to launch 20\n");
  assert_lacks(text, "launch 17:");
  assert_has(message, "in one of 8 launches that are not known to have finished: AOTIGEN_MARKS=all "
                      "marks each launch, ");
  assert_has(message, "; run 1, launch 12: triton_poi_fused_mul_1; ");
  free(text);
}

TEST(one_is_named_where_all_are_marked) {
  environment("AOTIGEN_MARKS", "8");
  char message[8000];
  use_names("all");
  names_to_death(20, 12, message, sizeof message);
  free(captured(1));
  char *text = captured(2);
  assert_has(text, "aotigen: device error in run 1, launch 12: triton_poi_fused_mul_1\n");
  assert_has(text, "  last finished launch 11: triton_poi_fused_add_0\n");
  assert_has(text, "  not finished  launch 12: triton_poi_fused_mul_1\n");
  assert_lacks(text, "as far as is known");
  free(text);
}

TEST(the_first_are_suspects) {
  environment("AOTIGEN_MARKS", "8");
  char message[8000];
  use_names("4");
  names_to_death(20, 2, message, sizeof message);
  free(captured(1));
  char *text = captured(2);
  assert_has(text, "in one of 4 launches that are not known");
  assert_int_equal(count(text, "  last finished none of this run that was scanned, as far as is "
                               "known\n"),
                   4);
  free(text);
}

/* Behind the last mark: the host had not made more. */
TEST(the_last_are_suspects) {
  environment("AOTIGEN_MARKS", "8");
  char message[8000];
  use_names(NULL);
  names_to_death(19, 18, message, sizeof message);
  free(captured(1));
  char *text = captured(2);
  assert_has(text, "in one of 3 launches that are not known");
  assert_has(text, "  not finished  launch 17: ");
  assert_has(text, "  not finished  launch 19: ");
  free(text);
}

TEST(the_log_has_each_suspect) {
  environment("AOTIGEN_MARKS", "8");
  char message[8000];
  environment("AOTIGEN_LOG", "/dev/stdout");
  use_names("4");
  names_to_death(9, 6, message, sizeof message);
  char *log = captured(1);
  free(captured(2));
  assert_int_equal(count(log, "\"suspects\":4,\"last_finished\":4"), 4);
  free(log);
}

/* ---- beside launches that are scanned ---------------------------------------------------------
 */

static const aotigen_param indices[] = {
    FLOAT32("buf0", AOTIGEN_IN),
    {.name = "buf9", .role = AOTIGEN_OUT, .kind = AOTIGEN_TENSOR, .dtype = "int64"}};
enum { SCANNED, COUNTED };
static const aotigen_site mixed[] = {
    [SCANNED] = TRITON_SITE("triton_poi_fused_add_0", step_params, 100),
    [COUNTED] = TRITON_SITE("triton_poi_fused_argmax_1", indices, 200)};

/* Launches of which those that count write integers; the device dies in launch `where`. */
static char *mixed_to_death(const char *kinds, unsigned where) {
  lineup l = new_lineup(0);
  fake *counts = fake_new("int64", 1, ELEMENTS / 2, -1);
  aotigen_run run;
  model = MODEL(WITH(sites, mixed), .nan_asserts = 3, .check_inputs = 2, .device = "cuda");
  capture(2);
  fake_late(30000);
  begin(&run, &model, &l);
  for (unsigned i = 1; kinds[i - 1]; i++) {
    bool scanned = kinds[i - 1] == 's';
    fake *in = l.bufs[i > 1], *out = scanned ? l.bufs[1] : counts;
    kernel k = {.out = FLOATS(out), .value = 1, .bad = -1};
    if (scanned) in = l.bufs[0];
    if (i == where) fake_death(l.stream, 0, 700);
    assert_null(launch_kernel(&run, &l, scanned ? SCANNED : COUNTED, in, &k, out));
  }
  assert_null(aotigen_before_outputs(&run));
  fake_wait(l.stream);
  assert_non_null(aotigen_run_failed(&run, driver_error));
  aotigen_run_end(&run, 1);
  return captured(2);
}

TEST(a_scan_tells_of_those_before_it) {
  environment("AOTIGEN_MARKS", "8");
  int before = fake_count(mark_call);
  char *text = mixed_to_death("scscs", 5);
  assert_int_equal(fake_count(mark_call), before);
  assert_has(text, "  last finished launch 3: triton_poi_fused_add_0, as far as is known\n");
  assert_int_equal(count(text, "  not finished"), 2);
  free(text);
}

TEST(those_up_to_the_next_scan_are_suspects) {
  environment("AOTIGEN_MARKS", "8");
  char *text = mixed_to_death("sccscs", 3);
  assert_has(text, "in one of 3 launches that are not known");
  assert_has(text, "  last finished launch 1: triton_poi_fused_add_0, as far as is known\n");
  assert_has(text, "  not finished  launch 4: triton_poi_fused_add_0, as far as is known\n");
  assert_lacks(text, "launch 5:");
  free(text);
}

TEST(a_scanned_launch_is_named_alone) {
  environment("AOTIGEN_MARKS", "8");
  char *text = mixed_to_death("sccss", 5);
  assert_has(text, "aotigen: device error in run 1, launch 5: triton_poi_fused_add_0\n");
  assert_has(text, "  last finished launch 4: triton_poi_fused_add_0\n");
  free(text);
}
