/* 519-cuda-record - runs on a device that lags behind the host: the reports come later, and are
 * those of synchronous runs, for runs of any length and any number of threads.
 */
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "5xx/lagging.h"
#include "base/thread.h"

/* ---- reports -------------------------------------------------------------------------------- */

/* What the blocking mode reports for the same. */
static char *blocking_text(uint64_t n, uint64_t where, int bad, float poison) {
  aotigen_model m = new_model(3, 0, 1);
  lineup l = new_lineup(31);
  capture(2);
  whole_run(&m, &l, n, where, bad, poison);
  return without_runs(captured(2));
}

TEST(a_report_comes_later) {
  char *blocking = blocking_text(6, 3, 12, NAN);
  assert_has(blocking, "NaN born in run N, launch 3: triton_poi_fused_add_0\n");
  assert_has(blocking, "the first at [1, 2] (index 12)");
  lineup l = new_lineup(0);
  model = new_model(3, 0, 0);
  fake_late(20 * 1000);
  capture(2);
  whole_run(&model, &l, 6, 3, 12, NAN);
  assert_true(fake_busy(l.stream));
  char *text = without_runs(captured(2));
  assert_false(fake_busy(l.stream));
  assert_string_equal(text, blocking);
}

TEST(a_throw_waits) {
  aotigen_run run;
  lineup l = new_lineup(0);
  environment("AOTIGEN_ON_FAULT", "throw");
  model = new_model(3, 0, 0);
  fake_late(3000);
  capture(2);
  begin(&run, &model, &l);
  for (int i = 1; i <= 10; i++) assert_null(launch(&run, &l, i == 9 ? 7 : -1, INFINITY));
  assert_true(fake_busy(l.stream));
  const char *message = aotigen_before_outputs(&run);
  assert_non_null(message);
  assert_has(message, "Inf born in run 1, launch 9: triton_poi_fused_add_0, ");
  aotigen_run_end(&run, 1);
  char *text = captured(2);
  assert_has(text, "launch 9: triton_poi_fused_add_0\n");
  capture(2);
  whole_run(&model, &l, 10, 0, -1, 0); /* and the next one is clean */
  assert_string_equal(captured(2), "");
}

/* The last site's end never came: the run's does. */
TEST(a_throw_does_not_wait_for_a_launch_without_end) {
  aotigen_run run;
  lineup l = new_lineup(0);
  aotigen_value v[] = {handle(l.bufs[0]), handle(l.bufs[1])};
  alarm(20);
  environment("AOTIGEN_ON_FAULT", "throw");
  model = new_model(3, 0, 0);
  fake_late(300);
  capture(2);
  begin(&run, &model, &l);
  assert_null(launch(&run, &l, 7, NAN));
  run.launch++;
  assert_null(aotigen_before(&run, STEP, v, 2));
  assert_has(aotigen_before_outputs(&run), "NaN born in run 1, launch 1: ");
  aotigen_run_end(&run, 1);
  free(captured(2));
}

TEST(buffers_are_used_again) {
  lineup l = new_lineup(0);
  char *blocking = blocking_text(60, 20, 33, -INFINITY);
  model = new_model(3, 0, 0);
  fake_late(300);
  capture(2);
  whole_run(&model, &l, 60, 20, 33, -INFINITY);
  char *text = without_runs(captured(2));
  assert_has(text, "Inf born in run N, launch 20: triton_poi_fused_mul_1\n");
  assert_has(text, "the first at [3, 3] (index 33): -inf");
  assert_has(text, "clean, 19 to 19; at [3, 3]: 19\n");
  assert_string_equal(text, blocking);
}

