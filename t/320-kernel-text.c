/* 320-kernel-text - what the text of a kernel tells the checks: which input decides which output,
 * which NaN is there on purpose, how many elements are touched. */
#include <math.h>

#include "shim.h"

static const aotigen_text from_first = {.reached_by = 1, .stored = 1},
                          from_second = {.reached_by = 2, .stored = 1},
                          from_both = {.reached_by = 3, .stored = 1},
                          read = {.least = 6, .loads_all = "6"}, in_part = {.least = 6},
                          on_purpose = {.stored = 1, .constants = 1}, touched = {.least = 12},
                          touched_of = {.least_of = "0 @1 < ? 4 @1 1 - * 4 +;3"};

#define TOLD(n, r, t)                                                                              \
  { .name = n, .role = r, .kind = AOTIGEN_TENSOR, .dtype = "float32", .text = t }

static const aotigen_param make_params[] = {FLOAT32("buf1", AOTIGEN_IN),
                                            FLOAT32("buf0", AOTIGEN_OUT)};
static const aotigen_param two_params[] = {
    TOLD("buf0", AOTIGEN_IN, &read), TOLD("buf1", AOTIGEN_IN, &read),
    TOLD("buf2", AOTIGEN_OUT, &from_first), TOLD("buf3", AOTIGEN_OUT, &from_second)};
static const aotigen_param both_params[] = {
    TOLD("buf0", AOTIGEN_IN, &read), TOLD("buf1", AOTIGEN_IN, &read),
    TOLD("buf2", AOTIGEN_OUT, &from_both), TOLD("buf3", AOTIGEN_OUT, &from_second)};
static const aotigen_param part_params[] = {
    TOLD("buf0", AOTIGEN_IN, &in_part), TOLD("buf1", AOTIGEN_IN, &read),
    TOLD("buf2", AOTIGEN_OUT, &from_first), TOLD("buf3", AOTIGEN_OUT, &from_second)};
static const aotigen_param untold_params[] = {
    FLOAT32("buf0", AOTIGEN_IN), FLOAT32("buf1", AOTIGEN_IN), FLOAT32("buf2", AOTIGEN_OUT),
    FLOAT32("buf3", AOTIGEN_OUT)};
static const aotigen_param empty_params[] = {FLOAT32("buf1", AOTIGEN_IN),
                                             TOLD("buf2", AOTIGEN_OUT, &on_purpose),
                                             TOLD("buf3", AOTIGEN_OUT, &from_first)};
static const aotigen_param sized_params[] = {TOLD("buf0", AOTIGEN_IN, &touched),
                                             {.name = "ks0", .kind = AOTIGEN_SCALAR}};
static const aotigen_param dynamic_params[] = {TOLD("buf0", AOTIGEN_IN, &touched_of),
                                               {.name = "ks0", .kind = AOTIGEN_SCALAR}};

enum { MAKE, TWO, PART, BOTH, UNTOLD, EXTERN, EMPTY, SIZED, DYNAMIC, NSITES };
static const aotigen_site sites[] = {
    [MAKE] = TRITON_SITE("triton_make", make_params, 7),
    [TWO] = TRITON_SITE("triton_two", two_params, 7),
    [PART] = TRITON_SITE("triton_part", part_params, 7),
    [BOTH] = TRITON_SITE("triton_both", both_params, 7),
    [UNTOLD] = TRITON_SITE("triton_untold", untold_params, 7),
    [EXTERN] = EXTERN_SITE("aoti_torch_cpu_mm_out", untold_params, 7),
    [EMPTY] = TRITON_SITE("triton_empty", empty_params, 7),
    [SIZED] = TRITON_SITE("triton_sized", sized_params, 7),
    [DYNAMIC] = TRITON_SITE("triton_dynamic", dynamic_params, 7)};

static aotigen_model model;
static aotigen_run run;
static fake *b[4];

BEFORE_EACH {
  model = MODEL(WITH(sites, sites), .nan_asserts = 3, .check_inputs = 2, .device = fake_device());
  for (int i = 0; i < 4; i++) b[i] = fake_new("float32", 2, 3, -1);
  capture(2);
  aotigen_run_begin(&run, &model, 0, NULL);
}

AFTER_EACH {
  for (int i = 0; i < 4; i++) fake_free(b[i]);
}

static char *end(void) {
  aotigen_run_end(&run, 0);
  return without_runs(captured(2));
}

