/* 308-nan - where a NaN was born, where it arrived, and what it passed through. */
#include <unistd.h>

#include "../runtime/base/settings.h"
#include "../runtime/base/sink.h"
#include "nan_launches.h"

/* Inf is not searched for; but an input that has some is not called clean. */
TEST(born_of_inf) {
  begin_captured();
  FLOATS(arg)[4] = -2.5f;
  FLOATS(arg)[1] = INFINITY;
  launch_log(NAN);
  char *text = end();
  assert_has(text, "input         arg0_1 (args[0]): float32 [2, 3] on cpu\n                "
                   "clean of NaN, 1 Inf, else -2.5 to 0; at [1, 1]: -2.5\n");
  FLOATS(arg)[1] = 0;
  assert_null(strstr(text, "perhaps of")); /* it stands at another element */
  free(text);
}

/* Nor one that has some and is overwritten: the launch before is a suspect. */
TEST(born_of_inf_that_is_overwritten) {
  begin_captured();
  launch_log(1);
  launch_mm(INFINITY);
  BEFORE(SIGMOID, handle(b1));
  FLOATS(b1)[1] = NAN;
  after(SIGMOID);
  char *text = end();
  assert_has(text, ", launch 3: cpp_fused_sigmoid_1\n");
  assert_has(text,
             "  perhaps of    an Inf that 'buf1' held before this launch, which was not searched "
             "for\n");
  assert_has(text, "clean of NaN, with Inf, before the launch, which wrote it\n");
  FLOATS(b1)[1] = 0;
  free(text);
}

/* Nor one that has some and still holds it, where the launch may have read that element. */
TEST(born_of_inf_that_is_held) {
  begin_captured();
  launch_log(INFINITY);
  launch_mm(NAN);
  char *text = end();
  assert_has(text,
             "  perhaps of    an Inf that 'buf0' held before this launch, which was not searched "
             "for\n");
  free(text);
}

TEST(born) {
  begin_captured();
  FLOATS(arg)[4] = -2.5f;
  launch_log(NAN);
  launch_mm(NAN);
  BEFORE(SIGMOID, handle(b1));
  after(SIGMOID);
  assert_null(aotigen_before_outputs(&run));
  as_expected(end());
}

TEST(clean_is_silent) {
  begin_captured();
  launch_log(1);
  launch_mm(INFINITY); /* asserts look for NaN alone */
  assert_equal_freed(end(), "");
}

TEST(arrived_with_an_input) {
  begin_captured();
  FLOATS(arg)[0] = NAN;
  launch_log(NAN);
  launch_log(NAN);
  as_expected(end());
}

TEST(arrived_with_a_weight) {
  for (int i = 0; i < 2; i++) { /* in each run again */
    begin_captured();
    FLOATS(weight)[3] = NAN;
    launch_log(0);
    launch_mm(NAN);
    as_expected(end());
  }
}

TEST(arrived_with_a_folded_constant) {
  aotigen_weight folded = weights[0];
  folded.from_folded = 1;
  model.weights = &folded;
  begin_captured();
  FLOATS(weight)[3] = NAN;
  launch_log(0);
  launch_mm(NAN);
  as_expected(end());
}

/* A frozen weight in a layout of its own is no second cause beside an Inf that the launch read. */
TEST(beside_a_packed_weight) {
  model.nan_asserts = 3;
  begin_captured();
  weight->layout = FAKE_MKDNN;
  launch_log(INFINITY);
  launch_mm(NAN);
  launch_log(1);
  launch_mm(NAN);
  as_expected(end());
}

/* A weight that was clean once is scanned again only when an output is bad. */
TEST(weight_turned_bad) {
  begin();
  launch_log(0);
  launch_mm(0);
  aotigen_run_end(&run, 0);
  FLOATS(weight)[0] = NAN;
  begin_captured();
  launch_log(0);
  launch_mm(NAN);
  as_expected(end());
}

/* A kernel that reads a weight transposed, or a part of it: the element is named by the weight's
 * own index too. */
