/* 337-growth.c - every reader of the runtime's takes time linear in its input, and at most 300
 * MiB. */
#include "growth.h"

static const growth_shape texts[] = {
    {"filter", "", "*", "", ""},
    {"filter", "", "*a", "", ""},
    {"filter", "", "?", "", ""},
    {"filter", "", "a,", "", ""},
    {"filter", "", "!a%z,", "", ""},
    {"filter", "", "!", "", ""},
    {"filter", "", " ", "", ""},
    {"filter", "x\n", "aten.a%z, ", "", ""},
    {"filter", "*a*b*c\n", "ab", "", ""},
    {"filter", "*a*b*c,x,aten.?\n", "ab,", "", ""},
    {"filter", "*x\n", "a", "", ""},
    {"settings", "", "%z,", "", "1"},
    {"settings", "", "1-", "", ""},
    {"settings", "", " ", "", "1"},
    {"settings", "", "9", "", ""},
    {"settings", "1\n", "%z-,", "", "3"},
    {"settings", "1\n1\n", "%p", "", ""},
    {"settings", "1\n1\n", "%r%%", "", ""},
    {"settings", "1\n1\n", "%", "", ""},
    {"names", "abc\n", "abd%z,", "", ""},
    {"names", "abc\n", "abd,", "", ""},
    {"names", "abcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabc\n", "abd", "", ""},
    {"names", "", "*a", "", "\nabc"},
    {"json", "", "\x01", "", ""},
    {"json", "", "\xff", "", ""},
    {"json", "", "\xe2\x80", "", ""},
    {"json", "", "\"", "", ""},
    {"graph", "1 c 0 0 0 0 8191 0\n", "il 0\n", "", ""},
    {"graph", "1 c 0 0 0 0 8191 0\nil 0\nol + ", "0 ", "", "\n"},
    {"graph", "", "1 c ", "", ""},
    {"graph",
     "1 c 1 1 1 1 8191 0\nmf 0 a\nf x -1 -1 -1 0 -1\nc a 0 0 1\ns 0 1 -1 0 -1 0 0\nil 1\nil 3\n",
     "ol * 0 1\n", "", ""},
    {"extent", "", "1 ", "", ""},
    {"extent", "", "@3 ", "", ""},
    {"extent", "", "#2.0 ", "", ""},
    {"extent", "1 ", "1 + ", "", ""},
    {"extent", "", "1;", "", ""},
    {"extent", "", "9", "", ""},
    {"schema", "a(", "x, ", "", ") -> ()"},
    {"schema", "a(", "(", ")", ") -> ()"},
    {"schema", "a(", "\\\"", "", ") -> ()"},
    {"schema", "a(str x=\"", "\\\"", "", "\") -> Tensor"},
    {"schema", "a(", "T[] x=[(1)], ", "", ") -> ()"},
    {"schema", "a(T ", "(a)", "", " x) -> ()"},
    {"schema", "a() -> (", "Tensor(a) ", "", ")"},
    {"schema", "a() -> (", "Tensor(a), ", "", "Tensor)"},
    {"schema", "x::f(", "int x%z, ", "", "Tensor x) -> Tensor"},
    {"schema", "x::f() -> (", "Tensor, ", "", "int)"},
};

static void texts_are_linear(void **state) {
  (void)state;
  growth_all_are_linear(texts, sizeof texts / sizeof *texts);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(texts_are_linear)};
  return cmocka_run_group_tests_name("337-growth", tests, NULL, NULL);
}
