/* 353-schema - schemas of operators: each argument and result is found, whatever its default holds,
 * and a text that is none is refused. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

#include "../runtime/base/schema.h"

/* "name:type" of each value, with '!' where it is written, '&' where shared, '=' with a default. */
static const char *list(const char *schema, bool results) {
  static char out[1024];
  ag_schema_at at = {0};
  ag_schema_value x;
  *out = '\0';
  while (results ? ag_schema_next_result(&at, schema, &x)
                 : ag_schema_next_argument(&at, schema, &x)) {
    size_t n = strlen(out);
    snprintf(out + n, sizeof out - n, "%s%.*s:%s%s%s%s", n ? " " : "", (int)x.name_bytes, x.name,
             x.type, x.written ? "!" : "", x.shared ? "&" : "", x.has_default ? "=" : "");
  }
  return out;
}

TEST(finds_values) {
  const char *s =
      "lab::rows.out(Tensor(a!) x, Tensor(b -> *)? y=None, *, int[2] at=[1, 2], str mode=\"a, "
      "(\\\"b = c\", Dict(str, Tensor[]) d, Tensor(c!)[] z) -> (Tensor(a!), Tensor[] rest)";
  assert_true(ag_schema_is_complete(s));
  assert_string_equal(list(s, false), "x:Tensor!& y:Tensor?&= at:int[]= mode:str= "
                                      "d:Dict(str,Tensor[]) z:Tensor[]!&");
  assert_string_equal(list(s, true), ":Tensor!& rest:Tensor[]");
  assert_string_equal(list("a::b() -> ()", false), "");
  assert_string_equal(list("a::b() -> ()", true), "");
  assert_string_equal(list("a::b(Scalar x) -> Tensor y", true), "y:Tensor");
  assert_string_equal(list("a::b(Scalar x) -> (Tensor)", true), ":Tensor");
}

TEST(long_types_are_left_out) {
  assert_string_equal(
      list("a::b(__torch__.torch.classes.a.very.long.name.of.a.Class x, int y) -> Tensor", false),
      "x: y:int");
}

TEST(refuses_others) {
  static const char *const bad[] = {"",
                                    "(none)",
                                    "a::b",
                                    "a::b(int x",
                                    "a::b(int x)",
                                    "a::b() ->Tensor",
                                    "a::b(\"x) -> Tensor",
                                    "(int x) -> Tensor",
                                    NULL};
  for (int i = 0; bad[i]; i++) assert_false(ag_schema_is_complete(bad[i]));
}

/* Every text is read within its bounds: ASan holds the heap copy. */
TEST(reads_any_text) {
  static const char parts[] = "a:(),[]{}\"'\\=-> *!?Tensor 12";
  unsigned seed = 7;
  for (int i = 0; i < 20000; i++) {
    char text[48];
    size_t n = (size_t)(i % 47);
    for (size_t k = 0; k < n; k++) {
      seed = seed * 1103515245u + 12345u;
      text[k] = parts[(seed >> 16) % (sizeof parts - 1)];
    }
    text[n] = '\0';
    char *copy = strdup(text);
    list(copy, false);
    list(copy, true);
    free(copy);
  }
}
