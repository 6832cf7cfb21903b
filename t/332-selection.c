/* 332-selection - filters that select nothing are said, once a model, with the nearest names. */
#include <sys/wait.h>
#include <unistd.h>

#include "shared/nearest.h"
#include "../runtime/base/settings.h"
#include "shim.h"

static const aotigen_param params[] = {FLOAT32("buf0", AOTIGEN_OUT)};
static const aotigen_site sites[] = {
    CPU_SITE("cpp_fused_gelu_0", params, 1, .flags = 0, .nodes = "gelu", .aten = "aten.gelu"),
    EXTERN_SITE("aoti_torch_cpu_mm_out", params, 2, .nodes = "linear", .aten = "aten.mm"),
    CPU_SITE("cpp_fused_gelu_1", params, 3, .flags = 0, .nodes = "gelu_1", .aten = "aten.gelu")};
static aotigen_model models[32];
static int nmodels, printer;

static aotigen_model *new_model(const char *kernels) {
  aotigen_model *m = &models[nmodels++];
  *m = MODEL(WITH(sites, sites), .check_inputs = 2, .printer = printer, .kernels = kernels);
  return m;
}

static const char *const variables[] = {"AOTIGEN_KERNELS", "AOTIGEN_LAUNCHES", "AOTIGEN_RUNS"};

AFTER_EACH {
  for (int i = 0; i < 3; i++) environment(variables[i], NULL);
}

/* Launches sites 0 to n - 1. */
static void run_model(aotigen_model *m, uint32_t n) {
  aotigen_run run;
  fake *out = fake_new("float32", 4, -1);
  const aotigen_value v[] = {handle(out)};
  aotigen_run_begin(&run, m, 0, NULL);
  for (uint32_t i = 0; i < n; i++) {
    run.launch++;
    if (!run.wanted[i]) continue;
    assert_null(aotigen_before(&run, i, v, 1));
    assert_null(aotigen_after(&run, i, NULL, 0));
  }
  aotigen_run_end(&run, 0);
  fake_free(out);
}

/* Compares what is said when the model is loaded and run three times. */
static void says(const char *built, const char *name, const char *value, const char *text) {
  aotigen_model *m = new_model(built);
  if (name) environment(name, value);
  capture(2);
  assert_null(aotigen_load(m, "cpu", NULL, NULL, NULL));
  for (int i = 0; i < 3; i++) run_model(m, 3);
  assert_equal_freed(without_runs(captured(2)), text);
  if (name) environment(name, NULL);
}

TEST(patterns) {
  says("", NULL, NULL, "");
  says("gelu", NULL, NULL, "");
  says("gelu,nothing", NULL, NULL, "");
  says("gelo", NULL, NULL,
       "aotigen: warning: --kernels='gelo', given when building, selects none of the 3 sites of "
       "model.cpp: no launch of it is checked; nearest to 'gelo': 'gelu', 'gelu_1', 'aten.gelu'\n");
  says("", "AOTIGEN_KERNELS", "cpp_fused_gelu",
       "aotigen: warning: AOTIGEN_KERNELS='cpp_fused_gelu' selects none of the 3 sites of "
       "model.cpp: no launch of it is checked; nearest to 'cpp_fused_gelu': 'cpp_fused_gelu_0', "
       "'cpp_fused_gelu_1'\n");
  says("", "AOTIGEN_KERNELS", "LINAER,xyzzyplugh",
       "aotigen: warning: AOTIGEN_KERNELS='LINAER,xyzzyplugh' selects none of the 3 sites of "
       "model.cpp: no launch of it is checked; nearest to 'LINAER': 'linear'\n");
  says("", "AOTIGEN_KERNELS", "!*",
       "aotigen: warning: AOTIGEN_KERNELS='!*' selects none of the 3 sites of model.cpp: no "
       "launch of it is checked\n");
  says(
      "gelu", "AOTIGEN_KERNELS", "mm",
      "aotigen: warning: AOTIGEN_KERNELS='mm' and --kernels='gelu', given when building, select no "
      "site of model.cpp together: no launch of it is checked\n");
}

TEST(launches) {
  says("", "AOTIGEN_LAUNCHES", "3", "");
  says("", "AOTIGEN_LAUNCHES", "0",
       "aotigen: warning: AOTIGEN_LAUNCHES=0 selects none of the 3 launches of run N of model.cpp: "
       "nothing of it is checked\n");
  printer = 1; /* the inputs of the model are printed */
  says("", "AOTIGEN_LAUNCHES", "0", "");
  printer = 0;
  says("", "AOTIGEN_LAUNCHES", "70-80,90-",
       "aotigen: warning: AOTIGEN_LAUNCHES=70-80,90- selects none of the 3 launches of run N of "
       "model.cpp: nothing of it is checked\n");
  says("mm", "AOTIGEN_LAUNCHES", "1,3",
       "aotigen: warning: AOTIGEN_LAUNCHES=1,3 and the filter of kernels together select none of "
       "the 3 launches of run N of model.cpp: nothing of it is checked\n");
}

