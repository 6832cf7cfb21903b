/* 303-settings - the environment: which values are taken, and which are named once and ignored. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../runtime/base/settings.h"
#include "shared/variables.h"
#include "shim.h"

/* Stands in for libc's: in a process with the rights of another user there are no variables. */
static bool is_secure;
char *secure_getenv(const char *name) { return is_secure ? NULL : getenv(name); }

static void clear(void) {
  for (int i = 0; i < VARIABLES; i++) unsetenv(variable_name((enum variable)i));
  ag_settings_reload();
}

BEFORE_EACH {
  is_secure = false;
  clear();
}

AFTER_EACH { clear(); }

TEST(defaults) {
  const ag_settings *s = ag_settings_get();
  char dir[64];
  snprintf(dir, sizeof dir, "./aotigen-%ld", (long)getpid());
  assert_string_equal(s->kernels, "");
  assert_string_equal(s->output_dir, dir);
  assert_null(s->log);
  assert_null(s->explain);
  assert_int_equal(s->on_fault, AG_FAULT_DEFAULT);
  assert_int_equal(s->save_format, AG_SAVE_PT);
  assert_false(s->blocking || s->stacks);
  assert_true(ag_number_list_has(&s->launches, 1) && ag_number_list_has(&s->runs, 0));
}

TEST(lists) {
  environment("AOTIGEN_LAUNCHES", " 7, 3 - 5 ,10-");
  const ag_number_list *l = &ag_settings_get()->launches;
  static const int in[] = {3, 4, 5, 7, 10, 1000000}, out[] = {0, 1, 2, 6, 8, 9};
  for (int i = 0; i < 6; i++) assert_true(ag_number_list_has(l, (uint64_t)in[i]));
  for (int i = 0; i < 6; i++) assert_false(ag_number_list_has(l, (uint64_t)out[i]));
}

TEST(malformed) {
  static const char *const bad[] = {
      "x", "1-2-3", "5-3", ",", "1,", "-4", "1 2", "99999999999999999999999", "1,x"};
  char expected[256];
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    capture(2);
    environment("AOTIGEN_RUNS", bad[i]);
    bool all = ag_number_list_has(&ag_settings_get()->runs, 77);
    char *text = captured(2);
    snprintf(expected, sizeof expected,
             "aotigen: ignoring AOTIGEN_RUNS='%s': expected numbers and ranges such as 7,3-9,5-\n",
             bad[i]);
    assert_string_equal(text, expected);
    assert_true(all);
    free(text);
  }
}

TEST(intervals) {
  static const char *const bad[] = {"0", "x", "-1", "1x", "all", "99999999999999999999999"};
  char expected[128];
  assert_int_equal(ag_settings_get()->every, 1);
  environment("AOTIGEN_EVERY", "20");
  assert_int_equal(ag_settings_get()->every, 20);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    capture(2);
    environment("AOTIGEN_EVERY", bad[i]);
    snprintf(expected, sizeof expected,
             "aotigen: ignoring AOTIGEN_EVERY='%s': expected a number from 1 on\n", bad[i]);
    assert_equal_freed(captured(2), expected);
    assert_int_equal(ag_settings_get()->every, 1);
  }
  environment("AOTIGEN_EVERY", NULL);
}

/* What is wrong, and where. */
TEST(limits) {
  static const char *const good[] = {"|out| < 1e4", " OUT0>=-1.5e-3 ; output 12 <= +.5;",
                                     "|output 3|<=0;out>1.;"};
  static const char *const bad[][2] = {
      {"x < 1", "out, or out0 for the first output at character 1"},
      {"out", "<, <=, > or >= at character 4"},
      {"outer < 1", "an output's number, or a comparison at character 4"},
      {"|out < 1", "| at character 6"},
      {"out = 1", "<, <=, > or >= at character 5"},
      {"|out| > 1", "< or <= behind |...| at character 7"},
      {"|out| < -1", "a number from 0 on, of an absolute value at character 9"},
      {"out < inf", "a number such as 1e4 or -0.5 at character 7"},
      {"out < 0x10", "; or the end at character 8"},
      {"out < 1e999", "a number that a double can have at character 7"},
      {"out < 1 2", "; or the end at character 9"},
      {"out < 1;;out > 2", "out, or out0 for the first output at character 9"},
      {"out99999999999999999999 < 1", "a smaller number of an output at character 9"}};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    capture(2);
    environment("AOTIGEN_WATCH_LIMITS", good[i]);
    assert_equal_freed(captured(2), "");
    assert_string_equal(ag_settings_get()->watch_limits, good[i]);
  }
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char expected[300];
    capture(2);
    environment("AOTIGEN_WATCH_LIMITS", bad[i][0]);
    snprintf(expected, sizeof expected,
             "aotigen: ignoring AOTIGEN_WATCH_LIMITS='%s': expected %s, as in '|out| < 1e4; out1 "
             ">= 0'\n",
             bad[i][0], bad[i][1]);
    assert_equal_freed(captured(2), expected);
    assert_null(ag_settings_get()->watch_limits);
  }
  environment("AOTIGEN_WATCH_LIMITS", "");
  assert_null(ag_settings_get()->watch_limits);
  environment("AOTIGEN_WATCH_LIMITS", NULL);
}

