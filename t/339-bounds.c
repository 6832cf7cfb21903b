/* 339-bounds.c - the accesses of a kernel as its site's table gives them: which of them are
 * computed before a launch, and what a report of one says. */
#include "shim.h"

static const aotigen_text touched = {.least = 6};

#define TENSOR(n, r)                                                                               \
  { .name = n, .role = r, .kind = AOTIGEN_TENSOR, .dtype = "float32" }
#define SCALAR(n)                                                                                  \
  { .name = n, .kind = AOTIGEN_SCALAR }

static const aotigen_param params[] = {TENSOR("buf0", AOTIGEN_IN), TENSOR("buf1", AOTIGEN_OUT),
                                       SCALAR("s77"), SCALAR("16L")};
static const aotigen_param told_params[] = {
    {.name = "buf0", .kind = AOTIGEN_TENSOR, .dtype = "float32", .text = &touched},
    TENSOR("buf1", AOTIGEN_OUT),
    SCALAR("s77")};

/* 2 * s77 - 1 at the last x; only where s77 > 0. */
static const aotigen_bound last[] = {
    {"@2 1 - 0 g ? 2 @2 1 - * 1 +", "x @2 1 -,r0 1", NULL, 24, 0, AOTIGEN_LOAD},
    {"@2 1 - 0 g ? @2 1 -", "x @2 1 -", NULL, 31, 1, AOTIGEN_STORE}};
static const aotigen_bound begins[] = {{"5;@2 -3 +", "x 5;x 0", NULL, 12, 0, AOTIGEN_LOAD},
                                       {"6", "", NULL, 0, 1, AOTIGEN_ATOMIC}};
static const aotigen_bound term[] = {
    {"0 @2 < ? 131072 @2 *", "x @2", "131072 * x", 67, -1, AOTIGEN_TERM},
    {"@2", "x @2", NULL, 68, 0, AOTIGEN_LOAD}};
static const aotigen_bound proved[] = {{"3", "x 3", NULL, 8, 0, AOTIGEN_LOAD},
                                       {"5", "x 5", NULL, 9, 0, AOTIGEN_LOAD},
                                       {"99", "x 99", NULL, 10, 1, AOTIGEN_STORE}};

enum { LAST, BEGINS, TERM, PROVED, NSITES };
#define SITE(n, list, rows, open)                                                                  \
  {                                                                                                \
    .function = "run_impl", .kernel = n, .nodes = "", .aten = "", .params = list, .line = 7,       \
    .nparams = sizeof(list) / sizeof *(list), .form = AOTIGEN_TRITON, .flags = AOTIGEN_KERNEL,     \
    .bounds = rows, .nbounds = sizeof(rows) / sizeof *(rows), .nopen = open                        \
  }
static const aotigen_site sites[] = {[LAST] = SITE("triton_last", params, last, 2),
                                     [BEGINS] = SITE("triton_begins", params, begins, 2),
                                     [TERM] = SITE("triton_term", params, term, 1),
                                     [PROVED] = SITE("triton_proved", told_params, proved, 0)};

static aotigen_model model;
static aotigen_run run;
static fake *b[2];

BEFORE_EACH {
  model = MODEL(WITH(sites, sites), .nan_asserts = 3, .check_inputs = 2, .device = fake_device());
  for (int i = 0; i < 2; i++) b[i] = fake_new("float32", 2, 3, -1);
  capture(2);
  aotigen_run_begin(&run, &model, 0, NULL);
}

AFTER_EACH {
  for (int i = 0; i < 2; i++) fake_free(b[i]);
}

static char *end(void) {
  aotigen_run_end(&run, 0);
  return without_runs(captured(2));
}

/* The exception of the launch, NULL if it is made. */
static const char *launch(uint32_t site, int64_t s77) {
  const aotigen_value values[] = {handle(b[0]), handle(b[1]), integer(s77), integer(16)};
  return aotigen_before(&run, site, values, sites[site].nparams);
}

TEST(what_stays_inside_is_silent) {
  assert_null(launch(LAST, 3));
  assert_null(aotigen_after(&run, LAST, NULL, 0));
  assert_null(launch(LAST, 0)); /* nothing is accessed */
  assert_null(aotigen_after(&run, LAST, NULL, 0));
  assert_null(launch(TERM, 5));
  assert_null(aotigen_after(&run, TERM, NULL, 0));
  assert_equal_freed(end(), "");
}

TEST(an_access_behind_the_end_is_named) {
  assert_non_null(launch(LAST, 4));
  as_expected(end());
}

TEST(each_argument_has_its_own) {
  assert_non_null(launch(LAST, 7));
  as_expected(end());
}

/* A launch of BEGINS whose buf1 is long enough, and whose buf0 begins behind `offset` elements. */
static const char *launch_begins(int64_t offset, int64_t s77) {
  fake *large = fake_new("float32", 3, 4, -1), *other = fake_new("float32", 3, 4, -1);
  large->sizes[0] = 2;
  large->sizes[1] = 3;
  large->offset = offset;
  large->data = FLOATS(large) + offset;
  const aotigen_value values[] = {handle(large), handle(other), integer(s77), integer(16)};
  const char *message = aotigen_before(&run, BEGINS, values, 4);
  if (!message) assert_null(aotigen_after(&run, BEGINS, NULL, 0));
  fake_free(large);
  fake_free(other);
  return message;
}

TEST(an_access_before_the_storage_is_named) {
  assert_non_null(launch_begins(0, 1));
  as_expected(end());
}

/* The storage before a view belongs to its memory, too. */
TEST(a_view_has_memory_before_it) {
  assert_null(launch_begins(2, 1));
  assert_non_null(launch_begins(1, 1));
  assert_has_freed(end(), "found element -2\n");
}

TEST(without_a_line_the_kernel_alone_is_named) {
  assert_non_null(launch(BEGINS, 3));
  as_expected(end());
}

TEST(a_term_that_overflows_is_named) {
  assert_non_null(launch(TERM, 16384));
  assert_has_freed(end(),
                   "  term          131072 * x\n"
                   "                value: expected what the 32 bits hold that it is computed in, "
                   "found 2147483648\n"
                   "                computed at line 67 of triton_term, with x = 16384\n"
                   "                where s77 = 16384\n");
}

/* Its table is not computed before a launch: the argument's length alone is. */
TEST(what_is_proved_names_the_access) {
  assert_null(launch(PROVED, 1));
  assert_null(aotigen_after(&run, PROVED, NULL, 0));
  fake *small = fake_new("float32", 1, 4, -1);
  const aotigen_value values[] = {handle(small), handle(b[1]), integer(1)};
  assert_non_null(aotigen_before(&run, PROVED, values, 3));
  fake_free(small);
  as_expected(end());
}
