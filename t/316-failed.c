/* 316-failed - a run that an exception ends: what is reported of its device, and when.
 * FAKE_CUDA names the fake libcuda.
 *
 * Each test has a device of its own, since what happened to a device stays with the process. The
 * fake has no context on its last one, 15: no call gets as far there as to fail.
 */
#include <stdio.h>

#include "5xx/fake_driver.h"
#include "shim.h"

static const aotigen_param none[1];
static const aotigen_site sites[] = {
    EXTERN_SITE("first", none, 11, .nparams = 0, .nodes = "mm", .aten = "aten.mm"),
    TRITON_SITE("second", none, 22, .nparams = 0, .flags = 0, .nodes = "gelu",
                .aten = "aten.gelu")};
static aotigen_model models[32];
static int nmodels;
static char stream;
static const char driver_error[] = "CUDA driver error: 700";

/* A model of its own for each test: it keeps the device that it was loaded for. */
static aotigen_model *loaded_at(const char *device, bool sync) {
  aotigen_model *m = &models[nmodels++];
  *m = MODEL(WITH(sites, sites), .check_inputs = 2,
             .device = strcmp(device, "cpu") ? "cuda" : "cpu", .sync = sync);
  assert_null(aotigen_load(m, device, NULL, NULL, NULL));
  return m;
}

static aotigen_model *loaded(const char *device) { return loaded_at(device, false); }

static void begin(aotigen_run *run, aotigen_model *m) { aotigen_run_begin(run, m, 0, &stream); }

static void launch(aotigen_run *run, uint32_t site) {
  run->launch++;
  assert_null(aotigen_before(run, site, NULL, 0));
  assert_null(aotigen_after(run, site, NULL, 0));
}

/* Returns what it wrote. Its result is put into *message, if that is not NULL. */
static char *failed(aotigen_run *run, const char *what, const char **message) {
  const char *got;
  capture(2);
  got = aotigen_run_failed(run, what);
  if (message) *message = got;
  return captured(2);
}

static void assert_silent(aotigen_run *run, const char *what) {
  const char *message;
  char *written = failed(run, what, &message);
  assert_null(message);
  assert_string_equal(written, "");
  free(written);
}

/* The exception is none of the device's: only the last launch is named. */
static void assert_between(aotigen_run *run, const char *what) {
  const char *message;
  char said[200], *written = failed(run, what, &message);
  snprintf(said, sizeof said,
           "aotigen: run %d failed after launch 1 (first)\n"
           "  error         %s\n  last launch   1: first, launched at model.cpp:11, in run_impl\n",
           (int)run->number, what);
  assert_non_null(message);
  assert_string_equal(written, said);
  free(written);
}

BEFORE_EACH { assert_int_equal(fake_open(), 0); }

AFTER_EACH {
  environment("AOTIGEN_ON_FAULT", NULL);
  environment("CUDA_LAUNCH_BLOCKING", NULL);
  environment("CUDA_ENABLE_COREDUMP_ON_EXCEPTION", NULL);
  fake_capture(NULL, 0);
  assert_rules_kept();
}

TEST(nothing_known) {
  aotigen_run run, other;
  begin(&run, loaded("cpu"));
  launch(&run, 0);
  assert_between(&run, "some torch error");
  aotigen_run_end(&run, 1);
  aotigen_model *m = loaded("cuda:1");
  begin(&run, m);
  launch(&run, 0);
  int asked = fake_count("cuStreamQuery"), waited = fake_count("cuStreamSynchronize");
  assert_between(&run, "some torch error");
  aotigen_run_end(&run, 1);
  begin(&run, m);
  launch(&run, 0);
  fake_fail("cuStreamQuery", 1, 600); /* the device is at work */
  assert_between(&run, "some torch error");
  assert_int_equal(fake_count("cuStreamQuery"), asked + 2);
  assert_int_equal(fake_count("cuStreamSynchronize"), waited);
  aotigen_run_end(&run, 1);
  m = &models[nmodels++];
  *m = MODEL(.abi = AOTIGEN_ABI + 1, .device = "cuda");
  capture(2);
  begin(&other, m);
  free(captured(2));
  assert_silent(&other, driver_error);
  aotigen_run_end(&other, 1);
}

TEST(only_torch_has_met_it) {
  aotigen_run run, next;
  const char *message;
  char head[100], line[400];
  aotigen_model *m = loaded_at("cuda:2", true);
  begin(&run, m);
  launch(&run, 0);
  launch(&run, 1);
  fake_fail("cuStreamQuery", 1, 700);
  char *written = failed(&run, driver_error, &message);
  assert_non_null(message);
  snprintf(head, sizeof head, "aotigen: device error in run %d, seen at launch 2: second\n",
           (int)run.number);
  assert_int_equal(strncmp(written, head, strlen(head)), 0);
  assert_has(written, "  source nodes  gelu\n  ATen ops      aten.gelu\n  model line    not known: "
                      "'aotigen --exported=FILE' tells it; torch.export.save() writes FILE\n"
                      "  launched at   "
                      "model.cpp:22, in run_impl\n");
  assert_has(written, "  error         'cuStreamQuery' on device 'cuda:2': an illegal memory "
                      "access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS, 700)\n");
  snprintf(line, sizeof line,
           "%.*s, 'cuStreamQuery' on device 'cuda:2': an illegal memory access was encountered "
           "(CUDA_ERROR_ILLEGAL_ADDRESS, 700); the full report is on stderr\n"
           "  torch said    CUDA driver error: 700\n",
           (int)strlen(head) - 1, head);
  assert_string_equal(message, line);
  free(written);
  assert_silent(&run, driver_error);
  aotigen_run_end(&run, 1);
  /* From then on it is known without asking. */
  int asked = fake_count("cuStreamQuery"), pushed = fake_count("cuCtxPushCurrent_v2");
  begin(&next, m);
  written = failed(&next, driver_error, &message);
  assert_has(written, "seen before its first launch\n  error ");
  assert_non_null(message);
  free(written);
  assert_int_equal(fake_count("cuStreamQuery"), asked);
  assert_int_equal(fake_count("cuCtxPushCurrent_v2"), pushed);
  aotigen_run_end(&next, 1);
}

