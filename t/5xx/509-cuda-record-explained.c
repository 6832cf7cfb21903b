/* 509-cuda-record-explained - how bad elements of Triton kernels were computed: in runs that wait
 * and in others, in replays of graphs, and where memory has changed or is gone. */
#include <math.h>

#include "5xx/lagging.h"
#include "../triton_graphs.h"

/* ---- the model ------------------------------------------------------------------------------ */

static const int16_t log_args[] = {0, 1, 2, 3, -1}, sum_args[] = {0, 1, 2, 3, 4, -1};
static const aotigen_graph log_graph = {log_sub, log_args, 5}, sum_graph = {exp_sum, sum_args, 6},
                           look_graph = {embedding, log_args, 5, 1};
static const aotigen_param log_params[] = {
    FLOAT32("buf0", AOTIGEN_IN),
    FLOAT32("buf1", AOTIGEN_IN),
    FLOAT32("buf2", AOTIGEN_OUT),
    {.name = "xnumel", .role = AOTIGEN_IN, .kind = AOTIGEN_SCALAR}};
static const aotigen_param sum_params[] = {
    FLOAT32("buf3", AOTIGEN_IN),
    FLOAT32("buf4", AOTIGEN_OUT),
    FLOAT32("buf5", AOTIGEN_OUT),
    {.name = "xnumel", .role = AOTIGEN_IN, .kind = AOTIGEN_SCALAR},
    {.name = "r0_numel", .role = AOTIGEN_IN, .kind = AOTIGEN_SCALAR}};
static const aotigen_param look_params[] = {
    {.name = "arg0_1", .role = AOTIGEN_IN, .kind = AOTIGEN_TENSOR},
    FLOAT32("arg1_1", AOTIGEN_IN),
    FLOAT32("buf0", AOTIGEN_OUT),
    {.name = "xnumel", .role = AOTIGEN_IN, .kind = AOTIGEN_SCALAR}};
static const aotigen_param fill_params[] = {FLOAT32("buf3", AOTIGEN_OUT)};

enum { LOG, SUM, FILL, LOOK, KERNELS };
static const aotigen_site kernel_sites[] = {
    [LOG] = TRITON_SITE("triton_poi_fused_log_sub_0", log_params, 100, .nodes = "log, sub",
                        .aten = "aten.log, aten.sub", .graph = &log_graph),
    [SUM] = TRITON_SITE("triton_per_fused_exp_sum_1", sum_params, 200, .nodes = "exp, sum",
                        .aten = "aten.exp, aten.sum", .graph = &sum_graph),
    [FILL] = TRITON_SITE("triton_poi_fused_full_2", fill_params, 300, .nodes = "full",
                         .aten = "aten.full"),
    [LOOK] = TRITON_SITE("triton_poi_fused_embedding_3", look_params, 400, .nodes = "embedding",
                         .aten = "aten.embedding", .graph = &look_graph)};

static char stream;
static atomic_int given; /* all launches of the run: until then the device stands still */
static fake *x, *y, *z, *rows, *differences, *sums;
static float filled_with;

static void make_model(uint8_t sync) {
  model = new_model(3, 0, sync);
  model.sites = kernel_sites;
  model.nsites = KERNELS;
  filled_with = 0;
  x = fake_new("float32", 6, 6, -1);
  y = fake_new("float32", 6, 6, -1);
  z = fake_new("float32", 6, 6, -1);
  rows = fake_new("float32", 4, 70, -1);
  differences = fake_new("float32", 4, 70, -1);
  sums = fake_new("float32", 4, -1);
  for (int i = 0; i < 36; i++) FLOATS(x)[i] = (float)i + 1;
  FLOATS(y)[15] = 100;
  for (int i = 0; i < 280; i++) FLOATS(rows)[i] = 1;
}

/* ---- the device's side ---------------------------------------------------------------------- */

static void compute_log(void *none) {
  (void)none;
  for (int i = 0; i < 36; i++) FLOATS(z)[i] = logf(FLOATS(x)[i] - FLOATS(y)[i]);
}

static void compute_sum(void *none) {
  (void)none;
  AWAIT(atomic_load(&given));
  for (int i = 0; i < 4; i++) {
    FLOATS(sums)[i] = 0;
    for (int k = 0; k < 70; k++) {
      float v = FLOATS(rows)[i * 70 + k];
      FLOATS(differences)[i * 70 + k] = 0;
      FLOATS(sums)[i] += fabsf(v) * 1e37f;
    }
  }
}

