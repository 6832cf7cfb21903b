/* 143-guards.c - which guards `aotigen list` shows of a site. */
#include "model/list.h"
#include "unit.h"

TEST(a_site_has_the_guards_that_an_argument_of_it_gets) {
  arena *a = arena_new();
  argument args[] = {{.kind = AOTIGEN_TENSOR}, {.kind = AOTIGEN_SCALAR, .flags = AOTIGEN_INT32}};
  site s = {.form = AOTIGEN_EXTERN, .args = {args, 1, 1}};
  strings guards = guards_find(&s, a);
  assert_string_equal(strings_join(a, &guards, " "), "data storage"); /* a null optional */
  args[0].flags = AOTIGEN_NOT_NULL | AOTIGEN_DEFINED;
  guards = guards_find(&s, a);
  assert_string_equal(strings_join(a, &guards, " "), "defined data storage");
  s = (site){.form = AOTIGEN_TRITON, .flags = AOTIGEN_KERNEL, .args = {args, 2, 2}};
  args[0].flags = AOTIGEN_ALIGN16;
  guards = guards_find(&s, a);
  assert_string_equal(strings_join(a, &guards, " "),
                      "defined data storage alignment dtype device int32 grid");
  const expected e = {.ndim = -1, .user = 3};
  args[0] = (argument){.kind = AOTIGEN_TENSOR, .flags = AOTIGEN_LATE, .expected = &e};
  s = (site){.form = AOTIGEN_EXTERN, .args = {args, 1, 1}};
  guards = guards_find(&s, a);
  assert_string_equal(strings_join(a, &guards, " "), "defined data storage outputs");
  s.skipped = "stands in a condition";
  assert_int_equal(guards_find(&s, a).n, 0);
  arena_free(a);
}
