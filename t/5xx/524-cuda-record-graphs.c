/* 524-cuda-record-graphs - runs that are captured into a graph: each replay is evaluated and
 * printed, and one in which the device is lost is reported. */
#include <math.h>
#include <pthread.h>

#include "5xx/lagging_files.h"
#include "5xx/lagging_graph.h"
#include "launch/async_run.h"

TEST(a_graph_without_a_run_before) {
  lineup l = new_lineup(0);
  model = new_model(3, 0, 0);
  capture(2);
  int before = allocations();
  fake_push(0); /* as torch has it: who captures has a context */
  capture_graph(&l);
  capture_graph(&l);
  fake_pop();
  assert_int_equal(allocations(), before);
  char *text = captured(2);
  assert_int_equal(
      count(text, "aotigen: warning: run 1 of model.cpp is being captured into a graph"), 1);
  assert_int_equal(count(text, "aotigen: "), 1);
  capture(2);
  replay(&l, 2, 5);
  assert_string_equal(captured(2), "");
}

/* The captured run is one of those that AOTIGEN_EVERY counts, and decides for its replays. */
TEST(a_capture_of_an_unchecked_run) {
  lineup l = new_lineup(0);
  environment("AOTIGEN_EVERY", "3");
  model = new_model(3, 0, 0);
  warm_up(&l);
  capture(2);
  for (int i = 0; i < 2; i++) {
    capture_graph(&l);
    replay(&l, 2, 5);
  }
  assert_equal_freed(captured(2),
                     "aotigen: warning: run 2 of model.cpp is being captured into a graph: its "
                     "launches are not scanned (AOTIGEN_EVERY leaves this run out)\n");
  capture(2);
  capture_graph(&l);
  replay(&l, 2, 5);
  assert_has_freed(captured(2), "of the graph that run 4 was captured into\n");
}

TEST(each_replay_is_evaluated) {
  lineup l = new_lineup(0);
  char part[200];
  model = new_model(3, 0, 0);
  fake_late(200);
  capture(2);
  warm_up(&l);
  int before = allocations();
  uint64_t number = capture_graph(&l);
  assert_int_equal(allocations(), before);
  replay(&l, 0, -1);
  assert_string_equal(captured(2), "");
  for (int i = 2; i <= 6; i++) {
    capture(2);
    replay(&l, 1 + i % 3, i % 2 ? -1 : i * 3);
    char *text = captured(2);
    assert_int_equal(count(text, " born in "), i % 2 ? 0 : 1);
    if (i % 2) assert_string_equal(text, "");
    if (i % 2) continue;
    snprintf(part, sizeof part, "replay        %d of the graph that run %d was captured into\n", i,
             (int)number);
    assert_has(text, part);
    snprintf(part, sizeof part, ", launch %d: ", 1 + i % 3);
    assert_has(text, part);
    snprintf(part, sizeof part, "(index %d): nan", i * 3);
    assert_has(text, part);
  }
}

/* An input that a graph reads and does not write is scanned on each replay, whatever it held in the
 * capture. */
static const aotigen_input graph_input = {.name = "arg0_1", .python_name = "x", .ndim = -1};
static const aotigen_weight graph_weight = {.name = "L__self___w", .fqn = "w", .ndim = 2};
static const aotigen_param reads_input[] = {{.name = "arg0_1",
                                             .python_name = "x",
                                             .role = AOTIGEN_IN,
                                             .kind = AOTIGEN_INPUT,
                                             .dtype = "float32"},
                                            FLOAT32("buf1", AOTIGEN_OUT)};
static const aotigen_param reads_weight[] = {{.name = "L__self___w",
                                              .python_name = "w",
                                              .role = AOTIGEN_IN,
                                              .kind = AOTIGEN_WEIGHT,
                                              .dtype = "float32"},
                                             FLOAT32("buf2", AOTIGEN_OUT)};
static const aotigen_site reading_sites[] = {
    TRITON_SITE("triton_poi_fused_add_0", reads_input, 100, .nodes = "add", .aten = "aten.add"),
    TRITON_SITE("triton_poi_fused_mul_1", reads_weight, 200, .nodes = "mul", .aten = "aten.mul")};

static void run_with_input(const lineup *l, fake *input, fake *weight) {
  aotigen_run run;
  const void *inputs[] = {input};
  aotigen_value weights[] = {handle(weight)};
  begin(&run, &model, l);
  aotigen_check_inputs(&run, inputs);
  assert_null(aotigen_check_weights(&run, weights, 1));
  assert_null(launch_kernel(
      &run, l, 0, input,
      &(kernel){.out = FLOATS(l->bufs[1]), .poison = NAN, .bad_now = &bad_now[1]}, l->bufs[1]));
  assert_null(launch_kernel(&run, l, 1, weight, &(kernel){.out = FLOATS(l->bufs[2]), .bad = -1},
                            l->bufs[2]));
  assert_null(aotigen_before_outputs(&run));
  aotigen_run_end(&run, 0);
}