TEST(weight_in_a_view) {
  static const int64_t turned[] = {3, 2}, turned_strides[] = {1, 3}, row[] = {3}, one[] = {1};
  aotigen_value view = {.kind = AOTIGEN_V_VIEW,
                        .v.handle = weight,
                        .ndim = 2,
                        .sizes = turned,
                        .strides = turned_strides};
  FLOATS(weight)[5] = NAN; /* [1, 2] */
  begin_captured();
  BEFORE(MM, handle(b1), handle(b0), view);
  after(MM);
  char *text = end();
  assert_has(text, "NaN in 1 of 6 elements, the first at [2, 1] (index 5): nan, bits 0x7fc00000\n"
                   "                in the weight itself: [1, 2] (index 5) of [2, 3]\n");
  free(text);
  view = (aotigen_value){.kind = AOTIGEN_V_VIEW,
                         .v.handle = weight,
                         .ndim = 1,
                         .sizes = row,
                         .strides = one,
                         .offset = 3};
  begin_captured();
  BEFORE(MM, handle(b1), handle(b0), view);
  after(MM);
  assert_has_freed(end(),
                   "NaN in 1 of 3 elements, the first at [2] (index 2): nan, bits 0x7fc00000\n"
                   "                in the weight itself: [1, 2] (index 5) of [2, 3]\n");
  begin_captured();
  BEFORE(MM, handle(b1), handle(b0), handle(weight));
  after(MM);
  text = end();
  assert_lacks(text, "in the weight itself");
  free(text);
}

/* The log, and so a screen, has the weight's own index under the weight's name. */
TEST(the_log_has_the_weight_s_index) {
  static const int64_t turned[] = {3, 2}, strides[] = {1, 3};
  const aotigen_value view = {
      .kind = AOTIGEN_V_VIEW, .v.handle = weight, .ndim = 2, .sizes = turned, .strides = strides};
  char name[] = "/tmp/aotigen-nan-XXXXXX", text[4096];
  close(mkstemp(name));
  environment("AOTIGEN_LOG", name);
  ag_settings_reload();
  ag_sink_reopen();
  FLOATS(weight)[5] = NAN; /* [1, 2] */
  begin_captured();
  BEFORE(MM, handle(b1), handle(b0), view);
  after(MM);
  free(end());
  FILE *log = fopen(name, "r");
  text[fread(text, 1, sizeof text - 1, log)] = '\0';
  fclose(log);
  unlink(name);
  environment("AOTIGEN_LOG", NULL);
  ag_sink_reopen();
  assert_has(text, "\"event\":\"arrived\"");
  assert_has(text, "\"first_index\":[1,2],\"view_index\":[2,1]");
}

TEST(weights_changed) {
  begin();
  launch_mm(0);
  aotigen_run_end(&run, 0);
  FLOATS(weight)[0] = NAN;
  aotigen_weights_changed(&model);
  begin_captured();
  launch_mm(0);
  assert_has_freed(end(), "with the weight 'a.weight', read by launch 1");
}

TEST(unknown_between) {
  environment("AOTIGEN_LAUNCHES", "1,4-");
  begin_captured();
  launch_log(1);
  launch_log(NAN);
  launch_log(NAN);
  launch_mm(NAN);
  as_expected(end());
}

TEST(inf_and_constants) {
  model.nan_asserts = 3;
  begin_captured();
  BEFORE(FULL, handle(b1), integer(3));
  FLOATS(b1)[0] = -INFINITY;
  FLOATS(b1)[1] = INFINITY;
  after(FULL);
  BEFORE(SIGMOID, handle(b1)); /* with the same signs: propagated */
  after(SIGMOID);
  launch_log(INFINITY);
  as_expected(end());
}

/* An Inf of which no NaN is made is not told; one of which it is not known is. */
TEST(inf_that_is_no_cause) {
  model.nan_asserts = 4;
  begin_captured();
  FLOATS(arg)[2] = INFINITY;
  launch_log(INFINITY);
  launch_mm(INFINITY);
  char *none = end();
  assert_string_equal(none, "");
  free(none);
  FLOATS(arg)[2] = 0;
  begin_captured();
  launch_log(INFINITY);
  launch_mm(NAN);
  char *text = end();
  assert_has(text, "aotigen: NaN perhaps made of Inf in run ");
  assert_has(text, "  perhaps of    the +Inf of launch 1 (");
  assert_has(text, "aotigen: +Inf born in run ");
  assert_null(strstr(text, "arrived"));
  assert_null(strstr(text, "propagated"));
  free(text);
}

TEST(nan_of_a_constant) {
  model.nan_asserts = 3;
  begin_captured();
  BEFORE(FULL, handle(b1), integer(3));
  FLOATS(b1)[0] = NAN;
  after(FULL);
  as_expected(end());
}