TEST(misspelt) {
  setenv("AOTIGEN_RUN", "2", 1);
  setenv("AOTIGEN_REQUIRE_", "2", 1);
  for (int i = 0; i < 2; i++) {
    capture(2);
    is_secure = i;
    ag_settings_reload();
    char *text = captured(2);
    assert_string_equal(text, i ? ""
                                : "aotigen: ignoring AOTIGEN_RUN: it has no meaning; the nearest "
                                  "that has is AOTIGEN_RUNS\n");
    free(text);
  }
  unsetenv("AOTIGEN_RUN");
  unsetenv("AOTIGEN_REQUIRE_");
}

TEST(words) {
  environment("AOTIGEN_ON_FAULT", "Throw");
  assert_int_equal(ag_settings_get()->on_fault, AG_FAULT_THROW);
  environment("AOTIGEN_ON_FAULT", "report");
  assert_int_equal(ag_settings_get()->on_fault, AG_FAULT_REPORT);
  environment("AOTIGEN_SAVE_FORMAT", "npy");
  assert_int_equal(ag_settings_get()->save_format, AG_SAVE_NPY);
  capture(2);
  environment("AOTIGEN_ON_FAULT", "explode");
  char *text = captured(2);
  assert_string_equal(text,
                      "aotigen: ignoring AOTIGEN_ON_FAULT='explode': expected throw, report or "
                      "diagnose\n");
  assert_int_equal(ag_settings_get()->on_fault, AG_FAULT_DEFAULT);
  free(text);
}

/* An exclusion of nothing would exclude nothing in silence. */
TEST(patterns) {
  environment("AOTIGEN_KERNELS", "gelu, !softmax");
  assert_string_equal(ag_settings_get()->kernels, "gelu, !softmax");
  capture(2);
  environment("AOTIGEN_KERNELS", "gelu,! ");
  char *text = captured(2);
  assert_string_equal(text,
                      "aotigen: ignoring AOTIGEN_KERNELS='gelu,! ': expected patterns such as "
                      "gelu,*mm* or !softmax\n");
  assert_string_equal(ag_settings_get()->kernels, "");
  free(text);
}

TEST(file_names) {
  char name[64];
  environment("RANK", "3");
  environment("AOTIGEN_LOG", "/tmp/%r-%p-%%p");
  snprintf(name, sizeof name, "/tmp/3-%ld-%%p", (long)getpid());
  assert_string_equal(ag_settings_get()->log, name);
  char host[256] = "", expected[300];
  gethostname(host, sizeof host - 1);
  environment("AOTIGEN_CAPSULE", "/tmp/%h.capsule");
  snprintf(expected, sizeof expected, "/tmp/%s.capsule", host);
  assert_string_equal(ag_settings_get()->capsule, expected);
  environment("AOTIGEN_CAPSULE", NULL);
  environment("AOTIGEN_LOG", "");
  assert_null(ag_settings_get()->log);
}

TEST(tables) {
  static const char *const off[] = {NULL, "", "0"};
  for (int i = 0; i < 3; i++) {
    environment("AOTIGEN_TIME", off[i]);
    assert_null(ag_settings_get()->time);
  }
  environment("AOTIGEN_TIME", "1"); /* to stderr */
  assert_string_equal(ag_settings_get()->time, "");
  environment("AOTIGEN_TIME", "/tmp/%%1");
  assert_string_equal(ag_settings_get()->time, "/tmp/%1");
  environment("AOTIGEN_TIME", NULL);
}

TEST(counts) {
  assert_int_equal(ag_settings_get()->reports, 20);
  environment("AOTIGEN_REPORTS", "7");
  assert_int_equal(ag_settings_get()->reports, 7);
  environment("AOTIGEN_REPORTS", "0");
  assert_int_equal(ag_settings_get()->reports, 0);
  environment("AOTIGEN_REPORTS", "All");
  assert_true(ag_settings_get()->reports == UINT64_MAX);
  assert_int_equal(ag_settings_get()->marks, 1);
  environment("AOTIGEN_MARKS", "all");
  assert_true(ag_settings_get()->marks == UINT64_MAX);
  static const char *const bad[] = {"-1", "few", "7x", "99999999999999999999999"};
  char expected[128];
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    capture(2);
    environment("AOTIGEN_REPORTS", bad[i]);
    char *text = captured(2);
    snprintf(expected, sizeof expected,
             "aotigen: ignoring AOTIGEN_REPORTS='%s': expected a number or all\n", bad[i]);
    assert_string_equal(text, expected);
    assert_int_equal(ag_settings_get()->reports, 20);
    free(text);
  }
}