TEST(what_a_replay_reads) {
  lineup l = new_lineup(0);
  fake *input = l.bufs[0], *weight = l.bufs[3];
  model = new_model(3, 0, 0);
  model.sites = reading_sites;
  model.inputs = &graph_input;
  model.weights = &graph_weight;
  model.ninputs = model.nweights = 1;
  FLOATS(weight)[3] = NAN;
  capture(2);
  run_with_input(&l, input, weight);
  assert_has(captured(2), "NaN arrived in run 1 with the weight 'w'");
  fake_capture(l.stream, 1);
  run_with_input(&l, input, weight);
  fake_capture(NULL, 0);
  for (int i = 0; i < 4; i++) { /* a bad input, or a clean one; and what it is read into turns bad
                                   with it, or does not */
    FLOATS(input)[5] = i % 2 ? NAN : 0;
    capture(2);
    replay(&l, 1, i == 3 ? 5 : -1);
    char *text = captured(2);
    assert_int_equal(count(text, "NaN arrived in run "), 1 + i % 2);
    assert_int_equal(count(text, " with the weight 'w'"), 1);
    assert_int_equal(count(text, " with the input 'x'"), i % 2);
    assert_int_equal(count(text, "NaN of the input 'x' propagated through 1 launch"), i == 3);
    assert_lacks(text, " born in ");
  }
}

/* The host discards such a graph. If it does not, the graph is not scanned. */
TEST(a_capture_that_an_exception_ends) {
  lineup l = new_lineup(0);
  aotigen_run run;
  model = new_model(3, 0, 0);
  capture(2);
  warm_up(&l);
  fake_capture(l.stream, 1);
  begin(&run, &model, &l);
  assert_null(launch(&run, &l, 5, NAN));
  assert_has(aotigen_run_failed(&run, "out of memory"), " failed after launch 1 ");
  aotigen_run_end(&run, 1);
  fake_capture(NULL, 0);
  replay(&l, 0, -1);
  char *text = captured(2);
  assert_has(text, "\n  error         out of memory\n");
  assert_has(text, "its launches are not scanned (an exception ended it)\n");
  assert_int_equal(count(text, "aotigen: "), 2);
}

/* Graphs keep what they have for good, but not so much that runs would have to wait. */
TEST(graphs_without_end) {
  enum { GRAPHS = 48 };
  lineup l = new_lineup(0);
  model = new_model(3, 0, 0);
  capture(2);
  for (int i = 0; i < GRAPHS; i++) {
    warm_up(&l);
    capture_graph(&l);
    fake_forget_recording();
  }
  assert_string_equal(captured(2), "");
  capture(2);
  for (int i = 0; i < 2; i++) {
    warm_up(&l);
    capture_graph(&l);
    fake_forget_recording();
  }
  char *text = captured(2);
  assert_has(text, "its launches are not scanned (all asynchronous slots for graphs and runs are "
                   "in use)\n");
  assert_int_equal(count(text, "aotigen: "), 1);
  capture(2);
  fake_late(20 * 1000);
  whole_run(&model, &l, 3, 2, 5, NAN);
  assert_true(fake_busy(l.stream));
  assert_has(captured(2), "NaN born in run ");
}

/* The state of the run before is not given back before that was evaluated. */
TEST(captured_at_once) {
  lineup l = new_lineup(0);
  model = new_model(3, 0, 0);
  fake_late(3000);
  capture(2);
  whole_run(&model, &l, 3, 0, -1, 0);
  capture_graph(&l);
  assert_string_equal(captured(2), "");
  capture(2);
  replay(&l, 2, 5);
  char *text = captured(2);
  assert_int_equal(count(text, " born in "), 1);
  assert_has(text, "replay        1 of");
}

TEST(replays_that_nobody_reads_in_time) {
  lineup l = new_lineup(0);
  model = new_model(3, 0, 0);
  capture(2);
  warm_up(&l);
  capture_graph(&l);
  atomic_store(&bad_now[2], 5);
  for (int i = 0; i < 2000; i++) fake_replay_on(l.stream);
  ag_evaluator_settle();
  atomic_store(&bad_now[2], -1);
  fake_wait(l.stream);
  char *text = captured(2);
  int reported = count(text, " born in ");
  assert_true(reported >= 1 && reported < 2000);
  assert_int_equal(reported, count(text, ", launch 2: triton_poi_fused_mul_1\n"));
  assert_true(count(text, "other replays of it had bad values meanwhile") >= 1);
  capture(2);
  replay(&l, 3, 7); /* and it goes on */
  text = captured(2);
  assert_int_equal(count(text, " born in "), 1);
  assert_has(text, "replay        2001 of");
}

