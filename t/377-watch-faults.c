/* 377-watch-faults - watched runs that a fault ends: an exception, a crash, a lost device. What
 * is reported of each, and what their capsules hold. */
#include <dlfcn.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "watched.h"

extern int ag_watch_crash_wait_ms;

static const char entry[] = "AOTInductorModelContainerRun";

/* A run that throws. The text is the caller's. */
static char *run_that_throws(float input, const char *error) {
  void *inputs[] = {in};
  FLOATS(in)[0] = input;
  capture(2);
  ag_watched_run *r = ag_watcher_begin(entry, NULL, inputs, 1, NULL);
  assert_non_null(r);
  FLOATS(in)[0] = 0;
  ag_watcher_fail(r, error);
  ag_watcher_drain(NULL);
  return captured(2);
}

static bool has_capsule(const char *name) { return access(name, F_OK) == 0; }

TEST(a_run_that_throws_has_a_report_and_a_capsule) {
  char *bytes, *text = without_runs(run_that_throws(12345, "wrong\nshape"));
  float before = 12345;
  assert_has(text, "aotigen: exception in run N, of a watched model\n");
  assert_has(text, "\n  error         wrong shape\n");
  assert_has(text, "  try next      what a debug package says of it: aotigen replay ");
  free(text);
  size_t n = read_capsule(capsule, &bytes);
  assert_true(has_text(bytes, n, "\"fault\":\"exception\",\"error\":\"wrong shape\""));
  assert_true(has_text(bytes, n, "\"findings\":[],"));
  assert_true(has_text(bytes, n, "\"outputs\":[],"));
  assert_true(has(bytes, n, &before, sizeof before));
  free(bytes);
}

/* Torch before 2.13 tells no text; a later one's may be long. */
TEST(the_text_of_an_exception) {
  char said[5000], *bytes;
  assert_has_freed(run_that_throws(1, NULL), "  error         torch wrote it to standard error\n");
  size_t n = read_capsule(capsule, &bytes);
  assert_true(has_text(bytes, n, "\"fault\":\"exception\",\"error\":null"));
  free(bytes);
  ag_output_report_forget();
  memset(said, 'x', sizeof said - 1);
  said[sizeof said - 1] = '\0';
  char *text = run_that_throws(1, said);
  assert_has(text, "xxx...\n");
  assert_in_range(count(text, "x"), 1000, 1100);
  free(text);
}

/* A caller that passes wrong inputs all the time fills no disk and hides no NaN. */
TEST(exceptions_are_bounded) {
  char name[700];
  for (int i = 1; i <= 100; i++) {
    char *text = run_that_throws((float)i, "wrong");
    assert_int_equal(count(text, "aotigen: exception in run "), !(i & (i - 1)));
    free(text);
  }
  assert_int_equal(count_files(), 2); /* half of AOTIGEN_CAPSULES */
  FLOATS(out)[0] = NAN;
  snprintf(name, sizeof name, "  capsule       %s.3\n", capsule);
  char *text = run_once(1, 1);
  assert_has(text, "  output        0: ");
  assert_has(text, name);
  free(text);
  for (int i = 2; i <= 9; i++) free(run_once(1, 1));
  assert_int_equal(count_files(), 4);
}

/* Where each of them is taken the first exception has the newest one's place. */
TEST(an_exception_after_other_findings) {
  environment("AOTIGEN_CAPSULES", "1");
  char *bytes;
  float given = 777;
  FLOATS(out)[0] = NAN;
  free(run_once(1, 1));
  assert_has_freed(run_that_throws(given, "wrong"), "  capsule  ");
  assert_int_equal(count_files(), 1);
  size_t n = read_capsule(capsule, &bytes);
  assert_true(has(bytes, n, &given, sizeof given));
  free(bytes);
  environment("AOTIGEN_REPORTS", "all");
  assert_has_freed(run_that_throws(888, "wrong"), "  no capsule    AOTIGEN_CAPSULES are written\n");
  assert_int_equal(count_files(), 1);
}

