/* 555-cuda-timed - AOTIGEN_TIME of asynchronous and other runs: what stands around each launch, on
 * which stream, and the times that are told. A kernel takes 20 us here, an event one. */
#include <sys/wait.h>

#include "../runtime/base/thread.h"
#include "../runtime/output/time_table.h"
#include "../runtime/state/timing.h"
#include "5xx/lagging_graph.h"

enum { KERNEL_NS = 20000 };

static void begin_timing(void) {
  environment("AOTIGEN_TIME", "1");
  model = new_model(3, 0, 0);
}

/* As a kernel of lagging.h that takes its time. */
static void run_slowly(void *of) {
  fake_pass(KERNEL_NS);
  run_kernel(of);
}

static void give_slow(aotigen_run *run, const lineup *l, uint32_t site) {
  const fake *in = l->bufs[0], *out = l->bufs[1];
  aotigen_value v[] = {handle(in), handle(out)};
  const kernel k = {.out = FLOATS(out), .value = 1, .bad = -1};
  run->launch++;
  assert_null(aotigen_before(run, site, v, 2));
  fake_give(l->stream, run_slowly, &k, sizeof k);
  assert_null(aotigen_after(run, site, NULL, 0));
}

static void slow_run(const lineup *l, int launches) {
  aotigen_run run;
  begin(&run, &model, l);
  for (int i = 0; i < launches; i++) give_slow(&run, l, i % 2 ? ODD : STEP);
  assert_null(aotigen_before_outputs(&run));
  aotigen_run_end(&run, 0);
}

static void settle(const lineup *l) {
  fake_wait(l->stream);
  ag_evaluator_settle();
}

/* What is written at the end. */
static char *told(void) {
  capture(2);
  ag_time_table_write();
  return captured(2);
}

/* ---- what the stream is given --------------------------------------------------------------- */

TEST(the_events_are_directly_around_the_launch) {
  begin_timing();
  lineup l = new_lineup(0);
  slow_run(&l, 3);
  assert_string_equal(fake_trace(l.stream), "SHEKES" "HEKES" "HEKES");
  settle(&l);
}

/* Without the setting nothing is added. */
TEST(without_it_there_is_none) {
  lineup l = new_lineup(0);
  model = new_model(3, 0, 0);
  slow_run(&l, 3);
  settle(&l);
  assert_string_equal(fake_trace(l.stream), "SKSKSKS");
  assert_int_equal(fake_count("cuEventCreate"), 0);
  assert_equal_freed(told(), "");
}

TEST(nothing_is_waited_for) {
  lineup l = new_lineup(0);
  model = new_model(3, 0, 0);
  slow_run(&l, 3);
  settle(&l);
  const int before = fake_count("cuStreamSynchronize");
  aotigen_model timed = model;
  timed.state = NULL;
  environment("AOTIGEN_TIME", "1");
  model = timed;
  fake_late(200);
  slow_run(&l, 3);
  settle(&l);
  assert_int_equal(fake_count("cuStreamSynchronize"), before);
}

TEST(waiting_runs_are_timed_too) {
  begin_timing();
  lineup l = new_lineup(0);
  model.sync = 1;
  slow_run(&l, 2);
  slow_run(&l, 2);
  char *text = told();
  assert_has(text, "       1        1       20.00      20.00      20.00        20.00  50.0%  "
                   "triton_poi_fused_add_0 (add)\n");
  free(text);
}

static void *current; /* torch's current stream */
int32_t aoti_torch_get_current_cuda_stream(int32_t device_index, void **stream);
int32_t aoti_torch_get_current_cuda_stream(int32_t device_index, void **stream) {
  (void)device_index;
  *stream = current;
  return 0;
}

/* A launch under a guard is timed on the guard's stream, and no other is held. */
TEST(a_side_stream_has_its_own_events) {
  static const aotigen_site streamed[] = {
      TRITON_SITE("triton_poi_fused_sin_0", step_params, 10, .stream = "the caller's stream",
                  .stream_kind = AOTIGEN_STREAM_PASSED),
      EXTERN_SITE("aoti_torch_cuda_mm_out", step_params, 20, .stream = "side stream 1",
                  .stream_kind = AOTIGEN_STREAM_CURRENT)};
  aotigen_run run;
  lineup home = new_lineup(0), side = new_lineup(1);
  environment("AOTIGEN_TIME", "1");
  model = MODEL(WITH(sites, streamed), .nan_asserts = 3, .check_inputs = 2, .device = "cuda");
  begin(&run, &model, &home);
  run.passed_stream = current = home.stream;
  give_slow(&run, &home, 0);
  (void)fake_trace(home.stream);
  current = side.stream;
  give_slow(&run, &side, 1);
  assert_string_equal(fake_trace(home.stream), "");
  current = home.stream;
  assert_null(strchr(fake_trace(home.stream), 'H'));
  assert_non_null(strstr(fake_trace(side.stream), "HEKE"));
  assert_null(aotigen_before_outputs(&run));
  aotigen_run_end(&run, 0);
  settle(&home);
  settle(&side);
}