TEST(a_graph_prints) {
  lineup l = new_lineup(0);
  model = new_model(0, 2, 0);
  capture(2);
  capture(1);
  whole_run(&model, &l, 3, 0, -1, 0);
  char *warm = captured(1);
  assert_int_equal(count(warm, "after_launch"), 6);
  capture(1);
  capture_graph(&l);
  assert_string_equal(captured(1), "");
  for (int i = 0; i < 3; i++) {
    capture(1);
    replay(&l, 2, i == 1 ? 5 : -1);
    char *text = captured(1);
    assert_int_equal(count(text, "after_launch"), 6);
    assert_true(count(text, "NaN count: 1\n") ==
                (i == 1 ? 3 : 0)); /* behind its launch, and around the next one */
  }
  assert_string_equal(captured(2), "");
}

/* Level 1 has no answer to a replay: nothing of it goes into a graph, and no thread waits for it.
 */
TEST(a_graph_saves_nothing) {
  lineup l = new_lineup(0);
  new_directory();
  model = new_model(0, 1, 0);
  capture(2);
  uint64_t warm = warm_up(&l);
  int copies = fake_count("cuMemcpyDtoHAsync_v2");
  uint64_t number = capture_graph(&l);
  assert_int_equal(fake_count("cuMemcpyDtoHAsync_v2"), copies);
  char *text = captured(2);
  assert_int_equal(count(text, "aotigen: warning: cannot save"), 1);
  assert_has(text, "graph");
  assert_true(files_of(warm) > 0);
  assert_int_equal(files_of(number), 0);
  replay(&l, 0, -1);
  remove_directory();
}

static void die_in_a_replay(bool spoilt) {
  lineup l = new_lineup(0);
  static atomic_int gate = 1;
  model = new_model(3, 0, 0);
  fake_late(100);
  capture(2);
  warm_up(&l);
  capture_gated_graph(&l, &gate);
  replay(&l, 0, -1);
  replay(&l, 0, -1);
  atomic_store(&gate, 0);
  atomic_store(&bad_now[2], spoilt ? 4 : -1);
  fake_replay_on(l.stream);
  AWAIT(atomic_load(&at_gate));
  fake_fail("cuStreamQuery", 1, 700); /* while the third replay stands in launch 4 */
  await_written(2, "not finished");
  atomic_store(&gate, 1);
  char *text = captured(2);
  assert_has(text, ", launch 4: triton_poi_fused_mul_1\n");
  assert_has(text, "replay        3 of the graph that run 2 was captured into\n");
  assert_has(text, "last finished launch 3: ");
  assert_int_equal(count(text, "not finished"), 1);
  if (spoilt) assert_has(text, "NaN born in run 3, launch 2: ");
  assert_int_equal(count(text, " born in "), spoilt);
}

TEST(death_in_a_replay) { die_in_a_replay(false); }

/* Values that were found before keep their answers. */
TEST(death_in_a_spoilt_replay) { die_in_a_replay(true); }

/* A replay that began while the one before it was still to be read has no answers: none of its
 * launches is blamed for that. */
TEST(death_in_a_replay_without_answers) {
  lineup l = new_lineup(0);
  static atomic_int gate = 1;
  model = new_model(3, 0, 0);
  fake_late(100);
  capture(1);
  capture(2);
  environment("AOTIGEN_LOG", "/dev/stdout");
  warm_up(&l);
  capture_gated_graph(&l, &gate);
  ag_async_run *graph = ag_async_run_all();
  assert_true(graph->is_captured);
  pthread_mutex_lock(&graph->eval_lock); /* no thread evaluates */
  atomic_store(&bad_now[2], 4);
  fake_replay_on(l.stream);
  fake_wait(l.stream);
  atomic_store(&bad_now[2], -1);
  atomic_store(&gate, 0);
  fake_replay_on(l.stream);
  AWAIT(atomic_load(&at_gate)); /* the second one stands in launch 4 */
  pthread_mutex_unlock(&graph->eval_lock);
  ag_evaluator_settle();
  fake_fail("cuStreamQuery", 1, 700);
  await_written(2, "device error on");
  atomic_store(&gate, 1);
  char *text = captured(2);
  assert_int_equal(count(text, " born in "), 1);
  assert_has(text, "device error on 'cpu'");
  assert_lacks(text, "not finished");
  char *log = captured(1);
  assert_int_equal(count(log, "{\"event\":\"device\","), 1);
  assert_has(log, "\"suspects\":0}");
}