/* A mask that the launch only reads, -inf where its result is NaN or elsewhere. */
TEST(nan_beside_a_mask) {
  aotigen_weight mask = weights[0];
  mask.is_buffer = 1;
  model.weights = &mask;
  model.nan_asserts = 3;
  for (int beside = 0; beside < 2; beside++) {
    begin_captured();
    FLOATS(weight)[5] = beside ? -INFINITY : 0;
    FLOATS(weight)[4] = beside ? 0 : -INFINITY;
    launch_log(1);
    launch_mm(NAN);
    as_expected(end());
    FLOATS(b1)[5] = 0;
    aotigen_weights_changed(&model);
  }
}

TEST(nan_of_a_mask) {
  model.nan_asserts = 3;
  begin_captured();
  BEFORE(FULL, handle(b1), integer(3));
  after(FULL);
  BEFORE(MASK, handle(b1));
  FLOATS(b1)[2] = -INFINITY;
  after(MASK);
  BEFORE(SIGMOID, handle(b1));
  FLOATS(b1)[2] = NAN;
  after(SIGMOID);
  as_expected(end());
}

/* A weight that an op of unknown roles wrote in the run before: what was seen of it then is void.
 */
TEST(weight_that_an_op_writes) {
  capture(2);
  for (int i = 0; i < 2; i++) {
    begin();
    launch_log(1);
    launch_mm(1);
    BEFORE(OP, handle(weight), handle(b1));
    FLOATS(weight)[2] = NAN;
    after(OP);
    aotigen_run_end(&run, 0);
  }
  FLOATS(weight)[2] = 0;
  as_expected(captured(2));
}

/* A weight was clean in the run before. An op that is declared to read it spoils it: the report
 * names the op. */
TEST(weight_that_an_op_spoils) {
  capture(2);
  for (int i = 0; i < 2; i++) {
    begin();
    launch_log(1);
    BEFORE(MAYBE, handle(weight), handle(b3));
    if (i) FLOATS(weight)[2] = NAN;
    after(MAYBE);
    aotigen_run_end(&run, 0);
  }
  FLOATS(weight)[2] = 0;
  as_expected(captured(2));
}

/* Two arguments, or two launches, that read the same unscanned bytes: one report. */
TEST(unseen_once) {
  environment("AOTIGEN_LAUNCHES", "2-");
  begin_captured();
  BEFORE(LOG, handle(arg), handle(b0), handle(b3));
  after(LOG);
  FLOATS(b0)[2] = NAN;
  launch_mm(NAN);
  launch_mm(NAN);
  char *text = end();
  assert_int_equal(count(text, "NaN found in run "), 1);
  free(text);
}

TEST(late) {
  aotigen_value value[] = {handle(b1)};
  begin_captured();
  launch_log(1);
  BEFORE(LATE, handle(b0), nothing());
  FLOATS(b1)[0] = NAN;
  assert_null(aotigen_after(&run, LATE, value, 1));
  as_expected(end());
}

TEST(thrown) {
  environment("AOTIGEN_ON_FAULT", "throw");
  begin_captured();
  launch_log(NAN);
  const char *message = aotigen_before_outputs(&run);
  assert_non_null(message);
  assert_has(message, "NaN born in run ");
  assert_null(aotigen_before_outputs(&run));
  free(end());
}

TEST(renamed) {
  begin_captured();
  BEFORE(FULL, handle(b1), integer(1)); /* buf4 there, buf2 in the next launch */
  after(FULL);
  BEFORE(SIGMOID, handle(b1));
  FLOATS(b1)[2] = NAN;
  after(SIGMOID);
  assert_has_freed(end(), "buf2 (was buf4): float32");
}

TEST(other_device) {
  fake_copies = 0;
  arg->device_type = b0->device_type = b3->device_type = FAKE_XPU;
  begin_captured();
  launch_log(NAN);
  char *text = end();
  assert_has(text, "NaN born in run ");
  assert_has(text, "on xpu");
  assert_true(fake_copies > 0);
  free(text);
}

TEST(empty_and_scalars) {
  fake *empty = fake_new("float32", 0, 3, -1);
  begin_captured();
  BEFORE(LOG, handle(empty), handle(empty), handle(b3));
  after(LOG);
  assert_equal_freed(end(), "");
  fake_free(empty);
}
