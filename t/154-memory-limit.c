/* 154-memory-limit.c - what a group of processes may take of the machine's memory, as the kernel's
 * files have it: in either version, of the group and those above it. */
#include "system/memory_limit.h"
#include "unit.h"

static const char *root;

/* Writes a file below the root, and makes its directories. */
static void put(const char *path, const char *text) {
  char at[1024];
  snprintf(at, sizeof at, "%s/%s", root, path);
  for (char *c = at + strlen(root) + 1; (c = strchr(c, '/')); *c++ = '/') {
    *c = '\0';
    mkdir(at, 0700);
  }
  unit_spew(at, text);
}

static int begin(void **state) {
  (void)state;
  root = unit_tempdir();
  return 0;
}

static int end(void **state) {
  (void)state;
  unit_remove(root);
  return 0;
}

static void without_files_there_is_none(void **state) {
  (void)state;
  assert_true(memory_limit_find_below(root) == UINT64_MAX);
  put("proc/self/cgroup", "");
  assert_true(memory_limit_find_below(root) == UINT64_MAX);
  put("proc/self/cgroup", "0\n0:\n:::\n0::a\n7:memory:\n1:name=systemd:/a\n0::/a\n");
  put("sys/fs/cgroup/a/memory.max", "max\n");
  put("sys/fs/cgroup/memory.max", "");
  assert_true(memory_limit_find_below(root) == UINT64_MAX);
}

static void the_least_of_all_groups_counts(void **state) {
  (void)state;
  put("proc/self/cgroup", "0::/a/b/c\n");
  put("sys/fs/cgroup/a/b/c/memory.max", "30000\n");
  assert_int_equal(memory_limit_find_below(root), 30000);
  put("sys/fs/cgroup/a/memory.max", "10000\n");
  assert_int_equal(memory_limit_find_below(root), 10000);
  put("sys/fs/cgroup/memory.max", "20000\n");
  assert_int_equal(memory_limit_find_below(root), 10000);
  put("proc/self/cgroup", "0::/of/the/host\n");
  assert_int_equal(memory_limit_find_below(root), 20000);
  put("proc/self/cgroup", "0::/\n");
  assert_int_equal(memory_limit_find_below(root), 20000);
}

static void version_1_has_its_own_files(void **state) {
  (void)state;
  put("proc/self/cgroup", "5:cpu,memory_other:/a\n4:cpuset,memory:/a\n0::/");
  put("sys/fs/cgroup/memory.max", "50000\n");
  put("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "9223372036854771712\n");
  assert_int_equal(memory_limit_find_below(root), 50000);
  put("sys/fs/cgroup/memory/memory.limit_in_bytes", "40000\n");
  assert_int_equal(memory_limit_find_below(root), 40000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(without_files_there_is_none, begin, end),
      cmocka_unit_test_setup_teardown(the_least_of_all_groups_counts, begin, end),
      cmocka_unit_test_setup_teardown(version_1_has_its_own_files, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
