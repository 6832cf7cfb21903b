/* 525-cuda-record-errors - calls of the driver that fail, each at any moment of async runs:
 * no report is false, and every run ends. */
#include <math.h>
#include <sys/wait.h>

#include "5xx/lagging_files.h"
#include "5xx/lagging_graph.h"

static const char *const calls[] = {"cuLaunchKernel",
                                    "cuMemHostAlloc",
                                    "cuMemHostGetDevicePointer_v2",
                                    "cuMemAlloc_v2",
                                    "cuMemsetD32Async",
                                    "cuStreamSynchronize",
                                    "cuStreamWriteValue32_v2",
                                    "cuPointerGetAttribute",
                                    "cuModuleLoadData",
                                    "cuModuleGetFunction",
                                    "cuCtxPushCurrent_v2",
                                    "cuStreamCreate",
                                    "cuStreamQuery",
                                    "cuStreamIsCapturing",
                                    "cuThreadExchangeStreamCaptureMode",
                                    "cuDeviceGet",
                                    "cuDevicePrimaryCtxRetain",
                                    "cuMemcpyDtoHAsync_v2"};

/* What runs do besides reporting; SAVING and PRINTING are levels of the printer. */
enum way { REPORTING, SAVING, PRINTING, THROWING, CAPTURED, WAYS };
static const char *const ways[WAYS] = {"reporting", "saving", "printing", "throwing", "captured"};

/* The number of times that launch 4 is named, whose output is bad; or launch 5, which read it, if
 * launch 4 was not scanned. */
static int count_named(const char *text) {
  return count(text, ", launch 4: triton_poi_fused_mul_1\n") + count(text, "before launch 5: ");
}

/* Every report is right, or there is none; 0 where all is well. Runs in a child. */
static int with_an_error(const char *call, int nth, int error) {
  lineup l = new_lineup(0);
  aotigen_run run;
  alarm(30);
  model = new_model(3, 0, 0);
  fake_late(5);
  fake_fail(call, nth, error);
  capture(2);
  for (int r = 0; r < 3; r++) {
    const char *fault = NULL;
    begin(&run, &model, &l);
    for (int i = 1; i <= 8 && !fault; i++) fault = launch(&run, &l, r && i == 4 ? 7 : -1, NAN);
    if (fault && (error != 700 || strncmp(fault, "aotigen: ", 9))) return 2;
    aotigen_run_end(&run, fault != NULL);
  }
  char *text = captured(2);
  int found = count(text, "aotigen: NaN");
  if (found > 2 || (error != 700 && found > count_named(text))) return 3;
  if (error != 700 && found < 1)
    return 4; /* one failed call costs at most the scan of one launch, in one run */
  if (error != 700 && count(text, "device error")) return 5;
  if (count(text, "aotigen: ") > found + 1 || fake_faults() || fake_depth()) return 6;
  return 0;
}

/* The same of the other levels, of throwing, and of a graph: here only that all comes to an end and
 * no launch is accused falsely. */
static int otherwise_with_an_error(const char *call, int nth, int error, enum way how) {
  lineup l = new_lineup(0);
  aotigen_run run;
  alarm(30);
  model = new_model(how == SAVING ? 0 : 3, how == SAVING || how == PRINTING ? (uint8_t)how : 0, 0);
  if (how == THROWING) environment("AOTIGEN_ON_FAULT", "throw");
  fake_late(5);
  capture(1);
  capture(2);
  if (how == CAPTURED) warm_up(&l);
  fake_fail(call, nth, error);
  for (int r = 0; r < 3; r++) {
    const char *fault = NULL;
    if (how == CAPTURED) fake_capture(l.stream, r == 0);
    begin(&run, &model, &l);
    for (int i = 1; i <= 6 && !fault; i++) fault = launch(&run, &l, i == 4 ? 7 : -1, NAN);
    if (!fault) fault = aotigen_before_outputs(&run);
    if (fault && strncmp(fault, "aotigen: ", 9)) return 2;
    aotigen_run_end(&run, fault != NULL);
    if (how == CAPTURED) fake_capture(NULL, 0);
    for (int i = 0; how == CAPTURED && i < 5; i++) fake_replay_on(l.stream);
  }
  fake_wait(l.stream);
  char *text = captured(2);
  free(captured(1));
  if (error != 700 &&
      (count(text, "aotigen: NaN") > count_named(text) || count(text, "device error")))
    return 3;
  return fake_faults() || fake_depth() ? 4 : 0;
}