TEST(no_capsules_at_all) {
  environment("AOTIGEN_CAPSULES", "0");
  assert_has_freed(run_that_throws(1, "wrong"), "  no capsule    AOTIGEN_CAPSULES=0\n");
  assert_false(has_capsule(capsule));
}

/* ---- crashes */

static volatile size_t nowhere = 16;
static void fault(void) { *(volatile int *)nowhere = 0; }

/* Does that in a child, whose run has input 12345; the text is the caller's. */
static char *in_child(void (*act)(void), int *status) {
  static const int all[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  const struct rlimit none = {0, 0};
  fflush(NULL);
  capture(2);
  pid_t child = fork();
  if (!child) {
    alarm(60);
    setrlimit(RLIMIT_CORE, &none);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) signal(all[i], SIG_DFL);
    environment("AOTIGEN_SIGNALS", NULL);
    act();
    _exit(7);
  }
  waitpid(child, status, 0);
  return captured_of(2, child);
}

static ag_watched_run *begin(void) {
  void *inputs[] = {in};
  FLOATS(in)[0] = 12345;
  ag_watched_run *r = ag_watcher_begin(entry, NULL, inputs, 1, NULL);
  if (!r) _exit(20);
  FLOATS(in)[0] = 67890;
  return r;
}

static int raised;
static void fault_in_run(void) {
  begin();
  if (!raised) fault();
  raise(raised);
}

TEST(a_crash_in_a_run) {
  int status;
  char *bytes, *text = without_runs(in_child(fault_in_run, &status));
  float before = 12345, after = 67890;
  assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
  assert_has(text, "aotigen: SIGSEGV in run N, of a watched model\n  model ");
  assert_has(text, "\n  error         address 0x10 (write), 16 bytes from a null pointer\n");
  assert_has(text, "  try next      what a debug package says of it: aotigen replay ");
  assert_int_equal(count(text, "aotigen: "), 1);
  free(text);
  size_t n = read_capsule(capsule, &bytes);
  assert_true(has_text(bytes, n, "\"fault\":\"SIGSEGV\",\"error\":\"address 0x10 (write), "));
  assert_true(has(bytes, n, &before, sizeof before));
  assert_false(has(bytes, n, &after, sizeof after));
  free(bytes);
  assert_int_equal(count_files(), 1);
}

TEST(each_signal_ends_the_process_as_it_would) {
  static const struct {
    int number;
    const char *name;
  } all[] = {{SIGBUS, "SIGBUS"}, {SIGFPE, "SIGFPE"}, {SIGILL, "SIGILL"}, {SIGABRT, "SIGABRT"}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    int status;
    char head[64];
    raised = all[i].number;
    char *text = without_runs(in_child(fault_in_run, &status));
    snprintf(head, sizeof head, "aotigen: %s in run N, of a watched model\n", all[i].name);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == raised);
    assert_has(text, head);
    free(text);
    assert_int_equal(count_files(), (int)i + 1);
  }
  raised = 0;
}

static void fault_after_run(void) {
  void *outputs[] = {out};
  ag_watcher_end(begin(), outputs, 1);
  fault();
}

static void *fault_in_thread(void *unused) {
  fault();
  return unused;
}

static void fault_elsewhere(void) {
  pthread_t thread;
  begin();
  pthread_create(&thread, NULL, fault_in_thread, NULL);
  pthread_join(thread, NULL);
}

static void fault_without_signals(void) {
  environment("AOTIGEN_SIGNALS", "0");
  begin();
  fault();
}

TEST(other_crashes_are_not_ours) {
  void (*const acts[])(void) = {fault_after_run, fault_elsewhere, fault_without_signals};
  for (int i = 0; i < 3; i++) {
    int status;
    assert_equal_freed(in_child(acts[i], &status), "");
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
    assert_int_equal(count_files(), 0);
  }
}

