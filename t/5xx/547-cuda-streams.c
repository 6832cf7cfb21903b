/* 547-cuda-streams - runs of a model with several streams: each launch is scanned on its own, and a
 * device that fails is laid to what its stream was at. */
#include <math.h>

#include "5xx/lagging.h"

/* Buffers of the home stream, of side stream 1, and what both come to. */
static const aotigen_param home_params[] = {FLOAT32("buf0", AOTIGEN_IN),
                                            FLOAT32("buf1", AOTIGEN_OUT)},
                           side_params[] = {FLOAT32("buf0", AOTIGEN_IN),
                                            FLOAT32("buf2", AOTIGEN_OUT)},
                           join_params[] = {FLOAT32("buf2", AOTIGEN_IN),
                                            FLOAT32("buf3", AOTIGEN_OUT)};
enum { HOME, SIDE, JOIN };
static const aotigen_site streamed[] = {
    [HOME] = TRITON_SITE("triton_poi_fused_sin_0", home_params, 10, .number = 1,
                         .stream = "the caller's stream", .stream_kind = AOTIGEN_STREAM_PASSED),
    [SIDE] = EXTERN_SITE("aoti_torch_cuda_mm_out", side_params, 20, .number = 2,
                         .stream = "side stream 1",
                         .stream_kind = AOTIGEN_STREAM_CURRENT | AOTIGEN_STREAM_PRODUCT),
    [JOIN] = TRITON_SITE("triton_poi_fused_add_1", join_params, 30, .number = 3,
                         .stream = "the caller's stream", .stream_kind = AOTIGEN_STREAM_PASSED),
};

static void *current; /* torch's current stream */
int32_t aoti_torch_get_current_cuda_stream(int32_t device_index, void **stream);
int32_t aoti_torch_get_current_cuda_stream(int32_t device_index, void **stream) {
  (void)device_index;
  *stream = current;
  return 0;
}

static lineup home, side;
static fake *b[4];
static aotigen_run run;
static atomic_int gate, other_gate;

static void begin_run(bool sync) {
  model = MODEL(WITH(sites, streamed), .nan_asserts = 3, .sync = sync, .check_inputs = 2,
                .device = "cuda");
  home = new_lineup(0);
  side = new_lineup(1);
  for (int i = 0; i < 4; i++) b[i] = fake_new("float32", 4, ELEMENTS / 4, -1);
  for (int i = 0; i < ELEMENTS; i++) FLOATS(b[0])[i] = 1;
  capture(2);
  begin(&run, &model, &home);
}

/* What torch's guard does around a launch on the side stream. */
static void launch_on(const lineup *l, uint32_t site, int in, int out, int bad,
                      const atomic_int *until) {
  kernel k = {.out = FLOATS(b[out]), .value = 1, .poison = NAN, .bad = bad, .gate = until};
  current = site == SIDE ? l->stream : home.stream;
  run.passed_stream = l->stream;
  assert_null(launch_kernel(&run, l, site, b[in], &k, b[out]));
  current = home.stream;
}

static char *end_run(void) {
  assert_null(aotigen_before_outputs(&run));
  aotigen_run_end(&run, 0);
  ag_evaluator_settle();
  return captured(2);
}

/* The side stream is far behind when the home stream has ended: a scan of its output there would
 * find what the kernel has not written yet. */
TEST(side_is_scanned_where_it_runs) {
  fake_late(50);
  begin_run(false);
  for (int i = 0; i < ELEMENTS; i++) FLOATS(b[2])[i] = NAN; /* not written yet */
  launch_on(&side, SIDE, 0, 2, -1, &gate);
  launch_on(&home, HOME, 0, 1, -1, NULL);
  fake_wait(home.stream);
  atomic_store(&gate, 1);
  fake_wait(side.stream); /* an event, which the wrapper waits for */
  launch_on(&home, JOIN, 2, 3, -1, NULL);
  char *text = end_run();
  assert_string_equal(text, "");
  free(text);
}

