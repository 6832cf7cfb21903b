/* 361-nan-unwritten - a NaN in memory that nothing wrote, or that a launch may have written. */
#include "nan_launches.h"

/* It may be of an Inf that an operator read, or what stood in memory that it did not write. */
TEST(unwritten_beside_an_infinity) {
  model.nan_asserts = 3;
  begin_captured();
  launch_log(INFINITY);
  BEFORE(INTO, handle(b0), handle(b1));
  FLOATS(b1)[4] = NAN;
  after(INTO);
  as_expected(end());
}

/* It is unknown which arguments a custom op reads: one that no launch wrote is not read before. */
TEST(unknown_roles) {
  begin_captured();
  launch_log(1);
  FLOATS(b1)[0] = NAN; /* uninitialised */
  BEFORE(OP, handle(b0), handle(b1));
  FLOATS(b1)[0] = 0;
  after(OP);
  BEFORE(OP, handle(b0), handle(b1));
  FLOATS(b1)[1] = NAN;
  after(OP);
  as_expected(end());
}

/* The elements that the op leaves unwritten, and those that it writes, cannot be told apart. */
TEST(unwritten) {
  begin_captured();
  launch_log(1);
  FLOATS(b1)[4] = NAN; /* uninitialised */
  BEFORE(INTO, handle(b0), handle(b1));
  FLOATS(b1)[0] = 1;
  after(INTO);
  as_expected(end());
}

/* Nothing wrote buf0: an operator need not read it. */
TEST(a_placeholder) {
  begin_captured();
  FLOATS(b0)[1] = NAN;
  launch_mm(1);
  assert_equal_freed(end(), "");
  begin_captured();
  launch_mm(NAN);
  as_expected(end());
}

/* An output that what is unwritten does not reach is born. */
TEST(unwritten_elsewhere) {
  begin_captured();
  launch_log(1);
  FLOATS(b1)[4] = 1;
  BEFORE(SCATTER, handle(b0), handle(b1), handle(b3));
  FLOATS(b3)[0] = NAN;
  after(SCATTER);
  as_expected(end());
}

/* A bad input explains it, and so may chance. */
TEST(unwritten_and_passed_on) {
  begin_captured();
  launch_log(NAN);
  FLOATS(b1)[4] = NAN;
  BEFORE(SCATTER, handle(b0), handle(b1), handle(b3));
  after(SCATTER);
  as_expected(end());
}

static void launch_made(float value) {
  aotigen_value made[] = {handle(b1)};
  BEFORE(MADE, handle(b0), nothing());
  FLOATS(b1)[4] = value;
  assert_null(aotigen_after(&run, MADE, made, 1));
}

/* A library's operator allocates its result, and need not write all of it. */
TEST(made_by_a_library) {
  begin_captured();
  launch_log(1);
  launch_made(NAN);
  as_expected(end());
}

/* The log has the same, for the diagnosis. */
TEST(in_the_log) {
  model.nan_asserts = 3;
  begin_log();
  begin_captured();
  launch_log(1);
  launch_made(NAN);
  free(end());
  begin_captured();
  launch_log(INFINITY);
  BEFORE(INTO, handle(b0), handle(b1));
  FLOATS(b1)[1] = NAN;
  after(INTO);
  free(end());
  char *text = end_log();
  assert_has(text, ",\"unwritten\":\"buf10\"}\n");
  assert_has(text, ",\"unwritten\":\"buf9\",\"made_of\":\"the +Inf of launch 1 "
                   "(cpp_fused_log_sub_sum_0, buf0), which it read as buf0\"}\n");
  free(text);
}

/* A bad value in memory that was written before was surely born there. */
TEST(made_and_written_by_a_library) {
  begin_captured();
  launch_log(1);
  aotigen_value made[] = {handle(b1)};
  BEFORE(BOTH, handle(b0), nothing(), handle(b3));
  FLOATS(b1)[4] = FLOATS(b3)[0] = NAN;
  assert_null(aotigen_after(&run, BOTH, made, 1));
  char *text = end();
  assert_has(text, "NaN born in run ");
  assert_lacks(text, "born here, or left unwritten");
  char *written = strstr(text, "  output        buf3"), *perhaps = strstr(text, "buf10");
  assert_non_null(written);
  assert_true(written < perhaps);
  assert_has(perhaps, "; perhaps left unwritten\n");
  assert_int_equal(count(text, "; perhaps left unwritten\n"), 1);
  free(text);
}

/* The op's bad inputs explain the value, as always. */
TEST(passed_on_by_a_library) {
  begin_captured();
  launch_log(NAN);
  launch_made(NAN);
  as_expected(end());
}

TEST(unasserted) {
  begin_captured();
  launch_log(1);
  launch_mm(1);
  BEFORE(STATE, handle(b1), handle(b3));
  FLOATS(b3)[0] = NAN;
  after(STATE);
  assert_equal_freed(end(), "");
}

TEST(maybe_written) {
  begin_captured();
  launch_log(1);
  BEFORE(MAYBE, handle(b0), handle(b3));
  FLOATS(b0)[0] = NAN;
  after(MAYBE);
  launch_mm(NAN);
  as_expected(end());
}

/* That it may be written in the end does not make what was read of it unknown. */
TEST(born_beside_maybe_written) {
  begin_captured();
  launch_log(1);
  BEFORE(MAYBE, handle(b0), handle(b3));
  FLOATS(b3)[0] = NAN;
  after(MAYBE);
  as_expected(end());
}
