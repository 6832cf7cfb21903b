/* 119-levels - the levels of shared/wrapper/aotigen_levels.def, and each kind of value. */
#include "base/levels.h"
#include "unit.h"

/* For a row such as shared/wrapper/aotigen_levels.def may have. */
TEST(a_percentage_is_a_number_up_to_100) {
  static const char *const bad[] = {"", "-1", "101", "1000", "0100", "5%", "5.0", " 5", "on"};
  const level row = {.option = "share",
                     .value = "PERCENT",
                     .kind = LEVEL_PERCENT,
                     .offset = offsetof(levels, printer)};
  arena *a = arena_new();
  levels l;
  levels_default(&l);
  assert_true(level_read(&l, &row, "35", a));
  assert_int_equal(l.printer, 35);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    assert_false(level_read(&l, &row, bad[i], a));
  assert_string_equal(level_spell(&l, &row, a), "35");
  assert_true(levels_any_on(&l));
  assert_true(level_read(&l, &row, "100", a) && l.printer == 100);
  assert_true(level_read(&l, &row, "off", a) && l.printer == 0);
  assert_string_equal(level_wants(&row, a), "off or a percentage, 0 to 100");
  arena_free(a);
}

/* A build has those of the wrapper's text that it is not given. */
TEST(elements_are_explained_where_a_level_is_on) {
  static const char text[] = "// Instrumented\n#ifndef AOTIGEN_PRINTER\n"
                             "#define AOTIGEN_PRINTER 2 // 0 off\n#endif\n#ifndef AOTIGEN_SYNC\n"
                             "#define AOTIGEN_SYNC 0 // 1: wait\n#endif\n";
  arena *a = arena_new();
  levels l = {.sync = 1, .explain = "1:buf0[0]", .kernels = "", .guard_buffers = ""};
  levels_take_text(&l, 0, text, a);
  assert_true(l.printer == 2 && l.sync == 0);
  l.sync = 1;
  levels_take_text(&l, LEVEL_SYNC, text, a);
  assert_int_equal(l.sync, 1);
  diags *d = diags_new(a);
  levels_warn_unexplained(&l, a, d);
  l.printer = l.sync = 0;
  l.explain = "";
  levels_warn_unexplained(&l, a, d);
  char *said = unit_messages(d, false);
  assert_string_equal(said, "");
  free(said);
  l.explain = "1:buf0[0]";
  levels_warn_unexplained(&l, a, d);
  said = unit_messages(d, false);
  assert_string_equal(said,
                      "aotigen: warning: --explain has nothing to explain, since all levels are "
                      "off: turn on --printer, --check-inputs, --nan-asserts, --subnormals, --sync "
                      "or --guard\n");
  free(said);
  arena_free(a);
}

TEST(a_level_is_off_or_on) {
  arena *a = arena_new();
  levels l;
  levels_default(&l);
  assert_true(levels_any_on(&l));
  for (const level *x = level_table; x < level_table + LEVEL_ROWS; x++) {
    if (x->words) assert_true(level_read(&l, x, x->option[0] == 'p' ? "0" : "off", a));
    if (x->words) assert_false(level_read(&l, x, "", a) || level_read(&l, x, "o", a));
    if (x->option) assert_ptr_equal(level_of_option(x->option), x);
  }
  assert_false(levels_any_on(&l));
  assert_true(level_read(&l, level_of_option("guard"), "ops,page:buf3", a));
  assert_true(levels_any_on(&l));
  assert_string_equal(l.guard_buffers, "buf3");
  assert_true(level_read(&l, level_of_option("guard"), "off", a));
  assert_string_equal(l.guard_buffers, "");
  assert_true(level_read(&l, level_of_option("kernels"), "a\"b", a));
  assert_false(levels_any_on(&l)); /* a text turns nothing on */
  assert_string_equal(level_spell(&l, level_of_option("kernels"), a), "\"a\\\"b\"");
  assert_null(level_of_option("json"));
  arena_free(a);
}