static void compute_fill(void *none) {
  (void)none;
  for (int i = 0; i < 280; i++) FLOATS(rows)[i] = filled_with;
}

/* Another stream of the device may write to the inputs as soon as the kernel has ended. */
static void compute_sum_and_fill(void *none) {
  compute_sum(none);
  compute_fill(none);
}

/* ---- the model's side ----------------------------------------------------------------------- */

static void give_launch(aotigen_run *run, uint32_t site, void (*compute)(void *),
                        const aotigen_value *values, size_t n) {
  run->launch++;
  assert_true(run->wanted[site]);
  assert_null(aotigen_before(run, site, values, n));
  fake_give(&stream, compute, &site, sizeof site);
  assert_null(aotigen_after(run, site, NULL, 0));
}

static void launch_log(aotigen_run *run) {
  const aotigen_value v[] = {handle(x), handle(y), handle(z), integer(36)};
  give_launch(run, LOG, compute_log, v, 4);
}

static void launch_sum(aotigen_run *run) {
  const aotigen_value v[] = {handle(rows), handle(differences), handle(sums), integer(4),
                             integer(70)};
  give_launch(run, SUM, compute_sum, v, 5);
}

static void launch_fill(aotigen_run *run) {
  const aotigen_value v[] = {handle(rows)};
  give_launch(run, FILL, compute_fill, v, 1);
}

/* The report of a run with these launches, once the device has recorded all of them. */
static char *run_with(void (*const *launches)(aotigen_run *run), size_t n) {
  aotigen_run run;
  capture(2);
  aotigen_run_begin(&run, &model, 0, &stream);
  atomic_store(&given, model.sync);
  for (size_t i = 0; i < n; i++) launches[i](&run);
  atomic_store(&given, 1);
  assert_null(aotigen_before_outputs(&run));
  aotigen_run_end(&run, 0);
  ag_evaluator_settle();
  return captured(2);
}
#define RUN(...)                                                                                   \
  run_with((void (*const[])(aotigen_run *)){__VA_ARGS__},                                          \
           sizeof((void (*const[])(aotigen_run *)){__VA_ARGS__}) /                                 \
               sizeof(void (*)(aotigen_run *)))

static const char log_chain[] = "                tmp0 = buf0[2, 3] = 16\n"
                                "                tmp1 = buf1[2, 3] = 100\n"
                                "                tmp2 = tmp0 - tmp1 = -84\n"
                                "                tmp3 = log(tmp2) = nan   <- here\n";
static const char sum_chain[] =
    "                tmp12 = 3.4e+38 before r0 = 34\n"
    "                tmp0 = buf3[0, 34] = 1\n"
    "                tmp6 = abs(tmp0) = 1\n"
    "                tmp8 = tmp6 * 1e+37 = 1e+37\n"
    "                tmp11 = where((r0_mask & xmask), tmp8, 0) = 1e+37\n"
    "                tmp12 = sum(tmp11 over r0) = inf   <- here\n";

/* ---- tests ---------------------------------------------------------------------------------- */

TEST(runs_that_wait) {
  make_model(1);
  const char *text = RUN(launch_log, launch_sum);
  assert_has(text, "  how           buf2[2, 3] as computed again:\n");
  assert_has(text, log_chain);
  assert_has(text, "  how           buf5[0] as computed again; 'tmp12' goes bad at r0 = 34:\n");
  assert_has(text, sum_chain);
  assert_lacks(text, "may have changed");
}

/* The launch read the elements that the device recorded near the bad one. */
TEST(elements_that_were_recorded) {
  make_model(0);
  fake_late(20 * 1000);
  const char *text = RUN(launch_log);
  assert_has(text, "  how           buf2[2, 3] as computed again:\n");
  assert_has(text, log_chain);
}

TEST(elements_that_are_read_later) {
  make_model(0);
  fake_late(20 * 1000);
  const char *text = RUN(launch_sum);
  assert_has(text, "  how           buf5[0] as computed again, from inputs that may have changed "
                   "since; 'tmp12' goes bad at r0 = 34:\n");
  assert_has(text, sum_chain);
}