static sigjmp_buf back;
static void jump_back(int signal) {
  (void)signal;
  siglongjmp(back, 1);
}

/* A host that handles its faults: each reaches its handler, and one has a report. */
static void host_handles(void) {
  void *outputs[] = {out};
  signal(SIGSEGV, jump_back);
  for (volatile int i = 0; i < 20; i++) {
    ag_watched_run *r = begin();
    if (!sigsetjmp(back, 1)) fault();
    ag_watcher_end(r, outputs, 1);
  }
}

TEST(a_handler_of_the_host) {
  int status;
  char *text = in_child(host_handles, &status);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
  assert_int_equal(count(text, "aotigen: SIGSEGV in run "), 1);
  free(text);
  assert_int_equal(count_files(), 1);
}

/* What writes the capsule hangs in it, as where the thread that crashed holds a lock. */
static bool hangs;
int link(const char *from, const char *to) {
  while (hangs) pause();
  return (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
}

static void fault_and_hang(void) {
  hangs = true;
  ag_watch_crash_wait_ms = 100;
  fault_in_run();
}

TEST(a_capsule_that_is_not_written_in_time) {
  int status;
  char *text = without_runs(in_child(fault_and_hang, &status));
  assert_has(text, "aotigen: SIGSEGV in run N, of a watched model; no capsule: it was not ");
  assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
  assert_int_equal(count(text, "aotigen: "), 1);
  free(text);
}

/* ---- a lost device */

enum { DEVICE = 3 };

/* Has cuStreamQuery, which comes behind the run, meet the error; what is launched takes seconds. */
static void lose_device(void) {
  void (*late)(int), (*fail_at)(const char *, int, int);
  *(void **)&late = dlsym(RTLD_DEFAULT, "fake_late");
  *(void **)&fail_at = dlsym(RTLD_DEFAULT, "fake_fail");
  late(1000 * 1000);
  fail_at("cuStreamQuery", 1, 700);
}

static void end_delay(void) {
  void (*late)(int);
  *(void **)&late = dlsym(RTLD_DEFAULT, "fake_late");
  late(0);
}

/* A host's input is in the capsule; one whose copy had not arrived, and a held one, are named. */
TEST(a_lost_device) {
  if (!strcmp(fake_device(), "cpu")) skip();
  int stream;
  fake *on_host = fake_new("float32", 4, -1), *large = fake_new("float32", 200, 200, -1);
  on_host->device_type = FAKE_CPU;
  on_host->device_index = -1;
  in->device_index = out->device_index = large->device_index = DEVICE;
  FLOATS(on_host)[0] = 4321;
  void *inputs[] = {in, on_host, large}, *outputs[] = {out};
  float given = 4321;
  char *bytes;
  capture(2);
  lose_device();
  ag_watched_run *r = ag_watcher_begin(entry, NULL, inputs, 3, &stream);
  FLOATS(on_host)[0] = 0;
  assert_false(ag_watcher_end(r, outputs, 1));
  ag_watcher_drain(NULL);
  char *text = without_runs(captured(2));
  assert_has(text, "aotigen: device error in run N, of a watched model\n");
  assert_has(text, "_ERROR_ILLEGAL_ADDRESS, 700)\n  seen          once the run was made: ");
  assert_has(text, "input 0: its copy did not arrive; input 2: its device was lost: ");
  free(text);
  size_t n = read_capsule(capsule, &bytes);
  assert_true(has_text(bytes, n, "\"fault\":\"device error\",\"error\":\"'cuStreamQuery' on "));
  assert_true(has(bytes, n, &given, sizeof given));
  free(bytes);
  capture(2);
  r = ag_watcher_begin(entry, NULL, inputs, 3, &stream);
  ag_watcher_fail(r, "CUDA error");
  ag_watcher_drain(NULL);
  text = without_runs(captured(2));
  assert_has(text, "aotigen: device error in run N, of a watched model; device error in 2 runs ");
  free(text);
  end_delay();
  fake_free(on_host);
  fake_free(large);
}