/* The host waits for the device in the call: the device is not to wait for the host. */
TEST(a_launch_that_waits_is_not_held) {
  static const aotigen_site items[] = {
      EXTERN_SITE("aoti_torch_item_float32", step_params, 20, .form = AOTIGEN_ITEM)};
  aotigen_run run;
  lineup l = new_lineup(0);
  environment("AOTIGEN_TIME", "1");
  model = MODEL(WITH(sites, items), .nan_asserts = 3, .check_inputs = 2, .device = "cuda");
  begin(&run, &model, &l);
  give_slow(&run, &l, 0);
  const char *trace = fake_trace(l.stream);
  assert_non_null(strstr(trace, "EKE"));
  assert_null(strchr(trace, 'H'));
  aotigen_run_end(&run, 0);
  settle(&l);
}

TEST(nothing_is_held_where_each_launch_is_waited_for) {
  environment("CUDA_LAUNCH_BLOCKING", "1");
  begin_timing();
  lineup l = new_lineup(0);
  slow_run(&l, 2);
  assert_null(strchr(fake_trace(l.stream), 'H'));
  assert_has_freed(told(), "triton_poi_fused_mul_1");
}

/* ---- what is told --------------------------------------------------------------------------- */

TEST(times_are_the_kernels_alone) {
  begin_timing();
  lineup l = new_lineup(0);
  for (int i = 0; i < 4; i++) slow_run(&l, 2);
  settle(&l);
  char *text = told();
  assert_has(text, "4 runs, in microseconds");
  assert_has(text, "       1        3       20.00      20.00      20.00        60.00  50.0%  "
                   "triton_poi_fused_add_0 (add)\n"
                   "       2        3       20.00      20.00      20.00        60.00  50.0%  "
                   "triton_poi_fused_mul_1 (mul)\n");
  assert_has(text, "         3       20.00        60.00  50.0%  triton_poi_fused_mul_1\n");
  assert_has(text, "(1.00 us were subtracted of each: ");
  free(text);
}

TEST(the_log_has_each_launch) {
  begin_timing();
  begin_log();
  lineup l = new_lineup(0);
  for (int i = 0; i < 3; i++) slow_run(&l, 2);
  settle(&l);
  free(told());
  char *log = end_log();
  assert_int_equal(count(log, "\"event\":\"timed\""), 2);
  assert_has(log, "\"launch\":2,\"site\":0,\"kernel\":\"triton_poi_fused_mul_1\",\"nodes\":\"mul\","
                  "\"file\":null,\"line\":0,\"module\":null,\"count\":2,\"first_ns\":20000,"
                  "\"median_ns\":20000,\"least_ns\":20000,\"total_ns\":40000}");
  free(log);
}

TEST(a_late_host_is_told) {
  begin_timing();
  lineup l = new_lineup(0);
  fake_hold_late(true);
  slow_run(&l, 2);
  settle(&l);
  fake_hold_late(false);
  assert_has_freed(told(), "  2 times include a wait for the host");
}

/* ---- what is not timed ---------------------------------------------------------------------- */

TEST(a_captured_run_is_not_timed) {
  begin_timing();
  lineup l = new_lineup(0);
  warm_up(&l);
  (void)fake_trace(l.stream);
  capture_graph(&l);
  assert_null(strchr(fake_trace(l.stream), 'E'));
  replay(&l, 0, -1);
  fake_forget_recording();
  char *text = told();
  assert_has(text, "  3 launches were not timed: they were captured into a graph\n");
  assert_int_equal(count(text, "triton_poi_fused_add_0"), 3); /* of the run before, and in groups */
  free(text);
}

TEST(a_launch_that_throws_is_not_timed) {
  begin_timing();
  lineup l = new_lineup(0);
  aotigen_run run;
  aotigen_value v[] = {handle(l.bufs[0]), handle(l.bufs[1])};
  begin(&run, &model, &l);
  give_slow(&run, &l, STEP);
  run.launch++;
  assert_null(aotigen_before(&run, ODD, v, 2));
  capture(2);
  (void)aotigen_run_failed(&run, "it threw");
  aotigen_run_end(&run, 1);
  settle(&l);
  free(captured(2));
  slow_run(&l, 2);
  settle(&l);
  char *text = told();
  assert_has(text, "  1 launches were not timed: they failed, or the device's events did\n");
  assert_has(text, "       1        1       20.00 ");
  assert_has(text, "       2        1       20.00 ");
  free(text);
}

