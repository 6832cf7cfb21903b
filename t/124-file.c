/* 124-file.c - paths, small files, and lists of strings. */
#include "base/file.h"
#include "machine.h"
#include <errno.h>

TEST(a_path_has_a_directory_and_a_name) {
  machine *m = *state;
  static const char *const rows[][3] = {{"a/b/c", "a/b", "c"}, {"/c", "/", "c"}, {"c", ".", "c"},
                                        {"a/", "a", ""},       {"", ".", ""},    {"//c", "/", "c"},
                                        {"/a/b", "/a", "b"},   {"./c", ".", "c"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char dir[16];
    assert_string_equal(file_dir(m->a, rows[i][0]), rows[i][1]);
    assert_string_equal(file_name(rows[i][0]), rows[i][2]);
    file_copy_dir(dir, sizeof dir, rows[i][0]);
    assert_string_equal(dir, rows[i][1]);
  }
}

TEST(directories_are_made_with_those_above) {
  machine *m = *state;
  const char *path = machine_path(m, "x/y/z");
  assert_false(file_is_dir(path));
  assert_true(file_make_dirs(path, 0700));
  assert_true(file_is_dir(path));
  assert_true(file_make_dirs(path, 0700));
  assert_false(file_make_dirs(machine_file(m, "file", "text"), 0700));
  assert_int_equal(errno, ENOTDIR);
  assert_false(file_make_dirs(machine_path(m, "file/z"), 0700));
  assert_int_equal(errno, ENOTDIR);
  assert_false(file_make_dirs("/proc/self/fd/no/such", 0700)); /* the first of the two */
  assert_int_equal(errno, ENOENT);
  char *huge = arena_alloc(m->a, 10000);
  memset(huge, 'a', 9999);
  assert_false(file_make_dirs(huge, 0700));
  assert_int_equal(errno, ENAMETOOLONG);
  assert_false(file_make_dirs("", 0700));
}

TEST(a_file_is_read_up_to_its_limit) {
  machine *m = *state;
  const char *path = machine_file(m, "file", "text");
  strbuf t = {0};
  assert_true(file_read(path, 4, &t));
  assert_string_equal(t.at, "text");
  strbuf_free(&t);
  assert_false(file_read(path, 3, &t));
  assert_null(t.at);
  assert_false(file_read(m->dir, 100, &t));
  assert_false(file_read("/dev/zero", 100, &t));
  assert_false(file_read(machine_path(m, "gone"), 100, &t));
}

TEST(a_string_is_found_in_a_list) {
  machine *m = *state;
  static const char *const list[] = {"a", "b", NULL};
  strings s = {0};
  assert_false(strings_has(&s, "a"));
  *arena_push(m->a, &s) = "a";
  assert_true(strings_has(&s, "a") && !strings_has(&s, "") && !strings_has(&s, "aa"));
  assert_int_equal(strings_index(list, "b"), 1);
  assert_int_equal(strings_index(list, "c"), -1);
}
