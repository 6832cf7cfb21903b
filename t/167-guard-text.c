/* 167-guard-text.c - the guards of an exported program: those that are read, as what a run
 * computes, and those that are not. */
#include "model/guard_text.h"
#include "shared/postfix.h"
#include "unit.h"
#include <string.h>

static arena *a;

BEFORE_EACH { a = arena_new(); }
AFTER_EACH { arena_free(a); }

static const char *const inputs[] = {"x", "y", "xs_0", "d_k"};

static bool find_input(const void *of, const char *name, bool nested, int64_t *index) {
  (void)of;
  for (int i = 0; i < 4; i++)
    if (!strcmp(inputs[i], name) && nested == (i > 1)) return *index = i, true;
  return false;
}

static const char *show_input(const void *of, int64_t index) {
  (void)of;
  return inputs[index];
}

static bool read_guard(guard_text *g, const char *text) {
  const guard_names names = {find_input, show_input, NULL};
  return guard_text_read(g, text, &names, a);
}

static bool no_argument(const void *of, int64_t n, int64_t *value) {
  (void)of, (void)n, (void)value;
  return false;
}

/* Dimension i of input k has size of[k] + 100 * i. */
static bool find_size(const void *of, int64_t input, int64_t dim, int64_t *value) {
  *value = ((const int64_t *)of)[input] + 100 * dim;
  return true;
}

#define X "L['x'].size()[0]"
#define Y "L['y'].size()[1]"

TEST(what_a_guard_computes) {
  static const struct {
    const char *text, *shown;
    int64_t x, y; /* y is that of dimension 0 */
    int holds;    /* 2: it has no result */
  } cases[] = {{"(" X " % 100) == 0", "(x.size(0) % 100) == 0", 2000, 0, 1},
               {"(" X " % 100) == 0", "(x.size(0) % 100) == 0", 2099, 0, 0},
               {X " == " Y, "x.size(0) == y.size(1)", 107, 7, 1},
               {X " == " Y, "x.size(0) == y.size(1)", 107, 8, 0},
               {"2 <= " X " < 10", "2 <= x.size(0) < 10", 9, 0, 1},
               {"2 <= " X " < 10", "2 <= x.size(0) < 10", 10, 0, 0},
               {"2 <= " X " < 10", "2 <= x.size(0) < 10", 1, 0, 0},
               {"1 < " X " <= " Y " <= 300", "1 < x.size(0) <= y.size(1) <= 300", 50, 7, 1},
               {"1 < " X " <= " Y " <= 300", "1 < x.size(0) <= y.size(1) <= 300", 50, 201, 0},
               {"100*(" X " // 100) >= 2", "100*(x.size(0) // 100) >= 2", 99, 0, 0},
               {"not (" X " == 3 or " X " > 7) and " X "!=5", NULL, 5, 0, 0},
               {"not (" X " == 3 or " X " > 7) and " X "!=5", NULL, 4, 0, 1},
               {"-" X " + 2*" X " - 1 == max(3, " Y ", 2)", NULL, 104, 3, 1},
               {"min(" X ", 4) == 4", NULL, 9, 0, 1},
               {"L[\"x\"].shape[0] > 3", "x.size(0) > 3", 4, 0, 1},
               {"L['xs'][0].size()[0] > 3 and L['d']['k'].size()[2] == 200", NULL, 4, 0, 1},
               {"(" X " - 10) % 3 == 0", NULL, 9, 0, 2},
               {X " // (" X " - 9) == 0", NULL, 9, 0, 2}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    guard_text g;
    const int64_t sizes[] = {cases[i].x, cases[i].y, 4, 0};
    const ag_postfix_values values = {no_argument, find_size, sizes};
    if (!read_guard(&g, cases[i].text)) fail_msg("%s is not read", cases[i].text);
    if (cases[i].shown) assert_string_equal(g.shown, cases[i].shown);
    const char *code = g.code;
    int64_t holds;
    if (!ag_postfix_take(&code, &values, &holds)) holds = 2;
    if (holds != cases[i].holds) fail_msg("%s: %d, as %s", cases[i].text, (int)holds, g.code);
  }
}

