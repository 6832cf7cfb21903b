/* 168-promise-relations.c - promises of sizes that follow from others, and least sizes that follow
 * from torch's range of another size. */
#include "model/exported.h"
#include "unit.h"
#include <string.h>

#include "in_arena.h"

#define X "#0.0"
#define Y "#1.0"
#define Z "#2.0"

static model m;

/* Three inputs of one dimension, of at least so many elements. */
static void begin(int64_t x, int64_t y, int64_t z) {
  const int64_t least[] = {x, y, z};
  m = (model){0};
  for (int i = 0; i < 3; i++)
    *arena_push(a, &m.inputs) = (model_input){.name = arena_printf(a, "arg%d_1", i),
                                              .python_name = i ? NULL : "x",
                                              .ndim = 1,
                                              .dims = {{least[i], 100, AOTIGEN_ANY, NULL}}};
}

static void promise(const char *code) {
  *arena_push(a, &m.promises) =
      (model_promise){.kind = AOTIGEN_PROMISE_HOLDS, .text = code, .code = code};
}

/* The promises that are left, with '|' between two, and '!' before one that excludes. */
static const char *related(void) {
  const char *all = "";
  exported_promises_relate(&m, a);
  for (size_t i = 0; i < m.promises.n; i++)
    all = arena_printf(a, "%s%s%s%s", all, i ? "|" : "",
                       m.promises.at[i].kind == AOTIGEN_PROMISE_EXCLUDES ? "!" : "",
                       m.promises.at[i].text);
  return all;
}

TEST(one_fact_is_one_promise) {
  static const char twice[] = X " 2 * " Y " =", half[] = X " " Y " 2 / =";
  static const struct {
    const char *first, *second, *left;
  } cases[] = {{twice, half, twice},
               {half, twice, twice},
               {twice, Y " " X " 2 * =", twice},
               {X " 4 % 0 =", X " 2 % 0 =", X " 4 % 0 ="},
               {X " 4 % 0 =", X " 6 % 0 =", NULL},
               {X " 2 % 0 =", X " 5000 l", NULL},
               {X " 8 % 0 =", X " 4093 l", NULL}, /* 4096 is beyond what is tried */
               {twice, X " " Y " + 500 l", NULL},
               {X " " Y " =", X " " Y " + 254 l", NULL},
               {twice, X " 2 * " Z " =", NULL},
               {twice, Y " 2 % 0 =", NULL},
               {X " 4 % 0 =", X " 7 !", X " 4 % 0 ="},
               {X " 4 % 0 =", X " 8 !", NULL},
               {X " " Y " < ", Z " 3 =", NULL}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    begin(0, 0, 0);
    promise(cases[i].first);
    promise(cases[i].second);
    const char *both = arena_printf(a, "%s|%s", cases[i].first, cases[i].second);
    assert_string_equal(related(), cases[i].left ? cases[i].left : both);
  }
}

TEST(a_least_size_that_follows) {
  static const struct {
    const char *code;
    int64_t x, y;
    const char *more; /* the promises of it */
    unsigned follows; /* by bit: of which input */
  } cases[] = {{X " 2 * " Y " =", 2, 4, "|!arg1_1.size(0) >= 4", 2},
               {X " " Y " 2 / =", 2, 4, "|!arg1_1.size(0) >= 4", 2},
               {Y " 3 * " X " =", 6, 2, "|!x.size(0) >= 6", 1},
               {X " 1 + " Y " =", 2, 3, "|!arg1_1.size(0) >= 3", 2},
               {X " 2 * " Y " =", 2, 5, "", 0},  /* another bound than the first size's */
               {X " 2 * " Y " =", 2, 3, "", 0},  /* as before */
               {X " 2 * " Y " =", 3, 6, "", 0},  /* the user's own range */
               {X " 2 * " Y " =", 2, 2, "", 0},  /* torch's range of its own */
               {X " " Y " <", 2, 4, "", 0},      /* no value of one alone */
               {X " 2 * " Y " !", 2, 4, "", 0}}; /* as before */
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    begin(cases[i].x, cases[i].y, 2);
    promise(cases[i].code);
    assert_string_equal(related(), arena_printf(a, "%s%s", cases[i].code, cases[i].more));
    for (unsigned k = 0; k < 3; k++)
      assert_int_equal(m.inputs.at[k].derived_least, cases[i].follows >> k & 1);
  }
}

TEST(and_from_that_another_one) {
  begin(2, 4, 8);
  promise(Y " 2 * " Z " =");
  promise(X " 2 * " Y " =");
  assert_string_equal(related(),
                      Y " 2 * " Z " =|" X " 2 * " Y " =|!arg1_1.size(0) >= 4|!arg2_1.size(0) >= 8");
  assert_string_equal(m.promises.at[3].code, "#2.0 8 g");
  assert_int_equal(m.promises.at[3].input, 2);
}

/* A program may have a thousand guards: the time is limited. */
TEST(many_promises_end) {
  begin(2, 4, 8);
  const char *ones = "";
  for (int i = 0; i < 100; i++) ones = arena_printf(a, "%s 1 +", ones);
  for (int i = 0; i < 1000; i++) promise(arena_printf(a, X " " Y " +%s %d g", ones, i % 16));
  exported_promises_relate(&m, a);
  assert_true(m.promises.n > 500); /* what was not looked at stays */
}
