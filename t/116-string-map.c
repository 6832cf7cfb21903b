/* 116-string-map.c - names to pointers and indices. */
#include "base/string_map.h"
#include "unit.h"

TEST(an_empty_map_has_nothing) {
  arena *a = arena_new();
  string_map *m = string_map_create(a);
  assert_int_equal(string_map_count(m), 0);
  assert_null(string_map_get(m, ""));
  assert_null(string_map_get(m, "x"));
  assert_true(string_map_index(m, "x") == STRING_MAP_NONE);
  arena_free(a);
}

TEST(the_first_value_of_a_key_stays) {
  arena *a = arena_new();
  string_map *m = string_map_create(a);
  char key[] = "buf0";
  int first = 1, second = 2;
  assert_true(string_map_put(m, "buf0", &first));
  assert_false(string_map_put(m, key, &second));
  assert_ptr_equal(string_map_get(m, key), &first);
  assert_true(string_map_put(m, "", NULL));
  assert_false(string_map_put(m, "", &first));
  assert_null(string_map_get(m, ""));
  assert_int_equal(string_map_count(m), 2);
  arena_free(a);
}

TEST(keys_are_found_after_the_map_has_grown) {
  enum { N = 100000 };
  arena *a = arena_new();
  string_map *m = string_map_create(a);
  for (size_t i = 0; i < N; i++)
    assert_true(string_map_put_index(m, arena_printf(a, "buf%zu", i), i));
  assert_int_equal(string_map_count(m), N);
  for (size_t i = 0; i < 2 * N; i++) {
    char key[32];
    snprintf(key, sizeof key, "buf%zu", i);
    assert_true(string_map_index(m, key) == (i < N ? i : STRING_MAP_NONE));
  }
  arena_free(a);
}