TEST(other_forms_are_not_read) {
  static const char *const cases[] = {"",
                                      "True",
                                      "1 == 1",
                                      X,
                                      X " + 1",
                                      X " = 3",
                                      X " == 3 4",
                                      X " == 3.5",
                                      X " == 1_000",
                                      X " == 1234567890123456789",
                                      X " / 2 == 3",
                                      X " ** 2 == 4",
                                      X " == 3 == (" X " == 3)",
                                      "(" X " == 3) + 1 == 2",
                                      "-(" X " == 3) == 1",
                                      X " and " X,
                                      "not " X,
                                      X " << 2 == 8",
                                      X " is 3",
                                      "max(" X ") == 3",
                                      "max(" X ", " X " > 2) == 3",
                                      "pow(" X ", 2) == 4",
                                      "L['z'].size()[0] == 3",
                                      "L['xs'].size()[0] == 3",
                                      "L[0].size()[0] == 3",
                                      "L['x'].size()[-1] == 3",
                                      "L['x'].size()[0 == 3",
                                      "L['x'].size() == 3",
                                      "L['x'].stride()[0] == 3",
                                      "L['x'.size()[0] == 3",
                                      "L['x\"].size()[0] == 3",
                                      "L['a b'].size()[0] == 3",
                                      "L['\xff'].size()[0] == 3",
                                      "G['x'].size()[0] == 3",
                                      "x.size(0) == 3",
                                      "__import__('os').system('true') == 0",
                                      "((((((((((((((((((((((((((((((((((((((((" X
                                      "))))))))))))))))))))))))))))))))))))))))== 3",
                                      "----------------------------------------" X " == 3"};
  guard_text g;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (read_guard(&g, cases[i])) fail_msg("%s is read, as %s", cases[i], g.code);
}

/* What the stack of a run would not hold, and a text that is longer than any guard. */
TEST(a_guard_that_is_too_large) {
  char text[GUARD_TEXT_MAX + 100];
  guard_text g;
  size_t n = 0;
  for (int i = 0; i < 30; i++) n += (size_t)sprintf(text + n, "1+(");
  n += (size_t)sprintf(text + n, "%s", X);
  for (int i = 0; i < 30; i++) text[n++] = ')';
  strcpy(text + n, " == 3");
  assert_true(read_guard(&g, text) ? strlen(g.code) < 200 : true);
  memset(text, ' ', sizeof text);
  memcpy(text, X " == 3", strlen(X " == 3"));
  text[sizeof text - 1] = '\0';
  assert_false(read_guard(&g, text));
}

TEST(what_kind_it_is) {
  static const struct {
    const char *text;
    bool equals, bounds, excludes;
  } cases[] = {{X " == " Y, true, false, false},
               {X " == " X, false, false, false},
               {X " == 3", false, false, false},
               {X " == " Y " + 1", false, false, false},
               {X " <= 100", false, true, false},
               {"3 <= " X, false, true, false},
               {"2 <= " X, false, true, true},
               {X " > 1", false, true, true},
               {"(" X " // 100) != 1", false, false, true},
               {"100*(" X " // 100) >= 2", false, false, true},
               {"3 < " X " <= 9", false, false, false},
               {"not " X " != 1", false, false, false},
               {X " != 1 or " Y " != 2", false, false, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    guard_text g;
    if (!read_guard(&g, cases[i].text)) fail_msg("%s is not read", cases[i].text);
    if (g.equals_sizes != cases[i].equals || g.bounds_size != cases[i].bounds ||
        g.excludes != cases[i].excludes)
      fail_msg("%s: %d %d %d", cases[i].text, g.equals_sizes, g.bounds_size, g.excludes);
  }
}