TEST(what_is_bad_there_is_born_there) {
  fake_late(50);
  begin_run(false);
  launch_on(&side, SIDE, 0, 2, 7, &gate);
  launch_on(&home, HOME, 0, 1, -1, NULL);
  fake_wait(home.stream);
  atomic_store(&gate, 1);
  fake_wait(side.stream);
  launch_on(&home, JOIN, 2, 3, 7, NULL);
  char *text = end_run();
  assert_has(text, "NaN born in run 1, launch 1: aoti_torch_cuda_mm_out\n");
  assert_has(text, "  stream        side stream 1\n");
  assert_has(text, "propagated through 1 launch\n");
  assert_int_equal(count(text, "born"), 1);
  free(text);
}

/* A kernel that is passed the caller's stream runs there though the guard makes another current,
 * and though the caller's is the default stream. */
TEST(passed_stream_is_not_the_current) {
  fake_late(50);
  model = (aotigen_model){0};
  begin_run(false);
  aotigen_run_end(&run, 0);
  home.stream = NULL;
  free(captured(2));
  capture(2);
  begin(&run, &model, &home);
  kernel k = {.out = FLOATS(b[1]), .value = 1, .poison = NAN, .bad = 3, .gate = &gate};
  current = side.stream;
  run.passed_stream = NULL;
  assert_null(launch_kernel(&run, &home, HOME, b[0], &k, b[1]));
  fake_wait(side.stream);
  atomic_store(&gate, 1);
  char *text = end_run();
  assert_has(text, "NaN born in run 2, launch 1: triton_poi_fused_sin_0\n");
  free(text);
}

TEST(side_is_waited_for_with_sync) {
  fake_late(50);
  begin_run(true);
  atomic_store(&gate, 1);
  launch_on(&side, SIDE, 0, 2, 5, &gate);
  assert_false(fake_busy(side.stream));
  char *text = end_run();
  assert_has(text, "NaN born in run 1, launch 1: aoti_torch_cuda_mm_out\n");
  free(text);
}

/* Two runs in flight, and slots that come back: no third of them waits for one. */
TEST(slots_come_back) {
  fake_late(20);
  begin_run(false);
  aotigen_run_end(&run, 0);
  free(captured(2));
  int made = 0;
  for (int i = 0; i < 40; i++) {
    capture(2);
    begin(&run, &model, &home);
    launch_on(&side, SIDE, 0, 2, i == 39 ? 1 : -1, NULL);
    launch_on(&home, HOME, 0, 1, -1, NULL);
    char *text = end_run();
    assert_int_equal(count(text, "born"), i == 39);
    free(text);
    if (i == 10) made = allocations();
  }
  assert_int_equal(allocations(), made);
}

/* What has no slot is said once, and the rest is scanned. */
TEST(too_many_streams) {
  lineup many[9];
  fake_late(20);
  begin_run(false);
  for (int i = 0; i < 9; i++) {
    many[i] = new_lineup(2 + i);
    launch_on(&many[i], SIDE, 0, 2, i == 8 ? 4 : -1, NULL);
    fake_wait(many[i].stream);
  }
  launch_on(&home, HOME, 0, 1, 2, NULL);
  char *text = end_run();
  assert_int_equal(
      count(text, "launches on one of its streams are not scanned: all slots are in use"), 1);
  assert_has(text, "NaN born in run 1, launch 10: triton_poi_fused_sin_0\n");
  assert_int_equal(count(text, "born"), 1);
  free(text);
}

/* What the home stream does next waits for the side stream's event, and nothing of it is scanned
 * before. */
TEST(death_before_the_event) {
  static int event;
  fake_late(50);
  begin_run(false);
  free(end_run());
  model = MODEL(WITH(sites, streamed), .nan_asserts = 3, .check_inputs = 2, .marks_order = 1,
                .device = "cuda");
  capture(2);
  begin(&run, &model, &home);
  launch_on(&side, SIDE, 0, 2, -1, NULL);
  fake_wait(side.stream);
  aotigen_value v[] = {handle(b[0]), handle(b[2])};
  run.launch++;
  current = side.stream;
  const char *fault = aotigen_before(&run, SIDE, v, 2);
  assert_null(fault);
  fake_death(side.stream, 0, 700);
  fault = aotigen_after(&run, SIDE, NULL, 0);
  aotigen_stream_op(&run, AOTIGEN_STREAM_RECORDS, side.stream, &event);
  aotigen_stream_op(&run, AOTIGEN_STREAM_WAITS, home.stream, &event);
  run.launch++;
  current = home.stream;
  run.passed_stream = home.stream;
  if (!fault) fault = aotigen_before(&run, JOIN, (aotigen_value[]){handle(b[2]), handle(b[3])}, 2);
  if (!fault) fault = aotigen_after(&run, JOIN, NULL, 0);
  fake_wait(side.stream);
  if (!fault) fault = aotigen_run_failed(&run, driver_error);
  aotigen_run_end(&run, 1);
  char *text = captured(2);
  assert_has(text, "device error in run 2, launch 2: aoti_torch_cuda_mm_out\n");
  assert_int_equal(count(text, "not finished  launch"), 1);
  free(text);
}

