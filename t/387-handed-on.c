/* 387-handed-on - level 1: what a launch reads as the one before it has written it is one more name
 * of that file, and is not read again. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shim.h"

static const aotigen_param writes[] = {FLOAT32("buf0", AOTIGEN_OUT)};
static const aotigen_param reads[] = {FLOAT32("buf0", AOTIGEN_IN)};
static const aotigen_param changes[] = {FLOAT32("buf0", AOTIGEN_INOUT)};
static const aotigen_param may_change[] = {
    {.name = "buf0", .role = AOTIGEN_IN, .dtype = "float32", .flags = AOTIGEN_MAYBE_WRITTEN}};
enum { WRITES, READS, CHANGES, MAY_CHANGE, PROXY, LIBRARY, COLLECTIVE };
static const aotigen_site sites[] = {CPU_SITE("W", writes, 1),
                                     CPU_SITE("R", reads, 2),
                                     CPU_SITE("C", changes, 3),
                                     EXTERN_SITE("M", may_change, 4),
                                     PROXY_SITE("P", writes, 5),
                                     EXTERN_SITE("L", writes, 6, .flags = AOTIGEN_OF_LIBRARY),
                                     EXTERN_SITE("A", writes, 7, .flags = AOTIGEN_COLLECTIVE)};
static aotigen_model model;
static aotigen_run run;
static char dir[512];
static fake *buffer, *other;

enum { ALL = 40000 };

BEFORE_EACH {
  model = MODEL(.printer = 1, .device = fake_device(), WITH(sites, sites));
  assert_non_null(mkdtemp(temporary(dir, sizeof dir)));
  environment("AOTIGEN_OUTPUT_DIR", dir);
  environment("AOTIGEN_SAVE_FORMAT", "npy");
  buffer = fake_new("float32", ALL, -1);
  other = fake_new("float32", ALL, -1);
  aotigen_run_begin(&run, &model, 0, NULL);
}

AFTER_EACH {
  char path[1024];
  aotigen_run_end(&run, 0);
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
  fake_free(buffer);
  fake_free(other);
}

static void launch(int at, const fake *f) {
  const aotigen_value v[] = {handle(f)};
  run.launch++;
  assert_null(aotigen_before(&run, (uint32_t)at, v, 1));
  assert_null(aotigen_after(&run, (uint32_t)at, NULL, 0));
  ag_async_saver_settle(); /* the fake device copies late */
}

static const char *name_of(uint64_t number, const char *rest) {
  static char name[700];
  snprintf(name, sizeof name, "%s/run%04llu_launch%06llu_%s_buf0.npy", dir,
           (unsigned long long)run.number, (unsigned long long)number, rest);
  return name;
}

static float element_of(const char *name, int i) {
  float x;
  int fd = open(name, O_RDONLY);
  if (fd < 0) fail_msg("no '%s'", name);
  assert_int_equal(pread(fd, &x, sizeof x, 128 + i * (off_t)sizeof x), sizeof x);
  close(fd);
  return x;
}

/* Whether the launch reads its buffer, which is changed before it as nothing tells. */
static bool is_read_by(int at) {
  char rest[32];
  snprintf(rest, sizeof rest, "1_before_%s", sites[at].kernel);
  const float before = FLOATS(buffer)[7];
  FLOATS(buffer)[7] = before + 1;
  launch(at, buffer);
  const float saved = element_of(name_of(run.launch, rest), 7);
  assert_true(saved == before || saved == before + 1);
  return saved != before;
}

/* ---- tests ---------------------------------------------------------------------------------- */

TEST(the_next_launch) {
  struct stat a, b;
  launch(WRITES, buffer);
  assert_false(is_read_by(READS));
  assert_false(stat(name_of(run.launch - 1, "2_after_W"), &a));
  assert_false(stat(name_of(run.launch, "1_before_R"), &b));
  assert_int_equal(a.st_ino, b.st_ino);
  launch(CHANGES, buffer);
  assert_false(is_read_by(READS));
}

TEST(not_the_one_behind_it) {
  launch(WRITES, buffer);
  launch(WRITES, other);
  assert_true(is_read_by(READS));
  launch(WRITES, buffer);
  run.launch++; /* one that the filters leave out */
  assert_true(is_read_by(READS));
  launch(WRITES, buffer);
  launch(READS, buffer);
  assert_true(is_read_by(READS));
}

TEST(not_where_it_is_changed) {
  launch(WRITES, buffer);
  assert_true(is_read_by(CHANGES));
  launch(WRITES, buffer);
  assert_true(is_read_by(MAY_CHANGE));
}

/* Their work may go on after they have returned. */
TEST(not_behind_operators_of_others) {
  launch(PROXY, buffer);
  assert_true(is_read_by(READS));
  launch(LIBRARY, buffer);
  assert_true(is_read_by(READS));
}

TEST(not_in_another_form) {
  launch(WRITES, buffer);
  buffer->ndim = 2;
  buffer->sizes[0] = 2;
  buffer->sizes[1] = ALL / 2;
  buffer->strides[0] = ALL / 2;
  buffer->strides[1] = 1;
  assert_true(is_read_by(READS));
}

TEST(not_in_another_run) {
  launch(WRITES, buffer);
  aotigen_run_end(&run, 0);
  aotigen_run_begin(&run, &model, 0, NULL);
  run.launch = 1;
  assert_true(is_read_by(READS));
}

TEST(a_file_that_is_no_more) {
  launch(WRITES, buffer);
  assert_false(unlink(name_of(run.launch, "2_after_W")));
  assert_true(is_read_by(READS));
}
