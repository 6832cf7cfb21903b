/* 386-saved-weights - level 1: a weight is read and written once, as long as nothing may have
 * written to it. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shim.h"

#define WEIGHT(n, r, ...)                                                                          \
  { .name = n, .role = r, .kind = AOTIGEN_WEIGHT, .dtype = "float32", __VA_ARGS__ }

static const aotigen_param read_only[] = {WEIGHT("w", AOTIGEN_IN), FLOAT32("buf0", AOTIGEN_OUT)};
static const aotigen_param changed[] = {WEIGHT("w", AOTIGEN_INOUT), FLOAT32("buf0", AOTIGEN_OUT)};
static const aotigen_param unknown[] = {WEIGHT("w", AOTIGEN_IN, .flags = AOTIGEN_MAYBE_WRITTEN),
                                        FLOAT32("buf0", AOTIGEN_OUT)};
static const aotigen_site site = CPU_SITE("K", read_only, 1);
static const aotigen_site writers[] = {CPU_SITE("K", read_only, 1), CPU_SITE("L", changed, 2)};
static const aotigen_site operators[] = {CPU_SITE("K", read_only, 1), PROXY_SITE("L", unknown, 2)};
static aotigen_model model;
static char dir[512];
static fake *weight, *out;
static const aotigen_value *checked; /* the weights that each run is given, or NULL */
static int link_error;               /* what the file system says to a link; 0: what it does */

/* In place of the C library's. */
int linkat(int from, const char *old, int to, const char *new, int flags) {
  if (!link_error) return (int)syscall(SYS_linkat, from, old, to, new, flags);
  errno = link_error;
  return -1;
}

enum { ALL = 70000 };

BEFORE_EACH {
  model = MODEL(.printer = 1, .device = fake_device(), .sites = &site, .nsites = 1);
  assert_non_null(mkdtemp(temporary(dir, sizeof dir)));
  environment("AOTIGEN_OUTPUT_DIR", dir);
  link_error = 0;
  weight = fake_new("float32", ALL, -1);
  out = fake_new("float32", 2, -1);
  for (int i = 0; i < ALL; i++) FLOATS(weight)[i] = (float)i;
}

AFTER_EACH {
  char path[1024];
  ag_async_saver_settle();
  environment("AOTIGEN_OUTPUT_DIR", NULL);
  environment("AOTIGEN_SAVE_FORMAT", NULL);
  DIR *d = opendir(dir);
  for (struct dirent *e; d && (e = readdir(d));) {
    snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
    if (e->d_name[0] != '.') unlink(path);
  }
  if (d) closedir(d);
  rmdir(dir);
  fake_free(weight);
  fake_free(out);
}

/* ---- what is saved -------------------------------------------------------------------------- */

/* The name of the weight's file of a run. */
static const char *name_of(uint64_t run) {
  static _Thread_local char name[700];
  snprintf(name, sizeof name, "%s/run%04llu_launch000001_1_before_K_w.npy", dir,
           (unsigned long long)run);
  return name;
}

static void launch_one(aotigen_run *run, uint32_t at) {
  const aotigen_value v[] = {handle(weight), handle(out)};
  run->launch++;
  assert_null(aotigen_before(run, at, v, 2));
  assert_null(aotigen_after(run, at, NULL, 0));
}

static bool is_power(uint64_t n) { return !(n & (n - 1)); }

/* A run with one launch, whose number is a power of two, or not. Returns the number. */
static uint64_t run_one(bool power) {
  aotigen_run run;
  environment("AOTIGEN_SAVE_FORMAT", "npy");
  for (;;) {
    aotigen_run_begin(&run, &model, 0, NULL);
    if (is_power(run.number) == power) break;
    aotigen_run_end(&run, 0);
  }
  if (checked) aotigen_check_weights(&run, checked, 1);
  launch_one(&run, 0);
  ag_async_saver_settle(); /* the fake device copies late */
  aotigen_run_end(&run, 0);
  return run.number;
}

static ino_t inode_of(uint64_t run) {
  struct stat st;
  if (stat(name_of(run), &st)) fail_msg("no '%s'", name_of(run));
  return st.st_ino;
}

/* The element of a run's file. */
static float element_of(uint64_t run, int i) {
  float x;
  int fd = open(name_of(run), O_RDONLY);
  assert_true(fd >= 0);
  assert_int_equal(pread(fd, &x, sizeof x, 128 + i * (off_t)sizeof x), sizeof x);
  close(fd);
  return x;
}

static void check_file(uint64_t run) {
  for (int i = 0; i < ALL; i += 977) assert_true(element_of(run, i) == FLOATS(weight)[i]);
}

/* Whether the weight is read in the next run: it is changed as nothing tells. */
static bool is_read(void) {
  const float before = FLOATS(weight)[5];
  FLOATS(weight)[5] = before + 100;
  const uint64_t run = run_one(false);
  const float saved = element_of(run, 5);
  assert_true(saved == before || saved == before + 100);
  return saved != before;
}

/* ---- tests ---------------------------------------------------------------------------------- */