/* 0 where all is well, else 1 and a message. */
static int goes_wrong(const char *call, int nth, int error, enum way how) {
  int status;
  pid_t child = fork();
  if (!child)
    _exit(how == REPORTING ? with_an_error(call, nth, error)
                           : otherwise_with_an_error(call, nth, error, how));
  waitpid(child, &status, 0);
  if (status)
    print_message("# call %d of %s fails with %d, %s: status %d, signal %d\n", nth, call, error,
                  ways[how], WEXITSTATUS(status), WTERMSIG(status));
  return status != 0;
}

/* A process each, which the sanitizers make slow. */
#ifdef __SANITIZE_ADDRESS__
enum { APART = 3 };
#else
enum { APART = 1 };
#endif

TEST(errors_at_any_moment) {
  static const int errors[] = {2, 1, 700};
  int wrong = 0;
  for (size_t c = 0; c < sizeof calls / sizeof *calls; c++)
    for (size_t e = 0; e < 3; e++)
      for (int nth = 1; nth <= 40; nth = nth < 12 ? nth + APART : nth + 9)
        wrong += goes_wrong(calls[c], nth, errors[e], REPORTING);
  assert_int_equal(wrong, 0);
}

TEST(errors_otherwise) {
  static const int errors[] = {1, 700};
  int wrong = 0;
  new_directory();
  for (size_t c = 0; c < sizeof calls / sizeof *calls; c++)
    for (int how = SAVING; how < WAYS; how++)
      for (size_t e = 0; e < 2; e++)
        for (int nth = 1; nth <= 20; nth = nth < 6 ? nth + APART : nth + 7)
          wrong += goes_wrong(calls[c], nth, errors[e], (enum way)how);
  remove_directory();
  assert_int_equal(wrong, 0);
}

/* The parts of a slot are not allocated again in each run that cannot get the rest. */
static void failing_with(const char *call) {
  lineup l = new_lineup(0);
  model = new_model(3, 0, 0);
  capture(2);
  for (int i = 0; i < 50; i++) {
    fake_fail(call, 1, 2);
    whole_run(&model, &l, 3, 0, -1, 0);
  }
  fake_fail(call, 0, 0);
  free(captured(2));
  assert_true(fake_count("cuMemHostAlloc") < 20);
}

TEST(failing_for_long) { failing_with("cuMemAlloc_v2"); }

TEST(failing_half_way) { failing_with("cuMemHostGetDevicePointer_v2"); }

/* The driver refuses a part of a graph: a message names what is not scanned, with the driver's
 * reason. */
static void a_graph_that_is_refused(const char *which, int nth_launch, const char *part) {
  lineup l = new_lineup(0);
  char expected[300];
  model = new_model(3, 0, 0);
  capture(2);
  warm_up(&l);
  fake_fail("cuLaunchKernel", nth_launch, 1);
  uint64_t number = capture_graph(&l);
  char *text = captured(2);
  snprintf(expected, sizeof expected,
           "aotigen: warning: run %d of model.cpp is being captured into a graph: %s not scanned "
           "('cuLaunchKernel' on device 'cpu': invalid argument",
           (int)number, part);
  if (!strstr(text, expected)) print_message("# %s\n", which);
  assert_has(text, expected);
  assert_int_equal(count(text, "aotigen: "), 1);
}

/* A captured run has a mark, the looks of each launch, and a mark. */
TEST(refused_at_its_beginning) { a_graph_that_is_refused("the first mark", 1, "its launches are"); }

TEST(refused_in_a_launch) { a_graph_that_is_refused("a look", 2, "one of its launches is"); }

