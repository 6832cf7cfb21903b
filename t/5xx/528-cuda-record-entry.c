/* 528-cuda-record-entry - what an exception that leaves an entry point of the model becomes, and
 * that neither a device that hangs nor one that is well holds it up. */
#include <math.h>
#include <pthread.h>

#include "5xx/lagging.h"
#include "base/thread.h"
#include "launch/async_run.h"

enum { SOON = 500 * 1000, BOUND = 5 * 1000 * 1000 }; /* microseconds; the second against hanging */

/* As capture() and captured(), which would wait for the evaluator. */
static int own_stderr, redirected;

static void redirect(void) {
  char name[512];
  redirected = mkstemp(temporary(name, sizeof name));
  unlink(name);
  own_stderr = dup(STDERR_FILENO);
  dup2(redirected, STDERR_FILENO);
}

static char *written_so_far(void) {
  char *text = calloc(1, 16000);
  ssize_t n = pread(redirected, text, 15999, 0);
  dup2(own_stderr, STDERR_FILENO);
  close(own_stderr);
  close(redirected);
  assert_true(n >= 0);
  return text;
}

/* The message, and what was written to stderr meanwhile in *written, which is the test's to free.
 */
static const char *failed(const char *what, char **written) {
  redirect();
  const char *message = aotigen_entry_failed(&model, what);
  *written = written_so_far();
  return message;
}

static void assert_unchanged(const char *what) {
  char *written;
  assert_null(failed(what, &written));
  assert_string_equal(written, "");
  free(written);
}

static void lose_device_in(const lineup *l, uint64_t launches) {
  aotigen_run run;
  begin(&run, &model, l);
  for (uint64_t i = 1; i < launches; i++) assert_null(launch(&run, l, -1, 0));
  aotigen_value v[] = {handle(l->bufs[0]), handle(l->bufs[1])};
  run.launch++;
  assert_null(aotigen_before(&run, ODD, v, 2));
  fake_death(l->stream, 0, 700);
  aotigen_after(&run, ODD, NULL, 0);
  aotigen_run_end(&run, 0);
}

/* Every exception of a model that is well goes on as it is, whatever its text. */
TEST(device_is_well) {
  lineup l = new_lineup(0);
  model = new_model(3, 0, 0);
  assert_unchanged("before any run");
  fake_late(50);
  whole_run(&model, &l, 20, 0, -1, 0);
  assert_unchanged(driver_error);
  assert_unchanged(NULL);
  assert_unchanged("");
  assert_unchanged("aotigen: guard failed in run 1, launch 1: first\n");
  aotigen_entry_deletes(&model);
}

TEST(model_on_the_cpu) {
  model = new_model(3, 0, 0);
  model.device = "cpu";
  assert_unchanged(driver_error);
  aotigen_entry_deletes(&model);
}

TEST(another_abi) {
  model = new_model(3, 0, 0);
  model.abi++;
  assert_unchanged(driver_error);
  aotigen_entry_deletes(&model);
}

/* All that had arrived is written before the function returns: a NaN of an earlier run, and its
 * path. */
TEST(what_had_arrived) {
  lineup l = new_lineup(0);
  aotigen_run run;
  model = new_model(3, 0, 0);
  for (int i = 0; i < 200; i++) {
    char head[100];
    fake_late(i % 20);
    redirect();
    begin(&run, &model, &l);
    for (int n = 1; n <= 10; n++) assert_null(launch(&run, &l, n == 5 || n == 6 ? 4 : -1, NAN));
    aotigen_run_end(&run, 0);
    fake_wait(l.stream);
    assert_null(aotigen_entry_failed(&model, "of the host's making"));
    char *written = written_so_far();
    snprintf(head, sizeof head,
             "aotigen: NaN born in run %llu, launch 5: ", (unsigned long long)run.number);
    assert_int_equal(count(written, head), 1);
    assert_int_equal(count(written, "propagated through 1 launch"), 1);
    free(written);
    ag_evaluator_settle();
  }
}

TEST(lost_device) {
  lineup l = new_lineup(0);
  char *written;
  model = new_model(3, 0, 0);
  fake_late(20);
  lose_device_in(&l, 7);
  fake_wait(l.stream);
  static const char head[] = "aotigen: device error in run 1, launch 7: triton_poi_fused_mul_1";
  /* The evaluator thread may have found it a moment before. */
  const char *message = failed(driver_error, &written);
  assert_non_null(message);
  assert_int_equal(strncmp(message, head, strlen(head)), 0);
  assert_has(message, "(CUDA_ERROR_ILLEGAL_ADDRESS, 700); the full report is on stderr\n");
  assert_has(message, "  torch said    CUDA error: an illegal memory access was encountered\n");
  free(written);
  char *copy = strdup(message);
  assert_unchanged(copy);
  /* Told once; in the text of each exception. */
  message = failed("the next one", &written);
  assert_has(message, head);
  assert_has(message, "  torch said    the next one\n");
  assert_string_equal(written, "");
  free(written);
  message = failed(NULL, &written);
  assert_has(message, "  torch said    an exception without a text\n");
  free(written);
  capture(2);
  aotigen_entry_deletes(&model);
  assert_equal_freed(captured(2), "");
  free(copy);
}

TEST(only_reported) {
  lineup l = new_lineup(0);
  environment("AOTIGEN_ON_FAULT", "report");
  model = new_model(3, 0, 0);
  fake_late(20);
  capture(2);
  lose_device_in(&l, 7);
  fake_wait(l.stream);
  assert_null(aotigen_entry_failed(&model, driver_error));
  assert_null(aotigen_entry_failed(&model, driver_error));
  char *written = captured(2);
  assert_int_equal(count(written, "aotigen: device error in run 1, launch 7: "), 1);
  assert_int_equal(count(written, "aotigen: "), 1);
  free(written);
}