/* ---- races ---------------------------------------------------------------------------------- */

static void begin_raced(void) {
  model = MODEL(WITH(sites, streamed), .nan_asserts = 3, .check_inputs = 2, .marks_order = 1,
                .device = "cuda");
  capture(2);
  begin(&run, &model, &home);
}

static int event_a, event_b;

/* Launches 1 on the side stream and 2 at home, which reads what the first wrote. */
static char *run_raced(bool recorded, bool waited, const void *event) {
  begin_raced();
  launch_on(&side, SIDE, 0, 2, -1, NULL);
  if (recorded) aotigen_stream_op(&run, AOTIGEN_STREAM_RECORDS, side.stream, &event_a);
  fake_wait(side.stream);
  if (waited) aotigen_stream_op(&run, AOTIGEN_STREAM_WAITS, home.stream, event);
  launch_on(&home, JOIN, 2, 3, -1, NULL);
  return end_run();
}

TEST(race_without_an_event) {
  fake_late(20);
  begin_run(false);
  free(end_run());
  const char *race = "race between streams in run ";
  char *text = run_raced(true, true, &event_a);
  assert_string_equal(text, "");
  free(text);
  text = run_raced(false, false, NULL);
  assert_has(text, race);
  assert_has(text, "argument      buf2: ");
  assert_has(text, "this launch reads it, which another one writes on side stream 1\n");
  assert_has(text, "launch 1: aoti_torch_cuda_mm_out (line 20), as 'buf2'\n");
  free(text);
  text = run_raced(true, false, NULL); /* recorded, and not waited for */
  assert_int_equal(count(text, "race"), 1);
  free(text);
  text = run_raced(true, true, &event_b); /* another event */
  assert_int_equal(count(text, "race"), 1);
  free(text);
  text = run_raced(false, true, &event_a); /* of an earlier run */
  assert_int_equal(count(text, "race"), 1);
  free(text);
}

/* An event has what came before it was recorded last. */
TEST(race_behind_the_event) {
  fake_late(20);
  begin_run(false);
  free(end_run());
  begin_raced();
  aotigen_stream_op(&run, AOTIGEN_STREAM_RECORDS, side.stream, &event_a);
  launch_on(&side, SIDE, 0, 2, -1, NULL);
  aotigen_stream_op(&run, AOTIGEN_STREAM_WAITS, home.stream, &event_a);
  fake_wait(side.stream);
  launch_on(&home, JOIN, 2, 3, -1, NULL);
  char *text = end_run();
  assert_int_equal(count(text, "race between streams"), 1);
  free(text);
}

/* What the home stream reads, the side stream writes next: only an order by the host is known. */
TEST(race_with_a_reader) {
  for (int waits = 0; waits < 4; waits++) {
    fake_late(20);
    begin_run(false);
    free(end_run());
    begin_raced();
    launch_on(&home, JOIN, 2, 3, -1, NULL);
    fake_wait(home.stream);
    if (waits == 1) aotigen_stream_op(&run, AOTIGEN_HOST_WAITS, home.stream, NULL);
    if (waits == 2) aotigen_stream_op(&run, AOTIGEN_HOST_WAITS_FOR_ALL, NULL, NULL);
    if (waits == 3) {
      aotigen_stream_op(&run, AOTIGEN_STREAM_RECORDS, home.stream, &event_a);
      aotigen_stream_op(&run, AOTIGEN_HOST_WAITS_FOR, NULL, &event_a);
    }
    launch_on(&side, SIDE, 0, 2, -1, NULL);
    char *text = end_run();
    assert_int_equal(count(text, "race between streams"), !waits);
    if (!waits) assert_has(text, "this launch writes it, which another one reads on the caller's");
    free(text);
  }
}