/* A branch that the run does not take. */
TEST(sites_that_are_not_launched) {
  aotigen_model *m = new_model("gelu_1"), *other = new_model("gelu_1");
  capture(2);
  run_model(m, 3);
  run_model(m, 2);
  run_model(other, 2);
  run_model(other, 3);
  assert_equal_freed(without_runs(captured(2)),
                     "aotigen: warning: the filter of kernels selects none of the 2 launches "
                     "of run N of model.cpp: nothing of it is checked\n");
}

/* An exception may have kept the run from them. */
TEST(a_run_that_throws) {
  aotigen_run run;
  environment("AOTIGEN_LAUNCHES", "2");
  capture(2);
  aotigen_run_begin(&run, new_model(""), 0, NULL);
  run.launch = 1;
  aotigen_run_end(&run, 1);
  assert_equal_freed(captured(2), "");
}

TEST(runs) {
  for (int selected = 0; selected < 2; selected++) {
    environment("AOTIGEN_RUNS", selected ? "1-" : "4000-4001,5000-");
    capture(2);
    pid_t child = fork();
    if (!child) {
      aotigen_model *m = new_model("");
      for (int i = 0; i < 3; i++) run_model(m, 3);
      exit(0);
    }
    waitpid(child, NULL, 0);
    assert_equal_freed(captured_of(2, child),
                       selected ? ""
                                : "aotigen: warning: AOTIGEN_RUNS=4000-4001,5000- selected "
                                  "none of the 3 runs of model.cpp: nothing of it was "
                                  "checked\n");
  }
}

/* What the filters left out of all runs is an event at the end. */
TEST(launches_that_are_left_out) {
  static const struct {
    const char *built, *variable, *value, *logged;
  } rows[] = {{"gelu", "AOTIGEN_RUNS", "1-", "\"launches\":9,\"count\":3}"},
              {"", "AOTIGEN_LAUNCHES", "3", "\"launches\":9,\"count\":6}"},
              {"", "AOTIGEN_RUNS", "4000-4001", "\"launches\":9,\"count\":9}"},
              {"", "AOTIGEN_RUNS", "1-", NULL}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    environment(rows[i].variable, rows[i].value);
    capture(2);
    begin_log();
    pid_t child = fork();
    if (!child) {
      aotigen_model *m = new_model(rows[i].built);
      for (int k = 0; k < 3; k++) run_model(m, 3);
      exit(0);
    }
    waitpid(child, NULL, 0);
    char *log = end_log(), *event = strstr(log, "\"event\":\"left_out\"");
    free(captured_of(2, child));
    if (rows[i].logged)
      assert_true(event && strstr(event, rows[i].logged));
    else
      assert_null(event);
    free(log);
    environment(rows[i].variable, NULL);
  }
}

TEST(nearest) {
  static const char *const names[] = {"gelu", "GELU", "softmax", "cpp_fused_softmax_gelu_3", "mm"};
  ag_nearest s;
  ag_nearest_begin(&s, "*sotfmax?", 9);
  assert_string_equal(s.pattern, "sotfmax");
  for (int i = 0; i < 5; i++) ag_nearest_add(&s, names[i], strlen(names[i]));
  assert_int_equal(s.count, 2);
  assert_string_equal(s.best[0].name, "softmax");
  assert_int_equal(s.distance, 2);
  assert_string_equal(s.best[1].name, "cpp_fused_softmax_gelu_3");
  ag_nearest_begin(&s, "gelu", 4);
  for (int i = 0; i < 5; i++) ag_nearest_add(&s, names[i], strlen(names[i]));
  assert_int_equal(s.count, 2); /* the second is the same name */
  ag_nearest_begin_word(&s, "gleu", 4);
  for (int i = 0; i < 5; i++) ag_nearest_add(&s, names[i], strlen(names[i]));
  assert_int_equal(s.count, 1); /* not the one that has it as a part */
  assert_string_equal(s.best[0].name, "gelu");
  assert_int_equal(s.distance, 1); /* two letters are exchanged */
  ag_nearest_begin(&s, "*", 1);
  ag_nearest_add(&s, "gelu", 4);
  assert_int_equal(s.count, 0);
}
