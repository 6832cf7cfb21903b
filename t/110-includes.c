/* 110-includes.c - the #include lines of a text. */
#include "command/includes.h"
#include "unit.h"

static void lines_are_found_with_their_places(void **state) {
  (void)state;
  static const char at[] =
      "#include <a/b.h>\n  #  include\t\"c.h\" // x\n#include\"d\"\n#include <e\n#include \"f\n// "
      "#include <g>\n#included <h>\nx #include <i>\n#include MACRO\n#include <j>";
  arena *a = arena_new();
  includes list = {0};
  includes_read(&list, at, sizeof at - 1, a);
  static const char *const expected[] = {"a/b.h", "c.h", "d", "j"};
  assert_int_equal(list.n, 4);
  for (size_t i = 0; i < 4; i++) {
    assert_string_equal(list.at[i].path, expected[i]);
    assert_memory_equal(at + list.at[i].at, expected[i], strlen(expected[i]));
  }
  assert_true(includes_has(&list, "c.h") && includes_has(&list, "a/") &&
              includes_has(&list, "a/b.h"));
  assert_false(includes_has(&list, "a") || includes_has(&list, "b/") || includes_has(&list, "g") ||
               includes_has(&list, ""));
  arena_free(a);
}

static void ends_of_a_text_are_no_trap(void **state) {
  (void)state;
  static const char at[] = "\n#include <a/b.h>\n";
  arena *a = arena_new();
  for (size_t n = 0; n < sizeof at; n++) {
    includes list = {0};
    char *copy = malloc(n ? n : 1); /* of just that size: a sanitizer sees a step beyond */
    memcpy(copy, at, n);
    includes_read(&list, copy, n, a);
    assert_int_equal(list.n, n >= sizeof at - 2);
    free(copy);
  }
  arena_free(a);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lines_are_found_with_their_places),
                                     cmocka_unit_test(ends_of_a_text_are_no_trap)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