TEST(what_is_thrown_in_between) {
  lineup l = new_lineup(0);
  aotigen_run run;
  fake *small = fake_new("float64", 4, ELEMENTS / 4, -1);
  aotigen_value wrong[] = {handle(l.bufs[0]), handle(small)},
                right[] = {handle(l.bufs[0]), handle(l.bufs[1])};
  model = new_model(3, 0, 0);
  fake_late(1000);
  for (int i = 0; i < 20; i++) { /* the guard */
    capture(2);
    begin(&run, &model, &l);
    assert_null(launch(&run, &l, 3, NAN));
    run.launch++;
    assert_has(aotigen_before(&run, STEP, wrong, 2), "guard failed");
    aotigen_run_end(&run, 1);
    char *text = captured(2);
    assert_int_equal(count(text, "NaN born in "), 1);
    assert_int_equal(count(text, "guard failed in "), 1);
    free(text);
  }
  capture(2);
  begin(&run, &model, &l); /* an exception that is not ours */
  assert_null(launch(&run, &l, 3, NAN));
  run.launch++;
  assert_null(aotigen_before(&run, STEP, right, 2));
  assert_has(aotigen_run_failed(&run, "out of memory"), "launch failed in run ");
  aotigen_run_end(&run, 1);
  assert_int_equal(count(captured(2), "aotigen: "), 2);
  capture(2);
  begin(&run, &model, &l); /* a site whose end never comes */
  for (int i = 0; i < 3000; i++) {
    run.launch++;
    assert_null(aotigen_before(&run, STEP, right, 2));
  }
  assert_null(launch(&run, &l, 3, NAN));
  aotigen_run_end(&run, 0);
  char *text = captured(2);
  assert_has(text, ", launch 3001: ");
  assert_int_equal(count(text, "aotigen: "), 1);
}

/* ---- long runs, and many -------------------------------------------------------------------- */

TEST(memory_is_bounded) {
  lineup l = new_lineup(0);
  model = new_model(3, 0, 0);
  fake_late(20);
  capture(2);
  for (int i = 0; i < 20; i++) whole_run(&model, &l, 100, 0, -1, 0);
  ag_evaluator_settle();
  int warm = allocations();
  for (int i = 0; i < 60; i++) whole_run(&model, &l, 100, 0, -1, 0);
  assert_string_equal(captured(2), "");
  assert_true(allocations() <= warm + 8); /* one more state at most: five runs may be in flight */
  assert_true(warm < 200);
}

TEST(thousands_of_launches) {
  lineup l = new_lineup(0);
  model = new_model(3, 0, 0);
  fake_late(3);
  capture(2);
  uint64_t number = whole_run(&model, &l, 6000, 5001, 5, NAN);
  whole_run(&model, &l, 3000, 0, -1, 0);
  char *text = captured(2), head[100];
  snprintf(head, sizeof head, "NaN born in run %d, launch 5001: ", (int)number);
  assert_has(text, head);
  assert_int_equal(count(text, "aotigen: "), 1);
  assert_true(allocations() < 200);
}

/* ---- threads -------------------------------------------------------------------------------- */

enum { RUNS = 30, LAUNCHES = 40, THREADS_MOST = 8 };

typedef struct worker {
  pthread_t thread;
  lineup l;
  int index;
  long tid;
  uint64_t numbers[RUNS];
} worker;

static uint64_t planned_launch(int index, int i) {
  return (uint64_t)(index * 5 + i * 3) % LAUNCHES + 1;
}

static void *work(void *of) {
  worker *w = of;
  w->tid = syscall(SYS_gettid);
  for (int i = 0; i < RUNS; i++)
    w->numbers[i] =
        whole_run(&model, &w->l, LAUNCHES, planned_launch(w->index, i), w->index * 4 + i % 4, NAN);
  return NULL;
}

static char *file_text(const char *name) {
  int fd = open(name, O_RDONLY);
  struct stat s;
  assert_true(fd >= 0 && !fstat(fd, &s));
  char *text = calloc(1, (size_t)s.st_size + 1);
  assert_int_equal(read(fd, text, (size_t)s.st_size), s.st_size);
  close(fd);
  return text;
}

/* Just one "born" of this run, with everything its own. */
static void assert_logged(const char *log, const worker *w, int i) {
  char run[40], thread[40], launch_number[40], at[60];
  int bad = w->index * 4 + i % 4, n = 0;
  snprintf(run, sizeof run, ",\"run\":%d,", (int)w->numbers[i]);
  snprintf(thread, sizeof thread, "\"thread\":%ld,", w->tid);
  snprintf(launch_number, sizeof launch_number, "\"launch\":%d,", (int)planned_launch(w->index, i));
  snprintf(at, sizeof at, "\"first_index\":[%d,%d]", bad / 10, bad % 10);
  for (const char *line = log; *line;) {
    const char *end = strchr(line, '\n');
    char *one = strndup(line, (size_t)(end - line));
    if (strstr(one, "\"born\"") && strstr(one, run)) {
      n++;
      assert_has(one, thread);
      assert_has(one, launch_number);
      assert_has(one, at);
      assert_has(one, "\"count\":1,");
    }
    free(one);
    line = end + 1;
  }
  assert_int_equal(n, 1);
}

