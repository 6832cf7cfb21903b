/* 330-under-way - what a process leaves that crashes, hangs or is killed within a launch: the line
 * of each signal, the line of the log that is overwritten, and that the host's own handlers and the
 * way the process ends are as without us. Each process is a child. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../runtime/base/settings.h"
#include "../runtime/base/sink.h"
#include "shim.h"

static const aotigen_param params[] = {FLOAT32("buf0", AOTIGEN_OUT)};
static const aotigen_site sites[] = {
    {"run_impl", "cpp_fused_add_0", "add", "aten.add", params, 11, 1, AOTIGEN_CPU, AOTIGEN_KERNEL},
    {"run_impl", "quote\"d", "", "", params, 22, 1, AOTIGEN_CPU, AOTIGEN_KERNEL}};
static aotigen_model model;
static char log_name[512];

static int set_up(void **state) {
  (void)state;
  model = (aotigen_model){.abi = AOTIGEN_ABI,
                          .nan_asserts = 1,
                          .check_inputs = 2,
                          .kernels = "",
                          .source = "model.cpp",
                          .device = "cpu",
                          .sites = sites,
                          .nsites = 2};
  close(mkstemp(temporary(log_name, sizeof log_name)));
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  unlink(log_name);
  environment("AOTIGEN_LOG", NULL);
  environment("AOTIGEN_SIGNALS", NULL);
  return 0;
}

/* ---- children ------------------------------------------------------------------------------- */

static void (*in_launch)(void);

/* A run of three launches; `in_launch` is called within the second. */
static void run_model(void) {
  static aotigen_run run;
  fake *out = fake_new("float32", 4, -1);
  const aotigen_value v[] = {handle(out)};
  aotigen_run_begin(&run, &model, "run_impl", 0, NULL);
  for (uint32_t i = 0; i < 3; i++) {
    run.launch++;
    if (aotigen_before(&run, i % 2, v, 1)) _exit(21);
    if (i == 1 && in_launch) in_launch();
    if (aotigen_after(&run, i % 2, NULL, 0)) _exit(22);
  }
  aotigen_run_end(&run, 0);
  fake_free(out);
}

typedef struct ending {
  int status;
  char *err; /* freed by the caller */
} ending;

/* Sets the default actions again: cmocka and the harness have handlers of their own. */
static void reset_signals(void) {
  static const int all[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGINT, SIGTERM};
  const struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) signal(all[i], SIG_DFL);
}

static ending end_of(void (*host)(void)) {
  ending e;
  fflush(NULL);
  capture(2);
  pid_t child = fork();
  if (!child) {
    alarm(20);
    reset_signals();
    host();
    _exit(7);
  }
  assert_int_equal(waitpid(child, &e.status, 0), child);
  e.err = captured(2);
  return e;
}

static void load_and_run(void) {
  if (aotigen_load(&model, "cpu", NULL, NULL, NULL)) _exit(20);
  run_model();
}

static void assert_killed(const ending *e, int signal) {
  if (!WIFSIGNALED(e->status) || WTERMSIG(e->status) != signal)
    fail_msg("status %x, not signal %d; stderr:\n%s", e->status, signal, e->err);
}

static void assert_exited(const ending *e, int status) {
  if (!WIFEXITED(e->status) || WEXITSTATUS(e->status) != status)
    fail_msg("status %x, not exit %d; stderr:\n%s", e->status, status, e->err);
}

/* ---- each signal ---------------------------------------------------------------------------- */

static volatile uintptr_t nowhere = 16;
__attribute__((noipa)) static void segv(void) { *(volatile int *)nowhere = 0; }
static void fpe(void) {
  volatile int some = 5, zero = 0;
  some = some / zero;
}
static void ill(void) { __asm__ volatile("ud2"); }
static void bus(void) {
  char name[512];
  int file = mkstemp(temporary(name, sizeof name));
  unlink(name);
  *(volatile char *)mmap(NULL, 1, PROT_WRITE | PROT_READ, MAP_SHARED, file, 0) = 0;
}
static void interrupt(void) { kill(getpid(), SIGINT); }
static void terminate(void) { kill(getpid(), SIGTERM); }

