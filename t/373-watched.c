/* 373-watched - runs of a watch package: what is reported of their outputs, which capsules are
 * written, and what is in them. That torch.load() opens them is shown end to end. */
#include <math.h>
#include <sys/wait.h>

#include "watched.h"

static int count_freed(char *text, const char *part) {
  int n = count(text, part);
  free(text);
  return n;
}

TEST(clean_outputs_are_silent) {
  assert_equal_freed(run_once(1, 1), "");
  assert_int_equal(count_files(), 0);
  assert_false(ends_run);
}

TEST(a_bad_output_has_a_report_and_a_capsule) {
  FLOATS(out)[4] = NAN;
  FLOATS(out)[5] = -INFINITY;
  char *text = without_runs(run_once(1, 1)), *bytes;
  assert_has(text, "aotigen: NaN in output 0 of run N, of a watched model\n");
  assert_has(text, "  output        0: float32 [2, 3] on ");
  assert_has(text, "                2 bad of 6 elements: 1 NaN, 1 -Inf; the first at [1, 1] "
                   "(index 4): nan\n");
  assert_has(text, "  try next      where it was born: aotigen replay ");
  assert_int_equal(count_files(), 1);
  size_t n = read_capsule(capsule, &bytes);
  assert_memory_equal(bytes, "PK\3\4", 4);
  assert_true(has_text(bytes, n, "capsule/capsule.json"));
  const char *finding = "\"findings\":[{\"output\":0,\"nan\":1,\"pos_inf\":0,\"neg_inf\":1,"
                        "\"first\":[1,1],\"value\":\"nan\"}]";
  assert_true(has_text(bytes, n, finding));
  assert_true(has(bytes, n, out->data, 6 * sizeof(float)));
  free(bytes);
  free(text);
}

/* The model writes to its input: the capsule has what it was given. */
TEST(small_inputs_are_as_they_were_before_the_run) {
  FLOATS(out)[0] = INFINITY;
  free(run_once(12345, 67890));
  char *bytes;
  size_t n = read_capsule(capsule, &bytes);
  float before = 12345, after = 67890;
  assert_true(has(bytes, n, &before, sizeof before));
  assert_false(has(bytes, n, &after, sizeof after));
  assert_true(has_text(bytes, n, "\"kept\":\"copied\""));
  free(bytes);
}

/* What is kept is for the capsule: what is not kept is looked at, too. */
TEST(outputs_beyond_what_is_kept_are_looked_at) {
  FLOATS(out)[0] = NAN;
  const char *const names[] = {"AOTIGEN_KEEP_BYTES", "AOTIGEN_CAPSULES"};
  for (int i = 0; i < 2; i++) {
    ag_output_report_forget();
    environment(names[i], "0");
    assert_has_freed(run_once(1, 1), "aotigen: NaN in output 0 of run ");
    environment(names[i], NULL);
  }
}

/* Memory does not have the values that torch reads. */
TEST(negated_inputs_are_not_kept) {
  in->negated = true;
  FLOATS(out)[0] = NAN;
  char *text = run_once(1, 1);
  assert_has(text, "  not kept      input 0: torch negates or conjugates its elements as it reads "
                   "them: it cannot be replayed\n");
  assert_int_equal(count(text, "try next"), 0);
  free(text);
}

/* What is beyond the bytes of a run is held, however small each is. */
TEST(copies_of_a_run_are_bounded) {
  enum { INPUTS = 20, FLOATS = 8000 };
  fake *many[INPUTS];
  void *inputs[INPUTS], *outputs[] = {out};
  for (int i = 0; i < INPUTS; i++) inputs[i] = many[i] = fake_new("float32", FLOATS, -1);
  ag_watched_run *r = ag_watcher_begin("AOTInductorModelContainerRun", NULL, inputs, INPUTS, NULL);
  int copied = 0, held = 0;
  for (int i = 0; i < INPUTS; i++) copied += r->inputs.list[i].how == AG_KEPT_COPIED;
  for (int i = 0; i < INPUTS; i++) held += r->inputs.list[i].how == AG_KEPT_HELD;
  assert_int_equal(copied, (256 << 10) / (FLOATS * 4));
  assert_int_equal(held, INPUTS - copied);
  ag_watcher_end(r, outputs, 1);
  ag_watcher_drain(NULL);
  for (int i = 0; i < INPUTS; i++) fake_free(many[i]);
}

