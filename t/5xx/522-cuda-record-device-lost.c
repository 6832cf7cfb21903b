/* 522-cuda-record-device-lost - a device that is lost in the midst of async runs: which launch is
 * named, and what later runs report. */
#include <pthread.h>

#include "5xx/lagging.h"

static int driver_calls(void) {
  static const char *const names[] = {
      "cuStreamQuery",         "cuCtxPushCurrent_v2", "cuStreamIsCapturing",
      "cuLaunchKernel",        "cuStreamSynchronize", "cuStreamWriteValue32_v2",
      "cuPointerGetAttribute", "cuMemHostAlloc",      "cuMemcpyDtoHAsync_v2"};
  int n = 0;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) n += fake_count(names[i]);
  return n;
}

/* Runs of a process whose device is known to be lost. */
static void assert_dead_for_good(const lineup *l, const char *message) {
  aotigen_run run;
  ag_evaluator_settle();
  let_pass(20 * 1000); /* whoever went on asking would ask now */
  int asked = driver_calls();
  for (int i = 0; i < 3; i++) {
    begin(&run, &model, l);
    const char *fault = launch(&run, l, -1, 0);
    assert_non_null(fault);
    assert_int_equal(strncmp(fault, message, strlen(fault)),
                     0); /* there it may have had what torch said at its end */
    assert_null(aotigen_run_failed(&run, fault));
    aotigen_run_end(&run, 1);
    begin(&run, &model, l);
    fault = aotigen_run_failed(&run, driver_error);
    assert_non_null(fault);
    assert_has(fault, "CUDA_ERROR_ILLEGAL_ADDRESS, 700); ");
    aotigen_run_end(&run, 1);
  }
  assert_int_equal(driver_calls(), asked);
}

static void death_on_one_stream(uint64_t where, int late) {
  lineup l = new_lineup(0);
  char message[8000], head[100];
  model = new_model(3, 0, 0);
  fake_late(late);
  capture(2);
  whole_run(&model, &l, 3, 0, -1, 0);
  run_to_death(&l, where, message, sizeof message);
  snprintf(head, sizeof head, "aotigen: device error in run 2, launch %d: triton_poi_fused_mul_1",
           (int)where);
  assert_int_equal(strncmp(message, head, strlen(head)), 0);
  assert_has(message,
             "an illegal memory access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS, 700); ");
  char *text = captured(2);
  assert_has(text, "an illegal memory access was encountered (CPU_ERROR_ILLEGAL_ADDRESS, 700)\n");
  snprintf(head, sizeof head, "last finished launch %d: ", (int)where - 1);
  assert_has(text, where == 1 ? "last finished none of this run" : head);
  snprintf(head, sizeof head, "not finished  launch %d: triton_poi_fused_mul_1\n", (int)where);
  assert_has(text, head);
  assert_has(text, "argument      buf0: float32 [4, 10] on cpu, at 0x");
  assert_has(text, "argument      buf1: float32 [4, 10] on cpu, at 0x");
  assert_int_equal(count(text, "aotigen: "), 1);
  capture(2);
  assert_dead_for_good(&l, message);
  assert_string_equal(captured(2), "");
}

TEST(death_in_the_first) { death_on_one_stream(1, 500); }

TEST(death_in_the_middle) { death_on_one_stream(101, 100); }

TEST(death_in_the_last) { death_on_one_stream(MANY, 100); }

TEST(death_where_nothing_lags) { death_on_one_stream(101, 1); }

typedef struct mourner {
  pthread_t thread;
  lineup l;
  uint64_t where;
  char message[8000];
} mourner;

static void *die_or_not(void *of) {
  mourner *m = of;
  run_to_death(&m->l, m->where, m->message, sizeof m->message);
  return NULL;
}

static void death_on_two_streams(uint64_t where) {
  mourner m[2] = {{.l = new_lineup(0), .where = where}, {.l = new_lineup(1)}};
  char part[100];
  model = new_model(3, 0, 0);
  fake_late(100);
  capture(2);
  for (int i = 0; i < 2; i++)
    assert_int_equal(pthread_create(&m[i].thread, NULL, die_or_not, &m[i]), 0);
  for (int i = 0; i < 2; i++) pthread_join(m[i].thread, NULL);
  char *text = captured(2);
  snprintf(part, sizeof part, "not finished  launch %d: triton_poi_fused_mul_1\n", (int)where);
  assert_has(text, part);
  assert_has(text, "argument      buf0: float32 [4, 10] on cpu, at 0x");
  assert_true(count(text, "not finished  launch") <= 2);
  assert_int_equal(count(text, "not finished  launch"), count(m[0].message, ", launch "));
  snprintf(part, sizeof part, ", launch %d: triton_poi_fused_mul_1", (int)where);
  assert_has(m[0].message, part);
}

TEST(death_on_two_in_the_first) { death_on_two_streams(1); }

TEST(death_on_two_in_the_middle) { death_on_two_streams(99); }

TEST(death_on_two_in_the_last) { death_on_two_streams(MANY); }

/* A run on another stream has not finished either: both are named, as one of two. */
TEST(death_while_another_stream_stands) {
  static atomic_int gate;
  lineup standing = new_lineup(1), l = new_lineup(0);
  char message[8000];
  aotigen_run run;
  kernel k = {.out = FLOATS(standing.bufs[1]), .bad = -1, .gate = &gate};
  model = new_model(3, 0, 0);
  fake_late(50);
  capture(2);
  begin(&run, &model, &standing);
  assert_null(launch_kernel(&run, &standing, STEP, standing.bufs[0], &k, standing.bufs[1]));
  aotigen_run_end(&run, 0);
  run_to_death(&l, 60, message, sizeof message);
  atomic_store(&gate, 1);
  fake_wait(standing.stream);
  assert_has(message, "in one of 2 launches, each the first of its run that had not finished");
  char *text = captured(2);
  assert_has(text, "not finished  launch 1: triton_poi_fused_add_0\n");
  assert_has(text, "not finished  launch 60: triton_poi_fused_mul_1\n");
  assert_int_equal(count(text, "not finished  launch"), 2);
  free(text);
}