static void many_threads(int threads) {
  worker w[THREADS_MOST];
  char name[600];
  snprintf(name, sizeof name, "%s/519-log-%d", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp",
           (int)getpid());
  environment("AOTIGEN_LOG", name);
  model = new_model(3, 0, 0);
  fake_late(10);
  capture(2);
  for (int t = 0; t < threads; t++) w[t] = (worker){.l = new_lineup(t), .index = t};
  for (int t = 0; t < threads; t++)
    assert_int_equal(pthread_create(&w[t].thread, NULL, work, &w[t]), 0);
  for (int t = 0; t < threads; t++) pthread_join(w[t].thread, NULL);
  char *text = captured(2), *log = file_text(name);
  assert_int_equal(count(text, "aotigen: "), threads * RUNS);
  for (int t = 0; t < threads; t++)
    for (int i = 0; i < RUNS; i++) assert_logged(log, &w[t], i);
  unlink(name);
}

TEST(two_threads) { many_threads(2); }

TEST(eight_threads) { many_threads(8); }

/* One thread's runs wait on the device for those of another, as with collectives: neither's start
 * may wait for the other's device. */
static atomic_int gate;

static void open_gate(void *none) {
  (void)none;
  atomic_store(&gate, 1);
}

static void *runs_that_wait(void *of) {
  const lineup *l = of;
  kernel k = {.out = FLOATS(l->bufs[1]), .bad = -1, .gate = &gate};
  for (int i = 0; i < 4; i++) {
    aotigen_run run;
    begin(&run, &model, l);
    launch_kernel(&run, l, STEP, l->bufs[0], &k, l->bufs[1]);
    aotigen_run_end(&run, 0);
  }
  return NULL;
}

TEST(threads_do_not_wait_for_each_other) {
  lineup a = new_lineup(0), b = new_lineup(1);
  pthread_t thread;
  aotigen_run run;
  model = new_model(3, 0, 0);
  fake_late(100);
  capture(2);
  assert_int_equal(pthread_create(&thread, NULL, runs_that_wait, &a), 0);
  pthread_join(thread, NULL);
  begin(&run, &model, &b);
  assert_null(launch(&run, &b, -1, 0));
  fake_give(b.stream, open_gate, "", 1);
  aotigen_run_end(&run, 0);
  assert_string_equal(captured(2), "");
}

/* Many threads that are far ahead of their devices: none has to wait for the device. */
TEST(many_threads_far_ahead) {
  enum { CROWD = 12 };
  lineup l[CROWD];
  pthread_t thread[CROWD];
  model = new_model(3, 0, 0);
  capture(2);
  fake_late(10);
  for (int i = 0; i < CROWD; i++) l[i] = new_lineup(i);
  for (int i = 0; i < CROWD; i++)
    assert_int_equal(pthread_create(&thread[i], NULL, runs_that_wait, &l[i]), 0);
  for (int i = 0; i < CROWD; i++) pthread_join(thread[i], NULL);
  open_gate(NULL);
  assert_string_equal(captured(2), "");
}

/* Checks that need no device are made also for launches that are not scanned. */
static void assert_guarded(aotigen_run *run, const lineup *l) {
  aotigen_value wrong[] = {handle(l->bufs[0]), handle(fake_new("float64", 4, ELEMENTS / 4, -1))};
  run->launch++;
  assert_has(aotigen_before(run, STEP, wrong, 2), "guard failed");
}

/* A host that lets its device go on only when it has queued more than there is room for. */
TEST(gate_with_many_runs_behind) {
  enum { QUEUED = 12 };
  lineup l = new_lineup(0);
  ag_stall_timeout_us = 30 * 1000;
  fake_late(1);
  model = new_model(3, 2, 0);
  capture(1);
  capture(2);
  runs_that_wait(&l);
  for (int i = 0; i < QUEUED; i++) whole_run(&model, &l, 3, 2, 5, NAN);
  aotigen_run run;
  begin(&run, &model, &l);
  assert_guarded(&run, &l);
  aotigen_run_end(&run, 1);
  open_gate(NULL);
  fake_wait(l.stream);
  ag_evaluator_settle();
  whole_run(&model, &l, 3, 2, 5, NAN);
  char *text = captured(2);
  assert_has(text, "aotigen: warning: run 5 of model.cpp: the device made no progress for 0 s");
  assert_int_equal(count(text, "made no progress"), 1);
  assert_int_equal(count(text, "NaN born in"), 1);
  free(captured(1));
}