TEST(large_inputs_are_held_or_named) {
  fake_free(in);
  in = fake_new("float32", 128, 128 + 1, -1);
  FLOATS(out)[0] = NAN;
  char *bytes, second[700];
  const bool is_host = !strcmp(fake_device(), "cpu");
  const char *values = is_host ? "changed since the run began: the run had other values\n"
                               : "with the values that it has after the run\n";
  char *text = run_once(12345, 67890);
  assert_has(text, values);
  assert_has_freed(text, "  held          input 0: ");
  size_t n = read_capsule(capsule, &bytes);
  assert_true(has_text(bytes, n, "\"sizes\":[128,129],\"strides\":[129,1]"));
  assert_true(has_text(bytes, n, "\"kept\":\"held\""));
  free(bytes);
  ag_output_report_forget();
  environment("AOTIGEN_KEEP_BYTES", "1000");
  assert_has_freed(
      run_once(1, 1),
      "  not kept      input 0: it is beyond AOTIGEN_KEEP_BYTES: it cannot be replayed\n");
  snprintf(second, sizeof second, "%s.2", capsule);
  n = read_capsule(second, &bytes);
  assert_true(has_text(bytes, n, "\"kept\":\"not kept\",\"why\":\"it is beyond"));
  free(bytes);
}

/* Nobody looks for a file that no line names. */
TEST(each_capsule_has_a_line) {
  FLOATS(out)[0] = NAN;
  free(run_once(1, 1));
  for (int i = 2; i <= 4; i++) {
    char line[700];
    snprintf(line, sizeof line, "a bad value in %d runs so far; capsule %s.%d\n", i, capsule, i);
    assert_has_freed(run_once(1, 1), line);
  }
  assert_equal_freed(run_once(1, 1), "");
}

/* A shell reads what is to be typed. */
TEST(a_capsule_with_a_blank_is_quoted) {
  char odd[700], line[800];
  snprintf(odd, sizeof odd, "%s/it's one", dir);
  environment("AOTIGEN_CAPSULE", odd);
  FLOATS(out)[0] = NAN;
  snprintf(line, sizeof line, "aotigen replay '%s/it'\\''s one'\n", dir);
  assert_has_freed(run_once(1, 1), line);
}

/* A child of fork() counts its own findings, and tells the first in full. */
TEST(a_child_of_fork_has_found_nothing) {
  FLOATS(out)[0] = NAN;
  free(run_once(1, 1));
  const pid_t pid = fork();
  if (!pid) {
    char *text = run_once(1, 1);
    _exit(text && strstr(text, "1 bad of 6 elements: 1 NaN") ? 0 : 1);
  }
  int status;
  assert_int_equal(waitpid(pid, &status, 0), pid);
  assert_int_equal(status, 0);
}

/* The first ones stay; the last number is that of the newest at the 4th, 8th, ... return. */
TEST(capsules_are_bounded) {
  environment("AOTIGEN_CAPSULES", "2");
  FLOATS(out)[0] = NAN;
  char name[700], *bytes;
  for (int i = 1; i <= 9; i++) {
    char *text = without_runs(run_once((float)(1000 + i), 0));
    char again[100];
    snprintf(again, sizeof again, "; a bad value in %d runs so far; capsule ", i);
    assert_int_equal(count(text, "aotigen: NaN in output 0 of run N"), !(i & (i - 1)));
    if (i > 1 && !(i & (i - 1))) assert_has(text, again);
    free(text);
  }
  assert_int_equal(count_files(), 2);
  float first = 1001, newest = 1008;
  size_t n = read_capsule(capsule, &bytes);
  assert_true(has(bytes, n, &first, sizeof first));
  free(bytes);
  snprintf(name, sizeof name, "%s.2", capsule);
  n = read_capsule(name, &bytes);
  assert_true(has(bytes, n, &newest, sizeof newest));
  free(bytes);
}

/* A large output is read in pieces by turns on the host: one bad element is found within eight
 * runs, and then counted with all others. On a device all of it is read. */