TEST(saved_once) {
  const uint64_t first = run_one(false), second = run_one(false), third = run_one(false);
  assert_int_equal(inode_of(first), inode_of(second));
  assert_int_equal(inode_of(first), inode_of(third));
  check_file(third);
  assert_false(is_read());
}

/* What a faulty kernel writes to it is in the file of a later run. */
TEST(read_again_now_and_then) {
  const uint64_t first = run_one(false);
  assert_false(is_read());
  const uint64_t later = run_one(true);
  assert_int_not_equal(inode_of(first), inode_of(later));
  check_file(later);
  const uint64_t behind = run_one(false);
  assert_int_equal(inode_of(behind), inode_of(later));
}

/* A launch that is left out may be one that writes to a weight by another name. */
TEST(launches_that_are_left_out) {
  static const char *const filters[][2] = {
      {"AOTIGEN_LAUNCHES", "1-5"}, {"AOTIGEN_KERNELS", "K"}, {"AOTIGEN_RUNS", "1-"}};
  for (int i = 0; i < 3; i++) {
    environment(filters[i][0], filters[i][1]);
    run_one(false);
    assert_true(is_read());
    environment(filters[i][0], NULL);
  }
}

/* The wrapper's table of weights tells which memory it is. */
TEST(a_view_of_a_weight) {
  static const int64_t shape[] = {ALL}, stride[] = {1};
  static const aotigen_weight weights[] = {
      {.name = "w", .fqn = "w", .dtype = "float32", .ndim = 1, .shape = shape, .stride = stride}};
  static const aotigen_param viewed[] = {FLOAT32("w", AOTIGEN_IN), FLOAT32("buf0", AOTIGEN_OUT)};
  static const aotigen_site of_view = CPU_SITE("K", viewed, 1);
  const aotigen_value all = handle(weight);
  model.sites = &of_view;
  assert_true(run_one(false) && is_read());
  model.weights = weights;
  model.nweights = 1;
  model.check_inputs = 1;
  checked = &all;
  run_one(false);
  assert_false(is_read());
  checked = NULL;
}

TEST(weights_that_were_updated) {
  run_one(false);
  aotigen_weights_changed(&model);
  assert_true(is_read());
  assert_true(is_read());
}

TEST(a_launch_that_writes_to_a_weight) {
  model.sites = writers;
  model.nsites = 2;
  run_one(false);
  assert_true(is_read());
}

TEST(an_operator_that_may_write_to_a_weight) {
  model.sites = operators;
  model.nsites = 2;
  run_one(false);
  assert_true(is_read());
}

/* A buffer's name does not tell that it is in a weight's memory. */
TEST(a_launch_that_writes_to_a_weight_by_another_name) {
  fake *own = out, *part = fake_new("float32", 2, -1);
  void *memory = part->data;
  run_one(false);
  assert_false(is_read());
  part->data = FLOATS(weight) + 100;
  out = part;
  run_one(false);
  out = own;
  assert_true(is_read());
  part->data = memory;
  fake_free(part);
}

TEST(a_file_that_is_no_more) {
  for (int how = 0; how < 3; how++) {
    const uint64_t first = run_one(false);
    if (how == 0) assert_false(unlink(name_of(first)));
    if (how == 1) assert_false(truncate(name_of(first), 100));
    if (how == 2) assert_false(unlink(name_of(first)) || symlink("/dev/zero", name_of(first)));
    check_file(run_one(false));
  }
}

TEST(a_file_system_without_links) {
  static const int errors[] = {EMLINK, EPERM};
  capture(2);
  for (int i = 0; i < 2; i++) {
    const uint64_t first = run_one(false);
    link_error = errors[i];
    const uint64_t second = run_one(false);
    assert_int_not_equal(inode_of(first), inode_of(second));
    check_file(second);
    assert_false(is_read());
    FLOATS(weight)[5] = 5;
  }
  char *text = captured(2);
  assert_int_equal(count(text, "cannot be a hard link to it"), 1);
  free(text);
}

static void *run_some(void *numbers) {
  for (int i = 0; i < 8; i++) {
    aotigen_run run;
    aotigen_run_begin(&run, &model, 0, NULL);
    launch_one(&run, 0);
    aotigen_run_end(&run, 0);
    ((uint64_t *)numbers)[i] = run.number;
  }
  return NULL;
}

TEST(several_threads) {
  pthread_t threads[4];
  uint64_t numbers[4][8];
  environment("AOTIGEN_SAVE_FORMAT", "npy");
  for (int i = 0; i < 4; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, run_some, numbers[i]), 0);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  ag_async_saver_settle();
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 8; k++) check_file(numbers[i][k]);
}

/* The last one: it counts for all models of the library. */
TEST(weights_that_the_host_was_given) {
  run_one(false);
  aotigen_entry_end(aotigen_entry_begin(&model, "AOTInductorModelContainerGetNumConstants"), 0);
  assert_false(is_read());
  aotigen_entry_end(aotigen_entry_begin(&model, "AOTInductorModelContainerExtractConstantsMap"), 0);
  assert_true(is_read());
}
