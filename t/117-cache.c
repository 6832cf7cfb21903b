/* 117-cache.c - what is kept from one run to the next: where, and when it is used. */
#include "system/cache.h"
#include "base/file.h"
#include "machine.h"
#include <errno.h>

TEST(a_file_is_kept_below_the_cache) {
  machine *m = *state;
  uint64_t key = cache_key(CACHE_KEY, "a");
  assert_true(key != cache_key(CACHE_KEY, "b"));
  assert_true(cache_key(key, "b") != cache_key(CACHE_KEY, "ab"));
  assert_null(cache_path(&m->o, key, ".pch", m->a));
  m->o.env.cache = machine_path(m, "x/cache");
  const char *path = cache_path(&m->o, key, ".pch", m->a), *made = machine_file(m, "made", "x");
  assert_memory_equal(path, m->o.env.cache, strlen(m->o.env.cache));
  assert_string_equal(path + strlen(path) - 4, ".pch");
  assert_true(cache_keep(&m->o, made, path, m->a));
  assert_int_equal(access(path, R_OK), 0);
  assert_int_equal(access(made, F_OK), -1);
  m->o.env.cache = machine_file(m, "file", "");
  assert_false(cache_keep(&m->o, path, machine_path(m, "file/y"), m->a));
}

/* Keeps "content"; its name. */
static const char *kept(machine *m) {
  m->o.env.cache = machine_path(m, "own/cache");
  const char *path = cache_path(&m->o, 7, ".pch", m->a), *made = machine_file(m, "made", "content");
  assert_int_equal(chmod(made, 0666), 0);
  assert_true(cache_keep_with_sum(&m->o, made, path, m->a));
  assert_true(cache_has_with_sum(path, m->a));
  return path;
}

/* To be written in place a FIFO would wait for its reader. */
TEST(a_fifo_is_replaced) {
  machine *m = *state;
  const char *path = kept(m), *sums = arena_printf(m->a, "%s.sum", path);
  for (int i = 0; i < 2; i++) {
    const char *name = i ? sums : path;
    unlink(name);
    assert_int_equal(mkfifo(name, 0600), 0);
    assert_false(cache_has_with_sum(path, m->a));
    kept(m);
  }
}

TEST(why_a_file_cannot_be_kept_is_told) {
  machine *m = *state;
  const char *path = kept(m), *sums = arena_printf(m->a, "%s.sum", path);
  assert_false(cache_keep_with_sum(&m->o, machine_path(m, "gone"), path, m->a));
  assert_int_equal(errno, ENOENT);
  assert_false(cache_keep_with_sum(&m->o, machine_file(m, "made", ""), path, m->a));
  assert_int_equal(errno, EPERM);
  unlink(path);
  assert_int_equal(mkdir(path, 0700), 0);
  assert_false(cache_keep_with_sum(&m->o, machine_file(m, "made", "x"), path, m->a));
  assert_int_equal(errno, EISDIR);
  unlink(sums);
  assert_int_equal(mkdir(sums, 0700), 0);
  assert_false(cache_keep_with_sum(&m->o, machine_file(m, "made", "x"), path, m->a));
  assert_int_equal(errno, EISDIR);
  m->o.env.cache = machine_file(m, "file", "");
  assert_false(cache_keep_with_sum(&m->o, machine_file(m, "made", "x"), path, m->a));
  assert_int_equal(errno, ENOTDIR);
}

