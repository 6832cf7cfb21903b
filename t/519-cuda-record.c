/* 519-cuda-record - runs on a device that lags behind the host: what is told of them later, and what of those that end badly.
 *
 * Each test is a process of its own (519-cuda-record NAME; `list` names them), since what happens to a device stays with the process.
 * FAKE_CUDA names the fake libcuda. A test whose name begins with "exit_" ends as its main() does: the .t looks at what it said.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../runtime/desk.h"
#include "../runtime/spool.h"
#include "../runtime/thread.h"
#include "shim.h"

#define FAKES(X)                                                                                                           \
  X(void, fake_late, (int)) X(void, fake_give, (void *, void (*)(void *), const void *, size_t)) X(void, fake_wait, (void *)) \
  X(bool, fake_busy, (void *)) X(void, fake_death, (void *, int, int)) X(void, fake_capture, (void *, int))                 \
  X(void, fake_replay_on, (void *)) X(int, fake_faults, (void)) X(int, fake_count, (const char *))                          \
  X(void, fake_fail, (const char *, int, int)) X(void, fake_forget_recording, (void)) X(int, fake_depth, (void)) X(int, fake_mode, (void)) X(void, fake_push, (int)) X(void, fake_pop, (void))
#define DECLARE(type, name, parameters) static type(*name) parameters;
FAKES(DECLARE)

enum { STEP, ODD, FREE, NSITES, ELEMENTS = 40, LAG = 300 };
#define T(n, r) {.name = n, .role = r, .kind = AOTIGEN_TENSOR, .dtype = "float32"}
static const aotigen_param step_params[] = {T("buf0", AOTIGEN_IN), T("buf1", AOTIGEN_OUT)};
static const aotigen_param free_params[] = {T("buf1", AOTIGEN_IN), {.name = "n", .role = AOTIGEN_IN, .kind = AOTIGEN_SCALAR}};
static const aotigen_site sites[] = {
    [STEP] = {"run_impl", "triton_poi_fused_add_0", "add", "aten.add", step_params, 100, 2, AOTIGEN_TRITON, AOTIGEN_KERNEL},
    [ODD] = {"run_impl", "triton_poi_fused_mul_1", "mul", "aten.mul", step_params, 200, 2, AOTIGEN_TRITON, AOTIGEN_KERNEL},
    [FREE] = {"run_impl", "aoti_torch_cuda_check", "check", "aten.check", free_params, 300, 2, AOTIGEN_EXTERN, 0}};

/* ---- the device's side -------------------------------------------------------------------------------------------- */

/* What a kernel of the model does: fills its output, and spoils one element of it. */
typedef struct kernel {
  float *out;
  float value, poison;
  int bad;                     /* -1: none */
  const atomic_int *gate;      /* until it is set the stream stands still */
  const atomic_int *bad_now;   /* of a graph: in place of `bad`, read on each replay */
} kernel;

static void run_kernel(void *of) {
  const kernel *k = of;
  while (k->gate && !atomic_load(k->gate)) usleep(50);
  int bad = k->bad_now ? atomic_load(k->bad_now) : k->bad;
  for (int i = 0; i < ELEMENTS; i++) k->out[i] = k->value;
  if (bad >= 0) k->out[bad] = k->poison;
}

/* ---- the model's side --------------------------------------------------------------------------------------------- */

/* A thread's own stream and buffers; bufs[0] is never written and the others are used over and over. */
typedef struct lineup {
  void *stream;
  fake *bufs[4];
} lineup;

static char streams[32];
static aotigen_model model;

static aotigen_model new_model(uint8_t nan_asserts, uint8_t printer, uint8_t sync) {
  return (aotigen_model){.abi = AOTIGEN_ABI, .nan_asserts = nan_asserts, .printer = printer, .sync = sync, .check_inputs = 2, .kernels = "", .source = "model.cpp",
                         .device = "cuda", .sites = sites, .nsites = NSITES};
}

static lineup new_lineup(int number) {
  lineup l = {.stream = &streams[number]};
  for (int i = 0; i < 4; i++) l.bufs[i] = fake_new("float32", 4, ELEMENTS / 4, -1);
  return l;
}

static void begin(aotigen_run *run, aotigen_model *m, const lineup *l) { aotigen_run_begin(run, m, "run_impl", 0, l->stream); }

/* NULL, or what a marker wants thrown. */
static const char *launch_kernel(aotigen_run *run, const lineup *l, uint32_t site, const fake *in, const kernel *k, const fake *out) {
  aotigen_value v[] = {handle(in), handle(out)};
  const char *fault;
  run->launch++;
  if (!run->wanted[site]) {
    run->unseen = run->launch;
    fake_give(l->stream, run_kernel, k, sizeof *k);
    return NULL;
  }
  if ((fault = aotigen_before(run, site, v, 2))) return fault;
  if (k) fake_give(l->stream, run_kernel, k, sizeof *k);
  return aotigen_after(run, site, NULL, 0);
}

/* Launch number n reads what the one before it wrote; bad: the element that it spoils, or -1. */
static const char *launch(aotigen_run *run, const lineup *l, int bad, float poison) {
  uint64_t n = run->launch + 1;
  fake *in = n == 1 ? l->bufs[0] : l->bufs[1 + (n - 1) % 3], *out = l->bufs[1 + n % 3];
  kernel k = {.out = FLOATS(out), .value = (float)n, .poison = poison, .bad = bad};
  return launch_kernel(run, l, n % 2 ? STEP : ODD, in, &k, out);
}

/* A whole run of n launches, of which number `where` spoils element `bad`. */
static uint64_t whole_run(aotigen_model *m, const lineup *l, uint64_t n, uint64_t where, int bad, float poison) {
  aotigen_run run;
  begin(&run, m, l);
  for (uint64_t i = 1; i <= n; i++) assert_null(launch(&run, l, i == where ? bad : -1, poison));
  assert_null(aotigen_before_outputs(&run));
  aotigen_run_end(&run, 0);
  return run.number;
}

static int count(const char *text, const char *part) {
  int n = 0;
  for (; (text = strstr(text, part)); text++) n++;
  return n;
}

/* Without the numbers of runs: "run 12, " becomes "run N, ". */
static char *without_runs(char *text) {
  char *to = text;
  for (const char *at = text; *at;) {
    bool is = !strncmp(at, "run ", 4) && at[4] >= '0' && at[4] <= '9';
    for (int i = 0; i < (is ? 4 : 1); i++) *to++ = *at++;
    while (is && *at >= '0' && *at <= '9') at++;
    if (is) *to++ = 'N';
  }
  *to = 0;
  return text;
}

/* What the blocking mode says of the same. */
static char *blocking_text(uint64_t n, uint64_t where, int bad, float poison) {
  aotigen_model m = new_model(3, 0, 1);
  lineup l = new_lineup(31);
  capture(2);
  whole_run(&m, &l, n, where, bad, poison);
  return without_runs(captured(2));
}

/* ---- (a) (b) (c) -------------------------------------------------------------------------------------------------- */

