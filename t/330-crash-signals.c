/* 330-crash-signals - a signal that ends the process within a launch: its line, and that the host's
 * own handlers and the way the process ends are as without us. */
#include <stdatomic.h>

#include "crashing.h"
#include "state/run_state.h"
#include "state/in_flight.h"

/* ---- each signal ---------------------------------------------------------------------------- */

__attribute__((no_sanitize("undefined"))) static void fpe(void) {
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
     "aotigen: SIGSEGV in run 1, launch 2: quote\"d, launched at model.cpp:22" AT_NOWHERE},
    {bus, SIGBUS,
     "aotigen: SIGBUS in run 1, launch 2: quote\"d, launched at model.cpp:22; address "},
    {fpe, SIGFPE,
     "aotigen: SIGFPE in run 1, launch 2: quote\"d, launched at model.cpp:22; an integer was "
     "divided by 0, or the least of its type by -1\n"},
    {ill, SIGILL,
     "aotigen: SIGILL in run 1, launch 2: quote\"d, launched at model.cpp:22; at instruction "},
    {abort, SIGABRT, "aotigen: SIGABRT in run 1, launch 2: quote\"d, launched at model.cpp:22\n"},
    {interrupt, SIGINT,
     "aotigen: SIGINT in run 1, launch 2: quote\"d, launched at model.cpp:22; "
     "in flight for 0."},
    {terminate, SIGTERM,
     "aotigen: SIGTERM in run 1, launch 2: quote\"d, launched at "
     "model.cpp:22; in flight for 0."}};
enum { FAULTS = sizeof faults / sizeof *faults };

TEST(signals_name_the_launch) {
  for (int i = 0; i < FAULTS; i++) {
    in_launch = faults[i].raise;
    ending e = end_of(load_and_run);
    assert_killed(&e, faults[i].signal);
    assert_has(e.err, faults[i].text);
    assert_int_equal(count(e.err, "\n"), 1);
    free(e.err);
  }
}

static atomic_bool explains;

static void explain_slowly(const aotigen_run *of, const ag_crash *c) {
  static const char said[] = "explained\n";
  assert_ptr_equal(of->model, &model);
  assert_int_equal(c->signal, SIGFPE);
  atomic_store(&explains, true);
  let_pass(300 * 1000); /* the other thread fails meanwhile */
  assert_true(write(2, said, sizeof said - 1) > 0);
}
static void *fpe_soon(void *data) {
  AWAIT(atomic_load(&explains));
  fpe();
  return data;
}
static void fpe_twice(void) {
  pthread_t worker;
  pthread_create(&worker, NULL, fpe_soon, NULL);
  fpe();
}

/* A launch that is in flight on this thread, explained by the function above. */
static void fail_slowly_explained(void) {
  aotigen_run_state state = {.model = ag_model_state_of(&model)};
  aotigen_run run = {.model = &model, .state = &state, .number = 1, .launch = 2};
  if (aotigen_load(&model, "cpu", NULL, NULL, NULL)) _exit(20);
  ag_in_flight *u = ag_in_flight_begin(&model, &run, explain_slowly);
  ag_in_flight_before(u, &run, 1);
  ag_in_flight_launch(u);
  fpe_twice();
}

/* Threads of one kernel that divide by 0: the process ends when the first one is explained. */
TEST(a_second_thread_waits) {
  ending e = end_of(fail_slowly_explained);
  assert_killed(&e, SIGFPE);
  assert_has(e.err, "\nexplained\n");
  assert_int_equal(count(e.err, "\n"), 2);
  free(e.err);
}

/* There the launch is over only when the device has run it. */
TEST(on_a_gpu) {
  model.device = "cuda";
  in_launch = segv;
  ending e = end_of(run_model);
  assert_killed(&e, SIGSEGV);
  assert_has(e.err, "aotigen: SIGSEGV in run 1, launch 2, as it was made: quote\"d, launched at ");
  free(e.err);
}