TEST(core_dumps) {
  char name[64];
  environment("CUDA_ENABLE_COREDUMP_ON_EXCEPTION", "1");
  assert_null(ag_settings_get()->core_dump_file);
  environment("CUDA_COREDUMP_FILE", "/tmp/%p/gpu.%p");
  snprintf(name, sizeof name, "/tmp/%ld/gpu.%ld", (long)getpid(), (long)getpid());
  assert_string_equal(ag_settings_get()->core_dump_file, name);
  environment("CUDA_COREDUMP_FILE", "gpu.%h.%p");
  assert_null(ag_settings_get()->core_dump_file);
  environment("CUDA_COREDUMP_FILE", "gpu%");
  assert_null(ag_settings_get()->core_dump_file);
  environment("CUDA_COREDUMP_FILE", "gpu");
  environment("CUDA_ENABLE_COREDUMP_ON_EXCEPTION", "0");
  assert_null(ag_settings_get()->core_dump_file);
}

/* A slip of the pen makes a file of another name: it is named. */
TEST(unknown_conversions) {
  static const char *const values[][2] = {{"%x.log", "%x"}, {"%", "%"},    {"a%%%", "%"},
                                          {"%x%y", "%x"},   {"b%R", "%R"}, {"%\xc3\xa4", "%"}};
  char expected[256];
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    capture(2);
    environment("AOTIGEN_LOG", values[i][0]);
    char *text = captured(2);
    snprintf(
        expected, sizeof expected,
        "aotigen: AOTIGEN_LOG='%s': keeping '%s' as it is: only %%h, %%p, %%r and %%%% are "
        "replaced\n",
        values[i][0], values[i][1]);
    assert_string_equal(text, expected);
    const char *log = ag_settings_get()->log; /* from the root: behind this directory's name */
    assert_int_equal(*log, '/');
    assert_string_equal(strrchr(log, '/') + 1, i == 2 ? "a%%" : values[i][0]);
    free(text);
  }
}

TEST(ranks) {
  static const char *const values[][2] = {{"../../x", "_._.._x"}, {"..", "_."},
                                          {"a.b-c_1", "a.b-c_1"}, {"1 2\n3", "1_2_3"},
                                          {"\xc3\xa4", "__"},     {"", "0"}};
  char expected[64];
  environment("AOTIGEN_OUTPUT_DIR", "d/%r/e");
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    environment("RANK", values[i][0]);
    snprintf(expected, sizeof expected, "d/%s/e", values[i][1]);
    assert_string_equal(ag_settings_get()->output_dir, expected);
  }
}

TEST(flags) {
  environment("CUDA_LAUNCH_BLOCKING", "1");
  environment("TORCH_SHOW_CPP_STACKTRACES", "0");
  assert_true(ag_settings_get()->blocking);
  assert_false(ag_settings_get()->stacks);
}

TEST(runs_of_a_debug_package) {
  static const char *const bad[] = {"1", "debugger", "debug:", "debug:0", "debug:x", "debug:1x"};
  assert_int_equal(ag_settings_get()->after_crash, 0);
  environment("AOTIGEN_AFTER_CRASH", "debug");
  assert_int_equal(ag_settings_get()->after_crash, 20);
  environment("AOTIGEN_AFTER_CRASH", "debug:7");
  assert_int_equal(ag_settings_get()->after_crash, 7);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    capture(2);
    environment("AOTIGEN_AFTER_CRASH", bad[i]);
    assert_has_freed(captured(2), ": expected debug, or debug:N with the number of runs\n");
    assert_int_equal(ag_settings_get()->after_crash, 0);
  }
}

/* Its user must not choose the files that it writes. */
TEST(a_host_with_the_rights_of_another_user) {
  char dir[64];
  snprintf(dir, sizeof dir, "./aotigen-%ld", (long)getpid());
  for (int i = 0; i < VARIABLES; i++) setenv(variable_name((enum variable)i), "1", 1);
  is_secure = true;
  ag_settings_reload();
  const ag_settings *s = ag_settings_get();
  assert_string_equal(s->kernels, "");
  assert_string_equal(s->output_dir, dir);
  assert_null(s->log);
  assert_null(s->explain);
  assert_null(s->core_dump_file);
  assert_int_equal(s->launches.count + s->runs.count, 0);
  assert_int_equal(s->watchdog_us, 0);
  assert_true(s->signals && !s->memory && !s->nvtx);
  assert_false(s->blocking || s->core_dump || s->stacks || s->torch_silent);
  is_secure = false;
  ag_settings_reload();
  assert_non_null(ag_settings_get()->log);
}
