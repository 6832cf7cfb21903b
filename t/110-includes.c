/* 110-includes.c - the #include lines of a text. */
#include "command/includes.h"
#include "unit.h"

TEST(lines_are_found_with_their_places) {
  static const char at[] =
      "#include <a/b.h>\n  #  include\t\"c.h\" // x\n#include\"d\"\n#include <e\n#include \"f\n// "
      "#include <g>\n#included <h>\nx #include <i>\n#include MACRO\n#include <j>";
  arena *a = arena_new();
  includes list = {0};
  includes_read(&list, at, sizeof at - 1, a);
  static const char *const expected[] = {"a/b.h", "c.h", "d", "j"};
  assert_int_equal(list.n, 4);
  for (size_t i = 0; i < 4; i++) {
    assert_string_equal(list.at[i], expected[i]);
  }
  assert_true(includes_has(&list, "c.h") && includes_has(&list, "a/") &&
              includes_has(&list, "a/b.h"));
  assert_false(includes_has(&list, "a") || includes_has(&list, "b/") || includes_has(&list, "g") ||
               includes_has(&list, ""));
  arena_free(a);
}

TEST(ends_of_a_text_are_no_trap) {
  static const char at[] = "\n#include <a/b.h>\n";
  arena *a = arena_new();
  for (size_t n = 0; n < sizeof at; n++) {
    includes list = {0};
    char *copy = malloc(n ? n : 1); /* exactly that size, so that a sanitizer sees a step beyond */
    memcpy(copy, at, n);
    includes_read(&list, copy, n, a);
    assert_int_equal(list.n, n >= sizeof at - 2);
    free(copy);
  }
  arena_free(a);
}

TEST(directives_are_found_however_they_are_spelled) {
  static const char at[] = "#include <a>\n"
                           " \\\n%: \\\n import \"b\"\n"
                           "?\?=embed <c>\n"
                           "/* \n # define x #undef y */ # include_next X\n"
                           "\xc3\xa9#pragma once\n"
                           "x # include <d>\n"
                           "#";
  static const struct {
    const char *name, *path;
    bool includes;
  } expected[] = {{"include", "a", true}, {"import", "b", true},      {"embed", "c", true},
                  {"define", "", false},  {"include_next", "", true}, {"pragma", "", false},
                  {"", "", false}};
  includes_scan s = {.text = at, .n = sizeof at - 1};
  directive d;
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    assert_true(includes_next(&s, &d));
    assert_true(includes_is_named(&s, &d, expected[i].name));
    assert_int_equal(d.includes, expected[i].includes);
    assert_int_equal(d.path_n, strlen(expected[i].path));
    assert_int_equal(d.closed, d.path_n > 0);
    assert_memory_equal(at + d.path, expected[i].path, d.path_n);
  }
  assert_false(includes_next(&s, &d));
  assert_false(includes_next(&s, &d));
}

TEST(a_path_is_kept_once) {
  strbuf t = {0};
  arena *a = arena_new();
  includes list = {0};
  for (int i = 0; i < 3 * INCLUDES_MAX; i++)
    strbuf_printf(&t, "#include <%d.h>\n", i % INCLUDES_MAX);
  assert_true(includes_read(&list, t.at, t.n, a));
  assert_int_equal(list.n, INCLUDES_MAX);
  assert_string_equal(list.at[INCLUDES_MAX - 1], "9999.h");
  strbuf_puts(&t, "#include \"one_more.h\"\n");
  list = (includes){0};
  assert_false(includes_read(&list, t.at, t.n, a));
  assert_true(includes_text_has(t.at, t.n, "one_more.h"));
  assert_false(includes_text_has(t.at, t.n, "one_more") || includes_text_has(t.at, t.n, ""));
  arena_free(a);
  strbuf_free(&t);
}

/* In one line, each #include after a comment's end: nothing closes, or only the last quote does. */
TEST(many_includes_in_one_line_are_read_once) {
  static const char one[] = "*/#include <x";
  enum { MANY = 300000 / (sizeof one - 1) };
  strbuf t = {0};
  for (size_t i = 0; i < MANY; i++) strbuf_puts(&t, one);
  for (int closed = 0; closed < 2; closed++) {
    arena *a = arena_new();
    includes list = {0};
    includes_scan s = {.text = t.at, .n = t.n};
    size_t n = 0;
    for (directive d; includes_next(&s, &d); n++) assert_int_equal(d.closed, closed);
    assert_int_equal(n, MANY);
    includes_read(&list, t.at, t.n, a);
    assert_int_equal(list.n, closed); /* the paths would overlap */
    if (closed) assert_int_equal(strlen(list.at[0]), t.n - strlen("*/#include <>"));
    arena_free(a);
    strbuf_puts(&t, ">");
  }
  strbuf_free(&t);
}