/* The run after it is on the same stream, behind it: it is not suspected. */
static void death_before_another(int folding, int launches, int where, int behind,
                                 const char *head) {
  lineup l = new_lineup(0);
  aotigen_run run, next;
  model = new_model(3, 0, 0);
  fake_late(30000);
  capture(2);
  aotigen_run_begin(&run, &model, folding, l.stream);
  for (int i = 1; i <= launches; i++) {
    if (i == where) fake_death(l.stream, 0, 700);
    assert_null(launch(&run, &l, -1, 0));
  }
  aotigen_run_end(&run, 0);
  aotigen_run_begin(&next, &model, folding, l.stream);
  for (int i = 1; i <= behind; i++) assert_null(launch(&next, &l, -1, 0));
  fake_wait(l.stream);
  const char *message = aotigen_run_failed(&next, driver_error);
  assert_non_null(message);
  assert_has(message, head);
  assert_lacks(message, "one of");
  aotigen_run_end(&next, 1);
  char *text = captured(2);
  assert_has(text, head);
  assert_int_equal(count(text, "not finished"), 1);
  free(text);
}

TEST(death_with_a_run_behind) {
  death_before_another(0, 6, 4, 4,
                       "aotigen: device error in run 1, launch 4: triton_poi_fused_mul_1");
}

/* Foldings have no number of their own: the second is behind the first all the same. */
TEST(death_in_a_folding) {
  death_before_another(1, 4, 2, 3,
                       "aotigen: device error in run 0, launch 2: triton_poi_fused_mul_1");
}

/* An exception of a run on another device does not matter, even if nothing was launched that names
 * the device. */
TEST(death_in_an_unchecked_run) {
  lineup l = new_lineup(0);
  char message[8000];
  environment("AOTIGEN_EVERY", "2");
  model = new_model(3, 0, 0);
  capture(2);
  whole_run(&model, &l, 3, 0, -1, 0);
  aotigen_run run;
  begin(&run, &model, &l);
  for (int i = 0; i < 3; i++) assert_null(launch(&run, &l, -1, 0));
  fake_death(l.stream, 0, 700);
  fake_wait(l.stream);
  const char *fault = aotigen_run_failed(&run, driver_error);
  assert_non_null(fault);
  snprintf(message, sizeof message, "%s", fault);
  aotigen_run_end(&run, 1);
  assert_has(message, "aotigen: device error in run 2, seen at launch 3");
  assert_has_freed(captured(2), "aotigen: device error in run 2, seen at launch 3\n");
}

TEST(death_of_another_device) {
  static const aotigen_input input = {.name = "arg0_1", .python_name = "x", .ndim = -1};
  lineup l = new_lineup(0);
  char message[8000];
  aotigen_run run;
  fake *elsewhere = fake_new("float32", 4, -1);
  const void *inputs[] = {elsewhere};
  model = new_model(3, 0, 0);
  fake_late(50);
  capture(2);
  run_to_death(&l, 60, message, sizeof message);
  assert_has(message, "device error in run 1, launch 60: ");
  elsewhere->device_index = 1;
  model.inputs = &input;
  model.ninputs = 1;
  begin(&run, &model, &l);
  aotigen_check_inputs(&run, inputs);
  assert_null(aotigen_run_failed(&run, "input 0: expected 3 dimensions"));
  aotigen_run_end(&run, 1);
  free(captured(2));
}

/* As of a driver that refuses marks: then the launch is not known, which is no reason to say that
 * none was in flight. */
TEST(death_without_marks) {
  lineup l = new_lineup(0);
  aotigen_value v[] = {handle(l.bufs[0]), handle(l.bufs[1])};
  aotigen_run run;
  environment("AOTIGEN_MARKS", "all");
  model = new_model(0, 3, 0);
  fake_late(50);
  capture(2);
  begin(&run, &model, &l);
  run.launch++;
  assert_null(aotigen_before(&run, STEP, v, 2));
  fake_death(l.stream, 0, 700);
  fake_fail("cuStreamWriteValue32_v2", 1, 801);
  assert_null(aotigen_after(&run, STEP, NULL, 0));
  fake_wait(l.stream);
  assert_has(aotigen_run_failed(&run, driver_error),
             "in which launch is not known: their ends could not be marked, ");
  aotigen_run_end(&run, 1);
  char *text = captured(2);
  assert_int_equal(count(text, "aotigen: warning: the end of a launch cannot be marked ("), 1);
}

/* Faults are only reported: the run goes on as if nothing were, and nothing more is asked. */
TEST(death_is_only_reported) {
  lineup l = new_lineup(0);
  char message[8000];
  environment("AOTIGEN_ON_FAULT", "report");
  model = new_model(3, 0, 0);
  fake_late(50);
  capture(2);
  run_to_death(&l, 60, message, sizeof message);
  assert_string_equal(message, "");
  for (int i = 0; i < 3; i++) {
    aotigen_run run;
    begin(&run, &model, &l);
    assert_null(launch(&run, &l, -1, 0));
    assert_null(aotigen_run_failed(&run, driver_error));
    aotigen_run_end(&run, 1);
  }
  char *text = captured(2);
  assert_has(text, "device error in run 1, launch 60: ");
  assert_int_equal(count(text, "aotigen: "), 1);
}