TEST(a_launch_that_wrote_since) {
  make_model(0);
  fake_late(20 * 1000);
  const char *text = RUN(launch_sum, launch_fill);
  assert_has(text, "  how           buf5[0] is not explained: an input cannot be read as it was: "
                   "launch 2 wrote to 'buf3' since\n");
}

static void launch_sum_with_others(aotigen_run *run) {
  const aotigen_value v[] = {handle(rows), handle(differences), handle(sums), integer(4),
                             integer(70)};
  give_launch(run, SUM, compute_sum_and_fill, v, 5);
}

TEST(others_that_wrote_since) {
  make_model(0);
  fake_late(20 * 1000);
  assert_has(RUN(launch_sum_with_others),
             "  how           buf5[0] is not explained: computed again from what is in memory now "
             "it is finite; the inputs may have changed since the launch\n");
}

TEST(others_that_wrote_what_is_bad_too) {
  make_model(0);
  filled_with = NAN;
  fake_late(20 * 1000);
  assert_has(RUN(launch_sum_with_others),
             "  how           buf5[0] is not explained: computed again from what is in memory now "
             "it is nan; the inputs may have changed since the launch\n");
}

TEST(memory_that_is_gone) {
  make_model(0);
  fake_late(20 * 1000);
  capture(2);
  fake_fail("cuMemcpyDtoHAsync_v2", 1, 1);
  const char *text = RUN(launch_sum);
  assert_has(text, "  how           buf5[0] is not explained: an input cannot be read as it was: "
                   "'cuMemcpyDtoHAsync' on device 'cpu': invalid argument (");
}

TEST(elements_that_are_asked_for) {
  make_model(0);
  model.explain = "1:buf2[1, 1]; triton_poi_*:buf2[0, 0]; 1:buf9[0]";
  fake_late(20 * 1000);
  FLOATS(y)[15] = 0;
  const char *text = RUN(launch_log);
  assert_has(text, "aotigen: explained as asked in run 1, launch 1: triton_poi_fused_log_sub_0\n");
  assert_has(text, "  how           buf2[1, 1] = 2.07944, as computed again, from inputs that may "
                   "have changed since:\n");
  assert_has(text, " = buf0[1, 1] = 8\n");
  assert_has(text, "  how           buf2[0, 0] = 0, as computed again");
  assert_has(text, "1:buf9[0]': launch 1, triton_poi_fused_log_sub_0, writes no 'buf9'; it writes "
                   "buf2\n");
}

TEST(a_device_that_is_lost) {
  aotigen_run run;
  make_model(0);
  capture(2);
  fake_late(20 * 1000);
  atomic_store(&given, 1);
  aotigen_run_begin(&run, &model, 0, &stream);
  launch_sum(&run);
  run.launch++;
  const aotigen_value v[] = {handle(x), handle(y), handle(z), integer(36)};
  assert_null(aotigen_before(&run, LOG, v, 4));
  fake_death(&stream, 0, 700);
  aotigen_after(&run, LOG, NULL, 0);
  fake_wait(&stream);
  aotigen_run_failed(&run, driver_error);
  aotigen_run_end(&run, 1);
  ag_evaluator_settle();
  char *text = captured(2);
  assert_has(text, "Inf born in run 1, launch 1: triton_per_fused_exp_sum_1\n");
  assert_has(text, "  how           buf5[0] ");
}

/* A kernel's assert ends the device: its memory cannot be read any more. */
static char *lose_in_assert(uint8_t sync, int64_t bad, int64_t n) {
  aotigen_run run;
  make_model(sync);
  fake *indices = fake_new("int64", n, -1), *table = fake_new("float32", 6, 4, -1),
       *out = fake_new("float32", n, 4, -1);
  for (int64_t i = 0; i < n; i++) ((int64_t *)indices->data)[i] = i % 6;
  ((int64_t *)indices->data)[3] = bad;
  capture(2);
  fake_late(sync ? 0 : 20 * 1000);
  aotigen_run_begin(&run, &model, 0, &stream);
  run.launch++;
  const aotigen_value v[] = {handle(indices), handle(table), handle(out), integer(24)};
  assert_null(aotigen_before(&run, LOOK, v, 4));
  fake_death(&stream, 0, 710);
  aotigen_after(&run, LOOK, NULL, 0);
  fake_wait(&stream);
  ((int64_t *)indices->data)[3] = 0; /* what memory holds by then is not looked at */
  aotigen_run_failed(&run, driver_error);
  aotigen_run_end(&run, 1);
  ag_evaluator_settle();
  return captured(2);
}

