/* 364-launch-failed - what is said of a launch, or of a call between two, that fails. */

#include "shim.h"

enum { CUSTOM, SHIM, PYTHON, NSITES };

static const aotigen_expected expected = {.ndim = -1};
static const aotigen_param params[] = {
    {.name = "buf0", .role = AOTIGEN_IN, .flags = AOTIGEN_NOT_NULL | AOTIGEN_DEFINED},
    {.name = "buf1",
     .role = AOTIGEN_OUT,
     .flags = AOTIGEN_FRESH | AOTIGEN_NOT_NULL,
     .expected = &expected}};
static const aotigen_param late_params[] = {
    {.name = "buf0", .role = AOTIGEN_IN, .maker = 1 + CUSTOM},
    {.name = "buf2", .role = AOTIGEN_OUT, .flags = AOTIGEN_LATE, .expected = &expected}};
static const aotigen_op_value op_values[] = {{"x", "as_tensor", 1, NULL},
                                             {"size", "as_ints", 0, "[]"},
                                             {"by", "as_float", 0, "3.0"},
                                             {"", "as_tensor", 1, NULL}};
static const aotigen_op op = {"lab::op", "", op_values, 3, 1};
static const aotigen_site sites[] = {
    [CUSTOM] = PROXY_SITE("lab::op", params, 7, .nodes = "op", .aten = "lab.op", .op = &op),
    [SHIM] = EXTERN_SITE("aoti_torch_cpu_topk", late_params, 9),
    [PYTHON] =
        SITE_OF(AOTIGEN_DISPATCHER, "torch.ops.lab.op.default", late_params, 10, .flags = 0)};
static aotigen_model model;
static aotigen_run run;
static fake *in, *out;

BEFORE_EACH {
  model = MODEL(WITH(sites, sites), .check_inputs = 2);
  in = fake_new("float32", 4, 8, -1);
  out = fake_new("float32", 4, 8, -1);
}

AFTER_EACH {
  fake_free(in);
  fake_free(out);
  environment("AOTIGEN_ON_FAULT", NULL);
}

static void begin_launch(uint32_t site) {
  const aotigen_value values[] = {handle(in), site == CUSTOM ? handle(out) : nothing()};
  aotigen_run_begin(&run, &model, 0, NULL);
  run.launch = 3;
  assert_null(aotigen_before(&run, site, values, 2));
}

TEST(an_exception) {
  out->undefined = true; /* until the call has made it */
  capture(2);
  begin_launch(CUSTOM);
  const char *message = aotigen_run_failed(&run,
                                           "ValueError: the disk is full\n\nAt:\n  op.py(10)\n\n"
                                           "Exception raised from f at x.cpp:1\nframe #0: f\n");
  assert_non_null(message);
  assert_has(message, ", launch 3: lab::op, ValueError: the disk is full; the full report");
  assert_null(aotigen_run_failed(&run, "another")); /* once a run */
  as_expected(captured(2));
  aotigen_run_end(&run, 1);
}

TEST(an_error_of_the_shim) {
  capture(2);
  begin_launch(SHIM);
  const char *message = aotigen_run_failed(&run, "f(x) API call failed at model.cpp, line 9");
  assert_has(message, ", f(x) API call failed at model.cpp, line 9; ");
  aotigen_run_end(&run, 1);
  assert_has_freed(captured(2),
                   "  error         f(x) API call failed at model.cpp, line 9\n"
                   "                torch wrote the reason above, on stderr, as 'Exception in "
                   "aoti_torch'\n");
}

/* As torch 2.13 has it. */
static const char *reason = "";
const char *torch_exception_get_what_without_backtrace(void);
const char *torch_exception_get_what_without_backtrace(void) { return reason; }