static const struct {
  void (*raise)(void);
  int signal;
  const char *text;
} faults[] = {
    {segv, SIGSEGV,
     "aotigen: SIGSEGV in run 1, launch 2: quote\"d, launched at model.cpp:22; "
     "address 0x10\n"},
    {bus, SIGBUS,
     "aotigen: SIGBUS in run 1, launch 2: quote\"d, launched at model.cpp:22; address "},
    {fpe, SIGFPE,
     "aotigen: SIGFPE in run 1, launch 2: quote\"d, launched at model.cpp:22; address "},
    {ill, SIGILL,
     "aotigen: SIGILL in run 1, launch 2: quote\"d, launched at model.cpp:22; address "},
    {abort, SIGABRT, "aotigen: SIGABRT in run 1, launch 2: quote\"d, launched at model.cpp:22\n"},
    {interrupt, SIGINT,
     "aotigen: SIGINT in run 1, launch 2: quote\"d, launched at model.cpp:22; "
     "under way for 0."},
    {terminate, SIGTERM,
     "aotigen: SIGTERM in run 1, launch 2: quote\"d, launched at "
     "model.cpp:22; under way for 0."}};
enum { FAULTS = sizeof faults / sizeof *faults };

static void signals_name_the_launch(void **state) {
  (void)state;
  for (int i = 0; i < FAULTS; i++) {
    in_launch = faults[i].raise;
    ending e = end_of(load_and_run);
    assert_killed(&e, faults[i].signal);
    assert_has(e.err, faults[i].text);
    assert_int_equal(count(e.err, "\n"), 1);
    free(e.err);
  }
}

static void nothing_is_installed(void) {
  struct sigaction now;
  load_and_run();
  if (sigaction(SIGSEGV, NULL, &now) || now.sa_handler != SIG_DFL) _exit(8);
}

static void left_alone(void **state) {
  (void)state;
  in_launch = NULL;
  environment("AOTIGEN_SIGNALS", "0");
  ending e = end_of(nothing_is_installed);
  assert_exited(&e, 7);
  free(e.err);
  in_launch = segv;
  e = end_of(load_and_run);
  assert_killed(&e, SIGSEGV);
  assert_string_equal(e.err, "");
  free(e.err);
  environment("AOTIGEN_SIGNALS", NULL);
  in_launch = NULL;
  model.nan_asserts = model.check_inputs = 0;
  e = end_of(nothing_is_installed);
  assert_exited(&e, 7);
  free(e.err);
}

static void ignores_it(void) {
  signal(SIGINT, SIG_IGN);
  load_and_run();
}

static void an_ignored_signal(void **state) {
  (void)state;
  in_launch = interrupt;
  ending e = end_of(ignores_it);
  assert_exited(&e, 7);
  assert_string_equal(e.err, "");
  free(e.err);
}

/* ---- where the thread is -------------------------------------------------------------------- */

static void outside(void) {
  in_launch = NULL;
  load_and_run();
  segv();
}

static void between(void) {
  aotigen_run run;
  aotigen_load(&model, "cpu", NULL, NULL, NULL);
  aotigen_run_begin(&run, &model, "run_impl", 0, NULL);
  if (getenv("LAUNCHES")) {
    run.launch = 4;
    fake *out = fake_new("float32", 4, -1);
    const aotigen_value v[] = {handle(out)};
    aotigen_before(&run, 0, v, 1);
    aotigen_after(&run, 0, NULL, 0);
    run.launch += (uint64_t)atoi(getenv("LAUNCHES"));
  }
  segv();
}

/* The guard reads the tensor's description, which is not there. */
static void in_our_own_check(void) {
  aotigen_run run;
  const aotigen_value v[] = {handle((const fake *)64)};
  aotigen_load(&model, "cpu", NULL, NULL, NULL);
  aotigen_run_begin(&run, &model, "run_impl", 0, NULL);
  run.launch = 1;
  aotigen_before(&run, 0, v, 1);
}