static int launches_of_a_capture(void) {
  lineup l = new_lineup(1);
  aotigen_model m = model;
  model = new_model(3, 0, 0);
  warm_up(&l);
  int before = fake_count("cuLaunchKernel");
  capture_graph(&l);
  fake_forget_recording();
  model = m;
  return fake_count("cuLaunchKernel") - before;
}

TEST(refused_at_its_end) {
  a_graph_that_is_refused("the last mark", launches_of_a_capture(), "its launches are");
}

#ifndef __SANITIZE_ADDRESS__ /* it has its own malloc() */

/* Memory runs out in a launch, at any moment of it: then something is not scanned, and nothing else
 * happens. */
extern void *__libc_malloc(size_t bytes);
extern char __executable_start, etext;
static atomic_int mallocs_left; /* calls of the library until one fails; 0: none does */

void *malloc(size_t bytes) {
  const char *from = __builtin_return_address(0);
  bool counted = atomic_load(&mallocs_left) && from >= &__executable_start && from < &etext;
  return counted && atomic_fetch_sub(&mallocs_left, 1) == 1 ? NULL : __libc_malloc(bytes);
}

enum {
  WEIGHTS = 200
}; /* slices of as many: what is kept of them fills more than one piece of a record's memory */
static aotigen_weight many_weights[WEIGHTS];
static aotigen_param many_params[WEIGHTS + 1] = {[WEIGHTS] = FLOAT32("buf1", AOTIGEN_OUT)};
static const aotigen_site many_slices[] = {
    TRITON_SITE("triton_poi_fused_add_0", many_params, 100, .nodes = "add", .aten = "aten.add")};

static int without_memory(int nth) {
  lineup l = new_lineup(0);
  aotigen_value weights[WEIGHTS], v[WEIGHTS + 1];
  aotigen_run run;
  alarm(30);
  for (int i = 0; i < WEIGHTS; i++) {
    fake *whole = fake_new("float32", 4, 8, -1), *slice = fake_new("float32", 2, 8, -1);
    slice->data = slice->storage = whole->data;
    slice->storage_size = whole->storage_size;
    many_weights[i] = (aotigen_weight){.name = "w", .fqn = "w", .ndim = 2};
    many_params[i] = (aotigen_param){.name = "w",
                                     .python_name = "w",
                                     .role = AOTIGEN_IN,
                                     .kind = AOTIGEN_WEIGHT,
                                     .dtype = "float32"};
    weights[i] = handle(whole);
    v[i] = handle(slice);
  }
  v[WEIGHTS] = handle(l.bufs[1]);
  model = new_model(3, 0, 0);
  model.sites = many_slices;
  model.nsites = 1;
  model.weights = many_weights;
  model.nweights = WEIGHTS;
  begin(&run, &model, &l);
  if (aotigen_check_weights(&run, weights, WEIGHTS)) return 2;
  run.launch++;
  atomic_store(&mallocs_left, nth);
  const char *fault = aotigen_before(&run, 0, v, WEIGHTS + 1);
  fake_give(l.stream, run_kernel, &(kernel){.out = FLOATS(l.bufs[1]), .bad = -1}, sizeof(kernel));
  if (!fault) fault = aotigen_after(&run, 0, NULL, 0);
  atomic_store(&mallocs_left, 0);
  aotigen_run_end(&run, 0);
  ag_evaluator_settle();
  return fault || fake_faults() || fake_depth() ? 3 : 0;
}

TEST(memory_that_runs_out) {
  int wrong = 0, status;
  for (int nth = 1; nth <= 16; nth++) {
    pid_t child = fork();
    if (!child) _exit(without_memory(nth));
    waitpid(child, &status, 0);
    if (status)
      print_message("# allocation %d: status %d, signal %d\n", nth, WEXITSTATUS(status),
                    WTERMSIG(status));
    wrong += status != 0;
  }
  assert_int_equal(wrong, 0);
}

#else
TEST(memory_that_runs_out) {}
#endif