static void before(uint32_t site, size_t n, const aotigen_value *values) {
  ++run.launch;
  assert_null(aotigen_before(&run, site, values, n));
}

static void after(uint32_t site) { assert_null(aotigen_after(&run, site, NULL, 0)); }

/* Launch 1 makes buf0, with one +Inf. */
static void launch_make(void) {
  const aotigen_value values[] = {handle(b[1]), handle(b[0])};
  before(MAKE, 2, values);
  FLOATS(b[0])[4] = 1.0f / 0.0f;
  after(MAKE);
}

/* A launch of four tensors; +Inf goes to the elements of buf2 and buf3. */
static void launch_four(uint32_t site, int of2, int of3) {
  const aotigen_value values[] = {handle(b[0]), handle(b[1]), handle(b[2]), handle(b[3])};
  before(site, 4, values);
  if (of2 >= 0) FLOATS(b[2])[of2] = 1.0f / 0.0f;
  if (of3 >= 0) FLOATS(b[3])[of3] = 1.0f / 0.0f;
  after(site);
}

TEST(an_output_is_explained_by_what_reaches_it) {
  launch_make();
  launch_four(TWO, 4, -1);
  as_expected(end());
}

TEST(an_output_that_nothing_bad_reaches_is_born) {
  launch_make();
  launch_four(TWO, 4, 5);
  as_expected(end());
}

/* The kernel's own buffer is taken over: what was in its memory reaches what is. */
TEST(memory_that_is_shared_reaches) {
  launch_make();
  const aotigen_value values[] = {handle(b[0]), handle(b[1]), handle(b[2]), handle(b[0])};
  before(TWO, 4, values);
  after(TWO);
  as_expected(end());
}

TEST(where_no_text_tells_it_is_perhaps_its_own) {
  launch_make();
  launch_four(UNTOLD, -1, 5);
  as_expected(end());
}

/* buf3 has a value of its own, made of buf1, which reaches buf2 as well. */
TEST(what_is_born_beside_it_may_explain_an_output) {
  launch_make();
  launch_four(BOTH, 5, 5);
  as_expected(end());
}

TEST(the_elements_show_what_explains_an_output) {
  launch_make();
  launch_four(BOTH, 4, 5);
  as_expected(end());
}

/* The element may be one that the kernel leaves out: that one stands at its place shows nothing. */
TEST(of_a_part_a_value_is_perhaps_passed_on) {
  launch_make();
  launch_four(PART, 4, -1);
  assert_has_freed(end(), "  launch 2      triton_part, perhaps to buf2\n"
                          "                also bad there, perhaps of its own: +Inf in 1 of 6");
}

/* buf0 has its Inf in the second row, buf2 in the first. */
TEST(elements_that_stand_apart_may_have_another_cause) {
  launch_make();
  launch_four(TWO, 4, -1);
  FLOATS(b[2])[4] = 0;
  launch_four(TWO, 0, -1);
  assert_has_freed(end(),
                   " propagated through 2 launches\n  launch 2      triton_two, to buf2\n"
                   "  launch 3      triton_two, perhaps to buf2\n"
                   "                also bad there, perhaps of its own: +Inf in 1 of 6 elements, "
                   "the first at [0, 0]\n");
}

TEST(one_of_two_origins_explains_an_output) {
  launch_make();
  const aotigen_value values[] = {handle(b[3]), handle(b[1])};
  before(MAKE, 2, values);
  FLOATS(b[1])[5] = 1.0f / 0.0f;
  after(MAKE);
  launch_four(BOTH, 5, -1);
  launch_four(BOTH, 0, -1);
  as_expected(end());
}

/* buf0 has +Inf of launch 1, buf1 -Inf of launch 2. */
static void make_two_signs(void) {
  launch_make();
  const aotigen_value values[] = {handle(b[3]), handle(b[1])};
  before(MAKE, 2, values);
  FLOATS(b[1])[5] = -1.0f / 0.0f;
  after(MAKE);
}

TEST(both_signs_of_an_output_have_their_origins) {
  make_two_signs();
  FLOATS(b[2])[5] = -1.0f / 0.0f;
  launch_four(BOTH, 4, -1);
  as_expected(end());
}

/* The -Inf stands where no Inf was read, the +Inf where -Inf was. */
TEST(one_sign_is_of_an_origin_and_the_other_perhaps) {
  make_two_signs();
  FLOATS(b[2])[0] = -1.0f / 0.0f;
  launch_four(BOTH, 5, -1);
  as_expected(end());
}