static void places(void **state) {
  (void)state;
  ending e = end_of(outside);
  assert_killed(&e, SIGSEGV);
  assert_string_equal(e.err, "");
  free(e.err);
  unsetenv("LAUNCHES");
  e = end_of(between);
  assert_has(e.err, "aotigen: SIGSEGV in run 1, before its first checked launch; address 0x10\n");
  free(e.err);
  setenv("LAUNCHES", "0", 1);
  e = end_of(between);
  assert_has(e.err, "aotigen: SIGSEGV in run 1, after launch 4: cpp_fused_add_0 (add), launched at "
                    "model.cpp:11; address 0x10\n");
  free(e.err);
  setenv("LAUNCHES", "3", 1);
  e = end_of(between);
  assert_has(e.err, "in run 1, at or after launch 7, which the filter leaves out; the last checked "
                    "launch was 4: cpp_fused_add_0 (add), ");
  free(e.err);
  unsetenv("LAUNCHES");
  e = end_of(in_our_own_check);
  assert_killed(&e, SIGSEGV);
  assert_has(e.err, "in run 1, while the arguments of launch 1 were checked: cpp_fused_add_0 ");
  free(e.err);
}

static void *crash(void *nothing) {
  segv();
  return nothing;
}

/* As a worker of OpenMP. */
static void worker_crashes(void) {
  pthread_t worker;
  pthread_create(&worker, NULL, crash, NULL);
  pthread_join(worker, NULL);
}

static pthread_barrier_t both_there;

static void wait_for_both(void) {
  pthread_barrier_wait(&both_there);
  pause();
}

static void *run_on_a_thread(void *nothing) {
  run_model();
  return nothing;
}

static void two_of_three_threads_run(void) {
  pthread_t threads[2];
  aotigen_load(&model, "cpu", NULL, NULL, NULL);
  in_launch = wait_for_both;
  pthread_barrier_init(&both_there, NULL, 3);
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run_on_a_thread, NULL);
  pthread_barrier_wait(&both_there);
  segv();
}

static void other_threads(void **state) {
  char line[100];
  (void)state;
  in_launch = worker_crashes;
  ending e = end_of(load_and_run);
  assert_killed(&e, SIGSEGV);
  assert_has(e.err, "aotigen: SIGSEGV on thread ");
  assert_has(e.err, ", while thread ");
  assert_has(e.err, " was in run 1, launch 2: quote\"d, launched at model.cpp:22; address 0x10\n");
  assert_int_equal(count(e.err, "\n"), 1);
  free(e.err);
  e = end_of(two_of_three_threads_run);
  assert_killed(&e, SIGSEGV);
  for (int run = 1; run <= 2; run++) {
    snprintf(line, sizeof line, " was in run %d, launch 2: quote\"d, ", run);
    assert_has(e.err, line);
  }
  assert_int_equal(count(e.err, "\n"), 2);
  free(e.err);
}

static int overflow(int n) {
  volatile char some[4096];
  some[0] = (char)n;
  return n ? overflow(n + 1) + some[0] : 0;
}

static void overflow_stack(void) { overflow(1); }

static void *load_and_run_here(void *nothing) {
  load_and_run();
  return nothing;
}

static void runs_on_another_thread(void) {
  pthread_t t;
  pthread_create(&t, NULL, load_and_run_here, NULL);
  pthread_join(t, NULL);
}

static char small_stack[256 << 10];

static void has_a_stack_of_its_own(void) {
  const stack_t own = {.ss_sp = small_stack, .ss_size = sizeof small_stack};
  stack_t now;
  sigaltstack(&own, NULL);
  load_and_run();
  sigaltstack(NULL, &now);
  if (now.ss_sp != small_stack) _exit(8);
}