static void check_too_large(uint8_t sync) {
  const char *text = lose_in_assert(sync, 9, 6);
  assert_has(text, "device error in run 1, launch 1: triton_poi_fused_embedding_3\n");
  assert_has(text, "  how           arg0_1[3] = 9 makes the index 9, which must be less than 6:\n"
                   "                tmp0 = arg0_1[3] = 9\n");
  assert_has(text, "                6 is the length of arg1_1 in dimension 0: float32 [6, 4] ");
}

TEST(an_index_too_large) { check_too_large(0); }

TEST(an_index_too_large_where_runs_wait) { check_too_large(1); }

TEST(a_negative_index) {
  assert_has(lose_in_assert(0, -7, 6),
             "  how           arg0_1[3] = -7 makes the index -1, which must be at least 0:\n");
}

TEST(a_death_without_a_wrong_index) { assert_lacks(lose_in_assert(0, 3, 6), "  how "); }

/* It is not copied. */
TEST(an_index_in_a_large_tensor) { assert_lacks(lose_in_assert(0, 9, 40000), "  how "); }

/* Of launches that are not marked one by one the one of which a wrong index is known comes first.
 */
TEST(the_one_with_the_wrong_index_comes_first) {
  aotigen_run run;
  fake *good = fake_new("int64", 6, -1), *bad = fake_new("int64", 6, -1),
       *table = fake_new("float32", 6, 4, -1), *out = fake_new("float32", 6, 4, -1);
  environment("AOTIGEN_MARKS", "8");
  make_model(0);
  model.nan_asserts = 0;
  for (int64_t i = 0; i < 6; i++) ((int64_t *)good->data)[i] = ((int64_t *)bad->data)[i] = i;
  ((int64_t *)bad->data)[3] = 9;
  capture(2);
  fake_late(20 * 1000);
  aotigen_run_begin(&run, &model, 0, &stream);
  for (int i = 1; i <= 4; i++) {
    const aotigen_value v[] = {handle(i == 3 ? bad : good), handle(table), handle(out),
                               integer(24)};
    run.launch++;
    assert_null(aotigen_before(&run, LOOK, v, 4));
    if (i == 3) fake_death(&stream, 0, 710);
    assert_null(aotigen_after(&run, LOOK, NULL, 0));
  }
  fake_wait(&stream);
  aotigen_run_failed(&run, driver_error);
  aotigen_run_end(&run, 1);
  ag_evaluator_settle();
  const char *text = captured(2);
  assert_has(text, "in one of 4 launches that are not known to have finished: ");
  const char *first = strstr(text, "device error in run ");
  assert_int_equal(strncmp(first, "device error in run 1, launch 3: ", 33), 0);
  assert_int_equal(count(text, "  how           arg0_1[3] = 9 makes the index 9"), 1);
  environment("AOTIGEN_MARKS", NULL);
}

TEST(replays_of_a_graph) {
  aotigen_run run;
  make_model(0);
  fake_late(200);
  FLOATS(y)[15] = 0;
  for (int i = 0; i < 70; i++) FLOATS(rows)[i] = 0.1f;
  for (int i = 70; i < 280; i++) FLOATS(rows)[i] = 0;
  assert_string_equal(RUN(launch_log, launch_sum), "");
  fake_capture(&stream, 1);
  aotigen_run_begin(&run, &model, 0, &stream);
  launch_log(&run);
  launch_sum(&run);
  assert_null(aotigen_before_outputs(&run));
  aotigen_run_end(&run, 0);
  fake_capture(NULL, 0);
  FLOATS(y)[15] = 100;
  for (int i = 0; i < 70; i++) FLOATS(rows)[i] = 1;
  capture(2);
  fake_replay_on(&stream);
  fake_wait(&stream);
  ag_evaluator_settle();
  char *text = captured(2);
  assert_has(text, "  replay        1 of the graph that run 2 was captured into\n");
  assert_has(text, "  how           buf2[2, 3] as computed again:\n");
  assert_has(text, log_chain);
  assert_has(text, "  how           buf5[0] as computed again, from inputs that may have changed "
                   "since; 'tmp12' goes bad at r0 = 34:\n");
  assert_has(text, sum_chain);
}
