/* 537-cuda-watchdog - AOTIGEN_WATCHDOG with launches that the device does not end: they are named
 * by what the device answered, without a call of the driver. */
#include <pthread.h>

#include "5xx/lagging_graph.h"

static atomic_int gate;

/* Waits for the report, and for so long for a second one; then lets the kernel end. */
static void await_hang(useconds_t us) {
  await_written(2, "aotigen: hang in ");
  let_pass(us); /* a second report would come */
  atomic_store(&gate, 1);
}

/* Asserts that the captured text has a single report. */
static void end_with_one(char *text) {
  assert_int_equal(count(text, "aotigen: "), 1);
  free(text);
}

/* A launch whose kernel waits for the gate. */
static const char *gated_launch(aotigen_run *run, const lineup *l) {
  return launch_kernel(run, l, ODD, l->bufs[0],
                       &(kernel){.out = FLOATS(l->bufs[1]), .bad = -1, .gate = &gate}, l->bufs[1]);
}

static void watch(const char *seconds) {
  environment("AOTIGEN_WATCHDOG", seconds);
  model = new_model(3, 0, 0);
  fake_late(5);
  atomic_store(&gate, 0);
}

/* The host goes on, and its run ends; the fourth of eight launches does not. */
TEST(a_kernel_that_never_ends) {
  lineup l = new_lineup(0);
  aotigen_run run;
  watch("0.2");
  capture(2);
  begin(&run, &model, &l);
  for (int i = 1; i <= 8; i++)
    assert_null(i == 4 ? gated_launch(&run, &l) : launch(&run, &l, -1, 0));
  aotigen_run_end(&run, 0);
  await_hang(500 * 1000);
  char *text = captured(2);
  assert_has(text, "aotigen: hang in run 1, launch 4: triton_poi_fused_mul_1\n"
                   "  source nodes  mul\n");
  assert_has(text, " s: the device has not ended it\n  stream        0x");
  assert_has(text, "  last finished launch 3: triton_poi_fused_add_0\n"
                   "  behind it     4 more, up to launch 8\n"
                   "  argument      buf0: float32 [4, 10] on cpu");
  assert_has(text, ", which has left the run\n");
  end_with_one(text);
}

/* The thread of the run waits for what the device does not end: one word, and it is the device's.
 */
TEST(a_thread_that_waits_for_it) {
  lineup l = new_lineup(0);
  aotigen_run run;
  watch("0.2");
  capture(2);
  begin(&run, &model, &l);
  assert_null(launch(&run, &l, -1, 0));
  assert_null(gated_launch(&run, &l));
  await_hang(500 * 1000);
  aotigen_run_end(&run, 0);
  char *text = captured(2);
  assert_has(text, "aotigen: hang in run 1, launch 2: triton_poi_fused_mul_1\n");
  assert_has(text, ", which is behind launch 2 of run 1: triton_poi_fused_mul_1\n");
  end_with_one(text);
}

/* The device ended all: the thread itself waits. */
TEST(a_thread_that_waits_for_ever) {
  lineup l = new_lineup(0);
  aotigen_run run;
  watch("0.2");
  capture(2);
  begin(&run, &model, &l);
  assert_null(launch(&run, &l, -1, 0));
  await_written(2, "C stack");
  aotigen_run_end(&run, 0);
  char *text = captured(2);
  assert_has(text, "aotigen: hang in run 1, after launch 1: triton_poi_fused_add_0\n");
  assert_has(text, " s: the thread has come to no other launch\n");
  end_with_one(text);
}

/* The program gave the stream something before that does not end. */
TEST(what_is_before_the_run) {
  lineup l = new_lineup(0);
  aotigen_run run;
  float none[ELEMENTS];
  const kernel k = {.out = none, .bad = -1, .gate = &gate};
  watch("0.2");
  capture(2);
  fake_give(l.stream, run_kernel, &k, sizeof k);
  begin(&run, &model, &l);
  assert_null(launch(&run, &l, -1, 0));
  aotigen_run_end(&run, 0);
  await_hang(0);
  char *text = captured(2);
  assert_has(text,
             " s: the device has not come to it, but is at what the stream was given before\n");
  end_with_one(text);
}