TEST(a_kept_file_is_checked_at_each_use) {
  machine *m = *state;
  struct stat s;
  const char *path = kept(m);
  assert_int_equal(stat(m->o.env.cache, &s), 0);
  assert_int_equal(s.st_mode & 0777, 0700);
  assert_int_equal(stat(path, &s), 0);
  assert_int_equal(s.st_mode & 0777, 0600);
  kept(m); /* once more: of two processes either may be the last */
  assert_false(cache_has_with_sum(machine_path(m, "own/cache/other.pch"), m->a));

  unit_spew(path, "contenu");
  assert_false(cache_has_with_sum(path, m->a));
  unit_spew(path, "content");
  assert_true(cache_has_with_sum(path, m->a));
  assert_int_equal(chmod(path, 0620), 0);
  assert_false(cache_has_with_sum(path, m->a));
  assert_int_equal(chmod(path, 0600), 0);
  assert_int_equal(truncate(path, 3), 0);
  assert_false(cache_has_with_sum(path, m->a));
  assert_int_equal(truncate(path, 0), 0);
  assert_false(cache_has_with_sum(path, m->a));

  path = kept(m);
  const char *away = machine_path(m, "away");
  assert_int_equal(rename(path, away), 0);
  assert_int_equal(symlink(away, path), 0);
  assert_false(cache_has_with_sum(path, m->a));
  unlink(path);
  assert_int_equal(rename(away, path), 0);
  assert_true(cache_has_with_sum(path, m->a));
  if (geteuid() == 0) {
    assert_int_equal(chown(path, 12345, 12345), 0);
    assert_false(cache_has_with_sum(path, m->a));
  }
}

TEST(a_directory_of_another_user_is_not_used) {
  machine *m = *state;
  struct stat s;
  const char *dir = machine_path(m, "theirs");
  assert_true(cache_is_own(dir, m->d));
  assert_int_equal(mkdir(dir, 0777), 0);
  assert_int_equal(chmod(dir, 0777), 0);
  assert_true(cache_is_own(dir, m->d));
  assert_int_equal(stat(dir, &s), 0);
  assert_int_equal(s.st_mode & 0777, 0700);
  if (geteuid() != 0) return;
  assert_int_equal(chown(dir, 12345, 12345), 0);
  assert_false(cache_is_own(dir, m->d));
  unit_says(m->d, "theirs: warning: belongs to another user");
}

TEST(a_directory_that_another_user_could_replace_is_not_used) {
  machine *m = *state;
  const char *below = machine_path(m, "shared/theirs/cache"), *dir = machine_path(m, "shared"),
             *theirs = machine_path(m, "shared/theirs"), *link = machine_path(m, "link");
  struct stat s;
  assert_true(file_make_dirs(below, 0700) && symlink("shared", link) == 0);
  assert_true(cache_is_own(below, m->d));
  assert_true(cache_is_own(machine_path(m, "link/theirs/cache"), m->d));
  assert_int_equal(chmod(dir, 01777), 0);
  assert_true(cache_is_own(below, m->d));
  assert_int_equal(chmod(dir, 0777), 0);
  assert_false(cache_is_own(below, m->d));
  unit_says(m->d, "could be replaced by another user, by '");
  if (geteuid() != 0) return;
  assert_int_equal(chmod(dir, 0755), 0);
  assert_int_equal(chown(theirs, 12345, 12345), 0);
  assert_false(cache_is_own(below, m->d));
  unit_says(m->d, "shared/theirs'");
  assert_int_equal(chown(theirs, 0, 0), 0);
  assert_int_equal(lchown(link, 12345, 12345), 0);
  assert_false(cache_is_own(machine_path(m, "link"), m->d));
  unit_says(m->d, "link'");
  assert_int_equal(stat(dir, &s), 0);
  assert_int_equal(s.st_mode & 0777, 0755);
}

TEST(a_sum_is_of_all_bytes) {
  char text[100];
  memset(text, 'x', sizeof text);
  for (size_t n = 1; n <= sizeof text; n++) {
    uint64_t sum = cache_sum(text, n);
    assert_true(sum != cache_sum(text, n - 1));
    for (size_t i = 0; i < n; i++) {
      text[i] = 'y';
      assert_true(sum != cache_sum(text, n));
      text[i] = 'x';
    }
  }
  memcpy(text, "01234567", 8); /* words that change places */
  memcpy(text + 32, "abcdefgh", 8);
  uint64_t sum = cache_sum(text, sizeof text);
  memcpy(text + 32, "01234567", 8);
  memcpy(text, "abcdefgh", 8);
  assert_true(sum != cache_sum(text, sizeof text));
}