/* A thread's stack is freed with it. */
static void many_threads(void) {
  char line[256];
  long mapped[2] = {0, 0}, kilobytes;
  for (int i = 0; i < 40; i++) {
    runs_on_another_thread();
    FILE *f = i == 9 || i == 39 ? fopen("/proc/self/status", "r") : NULL;
    while (f && fgets(line, sizeof line, f))
      if (sscanf(line, "VmSize: %ld", &kilobytes) == 1) mapped[i == 39] = kilobytes;
    if (f) fclose(f);
  }
  if (mapped[1] - mapped[0] >= 30 * 64) _exit(8);
}

static void stacks(void **state) {
  (void)state;
  in_launch = overflow_stack;
  ending e = end_of(load_and_run);
  assert_killed(&e, SIGSEGV);
  assert_has(e.err, "aotigen: SIGSEGV in run 1, launch 2: ");
  free(e.err);
  e = end_of(runs_on_another_thread);
  assert_killed(&e, SIGSEGV);
  assert_has(e.err, "aotigen: SIGSEGV in run 1, launch 2: ");
  free(e.err);
  in_launch = NULL;
  e = end_of(has_a_stack_of_its_own);
  assert_exited(&e, 7);
  free(e.err);
  e = end_of(many_threads);
  assert_exited(&e, 7);
  free(e.err);
}

/* ---- the host's handlers -------------------------------------------------------------------- */

static volatile sig_atomic_t seen;
static sigset_t mask_seen;
static sigjmp_buf back;

static void leave(int signal, siginfo_t *info, void *context) {
  pthread_sigmask(SIG_SETMASK, NULL, &mask_seen);
  seen = signal + (info->si_addr == (void *)16 && context ? 100 : 0);
  errno = 77;
  siglongjmp(back, 1);
}

static void install(int signal, void (*handler)(int, siginfo_t *, void *), int flags) {
  struct sigaction a = {.sa_sigaction = handler, .sa_flags = flags};
  sigaddset(&a.sa_mask, SIGUSR1);
  sigaction(signal, &a, NULL);
}

/* A host that had a handler, with SA_SIGINFO, a mask, and a jump out of it; twice. */
static void has_a_handler(void) {
  install(SIGSEGV, leave, SA_SIGINFO);
  in_launch = NULL;
  load_and_run();
  for (int i = 0; i < 2; i++) {
    seen = 0;
    aotigen_run run;
    aotigen_run_begin(&run, &model, "run_impl", 0, NULL);
    run.launch = 1;
    fake *out = fake_new("float32", 4, -1);
    const aotigen_value v[] = {handle(out)};
    aotigen_before(&run, 0, v, 1);
    if (!sigsetjmp(back, 1)) segv();
    if (seen != SIGSEGV + 100) _exit(8);
    if (!sigismember(&mask_seen, SIGUSR1) || !sigismember(&mask_seen, SIGSEGV)) _exit(9);
    aotigen_run_end(&run, 1);
  }
}

static void count_one(int signal) {
  (void)signal;
  seen++;
}

/* As Python's for SIGINT: it sets a flag and returns. */
static void plain_handler(void) {
  const struct sigaction a = {.sa_handler = count_one, .sa_flags = SA_RESETHAND};
  struct sigaction now;
  sigaction(SIGINT, &a, NULL);
  in_launch = interrupt;
  load_and_run();
  sigaction(SIGINT, NULL, &now);
  if (seen != 1 || now.sa_handler != SIG_DFL) _exit(8);
}

static void installs_later(void) {
  aotigen_load(&model, "cpu", NULL, NULL, NULL);
  signal(SIGINT, count_one);
  in_launch = interrupt;
  run_model();
  if (seen != 1) _exit(8);
}

static struct sigaction earlier;

/* As faulthandler: gives the handler before it back and raises the signal again. */
static void dump_and_raise(int signal) {
  static const char text[] = "host: dumped\n";
  if (write(2, text, sizeof text - 1) < 0) _exit(9);
  sigaction(signal, &earlier, NULL);
  raise(signal);
}

