/* 369-collectives - what a collective writes is read behind the wait that completes it, and bad
 * values there are laid to the collective. */
#include <math.h>

#include "shim.h"

static const aotigen_param mul_params[] = {{.name = "arg0_1",
                                            .python_name = "args[0]",
                                            .dtype = "float32",
                                            .role = AOTIGEN_IN,
                                            .kind = AOTIGEN_INPUT},
                                           FLOAT32("buf0", AOTIGEN_OUT)};
static const aotigen_param reduce_params[] = {
    FLOAT32("buf0", AOTIGEN_INOUT), {.name = "buf1", .role = AOTIGEN_OUT, .flags = AOTIGEN_LATE}};
static const aotigen_param reduce_wait_params[] = {
    FLOAT32("buf0", AOTIGEN_INOUT), {.name = "buf2", .role = AOTIGEN_OUT, .flags = AOTIGEN_LATE}};
static const aotigen_param gather_params[] = {
    FLOAT32("buf0", AOTIGEN_IN), {.name = "buf3", .role = AOTIGEN_OUT, .flags = AOTIGEN_LATE}};
static const aotigen_param gather_wait_params[] = {FLOAT32("buf3", AOTIGEN_INOUT)};
static const aotigen_param relu_params[] = {FLOAT32("buf0", AOTIGEN_IN),
                                            FLOAT32("buf5", AOTIGEN_OUT)};

enum { MUL, REDUCE, REDUCE_WAIT, GATHER, GATHER_WAIT, RELU };
static const aotigen_site sites[] = {
    [MUL] = EXTERN_SITE("aoti_torch_cpu_mul_out", mul_params, 10),
    [REDUCE] = EXTERN_SITE("aoti_torch_cpu__c10d_functional_all_reduce_", reduce_params, 11,
                           .flags = AOTIGEN_COLLECTIVE, .nodes = "all_reduce",
                           .aten = "_c10d_functional.all_reduce"),
    [REDUCE_WAIT] = EXTERN_SITE("aoti_torch_cpu__c10d_functional_wait_tensor", reduce_wait_params,
                                12, .flags = AOTIGEN_WAITS),
    [GATHER] = PROXY_SITE("_c10d_functional::all_gather_into_tensor", gather_params, 13,
                          .flags = AOTIGEN_COLLECTIVE),
    [GATHER_WAIT] = EXTERN_SITE("aoti_torch_cpu__c10d_functional_wait_tensor", gather_wait_params,
                                14, .flags = AOTIGEN_WAITS),
    [RELU] = EXTERN_SITE("aoti_torch_cpu_relu_out", relu_params, 15),
};
static const aotigen_input inputs[] = {{.name = "arg0_1", .python_name = "args[0]", .ndim = -1}};

static aotigen_model model;
static aotigen_run run;
static fake *arg, *b0, *b3, *b5;

BEFORE_EACH {
  model =
      MODEL(WITH(sites, sites), WITH(inputs, inputs), .nan_asserts = 1, .device = fake_device());
  arg = fake_new("float32", 2, 3, -1);
  b0 = fake_new("float32", 2, 3, -1);
  b3 = fake_new("float32", 4, 3, -1);
  b5 = fake_new("float32", 2, 3, -1);
}

AFTER_EACH {
  fake *all[] = {arg, b0, b3, b5};
  for (int i = 0; i < 4; i++) fake_free(all[i]);
  environment("AOTIGEN_LAUNCHES", NULL);
  environment("AOTIGEN_ON_FAULT", NULL);
}

static void before(uint32_t site, size_t n, const aotigen_value *values) {
  ++run.launch;
  if (run.wanted[site] == 1)
    assert_null(aotigen_before(&run, site, values, n));
  else
    run.unseen = run.launch;
}

/* made: what the call makes, or NULL. */
static void after(uint32_t site, const fake *made) {
  const aotigen_value late[] = {handle(made)};
  if (run.wanted[site] == 1) assert_null(aotigen_after(&run, site, late, made != NULL));
}
#define BEFORE(site, ...)                                                                          \
  before(site, sizeof((aotigen_value[]){__VA_ARGS__}) / sizeof(aotigen_value),                     \
         (aotigen_value[]){__VA_ARGS__})

static void begin(void) {
  const void *handles[] = {arg};
  capture(2);
  aotigen_run_begin(&run, &model, 0, NULL);
  aotigen_check_inputs(&run, handles);
  assert_null(aotigen_inputs_owned(&run));
}

static char *end(void) {
  aotigen_run_end(&run, 0);
  return captured(2);
}

static void assert_silent(char *text) {
  assert_string_equal(text, "");
  free(text);
}

static void launch_mul(float value) {
  BEFORE(MUL, handle(arg), handle(b0));
  FLOATS(b0)[4] = value;
  after(MUL, NULL);
}

/* Begins to reduce: what the memory holds meanwhile is no result. */
static void launch_reduce(void) {
  BEFORE(REDUCE, handle(b0), nothing());
  FLOATS(b0)[1] = NAN;
  after(REDUCE, b0);
}

static void await_reduce(float value) {
  BEFORE(REDUCE_WAIT, handle(b0), nothing());
  FLOATS(b0)[1] = 1;
  FLOATS(b0)[4] = value;
  after(REDUCE_WAIT, b0);
}

static void launch_relu(void) {
  BEFORE(RELU, handle(b0), handle(b5));
  for (int i = 0; i < 6; i++) FLOATS(b5)[i] = FLOATS(b0)[i];
  after(RELU, NULL);
}

