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

BEFORE_EACH { root = unit_tempdir(); }

AFTER_EACH { unit_remove(root); }

TEST(without_files_there_is_none) {
  assert_true(memory_limit_find_below(root) == UINT64_MAX);
  put("proc/self/cgroup", "");
  assert_true(memory_limit_find_below(root) == UINT64_MAX);
  put("proc/self/cgroup", "0\n0:\n:::\n0::a\n7:memory:\n1:name=systemd:/a\n0::/a\n");
  put("sys/fs/cgroup/a/memory.max", "max\n");
  put("sys/fs/cgroup/memory.max", "");
  assert_true(memory_limit_find_below(root) == UINT64_MAX);
}

TEST(the_least_of_all_groups_counts) {
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

TEST(version_1_has_its_own_files) {
  put("proc/self/cgroup", "5:cpu,memory_other:/a\n4:cpuset,memory:/a\n0::/");
  put("sys/fs/cgroup/memory.max", "50000\n");
  put("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "9223372036854771712\n");
  assert_int_equal(memory_limit_find_below(root), 50000);
  put("sys/fs/cgroup/memory/memory.limit_in_bytes", "40000\n");
  assert_int_equal(memory_limit_find_below(root), 40000);
}