/* Each of two streams has a run. The one that makes progress is not named, nor are launches that
 * wait behind. */
TEST(the_other_stream) {
  lineup a = new_lineup(0), b = new_lineup(1);
  aotigen_run run;
  watch("0.3");
  capture(2);
  begin(&run, &model, &a);
  assert_null(gated_launch(&run, &a));
  aotigen_run_end(&run, 0);
  begin(&run, &model, &a); /* behind it, on the same stream */
  assert_null(launch(&run, &a, -1, 0));
  aotigen_run_end(&run, 0);
  whole_run(&model, &b, 5, 0, -1, 0);
  await_hang(600 * 1000);
  char *text = captured(2);
  assert_has(text, "aotigen: hang in run 1, launch 1: triton_poi_fused_mul_1\n");
  end_with_one(text);
}

static void *opens_often(void *none) {
  for (int i = 0; i < 25; i++) {
    let_pass(100 * 1000); /* a tenth of what a launch has */
    atomic_store(&gate, i + 1);
  }
  return none;
}

static void wait_for_turn(void *of) {
  const int *turn = of;
  AWAIT(atomic_load(&gate) >= *turn);
}

/* Each launch has a part of the time, all together much more: two runs of launches, the second
 * behind the first, and a thread that waits for the last. */
TEST(slow_launches) {
  lineup l = new_lineup(0);
  aotigen_run run;
  pthread_t clock;
  watch("1");
  capture(2);
  pthread_create(&clock, NULL, opens_often, NULL);
  for (int r = 0, turn = 1; r < 2; r++) {
    begin(&run, &model, &l);
    for (int i = 1; i <= 12; i++, turn++) {
      aotigen_value v[] = {handle(l.bufs[0]), handle(l.bufs[1])};
      run.launch++;
      assert_null(aotigen_before(&run, STEP, v, 2));
      fake_give(l.stream, wait_for_turn, &turn, sizeof turn);
      assert_null(aotigen_after(&run, STEP, NULL, 0));
    }
    if (r) fake_wait(l.stream);
    aotigen_run_end(&run, 0);
  }
  pthread_join(clock, NULL);
  assert_equal_freed(captured(2), "");
}

TEST(a_graph) {
  lineup l = new_lineup(0);
  watch("0.2");
  warm_up(&l);
  capture(2);
  atomic_store(&gate, 1);
  capture_gated_graph(&l, &gate);
  replay(&l, 0, -1);
  atomic_store(&gate, 0);
  fake_replay_on(l.stream);
  await_hang(0);
  fake_wait(l.stream);
  replay(&l, 1, 7); /* it is scanned as ever */
  char *text = captured(2);
  assert_has(text, ", launch 4: triton_poi_fused_mul_1\n");
  assert_has(text, "  replay        2 of the graph that run 2 was captured into\n");
  assert_int_equal(count(text, "aotigen: hang in "), 1);
  assert_has(text, "aotigen: NaN born in run ");
  free(text);
}

static void *opens_when_said(void *none) {
  await_written(2, "C stack");
  atomic_store(&gate, 1);
  return none;
}

TEST(with_sync) {
  lineup l = new_lineup(0);
  aotigen_run run;
  pthread_t other;
  watch("0.2");
  model = new_model(0, 0, 1);
  capture(2);
  pthread_create(&other, NULL, opens_when_said, NULL);
  begin(&run, &model, &l);
  assert_null(gated_launch(&run, &l));
  aotigen_run_end(&run, 0);
  pthread_join(other, NULL);
  char *text = captured(2);
  assert_has(text, "aotigen: hang in run 1, launch 1: triton_poi_fused_mul_1\n");
  assert_has(text, " s: the device has not ended it\n  stream        0x");
  assert_has(text, "  argument      buf1: float32 [4, 10]\n");
  end_with_one(text);
}