TEST(nothing_is_read_before_the_wait) {
  begin();
  launch_mul(1);
  launch_reduce();
  await_reduce(2);
  launch_relu();
  assert_silent(end());
}

TEST(another_rank_is_named) {
  begin();
  launch_mul(1);
  launch_reduce();
  await_reduce(NAN);
  launch_relu();
  as_expected(end());
}

TEST(this_rank_held_it) {
  begin();
  FLOATS(arg)[4] = NAN;
  launch_mul(NAN);
  launch_reduce();
  await_reduce(NAN);
  launch_relu();
  as_expected(end());
}

TEST(an_infinity_may_be_of_the_reduction) {
  model.nan_asserts = 3;
  begin();
  launch_mul(1);
  launch_reduce();
  await_reduce(INFINITY);
  as_expected(end());
}

TEST(an_input_that_was_not_scanned_may_have_held_it) {
  model.kernels = "*all_reduce*";
  begin();
  launch_mul(NAN);
  launch_reduce();
  await_reduce(NAN);
  as_expected(end());
}

TEST(a_collective_that_is_not_selected_is_left_alone) {
  model.kernels = "*wait*,*relu*";
  begin();
  launch_mul(1);
  launch_reduce();
  await_reduce(1);
  launch_relu();
  assert_silent(end());
}

TEST(its_wait_belongs_to_a_selected_launch) {
  environment("AOTIGEN_LAUNCHES", "2");
  begin();
  launch_mul(1);
  launch_reduce();
  await_reduce(NAN);
  launch_relu();
  char *text = end();
  assert_has(text, "NaN came with all_reduce in run");
  free(text);
}

/* The input of a collective may be read while it runs; its result may not. */
TEST(what_is_gathered_is_complete_behind_its_own_wait) {
  begin();
  launch_mul(1);
  BEFORE(GATHER, handle(b0), nothing());
  FLOATS(b3)[7] = NAN;
  after(GATHER, b3);
  launch_relu();
  BEFORE(GATHER_WAIT, handle(b3));
  FLOATS(b3)[7] = 3;
  after(GATHER_WAIT, NULL);
  assert_silent(end());
}

TEST(what_is_gathered_from_another_rank_is_told) {
  begin();
  launch_mul(1);
  BEFORE(GATHER, handle(b0), nothing());
  after(GATHER, b3);
  BEFORE(GATHER_WAIT, handle(b3));
  FLOATS(b3)[7] = NAN;
  after(GATHER_WAIT, NULL);
  as_expected(end());
}

/* The wrapper forgot the wait. */
TEST(a_launch_that_does_not_wait_is_not_accused) {
  begin();
  launch_mul(1);
  launch_reduce();
  launch_relu();
  as_expected(end());
}

/* With the check of launches. */
TEST(a_launch_that_does_not_wait_races) {
  model.check_inputs = 2;
  begin();
  launch_mul(1);
  launch_reduce();
  launch_relu();
  await_reduce(1);
  as_expected(end());
}

TEST(a_race_is_logged_and_thrown_on_request) {
  environment("AOTIGEN_ON_FAULT", "throw");
  model.check_inputs = 2;
  begin_log();
  begin();
  launch_mul(1);
  launch_reduce();
  const aotigen_value values[] = {handle(b0), handle(b5)};
  run.launch++;
  assert_has(aotigen_before(&run, RELU, values, 2), "race with a collective in run");
  free(end());
  char *log = end_log();
  assert_has(log, "\"event\":\"race\"");
  assert_has(log, "\"check\":\"collective\"");
  free(log);
}

/* What a collective reads may be read; a launch that overwrites it races. */
TEST(the_input_of_a_collective_is_overwritten) {
  model.check_inputs = 2;
  begin();
  launch_mul(1);
  BEFORE(GATHER, handle(b0), nothing());
  after(GATHER, b3);
  launch_relu();
  launch_mul(2);
  BEFORE(GATHER_WAIT, handle(b3));
  after(GATHER_WAIT, NULL);
  launch_mul(2); /* in order */
  as_expected(end());
}

/* The memory of a view with gaps, between which another launch's elements may lie, and memory that
 * was allocated since. */
TEST(no_race) {
  fake column = *b0;
  aotigen_site fresh[sizeof sites / sizeof *sites];
  aotigen_param params[2];
  memcpy(fresh, sites, sizeof sites);
  memcpy(params, relu_params, sizeof params);
  params[0].flags = AOTIGEN_FRESH;
  fresh[RELU].params = params;
  column.sizes[1] = 1;
  model.check_inputs = 2;
  for (int i = 0; i < 2; i++) {
    if (i == 1) model.sites = fresh;
    begin();
    launch_mul(1);
    launch_reduce();
    BEFORE(RELU, handle(i ? b0 : &column), handle(b5));
    after(RELU, NULL);
    await_reduce(1);
    assert_silent(end());
  }
}

TEST(the_printer_shows_it_behind_the_wait) {
  model.printer = 2;
  capture(1);
  begin();
  launch_mul(1);
  launch_reduce();
  await_reduce(7);
  assert_silent(end());
  char *shown = captured(1);
  assert_has(shown, "Values: not read: it is complete behind wait_tensor");
  assert_null(strstr(shown, "nan"));
  free(shown);
}

TEST(it_is_logged) {
  begin_log();
  begin();
  launch_mul(1);
  launch_reduce();
  await_reduce(NAN);
  free(end());
  char *log = end_log();
  assert_has(log, "\"event\":\"received\"");
  assert_has(log, "\"complete_behind\":3");
  assert_has(log, "\"input\":\"clean\"");
  free(log);
}
