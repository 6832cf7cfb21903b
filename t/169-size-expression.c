/* 169-size-expression.c - sizes of an exported program that are expressions of its symbols: what is
 * computed of those that are read, and those that are not. */
#include "model/size_expression.h"
#include "shared/postfix.h"
#include "unit.h"
#include <string.h>

static arena *a;
static string_map *symbols;

BEFORE_EACH {
  a = arena_new();
  symbols = string_map_create(a);
  string_map_put(symbols, "s7", "#0.0");
  string_map_put(symbols, "s94", "#1.1");
}

AFTER_EACH { arena_free(a); }

static bool no_argument(const void *of, int64_t n, int64_t *value) {
  (void)of, (void)n, (void)value;
  return false;
}

static bool find_size(const void *of, int64_t input, int64_t dim, int64_t *value) {
  (void)of;
  *value = input == 0 && dim == 0 ? 7 : 94;
  return true;
}

#define S7 "Symbol('s7', positive=True, integer=True)"
#define S94 "Symbol('s94', integer=True)"

TEST(what_is_computed) {
  static const struct {
    const char *text;
    int64_t value;
  } rows[] = {{S7, 7},
              {"s94", 94},
              {"Integer(-3)", -3},
              {"Mul(Integer(2), " S7 ")", 14},
              {"Add(Mul(Integer(2), " S94 "), Integer(-1), " S7 ")", 194},
              {"FloorDiv(" S94 ", Integer(4))", 23},
              {"CleanDiv(" S94 ", Integer(2))", 47},
              {"PythonMod(" S94 ", Integer(4))", 2},
              {"Mod(" S94 ", " S7 ")", 3},
              {"Max(Integer(1), " S7 ", Integer(3))", 7},
              {"Min(" S94 ", " S7 ")", 7}};
  const ag_postfix_values values = {no_argument, find_size, NULL};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const char *code = size_expression_read(rows[i].text, symbols, a);
    int64_t value;
    assert_non_null(code);
    assert_true(ag_postfix_take(&code, &values, &value));
    assert_int_equal(value, rows[i].value);
  }
}

TEST(what_is_not_read) {
  static const char *const texts[] = {
      "", "s8", "Symbol('u0', integer=True)", "Symbol('s7'", "Symbol('s7')x", "Symbol('s7' (1))",
      "Integer()", "Integer(1.5)", "Integer(1234567890123456789)", "Integer(1", "Add()",
      "Add(" S7 ")", "Add(" S7 ", )", "Add(" S7 ", u0)", "Add(" S7 "," S7 ")",
      "FloorDiv(" S7 ", Integer(2), Integer(2))", "Pow(" S7 ", Integer(2))", "Rational(1, 2)",
      "2*s7", "Add(" S7 ", " S7 "))", "s7, s7", "Function('x')(" S7 ")"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    assert_null(size_expression_read(texts[i], symbols, a));
  assert_null(size_expression_read(S7, NULL, a));
}

TEST(one_that_is_deep) {
  strbuf text = {0};
  for (int i = 0; i < 100000; i++) strbuf_puts(&text, "Add(");
  assert_null(size_expression_read(text.at, symbols, a));
  strbuf_free(&text);
}

/* More numbers at once than the stack of the run holds. */
TEST(one_that_is_wide) {
  strbuf text = {0};
  strbuf_puts(&text, "Add(s7");
  for (int i = 0; i < 100; i++) strbuf_puts(&text, ", s7");
  strbuf_puts(&text, ")");
  assert_non_null(size_expression_read(text.at, symbols, a));
  strbuf_free(&text);
}