TEST(an_error_whose_reason_torch_keeps) {
  capture(2);
  begin_launch(SHIM);
  reason = "ValueError: full\n\nAt:\n  op.py(3): f\n";
  const char *message = aotigen_run_failed(&run, "f(x) API call failed at model.cpp, line 9");
  assert_has(message, ", ValueError: full; ");
  aotigen_run_end(&run, 1);
  begin_launch(CUSTOM);
  run.error = 1;
  assert_has(aotigen_after(&run, CUSTOM, NULL, 0), ", ValueError: full; ");
  aotigen_run_end(&run, 1);
  begin_launch(CUSTOM); /* what is no failure of the shim has a reason of its own */
  assert_has(aotigen_run_failed(&run, "lost"), ", lost; ");
  aotigen_run_end(&run, 1);
  reason = "";
  as_expected(captured(2));
}

/* A terminal obeys the first, and has no room for the second. */
TEST(a_text_that_is_odd_or_long) {
  char text[10000];
  memset(text, 'x', sizeof text);
  memcpy(text, "\033[31mred\a", 9);
  memcpy(text + 4095, "\u00e9", 2);
  text[sizeof text - 1] = 0;
  capture(2);
  begin_launch(CUSTOM);
  assert_non_null(aotigen_run_failed(&run, text));
  aotigen_run_end(&run, 1);
  char *said = captured(2);
  assert_has(said, "  error         \\x1b[31mred\\x07xxx");
  assert_has(said, "x\n                ... 5904 more bytes\n");
  free(said);
}

TEST(an_error_that_is_ignored) {
  out->undefined = true; /* until the call has made it */
  capture(2);
  begin_launch(CUSTOM);
  run.error = 1;
  const char *message = aotigen_after(&run, CUSTOM, NULL, 0);
  assert_has(message, "aotigen: launch failed in run ");
  assert_has(message, ", the call failed, which the wrapper ignores; ");
  aotigen_run_end(&run, 1);
  as_expected(captured(2));
  out->undefined = false;
  begin_launch(CUSTOM);
  assert_null(aotigen_after(&run, CUSTOM, NULL, 0)); /* the next one is not blamed */
  aotigen_run_end(&run, 0);
}

TEST(outside_of_a_launch) {
  capture(2);
  begin_launch(CUSTOM);
  assert_null(aotigen_after(&run, CUSTOM, NULL, 0));
  const char *message = aotigen_run_failed(&run, "f(x) API call failed at model.cpp, line 9");
  assert_has(message, " failed after launch 3 (lab::op), f(x) API call failed at "
                      "model.cpp, line 9; ");
  assert_null(aotigen_run_failed(&run, "another")); /* once a run */
  aotigen_run_end(&run, 1);
  char *text = captured(2);
  assert_has(
      text,
      "\n  error         f(x) API call failed at model.cpp, line 9\n"
      "                torch wrote the reason above, on stderr, as 'Exception in aoti_torch'\n"
      "  last launch   3: lab::op, launched at model.cpp:7, in run_impl\n");
  free(text);
  capture(2);
  begin_launch(CUSTOM);
  assert_null(aotigen_after(&run, CUSTOM, NULL, 0));
  run.unseen = ++run.launch; /* it may have thrown, and is left out */
  assert_null(aotigen_run_failed(&run, "of a launch that is left out"));
  aotigen_run_end(&run, 1);
  aotigen_run_begin(&run, &model, 0, NULL);
  assert_null(aotigen_run_failed(&run, "before any launch"));
  aotigen_run_end(&run, 1);
  model.check_inputs = 0;
  begin_launch(CUSTOM);
  assert_null(aotigen_after(&run, CUSTOM, NULL, 0));
  assert_null(aotigen_run_failed(&run, "without guards"));
  aotigen_run_end(&run, 1);
  assert_equal_freed(captured(2), "");
}

/* torch.compile's wrappers return to Python where an operator raised. */
TEST(a_return_from_within) {
  capture(2);
  begin_launch(PYTHON);
  aotigen_run_end(&run, 0);
  as_expected(captured(2));
}

TEST(only_reported) {
  environment("AOTIGEN_ON_FAULT", "report");
  capture(2);
  begin_launch(CUSTOM);
  assert_null(aotigen_run_failed(&run, "ValueError"));
  aotigen_run_end(&run, 1);
  assert_has_freed(captured(2), "launch failed in run");
}
