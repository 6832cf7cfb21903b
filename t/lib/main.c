/* main.c - runs the tests that a unit defines with t/test.h. A program of t/ with a main() of its
 * own does not need this one.
 *
 * A unit of the runtime sees what each run finds: AOTIGEN_REPORTS is "all", unless it is given.
 * What a debug model says without that is t/366-again.c's. */
#include "../expected.h"
#include "../test.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct CMUnitTest tests[128];
static int places[sizeof tests / sizeof *tests];
static size_t ntests;
static void (*before_each_)(void **state), (*after_each_)(void **state),
    (*before_all_)(void **state);

static int call(void (*f)(void **state), void **state) {
  if (f) f(state);
  return 0;
}

/* cmocka gives a test's own state: its name. */
static int set_up(void **state) {
  expected_begin(*state);
  *state = NULL;
  return call(before_each_, state);
}

static int tear_down(void **state) { return call(after_each_, state); }
static int set_up_all(void **state) { return call(before_all_, state); }

void test_before_each(void (*f)(void **state)) { before_each_ = f; }
void test_after_each(void (*f)(void **state)) { after_each_ = f; }
void test_before_all(void (*f)(void **state)) { before_all_ = f; }

void test_add(const char *name, void (*test)(void **state), int place) {
  if (ntests == sizeof tests / sizeof *tests) abort();
  size_t i = ntests++;
  for (; i > 0 && places[i - 1] > place; i--) {
    tests[i] = tests[i - 1];
    places[i] = places[i - 1];
  }
  tests[i] = (struct CMUnitTest){name, test, set_up, tear_down, (void *)(uintptr_t)name};
  places[i] = place;
}

__attribute__((weak)) int main(int argc, char **argv) {
  if (argc > 1 && !strcmp(argv[1], "list")) {
    for (size_t i = 0; i < ntests; i++) printf("%s\n", tests[i].name);
    return 0;
  }
  if (argc > 1) cmocka_set_test_filter(argv[1]);
  setenv("AOTIGEN_REPORTS", "all", 0);
  struct CMUnitTest all[ntests]; /* cmocka's macro takes an array of as many as there are */
  memcpy(all, tests, sizeof all);
  return cmocka_run_group_tests_name(program_invocation_short_name, all, set_up_all, NULL);
}