TEST(large_outputs_are_read_in_turns) {
  const int n = 1 << 20;
  fake_free(out);
  out = fake_new("float32", n, -1);
  void *inputs[] = {in}, *outputs[] = {out};
  FLOATS(out)[3] = FLOATS(out)[n / 2 + 5000] = INFINITY;
  for (int every = 1; every <= 8; every += 7) {
    int found = 0;
    environment("AOTIGEN_EVERY", every == 1 ? NULL : "8");
    for (int i = 0; i < 8 * every; i++) {
      ag_output_report_forget();
      capture(2);
      ag_watched_run *r = ag_watcher_begin("AOTInductorModelContainerRun", NULL, inputs, 1, NULL);
      if (r) ag_watcher_end(r, outputs, 1);
      ag_watcher_drain(NULL);
      char *text = captured(2);
      if (*text) assert_has(text, "2 bad of 1048576 elements: 2 +Inf; the first at [3] (index 3)");
      found += *text != 0;
      free(text);
    }
    assert_int_equal(found, strcmp(fake_device(), "cpu") ? 8 : 2);
  }
}

/* Of another library in this process, or of an earlier process. */
TEST(no_file_of_another_is_replaced) {
  char name[700], *bytes;
  FILE *other = fopen(capsule, "wb");
  fputs("another's", other);
  fclose(other);
  FLOATS(out)[0] = NAN;
  snprintf(name, sizeof name, "  capsule       %s.2\n", capsule);
  assert_has_freed(run_once(1, 1), name);
  assert_int_equal(read_capsule(capsule, &bytes), 9);
  assert_string_equal(bytes, "another's");
  free(bytes);
}

TEST(no_capsule_is_said) {
  FLOATS(out)[0] = NAN;
  environment("AOTIGEN_CAPSULES", "0");
  assert_has_freed(run_once(1, 1), "  no capsule    AOTIGEN_CAPSULES=0\n");
  environment("AOTIGEN_CAPSULES", NULL);
  ag_output_report_forget();
  environment("AOTIGEN_CAPSULE", "/nowhere/at/all");
  assert_has_freed(run_once(1, 1),
                   "  no capsule    '/nowhere/at/all': No such file or directory\n");
  environment("AOTIGEN_CAPSULE", "/dev/null");
  ag_output_report_forget();
  assert_has_freed(run_once(1, 1),
                   "  no capsule    '/dev/null': it is there, and is no regular file\n");
  assert_int_equal(count_files(), 0);
}

static void expect_in_capsule(const char *name, const char *text) {
  char *bytes;
  size_t n = read_capsule(name, &bytes);
  if (!has_text(bytes, n, text)) fail_msg("no '%s' in the capsule", text);
  free(bytes);
}

TEST(values_beyond_a_limit) {
  const bool is_host = !strcmp(fake_device(), "cpu");
  environment("AOTIGEN_WATCH_LIMITS", "|out| < 1e4; output 0 >= -20000; out7 > 5");
  FLOATS(out)[1] = 9999;
  assert_equal_freed(run_once(1, 1),
                     "aotigen: warning: the limit 'out7 > 5' of AOTIGEN_WATCH_LIMITS applies to no "
                     "output: the model has 1, from output 0 on\n");
  assert_equal_freed(run_once(1, 1), "");
  FLOATS(out)[4] = -10000;
  FLOATS(out)[5] = 12345.5F;
  char *text = without_runs(run_once(1, 1));
  assert_has(text, "aotigen: a value beyond its limit in output 0 of run N, of a watched model\n");
  assert_has(text, is_host ? "                beyond |out| < 1e4: 2 of 6 elements; the first at "
                             "[1, 1] (index 4): -10000; the least of all is "
                           : "                beyond |out| < 1e4: the least of all is ");
  assert_has(text, "the least of all is -10000, the most 12345.5\n");
  assert_has(text, "  try next      the same inputs again: aotigen replay ");
  assert_int_equal(count(text, "beyond |"), 1);
  free(text);
  expect_in_capsule(capsule,
                    "\"findings\":[{\"output\":0,\"kind\":\"limit\",\"limit\":\"|out| < 1e4\","
                    "\"absolute\":true,\"comparison\":\"<\",\"bound\":10000,\"least\":-10000,"
                    "\"most\":12345.5");
  FLOATS(out)[4] = -20001;
  assert_has_freed(run_once(1, 1), "a value beyond a limit in 2 runs so far; capsule ");
  FLOATS(out)[0] = NAN; /* the first of this kind */
  assert_has_freed(run_once(1, 1), "1 bad of 6 elements: 1 NaN; the first at [0, 0]");
  environment("AOTIGEN_ON_FAULT", "throw");
  FLOATS(out)[0] = 0;
  free(run_once(1, 1));
  assert_true(ends_run);
}

