/* 140-lex.c - the ends of tokens, literals, comments and brackets. */
#include "parse/lex.h"
#include "unit.h"

static size_t token(const char *s) { return lex_skip_token(s, 0, strlen(s)); }

TEST(tokens_end_where_cxx_ends_them) {
  assert_int_equal(token("abc_1+"), 5);
  assert_int_equal(token("\"a\\\"b\" c"), 6);
  assert_int_equal(token("'\\''x"), 4);
  assert_int_equal(token("// a \" (\nb"), 8);
  assert_int_equal(token("/* ( \" */ b"), 9);
  assert_int_equal(token("1'000'000L;"), 10);
  assert_int_equal(token("0x1'fp-3+"), 8);
  assert_int_equal(token("1.5e+7f,"), 7);
  assert_int_equal(token("1'\"'"), 1);
  assert_int_equal(token("// a \\\n\" b\nc"), 10);
  assert_int_equal(token("// a \\\r\n\" b\nc"), 11);
  assert_int_equal(token("+="), 1);
  assert_int_equal(token(""), 0);
}

TEST(raw_strings_hide_quotes_and_brackets) {
  const char *s = "R\"(File \"a.py\", line 7 ( { \n)\" ;";
  assert_int_equal(token(s), strlen(s) - 2);
  const char *named = "R\"x( )\" )x\";";
  assert_int_equal(token(named), strlen(named) - 1);
  assert_int_equal(token("u8R\"(\")\";"), 8);
  assert_int_equal(token("xR\"(\")"), 2);
  assert_int_equal(token("1.R\"(\")"), 3);
  assert_int_equal(lex_skip_token("$R\"(\")", 1, 7), 2);
  assert_int_equal(lex_skip_token("\xc3\xa9R\"(\")", 2, 8), 3);
  assert_int_equal(lex_skip_token("\"a\"R\"(\")", 3, 9), 4);
  assert_int_equal(token("R\"(never closed"), strlen("R\"(never closed"));
}

TEST(brackets_match_over_what_only_looks_like_one) {
  const char *s = "f(a[1], \")\", ')', /* ) */ {2}) + g()";
  assert_int_equal(lex_match(s, 1, strlen(s)), strlen("f(a[1], \")\", ')', /* ) */ {2}"));
  assert_int_equal(lex_match("(((", 0, 3), 3);
}

TEST(a_semicolon_is_found_outside_of_brackets_only) {
  const char *s = "for (;;) { a; } b; // ;";
  assert_int_equal(lex_find(s, 0, strlen(s), ';'), strlen("for (;;) { a; } b"));
  assert_int_equal(lex_find("// ;\n", 0, 5, ';'), 5);
}

TEST(words_are_whole_tokens) {
  const char *s = "run_impl2 \"run_impl\" run_impl(";
  assert_int_equal(lex_find_word(s, 0, strlen(s), "run_impl"), 21);
  assert_false(lex_is_word(s, 0, strlen(s), "run_impl"));
}

TEST(deep_nesting_is_linear_and_flat) {
  enum { n = 2000000 };
  char *s = malloc(2 * n);
  memset(s, '(', n);
  memset(s + n, ')', n);
  assert_int_equal(lex_match(s, 0, 2 * n), 2 * n - 1);
  free(s);
}