static void a_report_comes_later(void **state) {
  (void)state;
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

static void a_throw_waits(void **state) {
  aotigen_run run;
  lineup l = new_lineup(0);
  (void)state;
  environment("AOTIGEN_ON_FAULT", "throw");
  model = new_model(3, 0, 0);
  fake_late(3000);
  capture(2);
  begin(&run, &model, &l);
  for (int i = 1; i <= 10; i++) assert_null(launch(&run, &l, i == 9 ? 7 : -1, INFINITY));
  assert_true(fake_busy(l.stream));
  const char *message = aotigen_before_outputs(&run);
  assert_non_null(message);
  assert_has(message, "Inf born in run 1, launch 9: triton_poi_fused_add_0\n");
  aotigen_run_end(&run, 1);
  char *text = captured(2);
  assert_has(text, "launch 9: triton_poi_fused_add_0\n");
  capture(2);
  whole_run(&model, &l, 10, 0, -1, 0); /* and the next one is clean */
  assert_string_equal(captured(2), "");
}

/* The last site's end never came: the run's does. */
static void a_throw_does_not_wait_for_a_launch_without_end(void **state) {
  aotigen_run run;
  lineup l = new_lineup(0);
  aotigen_value v[] = {handle(l.bufs[0]), handle(l.bufs[1])};
  (void)state;
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

static void buffers_are_used_again(void **state) {
  lineup l = new_lineup(0);
  (void)state;
  char *blocking = blocking_text(60, 20, 33, -INFINITY);
  model = new_model(3, 0, 0);
  fake_late(LAG);
  capture(2);
  whole_run(&model, &l, 60, 20, 33, -INFINITY);
  char *text = without_runs(captured(2));
  assert_has(text, "Inf born in run N, launch 20: triton_poi_fused_mul_1\n");
  assert_has(text, "the first at [3, 3] (index 33): -inf");
  assert_has(text, "clean, 19 to 19; at [3, 3]: 19\n");
  assert_string_equal(text, blocking);
}

/* ---- (d) ---------------------------------------------------------------------------------------------------------- */

static int allocations(void) { return fake_count("cuMemHostAlloc") + fake_count("cuMemAlloc_v2"); }

static void memory_is_bounded(void **state) {
  lineup l = new_lineup(0);
  (void)state;
  model = new_model(3, 0, 0);
  fake_late(20);
  capture(2);
  for (int i = 0; i < 20; i++) whole_run(&model, &l, 100, 0, -1, 0);
  ag_desk_settle();
  int warm = allocations();
  for (int i = 0; i < 60; i++) whole_run(&model, &l, 100, 0, -1, 0);
  assert_string_equal(captured(2), "");
  assert_true(allocations() <= warm + 8); /* one more state at most: five runs may be under way */
  assert_true(warm < 200);
}

static void thousands_of_launches(void **state) {
  lineup l = new_lineup(0);
  (void)state;
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

/* ---- (e) ---------------------------------------------------------------------------------------------------------- */

enum { RUNS = 30, LAUNCHES = 40, THREADS_MOST = 8 };

typedef struct worker {
  pthread_t thread;
  lineup l;
  int index;
  long tid;
  uint64_t numbers[RUNS];
} worker;

static uint64_t planned_launch(int index, int i) { return (uint64_t)(index * 5 + i * 3) % LAUNCHES + 1; }

static void *work(void *of) {
  worker *w = of;
  w->tid = syscall(SYS_gettid);
  for (int i = 0; i < RUNS; i++) w->numbers[i] = whole_run(&model, &w->l, LAUNCHES, planned_launch(w->index, i), w->index * 4 + i % 4, NAN);
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
  snprintf(name, sizeof name, "%s/519-log-%d", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp", (int)getpid());
  environment("AOTIGEN_LOG", name);
  model = new_model(3, 0, 0);
  fake_late(10);
  capture(2);
  for (int t = 0; t < threads; t++) w[t] = (worker){.l = new_lineup(t), .index = t};
  for (int t = 0; t < threads; t++) assert_int_equal(pthread_create(&w[t].thread, NULL, work, &w[t]), 0);
  for (int t = 0; t < threads; t++) pthread_join(w[t].thread, NULL);
  char *text = captured(2), *log = file_text(name);
  assert_int_equal(count(text, "aotigen: "), threads * RUNS);
  for (int t = 0; t < threads; t++)
    for (int i = 0; i < RUNS; i++) assert_logged(log, &w[t], i);
  unlink(name);
}

static void two_threads(void **state) {
  (void)state;
  many_threads(2);
}

static void eight_threads(void **state) {
  (void)state;
  many_threads(8);
}

/* What one thread's runs wait for on the device is given by another's, as with collectives: neither's start may wait for the other's
 * device. */
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

static void threads_do_not_wait_for_each_other(void **state) {
  lineup a = new_lineup(0), b = new_lineup(1);
  pthread_t thread;
  aotigen_run run;
  (void)state;
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

/* Many threads that are far ahead of their devices: nobody has to wait for the device. */
static void many_threads_far_ahead(void **state) {
  enum { CROWD = 12 };
  lineup l[CROWD];
  pthread_t thread[CROWD];
  (void)state;
  model = new_model(3, 0, 0);
  capture(2);
  fake_late(10);
  for (int i = 0; i < CROWD; i++) l[i] = new_lineup(i);
  for (int i = 0; i < CROWD; i++) assert_int_equal(pthread_create(&thread[i], NULL, runs_that_wait, &l[i]), 0);
  for (int i = 0; i < CROWD; i++) pthread_join(thread[i], NULL);
  open_gate(NULL);
  assert_string_equal(captured(2), "");
}

/* A host that lets its device go on only when it has queued more than there is room for. */
static void gate_with_many_runs_behind(void **state) {
  enum { QUEUED = 12 };
  lineup l = new_lineup(0);
  (void)state;
  ag_patience = 30 * 1000;
  fake_late(1);
  model = new_model(3, 2, 0);
  capture(1);
  capture(2);
  runs_that_wait(&l);
  for (int i = 0; i < QUEUED; i++) whole_run(&model, &l, 3, 2, 5, NAN);
  open_gate(NULL);
  fake_wait(l.stream);
  ag_desk_settle();
  whole_run(&model, &l, 3, 2, 5, NAN);
  char *text = captured(2);
  assert_has(text, "aotigen: warning: run 5 of model.cpp is too far ahead of its device");
  assert_int_equal(count(text, "too far ahead"), 1);
  assert_int_equal(count(text, "NaN born in"), 1);
  free(captured(1));
}

static void gate_with_many_launches_behind(void **state) {
  lineup l = new_lineup(0);
  kernel k = {.out = FLOATS(l.bufs[1]), .bad = -1, .gate = &gate};
  aotigen_run run;
  (void)state;
  ag_patience = 30 * 1000;
  fake_late(1);
  model = new_model(3, 0, 0);
  capture(2);
  begin(&run, &model, &l);
  launch_kernel(&run, &l, STEP, l.bufs[0], &k, l.bufs[1]);
  for (int i = 2; i <= 3000; i++) assert_null(launch(&run, &l, i == 500 ? 7 : -1, NAN));
  open_gate(NULL);
  fake_wait(l.stream);
  assert_null(launch(&run, &l, -1, 0));
  aotigen_run_end(&run, 0);
  char *text = captured(2);
  assert_has(text, ", launch 500: ");
  assert_int_equal(count(text, "too far ahead"), 1);
  assert_int_equal(count(text, "aotigen: "), 2);
}

/* The same beside a thread whose device goes on: its answers are not those that are waited for. */
static atomic_int others_stop;

static void *others_go_on(void *of) {
  while (!atomic_load(&others_stop)) whole_run(&model, of, 20, 0, -1, 0);
  return NULL;
}

static void gate_beside_a_busy_thread(void **state) {
  lineup l = new_lineup(0), other = new_lineup(1);
  pthread_t thread;
  (void)state;
  alarm(30);
  ag_patience = 30 * 1000;
  fake_late(1);
  model = new_model(3, 0, 0);
  capture(2);
  assert_int_equal(pthread_create(&thread, NULL, others_go_on, &other), 0);
  runs_that_wait(&l);
  for (int i = 0; i < 12; i++) whole_run(&model, &l, 3, 2, 5, NAN);
  open_gate(NULL);
  fake_wait(l.stream);
  atomic_store(&others_stop, 1);
  pthread_join(thread, NULL);
  char *text = captured(2);
  assert_int_equal(count(text, "too far ahead"), 1);
}

/* Who reads what is printed takes his time: that is not the device's doing, and nothing is left out for it. */
typedef struct slow_reader {
  int fd;
  char *text;
} slow_reader;

static void *read_later(void *of) {
  slow_reader *r = of;
  size_t n = 0, room = 8 << 20;
  ssize_t got;
  r->text = calloc(1, room + 1);
  usleep(400 * 1000);
  while (n < room && (got = read(r->fd, r->text + n, room - n)) > 0) n += (size_t)got;
  return NULL;
}

static void values_that_are_read_late(void **state) {
  lineup l = new_lineup(0);
  int fds[2], before = dup(1);
  slow_reader r;
  pthread_t thread;
  (void)state;
  ag_patience = 50 * 1000;
  fake_late(1);
  model = new_model(0, 2, 0);
  capture(2);
  assert_int_equal(pipe(fds), 0);
  r.fd = fds[0];
  fflush(stdout);
  dup2(fds[1], 1);
  close(fds[1]);
  assert_int_equal(pthread_create(&thread, NULL, read_later, &r), 0);
  for (int i = 0; i < 40; i++) whole_run(&model, &l, 50, 0, -1, 0);
  ag_desk_settle();
  dup2(before, 1);
  close(before);
  pthread_join(thread, NULL);
  assert_string_equal(captured(2), "");
  assert_int_equal(count(r.text, "[  after_launch - "), 40 * 50 * 2);
  free(r.text);
}

/* One thread that would have more runs under way than there are lanes: it waits for its own. */
static void more_graphs_than_lanes(void **state) {
  lineup l = new_lineup(0);
  (void)state;
  model = new_model(3, 0, 0);
  capture(2);
  for (int i = 0; i < 80; i++) {
    whole_run(&model, &l, 3, 0, -1, 0);
    fake_forget_recording();
    fake_capture(l.stream, 1);
    whole_run(&model, &l, 3, 0, -1, 0);
    fake_capture(NULL, 0);
  }
  whole_run(&model, &l, 3, 2, 4, NAN); /* no lane is left: it is looked at all the same */
  char *text = captured(2);
  assert_int_equal(count(text, "NaN born in "), 1);
  assert_true(count(text, "aotigen: ") <= 2); /* and it may be said that a graph was not looked at */
}

/* ---- (f) ---------------------------------------------------------------------------------------------------------- */

enum { MANY = 200 };

static const char driver_error[] = "CUDA error: an illegal memory access was encountered";

/* As whole_run(), with the device's death in launch `where`; what the wrapper throws at last is copied to `message`. */
static void run_to_death(const lineup *l, uint64_t where, char *message, size_t room) {
  aotigen_run run;
  const char *fault = NULL;
  begin(&run, &model, l);
  for (uint64_t i = 1; i <= MANY && !fault; i++) {
    aotigen_value v[] = {handle(l->bufs[0]), handle(l->bufs[1])};
    if (i != where) {
      fault = launch(&run, l, -1, 0);
      continue;
    }
    run.launch++;
    fault = aotigen_before(&run, ODD, v, 2);
    if (fault) break;
    fake_death(l->stream, 0, 700);
    fault = aotigen_after(&run, ODD, NULL, 0);
  }
  if (!fault) {
    fake_wait(l->stream);
    fault = aotigen_run_failed(&run, driver_error);
  }
  snprintf(message, room, "%s", fault ? fault : "");
  aotigen_run_end(&run, 1);
}

static int driver_calls(void) {
  static const char *const names[] = {"cuStreamQuery", "cuCtxPushCurrent_v2", "cuStreamIsCapturing", "cuLaunchKernel", "cuStreamSynchronize",
                                      "cuStreamWriteValue32_v2", "cuPointerGetAttribute", "cuMemHostAlloc", "cuMemcpyDtoHAsync_v2"};
  int n = 0;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) n += fake_count(names[i]);
  return n;
}

/* Runs of a process whose device is known to be dead. */
static void assert_dead_for_good(const lineup *l, const char *message) {
  aotigen_run run;
  ag_desk_settle();
  usleep(20 * 1000);
  int asked = driver_calls();
  for (int i = 0; i < 3; i++) {
    begin(&run, &model, l);
    const char *fault = launch(&run, l, -1, 0);
    assert_non_null(fault);
    assert_int_equal(strncmp(fault, message, strlen(fault)), 0); /* there it may have had what torch said at its end */
    assert_null(aotigen_run_failed(&run, fault));
    aotigen_run_end(&run, 1);
    begin(&run, &model, l);
    fault = aotigen_run_failed(&run, driver_error);
    assert_non_null(fault);
    assert_has(fault, "  error         ");
    aotigen_run_end(&run, 1);
  }
  assert_int_equal(driver_calls(), asked);
}

static void death_on_one_stream(uint64_t where, int late) {
  lineup l = new_lineup(0);
  char message[8000], head[100];
  model = new_model(3, 0, 0);
  fake_late(late);
  capture(2);
  whole_run(&model, &l, 3, 0, -1, 0);
  run_to_death(&l, where, message, sizeof message);
  snprintf(head, sizeof head, "aotigen: device error in run 2, launch %d: triton_poi_fused_mul_1\n", (int)where);
  assert_int_equal(strncmp(message, head, strlen(head)), 0);
  assert_has(message, "an illegal memory access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS, 700)\n");
  snprintf(head, sizeof head, "last finished launch %d: ", (int)where - 1);
  assert_has(message, where == 1 ? "last finished none of this run" : head);
  snprintf(head, sizeof head, "not finished  launch %d: triton_poi_fused_mul_1\n", (int)where);
  assert_has(message, head);
  assert_has(message, "argument      buf0: float32 [4, 10] on cuda:0, at 0x");
  assert_has(message, "argument      buf1: float32 [4, 10] on cuda:0, at 0x");
  char *text = captured(2);
  assert_int_equal(count(text, "aotigen: "), 1);
  capture(2);
  assert_dead_for_good(&l, message);
  assert_string_equal(captured(2), "");
}

static void death_in_the_first(void **state) {
  (void)state;
  death_on_one_stream(1, 500);
}

static void death_in_the_middle(void **state) {
  (void)state;
  death_on_one_stream(101, 100);
}

static void death_in_the_last(void **state) {
  (void)state;
  death_on_one_stream(MANY, 100);
}

static void death_where_nothing_lags(void **state) {
  (void)state;
  death_on_one_stream(101, 1);
}

typedef struct mourner {
  pthread_t thread;
  lineup l;
  uint64_t where;
  char message[8000];
} mourner;

static void *die_or_not(void *of) {
  mourner *m = of;
  run_to_death(&m->l, m->where, m->message, sizeof m->message);
  return NULL;
}

static void death_on_two_streams(uint64_t where) {
  mourner m[2] = {{.l = new_lineup(0), .where = where}, {.l = new_lineup(1)}};
  char part[100];
  model = new_model(3, 0, 0);
  fake_late(100);
  capture(2);
  for (int i = 0; i < 2; i++) assert_int_equal(pthread_create(&m[i].thread, NULL, die_or_not, &m[i]), 0);
  for (int i = 0; i < 2; i++) pthread_join(m[i].thread, NULL);
  char *text = captured(2);
  snprintf(part, sizeof part, "not finished  launch %d: triton_poi_fused_mul_1\n", (int)where);
  assert_has(m[0].message, part);
  assert_has(m[0].message, "argument      buf0: float32 [4, 10] on cuda:0, at 0x");
  assert_true(count(text, "not finished  launch") <= 2);
  assert_int_equal(count(text, "not finished  launch"), count(m[0].message, "not finished  launch"));
}

static void death_on_two_in_the_first(void **state) {
  (void)state;
  death_on_two_streams(1);
}

static void death_on_two_in_the_middle(void **state) {
  (void)state;
  death_on_two_streams(99);
}

static void death_on_two_in_the_last(void **state) {
  (void)state;
  death_on_two_streams(MANY);
}

/* The run after it is on the same stream, behind it: it is not suspected. */
static void death_with_a_run_behind(void **state) {
  lineup l = new_lineup(0);
  aotigen_run run, next;
  const char *message;
  (void)state;
  model = new_model(3, 0, 0);
  fake_late(3000);
  capture(2);
  begin(&run, &model, &l);
  for (int i = 1; i <= 6; i++) {
    if (i == 4) fake_death(l.stream, 0, 700);
    assert_null(launch(&run, &l, -1, 0));
  }
  aotigen_run_end(&run, 0);
  begin(&next, &model, &l);
  for (int i = 1; i <= 4; i++) assert_null(launch(&next, &l, -1, 0));
  fake_wait(l.stream);
  message = aotigen_run_failed(&next, driver_error);
  assert_non_null(message);
  assert_has(message, "aotigen: device error in run 1, launch 4: triton_poi_fused_mul_1\n");
  assert_int_equal(count(message, "not finished"), 1);
  assert_lacks(message, "one of");
  aotigen_run_end(&next, 1);
  free(captured(2));
}

/* Faults are only reported: the run goes on as if nothing were, and nothing more is asked. */
static void death_is_only_reported(void **state) {
  lineup l = new_lineup(0);
  char message[8000];
  (void)state;
  environment("AOTIGEN_ON_FAULT", "report");
  model = new_model(3, 0, 0);
  fake_late(50);
  capture(2);
  run_to_death(&l, 60, message, sizeof message);
  assert_string_equal(message, "");
  for (int i = 0; i < 3; i++) {
    aotigen_run run;
    begin(&run, &model, &l);
    assert_null(launch(&run, &l, -1, 0));
    assert_null(aotigen_run_failed(&run, driver_error));
    aotigen_run_end(&run, 1);
  }
  char *text = captured(2);
  assert_has(text, "device error in run 1, launch 60: ");
  assert_int_equal(count(text, "aotigen: "), 1);
}

/* ---- (g) ---------------------------------------------------------------------------------------------------------- */

static void what_is_thrown_in_between(void **state) {
  lineup l = new_lineup(0);
  aotigen_run run;
  fake *small = fake_new("float64", 4, ELEMENTS / 4, -1);
  aotigen_value wrong[] = {handle(l.bufs[0]), handle(small)}, right[] = {handle(l.bufs[0]), handle(l.bufs[1])};
  (void)state;
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
  begin(&run, &model, &l); /* an exception of the wrapper's own */
  assert_null(launch(&run, &l, 3, NAN));
  run.launch++;
  assert_null(aotigen_before(&run, STEP, right, 2));
  assert_null(aotigen_run_failed(&run, "out of memory"));
  aotigen_run_end(&run, 1);
  assert_int_equal(count(captured(2), "aotigen: "), 1);
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

/* ---- (h) ---------------------------------------------------------------------------------------------------------- */

static char *printed(uint8_t printer, uint8_t sync, int late) {
  aotigen_model *m = calloc(1, sizeof *m);
  lineup l = new_lineup(0);
  *m = new_model(0, printer, sync);
  fake_late(late);
  capture(1);
  whole_run(m, &l, 50, 20, 2, NAN);
  whole_run(m, &l, 50, 0, 2, NAN);
  char *text = captured(1);
  fake_late(0);
  return text;
}

static void printed_in_order(void **state) {
  (void)state;
  for (uint8_t level = 2; level <= 3; level++) {
    char *blocking = printed(level, 1, 0), *text = printed(level, 0, 50);
    assert_true(count(blocking, "after_launch") >= 100);
    assert_string_equal(text, blocking);
  }
}

static char directory[600];

static int files_of(uint64_t run_number) {
  char command[800], line[100] = "";
  snprintf(command, sizeof command, "ls %s 2>/dev/null | grep -c ^run%04d_", directory, (int)run_number);
  FILE *p = popen(command, "r");
  if (!fgets(line, sizeof line, p)) line[0] = 0;
  pclose(p);
  return atoi(line);
}

static void new_directory(void) {
  temporary(directory, sizeof directory);
  assert_non_null(mkdtemp(directory));
  environment("AOTIGEN_OUTPUT_DIR", directory);
  environment("AOTIGEN_SAVE_FORMAT", "npy");
}

static void remove_directory(void) {
  char command[800];
  snprintf(command, sizeof command, "rm -rf %s", directory);
  assert_int_equal(system(command), 0);
}

enum { BIG = 3 << 20 }; /* elements: 12 MiB, three chunks */

typedef struct spooler {
  pthread_t thread;
  void *stream;
  uint64_t number;
  bool dies;
} spooler;

typedef struct filling {
  float *at, value;
} filling;

static void fill(void *of) {
  const filling *f = of;
  for (int i = 0; i < BIG; i++) f->at[i] = f->value;
}

static void *save_much(void *of) {
  spooler *s = of;
  fake *in = fake_new("float32", BIG, -1), *out = fake_new("float32", BIG, -1);
  aotigen_value v[] = {handle(in), handle(out)};
  aotigen_run run;
  aotigen_run_begin(&run, &model, "run_impl", 0, s->stream);
  for (int i = 1; i <= 4; i++) {
    run.launch++;
    if (aotigen_before(&run, STEP, v, 2)) break;
    fake_give(s->stream, fill, &(filling){FLOATS(out), (float)i}, sizeof(filling));
    if (s->dies && i == 3) fake_death(s->stream, 0, 700);
    if (aotigen_after(&run, STEP, NULL, 0)) break;
  }
  s->number = run.number;
  aotigen_run_end(&run, 0);
  return NULL;
}

static void spool_two(spooler s[2]) {
  for (int i = 0; i < 2; i++) {
    s[i].stream = &streams[i];
    assert_int_equal(pthread_create(&s[i].thread, NULL, save_much, &s[i]), 0);
  }
  for (int i = 0; i < 2; i++) pthread_join(s[i].thread, NULL);
}

/* 96 MiB of each thread's go through 32 MiB; each file holds what its launch left there. */
static void saved_through_the_ring(void **state) {
  spooler s[2] = {{0}};
  char name[800];
  (void)state;
  new_directory();
  model = new_model(0, 1, 0);
  fake_late(10 * 1000); /* the writer waits for the device: a chunk that is used again must not be taken for the one before */
  capture(2);
  spool_two(s);
  assert_string_equal(captured(2), "");
  for (int i = 0; i < 2; i++) {
    assert_int_equal(files_of(s[i].number), 8);
    for (int n = 1; n <= 4; n++) {
      float end[2];
      snprintf(name, sizeof name, "%s/run%04d_launch%06d_after_triton_poi_fused_add_0_buf1.npy", directory, (int)s[i].number, n);
      int fd = open(name, O_RDONLY);
      assert_true(fd >= 0);
      off_t size = lseek(fd, 0, SEEK_END);
      assert_int_equal(size, 128 + BIG * 4);
      assert_int_equal(pread(fd, end, 4, 128), 4);
      assert_int_equal(pread(fd, end + 1, 4, size - 4), 4);
      assert_true(end[0] == (float)n && end[1] == (float)n);
      close(fd);
    }
  }
  remove_directory();
}

static void saved_nowhere(void **state) {
  spooler s[2] = {{0}};
  (void)state;
  environment("AOTIGEN_OUTPUT_DIR", "/proc/nowhere");
  model = new_model(0, 1, 0);
  fake_late(200);
  capture(2);
  spool_two(s);
  char *text = captured(2);
  assert_int_equal(count(text, "cannot save '"), 1);
  assert_int_equal(count(text, "aotigen: "), 1);
}

static atomic_int files_gate;

static void await_files_gate(void *none) {
  (void)none;
  while (!atomic_load(&files_gate)) usleep(50);
}

static void gate_with_many_files_behind(void **state) {
  spooler s = {.stream = &streams[0]};
  (void)state;
  ag_patience = 30 * 1000;
  fake_late(1);
  new_directory();
  model = new_model(0, 1, 0);
  capture(2);
  fake_give(s.stream, await_files_gate, "", 1);
  save_much(&s);
  atomic_store(&files_gate, 1);
  fake_wait(s.stream);
  ag_spool_settle();
  uint64_t first = s.number;
  save_much(&s);
  char *text = captured(2);
  assert_has(text, "the ring is full, and its devices stand still");
  assert_true(files_of(first) < 8);
  assert_int_equal(files_of(s.number), 8);
  remove_directory();
}

/* Files on a slow disk: the run waits for them, however long. */
static atomic_int slow_writes;

ssize_t pwrite(int fd, const void *bytes, size_t n, off_t offset) {
  if (n >= 1 << 16 && atomic_load(&slow_writes) > 0 && atomic_fetch_sub(&slow_writes, 1) > 0) usleep(600 * 1000);
  return syscall(SYS_pwrite64, fd, bytes, n, offset);
}

static void saved_on_a_slow_disk(void **state) {
  spooler s = {.stream = &streams[0]};
  (void)state;
  ag_patience = 200 * 1000;
  fake_late(1);
  new_directory();
  model = new_model(0, 1, 0);
  capture(2);
  atomic_store(&slow_writes, 3);
  save_much(&s);
  assert_string_equal(captured(2), "");
  assert_int_equal(files_of(s.number), 8);
  assert_true(atomic_load(&slow_writes) <= 0);
  remove_directory();
}

static void saved_till_death(void **state) {
  spooler s[2] = {{.dies = true}};
  (void)state;
  new_directory();
  model = new_model(0, 1, 0);
  fake_late(2000);
  capture(2);
  spool_two(s);
  char *text = captured(2);
  assert_true(count(text, "cannot save '") <= 1);
  assert_true(count(text, "device error") >= 1);
  remove_directory();
}

/* ---- (i) ---------------------------------------------------------------------------------------------------------- */

static atomic_int bad_now[4] = {-1, -1, -1, -1};

/* Three launches, each of which spoils what bad_now says. */
static void graph_launches(aotigen_run *run, const lineup *l) {
  for (int i = 1; i <= 3; i++) {
    kernel k = {.out = FLOATS(l->bufs[i]), .value = (float)i, .poison = NAN, .bad_now = &bad_now[i]};
    assert_null(launch_kernel(run, l, i % 2 ? STEP : ODD, l->bufs[i - 1], &k, l->bufs[i]));
  }
}

static uint64_t graph_run(const lineup *l) {
  aotigen_run run;
  begin(&run, &model, l);
  graph_launches(&run, l);
  assert_null(aotigen_before_outputs(&run));
  aotigen_run_end(&run, 0);
  return run.number;
}

static uint64_t capture_graph(const lineup *l) {
  fake_capture(l->stream, 1);
  uint64_t number = graph_run(l);
  fake_capture(NULL, 0);
  return number;
}

static void replay(const lineup *l, int launch_number, int bad) {
  atomic_store(&bad_now[launch_number], bad);
  fake_replay_on(l->stream);
  fake_wait(l->stream);
  ag_desk_settle();
  atomic_store(&bad_now[launch_number], -1);
}

static void a_graph_without_a_run_before(void **state) {
  lineup l = new_lineup(0);
  (void)state;
  model = new_model(3, 0, 0);
  capture(2);
  int before = allocations();
  fake_push(0); /* as torch has it: who captures has a context */
  capture_graph(&l);
  capture_graph(&l);
  fake_pop();
  assert_int_equal(allocations(), before);
  char *text = captured(2);
  assert_int_equal(count(text, "aotigen: warning: run 1 of model.cpp is being captured into a graph"), 1);
  assert_int_equal(count(text, "aotigen: "), 1);
  capture(2);
  replay(&l, 2, 5);
  assert_string_equal(captured(2), "");
}

static void each_replay_is_judged(void **state) {
  lineup l = new_lineup(0);
  char part[200];
  (void)state;
  model = new_model(3, 0, 0);
  fake_late(200);
  capture(2);
  whole_run(&model, &l, 3, 0, -1, 0);
  ag_desk_settle();
  int before = allocations();
  uint64_t number = capture_graph(&l);
  assert_int_equal(allocations(), before);
  replay(&l, 0, -1);
  assert_string_equal(captured(2), "");
  for (int i = 2; i <= 6; i++) {
    capture(2);
    replay(&l, 1 + i % 3, i % 2 ? -1 : i * 3);
    char *text = captured(2);
    assert_int_equal(count(text, " born in "), i % 2 ? 0 : 1);
    if (i % 2) assert_string_equal(text, "");
    if (i % 2) continue;
    snprintf(part, sizeof part, "replay        %d of the graph that run %d was captured into\n", i, (int)number);
    assert_has(text, part);
    snprintf(part, sizeof part, ", launch %d: ", 1 + i % 3);
    assert_has(text, part);
    snprintf(part, sizeof part, "(index %d): nan", i * 3);
    assert_has(text, part);
  }
}

/* The state of the run before is not given back before that was judged. */
static void captured_at_once(void **state) {
  lineup l = new_lineup(0);
  (void)state;
  model = new_model(3, 0, 0);
  fake_late(3000);
  capture(2);
  whole_run(&model, &l, 3, 0, -1, 0);
  capture_graph(&l);
  assert_string_equal(captured(2), "");
  capture(2);
  replay(&l, 2, 5);
  char *text = captured(2);
  assert_int_equal(count(text, " born in "), 1);
  assert_has(text, "replay        1 of");
}

static void replays_that_nobody_reads_in_time(void **state) {
  lineup l = new_lineup(0);
  (void)state;
  model = new_model(3, 0, 0);
  capture(2);
  whole_run(&model, &l, 3, 0, -1, 0);
  ag_desk_settle();
  capture_graph(&l);
  atomic_store(&bad_now[2], 5);
  for (int i = 0; i < 2000; i++) fake_replay_on(l.stream);
  ag_desk_settle();
  atomic_store(&bad_now[2], -1);
  usleep(5000);
  char *text = captured(2);
  int told = count(text, " born in ");
  assert_true(told >= 1 && told < 2000);
  assert_int_equal(told, count(text, ", launch 2: triton_poi_fused_mul_1\n"));
  assert_true(count(text, "meanwhile other replays of it had bad values") >= 1);
  capture(2);
  replay(&l, 3, 7); /* and it goes on */
  text = captured(2);
  assert_int_equal(count(text, " born in "), 1);
  assert_has(text, "replay        2001 of");
}

static void a_graph_prints(void **state) {
  lineup l = new_lineup(0);
  (void)state;
  model = new_model(0, 2, 0);
  capture(2);
  capture(1);
  whole_run(&model, &l, 3, 0, -1, 0);
  char *warm = captured(1);
  assert_int_equal(count(warm, "after_launch"), 6);
  capture(1);
  capture_graph(&l);
  assert_string_equal(captured(1), "");
  for (int i = 0; i < 3; i++) {
    capture(1);
    replay(&l, 2, i == 1 ? 5 : -1);
    char *text = captured(1);
    assert_int_equal(count(text, "after_launch"), 6);
    assert_true(count(text, "NaN count: 1\n") == (i == 1 ? 3 : 0)); /* behind its launch, and around the next one */
  }
  assert_string_equal(captured(2), "");
}

/* Level 1 has no answer to a replay: nothing of it goes into a graph, and nobody waits for it. */
static void a_graph_saves_nothing(void **state) {
  lineup l = new_lineup(0);
  (void)state;
  new_directory();
  model = new_model(0, 1, 0);
  capture(2);
  uint64_t warm = whole_run(&model, &l, 3, 0, -1, 0);
  ag_desk_settle();
  int copies = fake_count("cuMemcpyDtoHAsync_v2");
  uint64_t number = capture_graph(&l);
  assert_int_equal(fake_count("cuMemcpyDtoHAsync_v2"), copies);
  char *text = captured(2);
  assert_int_equal(count(text, "aotigen: warning: cannot save"), 1);
  assert_has(text, "graph");
  assert_true(files_of(warm) > 0);
  assert_int_equal(files_of(number), 0);
  replay(&l, 0, -1);
  remove_directory();
}

/* What is known of the weights after a run whose records a capture took over, or whose launches could not be looked at: a bad weight is
 * told of again, also where nothing that it is read into turns bad. */
static const aotigen_weight bad_weight = {.name = "L__self___w", .fqn = "w", .ndim = 2};
static const aotigen_param weight_params[] = {{.name = "L__self___w", .python_name = "w", .role = AOTIGEN_IN, .kind = AOTIGEN_WEIGHT, .dtype = "float32"}, T("buf1", AOTIGEN_OUT)};
static const aotigen_site weight_sites[] = {{"run_impl", "triton_poi_fused_add_0", "add", "aten.add", weight_params, 100, 2, AOTIGEN_TRITON, AOTIGEN_KERNEL}};

static aotigen_model weight_model(void) {
  aotigen_model m = new_model(3, 0, 0);
  m.sites = weight_sites;
  m.nsites = 1;
  m.weights = &bad_weight;
  m.nweights = 1;
  return m;
}

static void run_with_weight(const lineup *l, fake *weight) {
  aotigen_run run;
  begin(&run, &model, l);
  aotigen_value w[] = {handle(weight)};
  assert_null(aotigen_check_weights(&run, w, 1));
  kernel k = {.out = FLOATS(l->bufs[1]), .value = 1, .bad = -1};
  launch_kernel(&run, l, 0, weight, &k, l->bufs[1]);
  aotigen_run_end(&run, 0);
}

static void a_bad_weight_after_a_capture(void **state) {
  lineup l = new_lineup(0);
  (void)state;
  FLOATS(l.bufs[0])[5] = NAN;
  model = weight_model();
  fake_late(3000);
  capture(2);
  run_with_weight(&l, l.bufs[0]);
  fake_capture(l.stream, 1);
  run_with_weight(&l, l.bufs[0]); /* takes over the records of the run before */
  fake_capture(NULL, 0);
  assert_int_equal(count(captured(2), "NaN arrived in run"), 1);
  for (int i = 0; i < 3; i++) {
    capture(2);
    run_with_weight(&l, l.bufs[0]);
    assert_int_equal(count(captured(2), "NaN arrived in run"), 1);
  }
}

static void a_bad_weight_after_an_error(void **state) {
  lineup l = new_lineup(0);
  (void)state;
  FLOATS(l.bufs[0])[5] = NAN;
  model = weight_model();
  capture(2);
  run_with_weight(&l, l.bufs[1]); /* all is made that is needed */
  ag_desk_settle();
  fake_fail("cuLaunchKernel", 1, 1);
  run_with_weight(&l, l.bufs[0]);
  ag_desk_settle();
  assert_string_equal(captured(2), "");
  for (int i = 0; i < 3; i++) {
    capture(2);
    run_with_weight(&l, l.bufs[0]);
    assert_int_equal(count(captured(2), "NaN arrived in run"), 1);
  }
}

static void die_in_a_replay(bool spoilt) {
  lineup l = new_lineup(0);
  aotigen_run run;
  aotigen_value v[] = {handle(l.bufs[0]), handle(l.bufs[1])};
  static atomic_int dies;
  model = new_model(3, 0, 0);
  fake_late(100);
  capture(2);
  whole_run(&model, &l, 3, 0, -1, 0);
  ag_desk_settle();
  fake_capture(l.stream, 1);
  begin(&run, &model, &l);
  graph_launches(&run, &l);
  run.launch++;
  assert_null(aotigen_before(&run, ODD, v, 2));
  fake_give(l.stream, run_kernel, &(kernel){.out = FLOATS(l.bufs[1]), .bad = -1, .gate = &dies}, sizeof(kernel));
  assert_null(aotigen_after(&run, ODD, NULL, 0));
  aotigen_run_end(&run, 0);
  fake_capture(NULL, 0);
  atomic_store(&dies, 1);
  replay(&l, 0, -1);
  replay(&l, 0, -1);
  atomic_store(&dies, 0);
  atomic_store(&bad_now[2], spoilt ? 4 : -1);
  fake_replay_on(l.stream);
  usleep(50 * 1000);
  fake_fail("cuStreamQuery", 1, 700); /* while the third replay stands in launch 4 */
  usleep(200 * 1000);
  atomic_store(&dies, 1);
  char *text = captured(2);
  assert_has(text, ", launch 4: triton_poi_fused_mul_1\n");
  assert_has(text, "replay        3 of the graph that run 2 was captured into\n");
  assert_has(text, "last finished launch 3: ");
  assert_int_equal(count(text, "not finished"), 1);
  if (spoilt) assert_has(text, "NaN born in run 3, launch 2: ");
  assert_int_equal(count(text, " born in "), spoilt);
}

static void death_in_a_replay(void **state) {
  (void)state;
  die_in_a_replay(false);
}

/* What it has found before keeps its answers. */
static void death_in_a_spoilt_replay(void **state) {
  (void)state;
  die_in_a_replay(true);
}

/* A replay that began while the one before it was still to be read has no answers: none of its launches is blamed for that. */
static void death_in_a_replay_without_answers(void **state) {
  lineup l = new_lineup(0);
  aotigen_run run;
  static atomic_int goes_on = 1;
  aotigen_value v[] = {handle(l.bufs[0]), handle(l.bufs[1])};
  (void)state;
  model = new_model(3, 0, 0);
  fake_late(100);
  capture(2);
  whole_run(&model, &l, 3, 0, -1, 0);
  ag_desk_settle();
  fake_capture(l.stream, 1);
  begin(&run, &model, &l);
  graph_launches(&run, &l);
  run.launch++;
  assert_null(aotigen_before(&run, ODD, v, 2));
  fake_give(l.stream, run_kernel, &(kernel){.out = FLOATS(l.bufs[1]), .bad = -1, .gate = &goes_on}, sizeof(kernel));
  assert_null(aotigen_after(&run, ODD, NULL, 0));
  aotigen_run_end(&run, 0);
  fake_capture(NULL, 0);
  ag_deferral *graph = ag_desk_all();
  assert_true(graph->captured);
  pthread_mutex_lock(&graph->judging); /* nobody reads */
  atomic_store(&bad_now[2], 4);
  fake_replay_on(l.stream);
  fake_wait(l.stream);
  atomic_store(&bad_now[2], -1);
  atomic_store(&goes_on, 0);
  fake_replay_on(l.stream);
  usleep(50 * 1000); /* the second one stands in launch 4 */
  pthread_mutex_unlock(&graph->judging);
  ag_desk_settle();
  fake_fail("cuStreamQuery", 1, 700);
  usleep(500 * 1000);
  atomic_store(&goes_on, 1);
  char *text = captured(2);
  assert_int_equal(count(text, " born in "), 1);
  assert_has(text, "device error on 'cpu'");
  assert_lacks(text, "not finished");
}

/* ---- (l) ---------------------------------------------------------------------------------------------------------- */

static const char *const calls[] = {"cuLaunchKernel", "cuMemHostAlloc", "cuMemHostGetDevicePointer_v2", "cuMemAlloc_v2", "cuMemsetD32Async", "cuStreamSynchronize",
                                    "cuStreamWriteValue32_v2", "cuPointerGetAttribute", "cuModuleLoadData", "cuModuleGetFunction", "cuCtxPushCurrent_v2", "cuStreamCreate",
                                    "cuStreamQuery", "cuStreamIsCapturing", "cuThreadExchangeStreamCaptureMode", "cuDeviceGet", "cuDevicePrimaryCtxRetain", "cuMemcpyDtoHAsync_v2"};

/* What is said is right, or nothing is; 0 where all is well. Runs in a child. */
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
  int found = count(text, "aotigen: NaN"), right = count(text, ", launch 4: triton_poi_fused_mul_1\n") + count(text, "before launch 5: ");
  if (found > 2 || (error != 700 && found > right)) return 3;
  if (error != 700 && found < 1) return 4; /* one call's failure takes one launch's look at most, in one run */
  if (error != 700 && count(text, "device error")) return 5;
  if (count(text, "aotigen: ") > found + 1 || fake_faults() || fake_depth()) return 6;
  return 0;
}

/* The same of the other levels, of throwing, and of a graph: here only that all comes to an end and no launch is accused falsely. */
static int otherwise_with_an_error(const char *call, int nth, int error, int how) {
  lineup l = new_lineup(0);
  aotigen_run run;
  alarm(30);
  model = new_model(how == 1 ? 0 : 3, how == 1 || how == 2 ? (uint8_t)how : 0, 0);
  if (how == 3) environment("AOTIGEN_ON_FAULT", "throw");
  fake_late(5);
  capture(1);
  capture(2);
  if (how == 4) whole_run(&model, &l, 3, 0, -1, 0);
  if (how == 4) ag_desk_settle();
  fake_fail(call, nth, error);
  for (int r = 0; r < 3; r++) {
    const char *fault = NULL;
    if (how == 4) fake_capture(l.stream, r == 0);
    begin(&run, &model, &l);
    for (int i = 1; i <= 6 && !fault; i++) fault = launch(&run, &l, i == 4 ? 7 : -1, NAN);
    if (!fault) fault = aotigen_before_outputs(&run);
    if (fault && strncmp(fault, "aotigen: ", 9)) return 2;
    aotigen_run_end(&run, fault != NULL);
    if (how == 4) fake_capture(NULL, 0);
    for (int i = 0; how == 4 && i < 5; i++) fake_replay_on(l.stream);
  }
  fake_wait(l.stream);
  char *text = captured(2);
  free(captured(1));
  int found = count(text, "aotigen: NaN"), right = count(text, ", launch 4: triton_poi_fused_mul_1\n") + count(text, "before launch 5: ");
  if (error != 700 && (found > right || count(text, "device error"))) return 3;
  return fake_faults() || fake_depth() ? 4 : 0;
}

static void errors_otherwise(void **state) {
  static const int errors[] = {1, 700};
  int bad = 0;
  (void)state;
  new_directory();
  for (size_t c = 0; c < sizeof calls / sizeof *calls; c++)
    for (int how = 1; how <= 4; how++)
      for (size_t e = 0; e < 2; e++)
        for (int nth = 1; nth <= 20; nth = nth < 6 ? nth + 1 : nth + 7) {
          int status;
          pid_t child = fork();
          if (!child) _exit(otherwise_with_an_error(calls[c], nth, errors[e], how));
          waitpid(child, &status, 0);
          if (!status) continue;
          print_message("# call %d of %s fails with %d, in way %d: status %d, signal %d\n", nth, calls[c], errors[e], how, WEXITSTATUS(status), WTERMSIG(status));
          bad++;
        }
  remove_directory();
  assert_int_equal(bad, 0);
}

static void errors_at_any_moment(void **state) {
  static const int errors[] = {2, 1, 700};
  int bad = 0;
  (void)state;
  for (size_t c = 0; c < sizeof calls / sizeof *calls; c++)
    for (size_t e = 0; e < 3; e++)
      for (int nth = 1; nth <= 40; nth = nth < 12 ? nth + 1 : nth + 9) {
        int status;
        pid_t child = fork();
        if (!child) _exit(with_an_error(calls[c], nth, errors[e]));
        waitpid(child, &status, 0);
        if (!status) continue;
        print_message("# call %d of %s fails with %d: status %d, signal %d\n", nth, calls[c], errors[e], WEXITSTATUS(status), WTERMSIG(status));
        bad++;
      }
  assert_int_equal(bad, 0);
}

/* Pinned memory is had before device memory: a lane that cannot be made costs none for good. */
static void failing_for_long(void **state) {
  lineup l = new_lineup(0);
  (void)state;
  model = new_model(3, 0, 0);
  capture(2);
  for (int i = 0; i < 50; i++) {
    fake_fail("cuMemAlloc_v2", 1, 2);
    whole_run(&model, &l, 3, 0, -1, 0);
  }
  fake_fail("cuMemAlloc_v2", 0, 0);
  free(captured(2));
  assert_true(fake_count("cuMemHostAlloc") < 20);
}

/* ---- (j) (k): how a process ends ----------------------------------------------------------------------------------- */

static int exit_waits_for_answers(void) {
  lineup l = new_lineup(0);
  model = new_model(3, 0, 0);
  fake_late(10 * 1000);
  whole_run(&model, &l, 10, 9, 4, NAN);
  return 0;
}

static int exit_waits_for_files(void) {
  spooler s = {.stream = &streams[0]};
  model = new_model(0, 1, 0);
  fake_late(20 * 1000);
  save_much(&s);
  return 0;
}

static int exit_within_a_replay(void) {
  lineup l = new_lineup(0);
  model = new_model(3, 0, 0);
  whole_run(&model, &l, 3, 0, -1, 0);
  ag_desk_settle();
  fake_late(20 * 1000);
  capture_graph(&l);
  atomic_store(&bad_now[2], 5);
  fake_replay_on(l.stream);
  usleep(50 * 1000);
  return 0;
}

/* Another thread goes on with the model for ever. */
static void *endless(void *of) {
  for (;;) whole_run(&model, of, 20, 0, -1, 0);
  return NULL;
}

static int exit_beside_a_busy_thread(void) {
  static lineup l, mine;
  pthread_t thread;
  l = new_lineup(0);
  mine = new_lineup(1);
  model = new_model(3, 0, 0);
  fake_late(20);
  pthread_create(&thread, NULL, endless, &l);
  for (int i = 0; i < 20; i++) whole_run(&model, &mine, 10, i == 19 ? 9 : 0, 4, NAN);
  return 0;
}

static int exit_within_a_run(void) {
  static lineup l;
  static aotigen_run run;
  l = new_lineup(0);
  model = new_model(3, 0, 0);
  fake_late(1000);
  begin(&run, &model, &l);
  launch(&run, &l, 4, NAN);
  launch(&run, &l, -1, 0);
  aotigen_value v[] = {handle(l.bufs[0]), handle(l.bufs[1])};
  run.launch++;
  aotigen_before(&run, STEP, v, 2);
  exit(0);
}

static int exit_after_a_death(void) {
  lineup l = new_lineup(0);
  char message[8000];
  model = new_model(3, 0, 0);
  fake_late(50);
  run_to_death(&l, 60, message, sizeof message);
  return 0;
}

/* A stream that never comes to an end: neither answers nor files are waited for without end. */
static int exit_with_a_device_that_hangs(void) {
  static atomic_int never;
  static lineup l;
  aotigen_run run;
  l = new_lineup(0);
  model = new_model(3, 1, 0);
  fake_late(10);
  begin(&run, &model, &l);
  launch_kernel(&run, &l, STEP, l.bufs[0], &(kernel){.out = FLOATS(l.bufs[1]), .bad = -1, .gate = &never}, l.bufs[1]);
  aotigen_run_end(&run, 0);
  return 0;
}

/* Children of a process that is at it; one is forked in the midst of everything. */
static int exit_of_a_child(void) {
  lineup l = new_lineup(0);
  model = new_model(3, 0, 0);
  static aotigen_model saving;
  saving = new_model(0, 1, 0);
  aotigen_run run;
  int bad = 0;
  fake_late(100);
  aotigen_run_begin(&run, &saving, "run_impl", 0, &streams[2]);
  launch(&run, &(lineup){&streams[2], {l.bufs[0], l.bufs[1], l.bufs[2], l.bufs[3]}}, -1, 0);
  aotigen_run_end(&run, 0);
  for (int i = 0; i < 200; i++) {
    int status;
    whole_run(&model, &l, 20, i % 3 ? 0 : 5, 4, NAN);
    usleep((useconds_t)(i * 7 % 300));
    pid_t child = fork();
    if (!child) {
      alarm(10);
      exit(0);
    }
    waitpid(child, &status, 0);
    bad += status != 0;
  }
  return bad ? 1 : 0;
}

/* ---- all ---------------------------------------------------------------------------------------------------------- */

static int set_up(void **state) {
  void *library = dlopen(getenv("FAKE_CUDA"), RTLD_NOW | RTLD_GLOBAL), *found;
  (void)state;
  if (!library) return -1;
#define FIND(type, name, parameters) \
  found = dlsym(library, #name);     \
  if (!found) return -1;             \
  memcpy(&name, &found, sizeof found);
  FAKES(FIND)
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  ag_desk_settle();
  assert_int_equal(fake_faults(), 0);
  assert_int_equal(fake_depth(), 0);
  assert_int_equal(fake_mode(), 0);
  return 0;
}

int main(int argc, char **argv) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
  const struct CMUnitTest tests[] = {
      TEST(a_report_comes_later), TEST(a_throw_waits), TEST(a_throw_does_not_wait_for_a_launch_without_end), TEST(buffers_are_used_again), TEST(memory_is_bounded), TEST(thousands_of_launches), TEST(two_threads), TEST(eight_threads),
      TEST(threads_do_not_wait_for_each_other), TEST(many_threads_far_ahead), TEST(gate_with_many_runs_behind), TEST(gate_with_many_launches_behind), TEST(gate_with_many_files_behind), TEST(gate_beside_a_busy_thread), TEST(values_that_are_read_late), TEST(saved_on_a_slow_disk), TEST(more_graphs_than_lanes), TEST(death_in_the_first), TEST(death_in_the_middle), TEST(death_in_the_last), TEST(death_where_nothing_lags),
      TEST(death_on_two_in_the_first), TEST(death_on_two_in_the_middle), TEST(death_on_two_in_the_last), TEST(death_with_a_run_behind), TEST(death_is_only_reported),
      TEST(what_is_thrown_in_between), TEST(printed_in_order), TEST(saved_through_the_ring), TEST(saved_nowhere), TEST(saved_till_death), TEST(a_graph_without_a_run_before),
      TEST(each_replay_is_judged), TEST(captured_at_once), TEST(replays_that_nobody_reads_in_time), TEST(a_graph_prints), TEST(a_graph_saves_nothing), TEST(a_bad_weight_after_a_capture), TEST(a_bad_weight_after_an_error), TEST(death_in_a_replay), TEST(death_in_a_spoilt_replay), TEST(death_in_a_replay_without_answers),
      TEST(errors_at_any_moment), TEST(errors_otherwise), TEST(failing_for_long)};
#define EXIT(name) {#name, name}
  const struct { const char *name; int (*run)(void); } exits[] = {EXIT(exit_waits_for_answers), EXIT(exit_waits_for_files), EXIT(exit_within_a_replay), EXIT(exit_beside_a_busy_thread), EXIT(exit_within_a_run),
                                                               EXIT(exit_after_a_death), EXIT(exit_with_a_device_that_hangs), EXIT(exit_of_a_child)};
  const char *what = argc > 1 ? argv[1] : "list";
  if (!strcmp(what, "list")) {
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) printf("%s\n", tests[i].name);
    return 0;
  }
  for (size_t i = 0; i < sizeof exits / sizeof *exits; i++)
    if (!strcmp(what, exits[i].name)) return set_up(NULL) || exits[i].run();
  cmocka_set_test_filter(what);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