static void gives_the_handler_back(void) {
  const struct sigaction a = {.sa_handler = dump_and_raise, .sa_flags = SA_NODEFER};
  aotigen_load(&model, "cpu", NULL, NULL, NULL);
  sigaction(SIGSEGV, &a, &earlier);
  in_launch = segv;
  run_model();
}

static void hosts_handlers(void **state) {
  (void)state;
  ending e = end_of(has_a_handler);
  assert_exited(&e, 7);
  assert_int_equal(count(e.err, "aotigen: SIGSEGV in run "), 2);
  free(e.err);
  e = end_of(plain_handler);
  assert_exited(&e, 7);
  assert_has(e.err, "aotigen: SIGINT in run 1, launch 2: ");
  free(e.err);
  e = end_of(installs_later);
  assert_exited(&e, 7);
  assert_string_equal(e.err, "");
  free(e.err);
  e = end_of(gives_the_handler_back);
  assert_killed(&e, SIGSEGV);
  assert_int_equal(strncmp(e.err, "host: dumped\naotigen: SIGSEGV in run 1, launch 2: ", 50), 0);
  free(e.err);
}

/* A SIGSEGV that the host handles within a launch, as a virtual machine does. */
static void skip_it(int signal, siginfo_t *info, void *context) {
  (void)signal;
  (void)context;
  mprotect((void *)((uintptr_t)info->si_addr & ~4095ul), 4096, PROT_READ | PROT_WRITE);
}

static void touch_often(void) {
  char *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (int i = 0; i < 1000; i++) {
    mprotect(page, 4096, PROT_NONE);
    *(volatile char *)page = 1;
  }
}

static void handles_it(void) {
  install(SIGSEGV, skip_it, SA_SIGINFO);
  in_launch = touch_often;
  load_and_run();
}

static void said_once_a_launch(void **state) {
  (void)state;
  ending e = end_of(handles_it);
  assert_exited(&e, 7);
  assert_int_equal(count(e.err, "aotigen: SIGSEGV in run 1, launch 2: "), 1);
  free(e.err);
}

static void stderr_is_a_broken_pipe(void) {
  int ends[2];
  if (pipe(ends)) _exit(9);
  close(ends[0]);
  dup2(ends[1], 2);
  in_launch = segv;
  load_and_run();
}

static void stderr_is_a_full_pipe(void) {
  int ends[2];
  char some[4096] = {0};
  if (pipe2(ends, O_NONBLOCK)) _exit(9);
  while (write(ends[1], some, sizeof some) > 0) continue;
  fcntl(ends[1], F_SETFL, 0);
  dup2(ends[1], 2);
  in_launch = segv;
  load_and_run();
}

static void stderr_that_takes_nothing(void **state) {
  (void)state;
  ending e = end_of(stderr_is_a_broken_pipe);
  assert_killed(&e, SIGSEGV);
  free(e.err);
  e = end_of(stderr_is_a_full_pipe);
  assert_killed(&e, SIGSEGV);
  free(e.err);
}

/* ---- the log -------------------------------------------------------------------------------- */

static char *read_log(void) {
  static char text[1 << 16];
  int fd = open(log_name, O_RDONLY);
  ssize_t n = read(fd, text, sizeof text - 1);
  assert_true(n >= 0);
  text[n] = 0;
  close(fd);
  return text;
}

static void killed_now(void) { kill(getpid(), SIGKILL); }