/* Two that only read have no order, and need none. */
TEST(no_race_between_readers) {
  fake_late(20);
  begin_run(false);
  free(end_run());
  begin_raced();
  launch_on(&home, HOME, 0, 1, -1, NULL);
  launch_on(&side, SIDE, 0, 2, -1, NULL);
  char *text = end_run();
  assert_string_equal(text, "");
  free(text);
}

/* Loses the device in a launch on the side stream. */
static char *lose_on_side(void) {
  aotigen_value v[] = {handle(b[0]), handle(b[2])};
  run.launch++;
  current = side.stream;
  const char *fault = aotigen_before(&run, SIDE, v, 2);
  if (!fault) {
    fake_death(side.stream, 0, 700);
    fault = aotigen_after(&run, SIDE, NULL, 0);
  }
  fake_wait(side.stream);
  if (!fault) fault = aotigen_run_failed(&run, driver_error);
  assert_non_null(fault);
  aotigen_run_end(&run, 1);
  return captured(2);
}

/* The home stream has not begun its launch: it waits for the side stream, and is no suspect. */
TEST(death_on_the_side) {
  fake_late(50);
  begin_run(false);
  launch_on(&side, SIDE, 0, 2, -1, NULL);
  launch_on(&home, HOME, 0, 1, -1, NULL);
  fake_wait(home.stream);
  fake_wait(side.stream);
  char *text = lose_on_side();
  assert_has(text, "device error in run 1, launch 3: aoti_torch_cuda_mm_out\n");
  assert_has(text, "  last finished launch 1: aoti_torch_cuda_mm_out\n");
  assert_has(text, "  stream        side stream 1\n");
  assert_int_equal(count(text, "not finished  launch"), 1);
  free(text);
}

/* The launch on the home stream, which waits for the side stream, is being launched when the death
 * is seen. */
TEST(death_seen_by_a_launch_that_waits) {
  fake_late(50);
  begin_run(false);
  free(end_run());
  begin_raced();
  aotigen_value on_side[] = {handle(b[0]), handle(b[2])}, on_home[] = {handle(b[0]), handle(b[1])};
  launch_on(&side, SIDE, 0, 2, -1, NULL); /* each stream has its slot from here on */
  launch_on(&home, HOME, 0, 1, -1, NULL);
  fake_wait(home.stream);
  fake_wait(side.stream);
  run.launch++;
  current = side.stream;
  assert_null(aotigen_before(&run, SIDE, on_side, 2));
  fake_death(side.stream, 0, 700);
  const char *fault = aotigen_after(&run, SIDE, NULL, 0);
  aotigen_stream_op(&run, AOTIGEN_STREAM_RECORDS, side.stream, &event_a);
  aotigen_stream_op(&run, AOTIGEN_STREAM_WAITS, home.stream, &event_a);
  fake_wait(side.stream);
  run.launch++;
  current = home.stream;
  if (!fault) fault = aotigen_before(&run, HOME, on_home, 2);
  if (!fault) fault = aotigen_run_failed(&run, driver_error);
  assert_non_null(fault);
  aotigen_run_end(&run, 1);
  char *text = captured(2);
  assert_has(text, "device error in run 2, launch 3: aoti_torch_cuda_mm_out\n");
  assert_int_equal(count(text, "not finished  launch"), 1);
  free(text);
}

TEST(death_while_the_home_stream_stands) {
  fake_late(50);
  begin_run(false);
  launch_on(&home, HOME, 0, 1, -1, &other_gate);
  AWAIT(atomic_load(&at_gate));
  char *text = lose_on_side();
  atomic_store(&other_gate, 1);
  assert_has(text, "in one of 2 launches, each the first of its run on its stream that had "
                   "not finished\n");
  assert_has(text, "not finished  launch 1: triton_poi_fused_sin_0\n");
  assert_has(text, "not finished  launch 2: aoti_torch_cuda_mm_out\n");
  free(text);
}
