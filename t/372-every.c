/* 372-every - AOTIGEN_EVERY=N: one of N runs of a model is checked, the others take the plain
 * path. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../runtime/state/model_state.h"
#include "nan_launches.h"

static const char *const variables[] = {"AOTIGEN_EVERY", "AOTIGEN_RUNS", "AOTIGEN_KERNELS"};

static void clear_variables(void) {
  for (int i = 0; i < 3; i++) environment(variables[i], NULL);
}

/* A run in which launch 1 makes a NaN: its number if it was reported, else 0. */
static uint64_t bad_run(void) {
  char part[64];
  begin_captured();
  launch_log(NAN);
  launch_mm(NAN);
  const uint64_t number = run.number;
  char *text = end();
  snprintf(part, sizeof part, "aotigen: NaN born in run %llu, launch 1: cpp_fused_log",
           (unsigned long long)number);
  const bool reported = *text;
  if (reported) assert_has(text, part);
  free(text);
  return reported ? number : 0;
}

TEST(one_run_of_n) {
  aotigen_model other = model;
  uint64_t first = 0;
  environment("AOTIGEN_EVERY", "3");
  for (uint64_t i = 0; i < 7; i++) {
    const uint64_t number = bad_run();
    if (!i) first = number;
    assert_int_equal(number, i % 3 ? 0 : first + 2 * i);
    /* Each model has a count of its own; its runs have numbers of the process. */
    aotigen_model mine = model;
    model = other;
    assert_int_equal(bad_run(), i % 3 ? 0 : first + 2 * i + 1);
    other = model;
    model = mine;
  }
  clear_variables();
}

TEST(without_it_each_run) {
  environment("AOTIGEN_EVERY", "1");
  for (int i = 0; i < 3; i++) assert_true(bad_run());
  clear_variables();
}

/* Of the runs that AOTIGEN_RUNS selects. */
TEST(of_selected_runs) {
  char list[64];
  uint64_t first = bad_run();
  snprintf(list, sizeof list, "%llu-", (unsigned long long)first + 3);
  environment("AOTIGEN_RUNS", list);
  environment("AOTIGEN_EVERY", "2");
  for (uint64_t i = 1; i < 8; i++) assert_int_equal(bad_run(), i >= 3 && i % 2 ? first + i : 0);
  clear_variables();
}

TEST(constant_folding_is_none_of_them) {
  aotigen_run fold;
  environment("AOTIGEN_EVERY", "2");
  assert_true(bad_run());
  for (int i = 0; i < 3; i++) {
    aotigen_run_begin(&fold, &model, 1, NULL);
    assert_true(fold.wanted[LOG]);
    aotigen_run_end(&fold, 0);
  }
  assert_false(bad_run());
  assert_true(bad_run());
  clear_variables();
}

/* The ArrayRef interface's function is a part of the run: it draws no number. */
TEST(a_part_of_an_unchecked_run) {
  aotigen_run part;
  environment("AOTIGEN_EVERY", "2");
  assert_true(bad_run());
  begin();
  run.launch = 2;
  aotigen_run_begin(&part, &model, 0, NULL);
  assert_int_equal(part.number, run.number);
  assert_false(part.wanted[LOG]);
  part.launch++;
  aotigen_run_end(&part, 0);
  assert_int_equal(run.launch, 3);
  aotigen_run_end(&run, 0);
  assert_true(bad_run());
  clear_variables();
}

/* Another model's run within it, as of an operator that runs one. */
TEST(a_run_within_an_unchecked_one) {
  aotigen_model other = model;
  aotigen_run inner;
  environment("AOTIGEN_EVERY", "2");
  assert_true(bad_run());
  begin();
  aotigen_run_begin(&inner, &other, 0, NULL);
  assert_true(inner.wanted[LOG]);
  aotigen_run_end(&inner, 0);
  assert_null(aotigen_grid("K", 1u << 31, 1, 1));
  aotigen_run_end(&run, 0);
  clear_variables();
}