/* Nothing is on record of a model that waits for each launch: its own report is the text. */
TEST(model_that_waits) {
  lineup l = new_lineup(0);
  aotigen_run run;
  char *written;
  model = new_model(3, 0, 1);
  begin(&run, &model, &l);
  assert_null(launch(&run, &l, -1, 0));
  fake_fail("cuStreamSynchronize", 1, 700);
  capture(2);
  const char *fault = NULL;
  for (int i = 0; i < 2 && !fault; i++) fault = launch(&run, &l, -1, 0);
  free(captured(2));
  assert_has(fault, "aotigen: device error in run 1, launch 2: ");
  aotigen_run_end(&run, 1);
  const char *message = failed(driver_error, &written);
  assert_non_null(message);
  assert_has(message, "aotigen: device error in run 1, launch 2: ");
  assert_has(message, "  torch said    CUDA error: an illegal memory access was encountered\n");
  assert_string_equal(written, "");
  free(written);
}

/* Only torch has seen the error, and no launch was scanned. */
TEST(lost_without_a_launch) {
  char *written;
  model = new_model(3, 0, 0);
  assert_null(aotigen_load(&model, "cuda:1", NULL, NULL, NULL));
  fake_fail("cuStreamQuery", 1, 700);
  const char *message = failed(driver_error, &written);
  assert_has(message,
             "aotigen: device error on 'cuda:1', while no recorded launch was in flight, ");
  assert_has(message, "  torch said    CUDA error: an illegal memory access was encountered\n");
  assert_int_equal(strncmp(message, written, strcspn(written, "\n")), 0);
  assert_int_equal(count(written, "aotigen: "), 1);
  free(written);
}

/* A stream that stands still is not waited for by an exception; by a deletion for a while. */
TEST(device_that_hangs) {
  static atomic_int gate;
  lineup l = new_lineup(0);
  aotigen_run run;
  model = new_model(3, 0, 0);
  fake_late(10);
  begin(&run, &model, &l);
  launch_kernel(&run, &l, STEP, l.bufs[0],
                &(kernel){.out = FLOATS(l.bufs[1]), .bad = -1, .gate = &gate}, l.bufs[1]);
  aotigen_run_end(&run, 0);
  int64_t begun = ag_time_us();
  assert_unchanged("of the host's making");
  assert_true(ag_time_us() - begun < SOON);
  begun = ag_time_us();
  aotigen_entry_deletes(&model);
  assert_true(ag_time_us() - begun < BOUND);
  atomic_store(&gate, 1);
}

/* As by the evaluator thread where it writes to a pipe that is full: the report comes later. */
TEST(another_thread_keeps_a_lock) {
  lineup l = new_lineup(0);
  char *written;
  model = new_model(3, 0, 0);
  whole_run(&model, &l, 3, 0, -1, 0);
  ag_evaluator_settle();
  ag_async_run *d = ag_async_run_all();
  assert_null(d->next);
  capture(2);
  pthread_mutex_lock(&d->eval_lock);
  fake_late(10);
  lose_device_in(&l, 7);
  fake_wait(l.stream);
  int64_t begun = ag_time_us();
  const char *message = failed(driver_error, &written);
  assert_true(ag_time_us() - begun < BOUND);
  pthread_mutex_unlock(&d->eval_lock);
  assert_has(message, "aotigen: device error on 'cuda:0', in which launch is not known yet: ");
  assert_has(message, "(CUDA_ERROR_ILLEGAL_ADDRESS, 700); the full report is on stderr\n"
                      "  torch said    CUDA error: ");
  assert_string_equal(written, "");
  free(written);
  written = captured(2);
  assert_int_equal(count(written, "aotigen: device error in run 2, launch 7: "), 1);
  free(written);
}

/* CUDA may be shut down, or the device reset, before the model is deleted: that is not a fault. */
TEST(deletion_after_a_reset) {
  lineup l = new_lineup(0);
  model = new_model(3, 0, 0);
  fake_late(10);
  whole_run(&model, &l, 5, 0, -1, 0);
  fake_wait(l.stream);
  ag_evaluator_settle();
  int asked = fake_count("cuStreamQuery");
  fake_fail("cuStreamQuery", 1, 709);
  redirect();
  aotigen_entry_deletes(&model);
  fake_fail("cuStreamQuery", 0, 0);
  assert_equal_freed(written_so_far(), "");
  assert_int_equal(fake_count("cuStreamQuery"), asked);
}

typedef struct busy {
  pthread_t thread;
  lineup l;
  atomic_bool ends;
  atomic_int runs; /* that are over */
} busy;

static void *be_busy(void *of) {
  busy *b = of;
  for (; !atomic_load(&b->ends); atomic_fetch_add(&b->runs, 1))
    whole_run(&model, &b->l, 30, 0, -1, 0);
  return NULL;
}

/* Another thread goes on with the model: its runs are not waited for. */
TEST(beside_a_busy_thread) {
  busy b = {.l = new_lineup(1)};
  model = new_model(3, 0, 0);
  fake_late(20);
  assert_int_equal(pthread_create(&b.thread, NULL, be_busy, &b), 0);
  AWAIT(atomic_load(&b.runs) > 0);
  int64_t begun = ag_time_us();
  for (int i = 0; i < 50; i++) assert_unchanged("of the host's making");
  assert_true(ag_time_us() - begun < BOUND);
  atomic_store(&b.ends, true);
  pthread_join(b.thread, NULL);
}