/* A lost context gives its error to the first call. */
TEST(dead_on_entering) {
  aotigen_run run;
  aotigen_model *m = loaded_at("cuda:3", true);
  begin(&run, m);
  launch(&run, 0);
  fake_fail("cuStreamIsCapturing", 1, 700);
  assert_has_freed(failed(&run, driver_error, NULL), "seen at launch 1: first\n");
  aotigen_run_end(&run, 1);
}

TEST(a_report_of_ours) {
  aotigen_run run, part;
  const char *message;
  aotigen_model *m = loaded("cuda:4");
  begin(&run, m);
  launch(&run, 0);
  int asked = fake_count("cuStreamQuery");
  assert_silent(&run, "aotigen: guard failed in run 1, launch 1: first\n");
  assert_int_equal(fake_count("cuStreamQuery"), asked);
  aotigen_run_begin(&part, m, 0, &stream);
  fake_fail("cuStreamQuery", 1, 700);
  free(failed(&part, driver_error, &message));
  assert_non_null(message);
  aotigen_run_end(&part, 1);
  assert_silent(&run, message);
  aotigen_run_end(&run, 1);
}

/* While the driver writes a core dump, not even a launch that was waited for is surely the one. */
static const char doubt[] = "\n  or            a launch before it: while the driver writes a core ";

/* Within a launch the error is that launch's, if all those before it were waited for. */
static void within_a_launch(const char *device, bool sync, bool unseen, const char *says) {
  aotigen_run run;
  aotigen_model *m = loaded_at(device, sync);
  begin(&run, m);
  if (unseen)
    run.unseen = ++run.launch;
  else
    launch(&run, 0);
  run.launch++;
  assert_null(aotigen_before(&run, 1, NULL, 0));
  fake_fail("cuStreamQuery", 1, 700);
  char *written = failed(&run, driver_error, NULL);
  assert_has(written, says);
  if (getenv("CUDA_ENABLE_COREDUMP_ON_EXCEPTION"))
    assert_has(written, doubt);
  else
    assert_lacks(written, "or            a launch before it");
  free(written);
  aotigen_run_end(&run, 1);
}

TEST(where_each_launch_is_waited_for) {
  environment("CUDA_ENABLE_COREDUMP_ON_EXCEPTION", "1");
  within_a_launch("cuda:5", true, false, ", launch 2: second\n");
  environment("CUDA_ENABLE_COREDUMP_ON_EXCEPTION", NULL);
  within_a_launch("cuda:11", true, true, ", seen at launch 2: second\n");
  within_a_launch("cuda:12", false, false,
                  ", launch 2: second\n"); /* on record: the first one was over */
  environment("CUDA_LAUNCH_BLOCKING", "1");
  within_a_launch("cuda:13", false, true, ", launch 2: second\n");
}

TEST(a_launch_left_out) {
  aotigen_run run;
  aotigen_model *m = loaded_at("cuda:6", true);
  begin(&run, m);
  launch(&run, 0);
  run.unseen = ++run.launch;
  fake_fail("cuStreamQuery", 1, 700);
  as_expected(failed(&run, driver_error, NULL));
  aotigen_run_end(&run, 1);
}

TEST(a_stream_in_capture) {
  aotigen_run run;
  begin(&run, loaded("cuda:7"));
  launch(&run, 0);
  int asked = fake_count("cuStreamQuery");
  fake_capture(&stream, 1);
  assert_between(&run, "operation not permitted when stream is capturing");
  assert_int_equal(fake_count("cuStreamQuery"), asked);
  aotigen_run_end(&run, 1);
}

TEST(only_reported) {
  aotigen_run run;
  const char *message;
  environment("AOTIGEN_ON_FAULT", "report");
  aotigen_model *m = loaded_at("cuda:8", true);
  begin(&run, m);
  launch(&run, 0);
  fake_fail("cuStreamQuery", 1, 700);
  char *written = failed(&run, driver_error, &message);
  assert_null(message);
  assert_has(written, "aotigen: device error");
  free(written);
  assert_silent(&run, driver_error);
  aotigen_run_end(&run, 1);
}

/* The wait after a launch has reported it: torch's own exception afterwards adds nothing. */
TEST(told_by_the_wait) {
  aotigen_run run;
  environment("AOTIGEN_ON_FAULT", "report");
  environment("CUDA_ENABLE_COREDUMP_ON_EXCEPTION", "1");
  aotigen_model *m = loaded_at("cuda:9", true);
  begin(&run, m);
  fake_fail("cuStreamSynchronize", 1, 700);
  capture(2);
  launch(&run, 0);
  as_expected(captured(2));
  assert_silent(&run, driver_error);
  aotigen_run_end(&run, 1);
}

TEST(a_long_story) {
  aotigen_run run;
  const char *message;
  char what[3000];
  memset(what, 'x', sizeof what);
  memcpy(what, "first line\nsecond %s", 20);
  what[sizeof what - 1] = 0;
  begin(&run, loaded("cuda:10"));
  launch(&run, 0);
  fake_fail("cuStreamQuery", 1, 700);
  free(failed(&run, what, &message));
  assert_has(message, what);
  aotigen_run_end(&run, 1);
}