TEST(a_driver_without_room_for_events) {
  begin_timing();
  lineup l = new_lineup(0);
  fake_fail("cuEventCreate", 1, 2);
  slow_run(&l, 3);
  settle(&l);
  char *text = told();
  assert_has(text, "  1 launches were not timed: they failed");
  assert_has(text, "       3        1       20.00 ");
  free(text);
}

TEST(a_lost_device_ends_the_run_as_ever) {
  begin_timing();
  char message[4000];
  lineup l = new_lineup(0);
  fake_late(100);
  capture(2);
  run_to_death(&l, 20, message, sizeof message);
  ag_evaluator_settle();
  assert_has_freed(captured(2), "device error");
  assert_has(message, "an illegal memory access was encountered");
  free(told());
}

/* ---- how many pairs there are --------------------------------------------------------------- */

TEST(pairs_are_used_again) {
  begin_timing();
  lineup l = new_lineup(0);
  for (int i = 0; i < 50; i++) {
    slow_run(&l, 3);
    settle(&l);
  }
  assert_in_range(fake_count("cuEventCreate"), 32 + 2, 32 + 2 * 3);
}

/* A stream that stands still while the host goes on: the library waits as without the times. */
TEST(pairs_are_bounded) {
  begin_timing();
  lineup l = new_lineup(0);
  void *stream = l.stream;
  aotigen_run run;
  ag_stall_timeout_us = 1000;
  capture(2);
  fake_late(1);
  static atomic_int gate;
  const kernel k = {.out = FLOATS(l.bufs[1]), .bad = -1, .gate = &gate};
  begin(&run, &model, &l);
  assert_null(launch_kernel(&run, &l, STEP, l.bufs[0], &k, l.bufs[1]));
  for (int i = 0; i < AG_TIMINGS + 500; i++) assert_null(launch(&run, &l, -1, 0));
  assert_true(fake_count("cuEventCreate") <= 32 + 2 * AG_TIMINGS);
  atomic_store(&gate, 1);
  fake_wait(stream);
  assert_null(aotigen_before_outputs(&run));
  aotigen_run_end(&run, 0);
  ag_evaluator_settle();
  free(captured(2));
  free(told());
}

/* ---- processes and threads ------------------------------------------------------------------ */

/* What a child inherits is its parent's to tell. */
TEST(a_child_tells_nothing_of_its_parent) {
  begin_timing();
  lineup l = new_lineup(0);
  slow_run(&l, 2);
  settle(&l);
  capture(2);
  pid_t child = fork();
  if (!child) {
    ag_time_table_write();
    _exit(0);
  }
  int status;
  waitpid(child, &status, 0);
  assert_int_equal(status, 0);
  assert_equal_freed(captured(2), "");
}

/* A model that an operator of another one runs: both are timed, each with what is its own. */
TEST(a_run_within_a_launch) {
  begin_timing();
  static aotigen_model inner;
  lineup l = new_lineup(0);
  aotigen_value v[] = {handle(l.bufs[0]), handle(l.bufs[1])};
  static aotigen_model outer;
  outer = model;
  inner = new_model(3, 0, 0);
  inner.source = "inner.cpp";
  for (int i = 0; i < 2; i++) {
    aotigen_run run;
    begin(&run, &outer, &l);
    run.launch++;
    assert_null(aotigen_before(&run, STEP, v, 2));
    model = inner;
    slow_run(&l, 2);
    inner = model;
    assert_null(aotigen_after(&run, STEP, NULL, 0));
    aotigen_run_end(&run, 0);
    settle(&l);
  }
  char *text = told();
  assert_has(text, "time by launch of inner.cpp, 2 runs");
  assert_has(text, "time by launch of model.cpp, 2 runs");
  assert_int_equal(count(text, "       1        1 "), 2);
  free(text);
}

static void *runs_of_a_thread(void *of) {
  const lineup *l = of;
  for (int i = 0; i < 20; i++) slow_run(l, 3);
  return NULL;
}

TEST(two_threads) {
  begin_timing();
  pthread_t threads[2];
  lineup l[2] = {new_lineup(0), new_lineup(1)};
  fake_late(20);
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, runs_of_a_thread, &l[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < 2; i++) settle(&l[i]);
  char *text = told();
  for (int i = 1; i <= 3; i++) {
    char row[32];
    snprintf(row, sizeof row, "\n  %6d %8d ", i, 39);
    assert_has(text, row);
  }
  assert_lacks(text, "not timed");
  free(text);
}