static atomic_int enough;

static void *runs_till_enough(void *of) {
  while (!atomic_load(&enough)) whole_run(&model, of, 20, 0, -1, 0);
  return NULL;
}

/* An answer to other threads is no answer to the one that waits. */
TEST(gate_beside_a_busy_thread) {
  lineup l = new_lineup(0), busy = new_lineup(1);
  pthread_t thread;
  ag_stall_timeout_us = 30 * 1000;
  fake_late(1);
  model = new_model(3, 0, 0);
  capture(2);
  assert_int_equal(pthread_create(&thread, NULL, runs_till_enough, &busy), 0);
  runs_that_wait(&l);
  for (int i = 0; i < 3; i++) whole_run(&model, &l, 3, 2, 5, NAN);
  open_gate(NULL);
  atomic_store(&enough, 1);
  pthread_join(thread, NULL);
  char *text = captured(2);
  assert_int_equal(count(text, "made no progress"), 1);
  assert_int_equal(count(text, "aotigen: "), 1);
}

/* Nor where the numbers of the two are alike. */
static atomic_int is_alike; /* -1: the thread has not said it */

static void *runs_if_alike(void *of) {
  atomic_store(&is_alike, syscall(SYS_gettid) % 64 == getpid() % 64);
  return atomic_load(&is_alike) ? runs_till_enough(of) : NULL;
}

TEST(gate_beside_a_busy_thread_alike) {
  lineup l = new_lineup(0), busy = new_lineup(1);
  pthread_t threads[2000];
  int n = 0;
  alarm(20);
  ag_stall_timeout_us = 30 * 1000;
  fake_late(1);
  model = new_model(3, 0, 0);
  capture(2);
  for (bool other = true; other && n < 2000; n++) {
    atomic_store(&is_alike, -1);
    assert_int_equal(pthread_create(&threads[n], NULL, runs_if_alike, &busy), 0);
    AWAIT(atomic_load(&is_alike) >= 0);
    other = !atomic_load(&is_alike);
    if (other) pthread_join(threads[n], NULL);
  }
  runs_that_wait(&l);
  for (int i = 0; i < 3; i++) whole_run(&model, &l, 3, 2, 5, NAN);
  open_gate(NULL);
  atomic_store(&enough, 1);
  pthread_join(threads[n - 1], NULL);
  assert_int_equal(count(captured(2), "made no progress"), 1);
}

TEST(gate_with_many_launches_behind) {
  lineup l = new_lineup(0);
  kernel k = {.out = FLOATS(l.bufs[1]), .bad = -1, .gate = &gate};
  aotigen_run run;
  ag_stall_timeout_us = 30 * 1000;
  fake_late(1);
  model = new_model(3, 0, 0);
  capture(2);
  begin(&run, &model, &l);
  launch_kernel(&run, &l, STEP, l.bufs[0], &k, l.bufs[1]);
  for (int i = 2; i <= 3000; i++) assert_null(launch(&run, &l, i == 500 ? 7 : -1, NAN));
  assert_guarded(&run, &l);
  open_gate(NULL);
  fake_wait(l.stream);
  assert_null(launch(&run, &l, -1, 0));
  aotigen_run_end(&run, 0);
  char *text = captured(2);
  assert_has(text, ", launch 500: ");
  assert_int_equal(count(text, "made no progress"), 1);
  assert_int_equal(count(text, "aotigen: "), 3);
}

/* One thread that would have more runs in flight than there are slots: it waits for its own. */
TEST(more_graphs_than_slots) {
  lineup l = new_lineup(0);
  model = new_model(3, 0, 0);
  capture(2);
  for (int i = 0; i < 80; i++) {
    whole_run(&model, &l, 3, 0, -1, 0);
    fake_forget_recording();
    fake_capture(l.stream, 1);
    whole_run(&model, &l, 3, 0, -1, 0);
    fake_capture(NULL, 0);
  }
  whole_run(&model, &l, 3, 2, 4, NAN); /* no slot is left: it is scanned synchronously */
  char *text = captured(2);
  assert_int_equal(count(text, "NaN born in "), 1);
  assert_has(text, "its launches are not scanned (all asynchronous slots for graphs and runs are "
                   "in use)\n");
  assert_int_equal(count(text, "aotigen: "), 2);
}