/* A child that shares its parent's stderr says which it is; so does each process of a job. */
TEST(the_process_is_told) {
  for (int ranked = 0; ranked < 2; ranked++) {
    char expected[64];
    int status;
    in_launch = segv;
    if (ranked) environment("RANK", "3");
    pid_t child = begin_child(load_and_run);
    assert_int_equal(waitpid(child, &status, 0), child);
    char *err = captured(2);
    snprintf(expected, sizeof expected,
             ranked ? "aotigen: [rank 3] SIGSEGV in run 1" : "aotigen: [pid %d] SIGSEGV in run 1",
             (int)child);
    assert_has(err, expected);
    free(err);
    environment("RANK", NULL);
  }
}

TEST(the_line_of_the_model) {
  static const aotigen_line lines[] = {{"/m/a.py", 3, "x", NULL},
                                       {"/m/model.py", 14, "y", "enc.0"}};
  aotigen_site own[] = {sites[0], sites[1]};
  own[1].lines = lines;
  own[1].nlines = 2;
  model.sites = own;
  in_launch = abort;
  ending e = end_of(load_and_run);
  assert_killed(&e, SIGABRT);
  assert_has(e.err, "launched at model.cpp:22, one of model lines a.py:3, model.py:14\n");
  free(e.err);
  own[1].lines = &lines[1];
  own[1].nlines = 1;
  e = end_of(load_and_run);
  assert_killed(&e, SIGABRT);
  assert_has_freed(e.err, "launched at model.cpp:22, model line model.py:14 (enc.0)\n");
}

static void nothing_is_installed(void) {
  struct sigaction now;
  load_and_run();
  if (sigaction(SIGSEGV, NULL, &now) || now.sa_handler != SIG_DFL) _exit(8);
}

TEST(left_alone) {
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

TEST(an_ignored_signal) {
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
  begin_between_launches(&run);
  segv();
}

/* The guard reads the tensor's description, which is not there. */
static void in_our_own_check(void) {
  aotigen_run run;
  const aotigen_value v[] = {handle((const fake *)64)};
  aotigen_load(&model, "cpu", NULL, NULL, NULL);
  aotigen_run_begin(&run, &model, 0, NULL);
  run.launch = 1;
  aotigen_before(&run, 0, v, 1);
}

TEST(places) {
  ending e = end_of(outside);
  assert_killed(&e, SIGSEGV);
  assert_string_equal(e.err, "");
  free(e.err);
  unsetenv("LAUNCHES");
  e = end_of(between);
  assert_has(e.err, "aotigen: SIGSEGV in run 1, before its first checked launch" AT_NOWHERE);
  free(e.err);
  setenv("LAUNCHES", "0", 1);
  e = end_of(between);
  assert_has(e.err, "aotigen: SIGSEGV in run 1, after launch 4: cpp_fused_add_0 (add), launched at "
                    "model.cpp:11 (site 1)" AT_NOWHERE);
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

TEST(other_threads) {
  char line[100];
  in_launch = worker_crashes;
  ending e = end_of(load_and_run);
  assert_killed(&e, SIGSEGV);
  assert_has(e.err, "aotigen: SIGSEGV on thread ");
  assert_has(e.err, ", while thread ");
  assert_has(e.err, " was in run 1, launch 2: quote\"d, launched at model.cpp:22" AT_NOWHERE);
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

TEST(stacks) {
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
    aotigen_run_begin(&run, &model, 0, NULL);
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

TEST(hosts_handlers) {
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

TEST(said_once_a_launch) {
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

TEST(stderr_that_takes_nothing) {
  ending e = end_of(stderr_is_a_broken_pipe);
  assert_killed(&e, SIGSEGV);
  free(e.err);
  e = end_of(stderr_is_a_full_pipe);
  assert_killed(&e, SIGSEGV);
  free(e.err);
}
