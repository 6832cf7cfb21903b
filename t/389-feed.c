/* 389-feed - AOTIGEN_FEED: what a launch wrote is replaced once it was saved, but no input or
 * weight; of a tensor with gaps what lies in them stays. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output/feed.h"
#include "shim.h"

static const aotigen_param writes[] = {FLOAT32("buf0", AOTIGEN_OUT), FLOAT32("buf1", AOTIGEN_OUT)};
static const aotigen_param reads[] = {FLOAT32("buf0", AOTIGEN_IN), FLOAT32("buf1", AOTIGEN_OUT)};
static const aotigen_site sites[] = {CPU_SITE("W", writes, 1), CPU_SITE("R", reads, 2)};
static const aotigen_input inputs[] = {{.name = "arg0_1", .ndim = -1}};
static const aotigen_weight weights[] = {{.name = "w", .fqn = "w", .dtype = "float32"}};
static aotigen_model model;
static aotigen_run run;
static char dir[512];
static fake *buffer, *part, *given;

BEFORE_EACH {
  model = MODEL(.printer = 1, .device = fake_device(), WITH(sites, sites), WITH(inputs, inputs),
                WITH(weights, weights));
  assert_non_null(mkdtemp(temporary(dir, sizeof dir)));
  environment("AOTIGEN_OUTPUT_DIR", dir);
  environment("AOTIGEN_FEED", dir);
  environment("AOTIGEN_SAVE_FORMAT", "npy");
  buffer = fake_new("float32", 4, -1);
  part = fake_new("float32", 2, 2, -1);
  given = fake_new("float32", 4, -1);
}

AFTER_EACH {
  char path[1024];
  ag_async_saver_settle();
  for (int i = 0; i < 3; i++)
    environment((const char *[]){"AOTIGEN_OUTPUT_DIR", "AOTIGEN_FEED", "AOTIGEN_SAVE_FORMAT"}[i],
                NULL);
  DIR *d = opendir(dir);
  for (struct dirent *e; d && (e = readdir(d));) {
    snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
    if (e->d_name[0] != '.') unlink(path);
  }
  if (d) closedir(d);
  rmdir(dir);
  fake *all[] = {buffer, part, given};
  for (int i = 0; i < 3; i++) fake_free(all[i]);
}

static void write_file(const char *name, const void *bytes, size_t n) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", dir, name);
  const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  assert_int_equal(write(fd, bytes, n), n);
  close(fd);
}

/* The next run is fed as these lines say. */
static void feed_next(const char *lines) {
  char name[64];
  aotigen_run_begin(&run, &model, 0, NULL);
  aotigen_run_end(&run, 0);
  snprintf(name, sizeof name, "run%04llu.feed", (unsigned long long)run.number + 1);
  write_file(name, lines, strlen(lines));
}

/* A run of two launches: W writes buffer and part, R reads the buffer. */
static void run_fed(const fake *w, const fake *v) {
  const void *handles[] = {given};
  const aotigen_value weight = handle(given), values[] = {handle(w), handle(v)};
  aotigen_run_begin(&run, &model, 0, NULL);
  aotigen_check_inputs(&run, handles);
  assert_null(aotigen_check_weights(&run, &weight, 1));
  for (uint32_t i = 0; i < 2; i++) {
    run.launch++;
    assert_null(aotigen_before(&run, i, values, 2));
    for (int k = 0; k < 4; k++) FLOATS(v)[k] = FLOATS(w)[k] + 1;
    assert_null(aotigen_after(&run, i, NULL, 0));
    ag_async_saver_settle(); /* the fake device copies late */
  }
  aotigen_run_end(&run, 0);
}

static float saved(uint64_t number, const char *rest, int i) {
  char path[1024];
  float x = -1;
  snprintf(path, sizeof path, "%s/run%04llu_launch%06llu_%s.npy", dir,
           (unsigned long long)run.number, (unsigned long long)number, rest);
  const int fd = open(path, O_RDONLY);
  if (fd < 0) fail_msg("no '%s'", path);
  assert_int_equal(pread(fd, &x, sizeof x, 128 + i * (off_t)sizeof x), sizeof x);
  close(fd);
  return x;
}

