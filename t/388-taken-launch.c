/* 388-taken-launch - AOTIGEN_TAKE_LAUNCH: the memory of a launch before it and after it, in which
 * what overlaps lies together, and the numbers that it is given. */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shim.h"

static const aotigen_param params[] = {FLOAT32("whole", AOTIGEN_IN),
                                       FLOAT32("part", AOTIGEN_OUT),
                                       FLOAT32("apart", AOTIGEN_IN),
                                       FLOAT32("none", AOTIGEN_OUT),
                                       {.name = "n", .role = AOTIGEN_IN, .kind = AOTIGEN_SCALAR},
                                       {.name = "x", .role = AOTIGEN_IN, .kind = AOTIGEN_SCALAR}};
static const aotigen_site sites[] = {CPU_SITE("cpp_fused_add_0", params, 11, .number = 1),
                                     EXTERN_SITE("aoti_torch_cpu_mm_out", params, 12, .number = 2)};

static aotigen_model model;
static aotigen_run run;
static fake *whole, *part, *apart, *none;
static char dir[256];

BEFORE_EACH {
  model = MODEL(WITH(sites, sites), .nan_asserts = 1);
  assert_non_null(mkdtemp(temporary(dir, sizeof dir)));
  environment("AOTIGEN_OUTPUT_DIR", dir);
  whole = fake_new("float32", 4, 6, -1);
  part = fake_new("float32", 2, 3, -1);
  apart = fake_new("float32", 5, -1);
  none = fake_new("float32", 0, -1);
  for (int i = 0; i < 24; i++) FLOATS(whole)[i] = (float)i;
  /* every second row of `whole`, without its first column */
  free(part->storage);
  part->storage = whole->storage;
  part->storage_size = whole->storage_size;
  part->offset = 1;
  part->data = FLOATS(whole) + 1;
  part->strides[0] = 12;
}

AFTER_EACH {
  part->storage = NULL;
  fake *all[] = {whole, part, apart, none};
  for (int i = 0; i < 4; i++) fake_free(all[i]);
  environment("AOTIGEN_OUTPUT_DIR", NULL);
  environment("AOTIGEN_TAKE_LAUNCH", NULL);
  char command[300];
  snprintf(command, sizeof command, "rm -r '%s'", dir);
  assert_int_equal(system(command), 0);
}

/* A run of two launches, in a child: a process takes one launch, of its first run. */
static void run_with(const char *launch, bool returns) {
  const aotigen_value x = {.kind = AOTIGEN_V_FLOAT, .v.f = 1.25};
  const pid_t child = fork();
  int status;
  if (!child) {
    environment("AOTIGEN_TAKE_LAUNCH", launch);
    const aotigen_value values[] = {handle(whole), handle(part), handle(apart),
                                    handle(none),  integer(-7),  x};
    aotigen_run_begin(&run, &model, 0, NULL);
    for (uint32_t i = 0; i < 2; i++) {
      ++run.launch;
      assert_null(aotigen_before(&run, i, values, 6));
      FLOATS(part)[0] = 100;
      if (returns) assert_null(aotigen_after(&run, i, NULL, 0));
    }
    aotigen_run_end(&run, 0);
    _exit(0);
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
}

/* The number of bytes of a file there; -1: it is not there. */
static int read_taken(const char *name, void *to, size_t room) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s", dir, name);
  const int fd = open(path, O_RDONLY);
  if (fd < 0) return -1;
  const ssize_t n = read(fd, to, room);
  close(fd);
  return (int)n;
}

static int find_number(const char *text, const char *behind) {
  const char *at = strstr(text, behind);
  assert_non_null(at);
  return atoi(at + strlen(behind));
}

TEST(what_overlaps_lies_in_one_memory) {
  char text[4096] = "", name[64];
  float before[32], after[32];
  run_with("1", true);
  assert_true(read_taken("launch.json", text, sizeof text - 1) > 0);
  assert_has(text, "\"is_cpu\":true");
  assert_has(text, "\"kernel\":\"cpp_fused_add_0\"");
  assert_int_equal(count(text, "\"place\":"), 2);
  const int memory = find_number(text,
                                 "{\"name\":\"whole\",\"kind\":\"tensor\",\"dtype\":\"float32\","
                                 "\"memory\":");
  char expected[256];
  snprintf(expected, sizeof expected,
           "{\"name\":\"part\",\"kind\":\"tensor\",\"dtype\":\"float32\",\"memory\":%d,"
           "\"offset\":4,\"sizes\":[2,3],\"strides\":[12,1],\"written\":true}",
           memory);
  assert_has(text, expected);
  assert_has(text, "{\"name\":\"none\",\"kind\":\"tensor\",\"dtype\":\"float32\",\"memory\":-1,");
  assert_has(text, "{\"name\":\"n\",\"kind\":\"int\",\"bits\":\"fffffffffffffff9\"}");
  assert_has(text, "{\"name\":\"x\",\"kind\":\"float\",\"bits\":\"3ff4000000000000\"}");

  snprintf(name, sizeof name, "memory%d.before", memory);
  assert_int_equal(read_taken(name, before, sizeof before), 96);
  for (int i = 0; i < 24; i++) assert_true(before[i] == (float)i);
  snprintf(name, sizeof name, "memory%d.after", memory);
  assert_int_equal(read_taken(name, after, sizeof after), 96);
  assert_true(after[0] == 0 && after[1] == 100 && after[2] == 2 && after[23] == 23);
  snprintf(name, sizeof name, "memory%d.after", 1 - memory);
  assert_int_equal(read_taken(name, after, sizeof after), -1); /* it is only read */
  assert_int_equal(read_taken("after", after, 1), 0);
}

TEST(a_launch_of_a_model_whose_levels_are_off_is_taken) {
  char text[4096] = "";
  model.nan_asserts = 0;
  run_with("1", true);
  assert_true(read_taken("launch.json", text, sizeof text - 1) > 0);
  assert_int_equal(read_taken("after", text, 1), 0);
}

TEST(a_launch_that_does_not_return_has_its_memory_before_it) {
  char text[4096] = "";
  run_with("1", false);
  assert_true(read_taken("launch.json", text, sizeof text - 1) > 0);
  assert_int_equal(read_taken("before", text, 1), 0);
  assert_int_equal(read_taken("after", text, 1), -1);
}

TEST(a_view_of_a_much_larger_storage_is_taken_alone) {
  char text[4096] = "";
  whole->storage_size = part->storage_size = 1 << 20; /* which is not there to be read */
  run_with("1", true);
  assert_true(read_taken("launch.json", text, sizeof text - 1) > 0);
  assert_has(text, "{\"bytes\":96,");
}

TEST(an_operator_is_named_and_not_taken) {
  char text[4096] = "";
  run_with("2", true);
  assert_true(read_taken("launch.json", text, sizeof text - 1) > 0);
  assert_has(text, "\"is_cpu\":false");
  assert_has(text, "\"kernel\":\"aoti_torch_cpu_mm_out\"");
  assert_lacks(text, "\"args\"");
}

TEST(a_launch_that_is_not_made_leaves_nothing) {
  char text[64];
  run_with("3", true);
  assert_int_equal(read_taken("launch.json", text, sizeof text), -1);
}

TEST(memory_that_is_not_known_is_not_taken) {
  char text[4096] = "";
  apart->layout = FAKE_MKDNN;
  run_with("1", true);
  assert_true(read_taken("launch.json", text, sizeof text - 1) > 0);
  assert_has(text, "\"argument\":\"apart\",\"lack\":\"its memory is not known\"");
}