static void log_of_a_crash(void **state) {
  char now[64];
  (void)state;
  environment("AOTIGEN_LOG", log_name);
  in_launch = killed_now;
  ending e = end_of(load_and_run);
  assert_killed(&e, SIGKILL);
  assert_string_equal(e.err, "");
  free(e.err);
  char *log = read_log();
  assert_int_equal(count(log, "\n"), 1);
  assert_has(log, "{\"event\":\"under_way\",");
  assert_has(log, "       2,\"site\":");
  assert_has(log, "\"launched\",\"kernel\":");
  assert_has(log, "\"quote?d ");
  snprintf(now, sizeof now, "\"model.cpp ");
  assert_has(log, now);
  in_launch = segv;
  e = end_of(load_and_run);
  free(e.err);
  log = read_log();
  assert_int_equal(count(log, "\n"), 3);
  assert_int_equal(count(log, "\"launched\",\"kernel\":"), 2);
  assert_has(log, "{\"event\":\"signal\",\"time\":");
  assert_has(log, ",\"source\":\"model.cpp\",\"run\":1,\"device\":\"cpu\",\"launch\":2,\"site\":1,"
                  "\"line\":22,\"kernel\":\"quote?d\",\"nodes\":\"\",\"at\":\"launched\","
                  "\"signal\":\"SIGSEGV\",\"signal_thread\":");
}

static void only_loads(void) { aotigen_load(&model, "cpu", NULL, NULL, NULL); }

static void log_from_the_load_on(void **state) {
  (void)state;
  unlink(log_name);
  environment("AOTIGEN_LOG", log_name);
  ending e = end_of(only_loads);
  free(e.err);
  char *log = read_log();
  assert_int_equal(count(log, "\n"), 1);
  assert_has(log, "\"loaded  \"");
  in_launch = NULL;
  e = end_of(load_and_run);
  free(e.err);
  assert_has(read_log(), "\"run over\"");
  unlink(log_name);
  environment("AOTIGEN_SIGNALS", "0");
  e = end_of(load_and_run);
  free(e.err);
  assert_string_equal(read_log(), "");
}

/* The host, or a rotation of logs, truncates the file. */
static void truncates_it(void) {
  if (truncate(log_name, 0)) _exit(9);
}
static void truncates_before_a_run(void) {
  in_launch = NULL;
  load_and_run();
  truncates_it();
  run_model();
}

static void a_log_that_is_truncated(void **state) {
  (void)state;
  environment("AOTIGEN_LOG", log_name);
  in_launch = truncates_it;
  ending e = end_of(load_and_run);
  assert_exited(&e, 7);
  assert_string_equal(e.err, "");
  free(e.err);
  assert_string_equal(read_log(), "");
  e = end_of(truncates_before_a_run);
  assert_exited(&e, 7);
  free(e.err);
  char *log = read_log();
  assert_int_equal(count(log, "\n"), 1);
  assert_has(log, "\"run over\"");
}

static void forks_within_a_launch(void) {
  int status;
  pid_t child = fork();
  if (!child) {
    in_launch = NULL;
    run_model();
    _exit(7);
  }
  waitpid(child, &status, 0);
  if (status != 7 << 8) _exit(8);
  killed_now();
}

static void a_child_has_its_own_line(void **state) {
  (void)state;
  environment("AOTIGEN_LOG", log_name);
  in_launch = forks_within_a_launch;
  ending e = end_of(load_and_run);
  assert_killed(&e, SIGKILL);
  free(e.err);
  char *log = read_log();
  assert_int_equal(count(log, "\n"), 2);
  assert_int_equal(count(log, "\"launched\""), 1);
  assert_int_equal(count(log, "\"run over\""), 1);
}

/* It has no place for a line that is overwritten. */
static void a_log_that_is_no_file(void **state) {
  (void)state;
  in_launch = NULL;
  environment("AOTIGEN_LOG", "/dev/null");
  ending e = end_of(load_and_run);
  assert_exited(&e, 7);
  assert_string_equal(e.err, "");
  free(e.err);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
  const struct CMUnitTest tests[] = {TEST(signals_name_the_launch),
                                     TEST(left_alone),
                                     TEST(an_ignored_signal),
                                     TEST(places),
                                     TEST(other_threads),
                                     TEST(stacks),
                                     TEST(hosts_handlers),
                                     TEST(said_once_a_launch),
                                     TEST(stderr_that_takes_nothing),
                                     TEST(log_of_a_crash),
                                     TEST(log_from_the_load_on),
                                     TEST(a_log_that_is_truncated),
                                     TEST(a_child_has_its_own_line),
                                     TEST(a_log_that_is_no_file)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