TEST(what_a_launch_wrote_is_saved_and_replaced) {
  write_file("values", (const float[]){10, 20, 30, 40}, 16);
  feed_next("1 1 float32 16 values buf0\n");
  for (int i = 0; i < 4; i++) FLOATS(buffer)[i] = (float)i;
  run_fed(buffer, part);
  assert_true(saved(1, "2_after_W_buf0", 3) == 3);
  assert_true(saved(2, "1_before_R_buf0", 3) == 40); /* not the file of the launch before */
  assert_true(FLOATS(buffer)[0] == 10 && FLOATS(buffer)[3] == 40);
  assert_true(saved(2, "2_after_R_buf1", 3) == 41);
}

TEST(a_run_without_a_list_is_not_fed) {
  for (int i = 0; i < 4; i++) FLOATS(buffer)[i] = (float)i;
  run_fed(buffer, part);
  assert_true(FLOATS(buffer)[3] == 3);
}

TEST(what_lies_between_the_elements_stays) {
  write_file("values", (const float[]){10, 20, 30, 40}, 16);
  feed_next("2 1 float32 16 values buf1\n");
  fake *gaps = fake_new("float32", 2, 4, -1);
  for (int i = 0; i < 8; i++) FLOATS(gaps)[i] = (float)-i;
  gaps->sizes[1] = 2;
  gaps->strides[1] = 2;
  run_fed(buffer, gaps);
  assert_true(FLOATS(gaps)[0] == 10 && FLOATS(gaps)[2] == 20 && FLOATS(gaps)[4] == 30 &&
              FLOATS(gaps)[6] == 40);
  assert_true(FLOATS(gaps)[5] == -5 && FLOATS(gaps)[7] == -7);
  fake_free(gaps);
}

static void refuse(const char *lines, const fake *w, const char *why) {
  feed_next(lines);
  for (int i = 0; i < 4; i++) FLOATS(w)[i] = (float)i;
  capture(2);
  run_fed(w, part);
  assert_has_freed(captured(2), why);
  assert_true(FLOATS(w)[3] == 3);
}

TEST(what_cannot_be_replaced_is_named) {
  write_file("values", (const float[]){10, 20, 30, 40}, 16);
  refuse("1 1 float32 16 values buf0\n", given,
         "'buf0' is not fed: it shares memory with an input");
  refuse("1 1 float64 16 values buf0\n", buffer, "'buf0' is not fed: it has another type");
  refuse("1 1 float32 12 values buf0\n", buffer, "it has another number of elements");
  refuse("1 1 float32 16 nothing buf0\n", buffer, "its values cannot be read");
  refuse("1 2 float32 16 values buf0\n", buffer, "the launch writes no such tensor");
  write_file("values", (const float[]){10}, 4);
  refuse("1 1 float32 16 values buf0\n", buffer, "it is too short");
}

TEST(lines_of_another_form_end_the_list) {
  static const char *const texts[] = {"",
                                      "\n",
                                      "1 1 float32 16 values\n",
                                      "1 1 float32 16 a/b buf0\n",
                                      "0 1 float32 16 values buf0\n",
                                      "1 -1 float32 16 values buf0\n",
                                      "1 1 float32 99999999999999999999 values buf0\n",
                                      "1 1 float32 16 values buf0",
                                      "1  1 float32 16 values buf0\n"};
  char text[128], *at = text;
  ag_feed_row row;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++, at = text) {
    snprintf(text, sizeof text, "%s", texts[i]);
    if (ag_feed_read_row(&at, &row)) fail_msg("'%s' is taken", texts[i]);
  }
  snprintf(text, sizeof text, "12 3 float16 8 v_1 a name\n13 1 bool 1 w b\n");
  assert_true(ag_feed_read_row(&at, &row));
  assert_int_equal(row.launch, 12);
  assert_int_equal(row.which, 3);
  assert_int_equal(row.bytes, 8);
  assert_string_equal(row.dtype, "float16");
  assert_string_equal(row.file, "v_1");
  assert_string_equal(row.argument, "a name");
  assert_true(ag_feed_read_row(&at, &row));
  assert_int_equal(row.launch, 13);
  assert_false(ag_feed_read_row(&at, &row));
}