/* Integers have limits, too; their extremes are exact. A complex number has no order. */
TEST(limits_of_other_types) {
  environment("AOTIGEN_WATCH_LIMITS", "out < 9007199254740992");
  fake *floats = out;
  out = fake_new("int64", 2, -1);
  ((int64_t *)out->data)[0] = 9007199254740991;
  assert_equal_freed(run_once(1, 1), "");
  ((int64_t *)out->data)[1] = 9007199254740992;
  assert_has_freed(run_once(1, 1), "beyond out < 9007199254740992: ");
  fake_free(out);
  out = fake_new("complex64", 2, -1);
  FLOATS(out)[0] = 1e30F;
  assert_equal_freed(run_once(1, 1), "");
  fake_free(out);
  out = floats;
}

/* On the host a piece in eight is looked at, as for NaN. */
TEST(limits_of_large_outputs) {
  const bool is_host = !strcmp(fake_device(), "cpu");
  environment("AOTIGEN_WATCH_LIMITS", "out < 100");
  fake_free(out);
  out = fake_new("float32", 1 << 20, -1);
  FLOATS(out)[3] = 100;
  int found = 0;
  for (int i = 0; i < 8; i++) {
    ag_output_report_forget();
    char *text = run_once(1, 1);
    if (is_host && *text) assert_has(text, "beyond out < 100: 1 of 1048576 elements; the first");
    found += *text != 0;
    free(text);
  }
  assert_int_equal(found, is_host ? 1 : 8);
}

TEST(dead_outputs) {
  environment("AOTIGEN_WATCH_DEAD", "3");
  for (int i = 0; i < 6; i++) { /* zeros, once in 3 runs and no more */
    char *text = without_runs(run_once(1, 1));
    if (i == 2) {
      assert_has(text, "aotigen: only zeros in output 0 of run N, of a watched model\n");
      assert_has(text, "                each element is 0, in 3 runs in a row\n");
    } else {
      assert_string_equal(text, "");
    }
    free(text);
  }
  expect_in_capsule(capsule, "[{\"output\":0,\"kind\":\"dead\",\"value\":0,\"runs\":3}]");
  for (int i = 0; i < 6; i++) { /* one value, another one in between */
    for (int k = 0; k < 6; k++) FLOATS(out)[k] = i == 2 ? 8 : 7;
    assert_int_equal(count_freed(run_once(1, 1), "only one value in output 0"), i == 5);
  }
  for (int i = 0; i < 6; i++) { /* an element that is another one */
    FLOATS(out)[0] = 1;
    assert_equal_freed(run_once(1, 1), "");
  }
}

TEST(throw_ends_the_run) {
  environment("AOTIGEN_ON_FAULT", "throw");
  free(run_once(1, 1));
  assert_false(ends_run);
  FLOATS(out)[0] = NAN;
  assert_has_freed(run_once(1, 1), "aotigen: NaN in output 0 of run ");
  assert_true(ends_run);
}

TEST(one_run_of_so_many) {
  void *inputs[] = {in};
  int watched = 0;
  environment("AOTIGEN_EVERY", "3");
  for (int i = 0; i < 9; i++) {
    ag_watched_run *r = ag_watcher_begin("AOTInductorModelContainerRun", NULL, inputs, 1, NULL);
    watched += r != NULL;
    if (r) ag_watcher_end(r, NULL, 0);
  }
  assert_int_equal(watched, 3);
}

/* More runs at a time than are kept: the further ones are not watched. */
TEST(too_many_runs_at_a_time) {
  void *inputs[] = {in}, *outputs[] = {out};
  ag_watched_run *all[1000];
  int n = 0;
  while (n < 1000 &&
         (all[n] = ag_watcher_begin("AOTInductorModelContainerRun", NULL, inputs, 1, NULL)))
    n++;
  assert_in_range(n, 8, 999);
  while (n--) assert_false(ag_watcher_end(all[n], outputs, 1));
  ag_watcher_drain(NULL);
  FLOATS(out)[0] = NAN;
  assert_has_freed(run_once(1, 1), "aotigen: NaN in output 0");
}