/* Both signs come from one origin: the +Inf is where it was read, the -Inf is not. */
TEST(one_sign_in_doubt_is_told) {
  launch_make();
  FLOATS(b[2])[0] = -1.0f / 0.0f;
  launch_four(UNTOLD, 4, -1);
  assert_has_freed(end(),
                   "  launch 2      triton_untold, perhaps to buf2\n"
                   "                also bad there, perhaps of its own: -Inf in 1 of 6 elements, "
                   "the first at [0, 0]\n");
}

TEST(an_extern_call_passes_on) {
  launch_make();
  launch_four(EXTERN, -1, 5);
  as_expected(end());
}

static void launch_empty(float other) {
  const aotigen_value values[] = {handle(b[1]), handle(b[2]), handle(b[3])};
  before(EMPTY, 3, values);
  FLOATS(b[2])[3] = NAN;
  FLOATS(b[3])[3] = other;
  after(EMPTY);
}

TEST(a_nan_on_purpose_is_no_birth) {
  launch_make();
  FLOATS(b[0])[4] = 0;
  launch_empty(1);
  /* Another launch reads it and passes it on. */
  const aotigen_value values[] = {handle(b[2]), handle(b[1]), handle(b[0]), handle(b[3])};
  before(TWO, 4, values);
  FLOATS(b[0])[3] = NAN;
  after(TWO);
  char *text = end();
  assert_lacks(text, "NaN");
  free(text);
}

TEST(another_output_of_that_kernel_is) {
  launch_empty(NAN);
  as_expected(end());
}

/* Not the one that has its NaN on purpose, although the kernel takes that one first. */
TEST(what_is_thrown_names_the_output_that_is_reported) {
  environment("AOTIGEN_ON_FAULT", "throw");
  launch_empty(NAN);
  const char *message = aotigen_before_outputs(&run);
  assert_non_null(message);
  assert_has(message, ": triton_empty, buf3: NaN in 1 of 6 elements, the first at [1, 0]");
  assert_lacks(message, "buf2");
  char *text = end();
  assert_has(text, "; perhaps there on purpose\n");
  assert_true(strstr(text, "  output        buf3") < strstr(text, "  output        buf2"));
  free(text);
  environment("AOTIGEN_ON_FAULT", NULL);
}

/* ---- extents -------------------------------------------------------------------------------- */

/* The exception of a launch with that tensor and that size; NULL for none. */
static char *launch_sized(uint32_t site, const fake *f, aotigen_value n) {
  const aotigen_value values[] = {handle(f), n};
  ++run.launch;
  const char *message = aotigen_before(&run, site, values, 2);
  char *copy = message ? strdup(message) : NULL;
  if (!message) after(site);
  return copy;
}

TEST(the_storage_holds_what_is_touched) {
  fake *large = fake_new("float32", 3, 4, -1);
  assert_null(launch_sized(SIZED, large, integer(1)));
  char *text = launch_sized(SIZED, b[0], integer(1));
  assert_non_null(text);
  assert_has(text, "guard failed in run ");
  assert_has(text,
             ", buf0: storage: expected at least 12 elements (48 bytes) from its first, found "
             "6 (24 bytes)");
  free(text);
  /* A view of a larger storage: what lies behind it counts, what lies before does not. */
  large->sizes[0] = 1;
  assert_null(launch_sized(SIZED, large, integer(1)));
  large->offset = 4;
  large->data = FLOATS(large) + 4;
  text = launch_sized(SIZED, large, integer(1));
  assert_non_null(text);
  assert_has(text, "found 8 (32 bytes)");
  free(text);
  fake_free(large);
  assert_has_freed(end(), "  argument      buf0: float32 [2, 3] on c");
}

TEST(sizes_may_be_arguments) {
  assert_null(launch_sized(DYNAMIC, b[0], integer(0))); /* 3 elements */
  assert_null(launch_sized(DYNAMIC, b[0], integer(1)));
  char *text = launch_sized(DYNAMIC, b[0], integer(2));
  assert_non_null(text);
  assert_has(text, "at least 8 elements (32 bytes) from its first, found 6 (24 bytes)");
  free(text);
  /* A value that cannot be computed is not checked. */
  assert_null(launch_sized(DYNAMIC, b[0], nothing()));
  assert_null(launch_sized(DYNAMIC, b[0], integer(INT64_MAX)));
  assert_null(launch_sized(DYNAMIC, b[0], integer(-5)));
  free(end());
}
