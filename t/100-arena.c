/* 100-arena.c - memory and growing text. */
#include "base/arena.h"
#include "unit.h"

TEST(memory_is_zeroed_and_aligned) {
  arena *a = arena_new();
  for (size_t size = 0; size < 3000; size += 7) {
    unsigned char *p = arena_alloc(a, size);
    assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
    for (size_t i = 0; i < size; i++) assert_int_equal(p[i], 0);
    memset(p, 0xff, size);
  }
  arena_free(a);
  arena_free(NULL);
}

TEST(large_blocks_do_not_waste_small_ones) {
  arena *a = arena_new();
  char *first = arena_alloc(a, 16), *large = arena_alloc(a, 10 << 20), *second = arena_alloc(a, 16);
  large[(10 << 20) - 1] = 1;
  assert_ptr_equal(second, first + 16);
  arena_free(a);
}

TEST(strings_are_copied) {
  arena *a = arena_new();
  char buffer[] = "abc";
  char *s = arena_strdup(a, buffer), *n = arena_strndup(a, buffer, 2);
  buffer[0] = 'x';
  assert_string_equal(s, "abc");
  assert_string_equal(n, "ab");
  assert_string_equal(arena_strndup(a, NULL, 0), "");
  assert_string_equal(arena_printf(a, "%s-%d-%0200d", s, 7, 1) + 5,
                      arena_printf(a, "-%0200d", 1) + 0);
  arena_free(a);
}

TEST(a_list_grows) {
  arena *a = arena_new();
  struct {
    int *at;
    size_t n, cap;
  } list = {0};
  for (int i = 0; i < 100000; i++) *arena_push(a, &list) = i;
  assert_int_equal(list.n, 100000);
  for (int i = 0; i < 100000; i++) assert_int_equal(list.at[i], i);
  arena_free(a);
}

TEST(a_list_grows_in_its_place_where_there_is_room) {
  arena *a = arena_new();
  struct {
    struct {
      char bytes[48];
    } * at;
    size_t n, cap;
  } list = {0}, other = {0};
  for (int i = 0; i < 100; i++) memset(arena_push(a, &list), i + 1, 48);
  void *first = list.at;
  memset(arena_push(a, &list), 0, 48);
  assert_ptr_equal(list.at, first);
  char *behind = arena_alloc(a, 16);
  for (int i = 0; i < 100; i++) memset(arena_push(a, &list), i, 48);
  assert_ptr_not_equal(list.at, first);
  for (int i = 0; i < 100; i++) assert_int_equal(list.at[i].bytes[47], i + 1);
  for (int i = 0; i < 16; i++) assert_int_equal(behind[i], 0);
  for (int i = 0; i < 5000; i++) { /* two lists that grow by turns, beyond a block */
    memset(arena_push(a, &list), 1, 48);
    memset(arena_push(a, &other), 2, 48);
  }
  for (size_t i = 201; i < list.n; i++) assert_int_equal(list.at[i].bytes[0], 1);
  for (size_t i = 0; i < other.n; i++) assert_int_equal(other.at[i].bytes[47], 2);
  arena_free(a);
}

TEST(text_grows) {
  strbuf t = {0};
  strbuf_add(&t, "", 0);
  assert_string_equal(t.at, "");
  for (int i = 0; i < 1000; i++) strbuf_printf(&t, "%d,", i % 10);
  strbuf_puts(&t, "end");
  strbuf_add(&t, "\0x", 2);
  assert_int_equal(t.n, 2005);
  assert_memory_equal(t.at + 1998, "9,end\0x", 8);
  strbuf_free(&t);
  assert_null(t.at);
  strbuf_free(&t);
}