/* Such a run looks at nothing: neither its inputs nor its weights, and guards no memory. */
TEST(what_an_unchecked_run_leaves_out) {
  static const aotigen_buffer buffers[] = {{.name = "buf0"}};
  aotigen_memory memory;
  const void *none[] = {NULL};
  aotigen_value w[] = {{.kind = AOTIGEN_V_HANDLE}};
  model.check_inputs = 3;
  model.guard = AOTIGEN_GUARD_CANARY | AOTIGEN_GUARD_INPUTS | AOTIGEN_GUARD_WEIGHTS;
  model.buffers = buffers;
  model.nbuffers = 1;
  environment("AOTIGEN_EVERY", "2");
  for (int i = 0; i < 2; i++) {
    capture(2);
    aotigen_run_begin(&run, &model, 0, NULL);
    aotigen_check_inputs(&run, none);
    assert_int_equal(!aotigen_inputs_owned(&run), i);
    assert_int_equal(!aotigen_check_weights(&run, w, 1), i);
    assert_int_equal(aotigen_has_copies(&run, 0), !i);
    assert_int_equal(aotigen_has_copies(&run, 1), !i);
    if (i) assert_int_equal(aotigen_allocate(&run, 0, b0, &memory), 0);
    char *text = end();
    assert_int_equal(!*text, i);
    free(text);
  }
  clear_variables();
}

/* What a run knows of weights it does not take from a run that was not checked. */
TEST(weights_that_change_meanwhile) {
  environment("AOTIGEN_EVERY", "3");
  for (int i = 0; i < 7; i++) {
    if (i == 2) FLOATS(weight)[3] = NAN;
    if (i == 5) FLOATS(weight)[3] = 0;
    begin_captured();
    launch_log(0);
    launch_mm(i >= 2 && i < 5 ? NAN : 0);
    char *text = end();
    if (i == 3)
      assert_has(text, " with the weight 'a.weight', read by launch 2: aoti_torch_cpu_mm_out\n");
    else
      assert_string_equal(text, "");
    free(text);
  }
  clear_variables();
}

enum { THREADS = 4, RUNS = 50, EVERY = 10 };

static void *run_many(void *of) {
  fake *in = fake_new("float32", 2, 3, -1), *out = fake_new("float32", 2, 3, -1);
  atomic_int *checked = of;
  for (int i = 0; i < RUNS; i++) {
    aotigen_run r;
    aotigen_run_begin(&r, &model, 0, NULL);
    if (r.wanted[LOG]) atomic_fetch_add(checked, 1);
    aotigen_run_end(&r, 0);
  }
  fake_free(in);
  fake_free(out);
  return NULL;
}

TEST(threads) {
  pthread_t t[THREADS];
  atomic_int checked = 0;
  environment("AOTIGEN_EVERY", "10");
  for (int i = 0; i < THREADS; i++) pthread_create(&t[i], NULL, run_many, &checked);
  for (int i = 0; i < THREADS; i++) pthread_join(t[i], NULL);
  assert_int_equal(checked, THREADS * RUNS / EVERY);
  clear_variables();
}

/* A crash is named with the run, which has no line of its own in the log. */
TEST(a_crash_in_an_unchecked_run) {
  environment("AOTIGEN_EVERY", "2");
  begin_log();
  capture(2);
  pid_t child = fork();
  if (!child) {
    for (int i = 0; i < 2; i++) {
      begin();
      launch_log(0);
      if (!i) aotigen_run_end(&run, 0);
    }
    char number[64];
    snprintf(number, sizeof number, "number %llu\n", (unsigned long long)run.number);
    if (write(2, number, strlen(number)) < 0) _exit(9);
    abort();
  }
  waitpid(child, NULL, 0);
  char *text = captured_of(2, child), *at = strstr(text, "number "), part[96];
  char *log = end_log();
  assert_non_null(at);
  const unsigned long long number = strtoull(at + 7, NULL, 10);
  snprintf(part, sizeof part,
           "SIGABRT in run %llu, at or after launch 1, which the filter leaves out", number);
  assert_has(text, part);
  assert_has(log, "\"run over\""); /* the one before */
  free(text);
  free(log);
  clear_variables();
}

/* The launches of all such runs are counted, for whoever asks what was looked at. */
TEST(launches_that_are_left_out) {
  environment("AOTIGEN_EVERY", "4");
  begin_log();
  capture(2);
  pid_t child = fork();
  if (!child) {
    for (int i = 0; i < 6; i++) {
      begin();
      launch_log(0);
      launch_mm(0);
      aotigen_run_end(&run, 0);
    }
    exit(0);
  }
  waitpid(child, NULL, 0);
  free(captured_of(2, child));
  assert_has_freed(end_log(), "\"launches\":12,\"count\":8}");
  clear_variables();
}
