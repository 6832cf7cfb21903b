/* crashing.h - a model whose second launch does what a test wants, in a child process, and how that
 * ended. */
#ifndef T_CRASHING_H
#define T_CRASHING_H

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
    CPU_SITE("cpp_fused_add_0", params, 11, .nodes = "add", .aten = "aten.add", .number = 1),
    CPU_SITE("quote\"d", params, 22, .number = 2)};
static aotigen_model model;
static char log_name[512];

BEFORE_EACH {
  model = MODEL(WITH(sites, sites), .nan_asserts = 1, .check_inputs = 2);
  close(mkstemp(temporary(log_name, sizeof log_name)));
}

AFTER_EACH {
  unlink(log_name);
  environment("AOTIGEN_LOG", NULL);
  environment("AOTIGEN_SIGNALS", NULL);
  environment("AOTIGEN_WATCHDOG", NULL);
}

/* ---- children ------------------------------------------------------------------------------- */

static void (*in_launch)(void);

/* A run of three launches; `in_launch` is called within the second. */
static inline void run_model(void) {
  aotigen_run run; /* each thread has its own */
  fake *out = fake_new("float32", 4, -1);
  const aotigen_value v[] = {handle(out)};
  aotigen_run_begin(&run, &model, 0, NULL);
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
static inline void reset_signals(void) {
  static const int all[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGINT, SIGTERM};
  const struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) signal(all[i], SIG_DFL);
}

/* A child that runs the host; captured(2) has what it writes. */
static inline pid_t begin_child(void (*host)(void)) {
  fflush(NULL);
  capture(2);
  pid_t child = fork();
  if (child) return child;
  alarm(20);
  reset_signals();
  host();
  _exit(7);
}

static inline ending end_of(void (*host)(void)) {
  ending e;
  pid_t child = begin_child(host);
  assert_int_equal(waitpid(child, &e.status, 0), child);
  e.err = captured_of(2, child);
  return e;
}

static inline void load_and_run(void) {
  if (aotigen_load(&model, "cpu", NULL, NULL, NULL)) _exit(20);
  run_model();
}

/* Loads the model and begins a run that is before its first checked launch; with LAUNCHES=N in the
 * environment it is after launch 4 and N more that the filter leaves out. */
static inline void begin_between_launches(aotigen_run *run) {
  aotigen_load(&model, "cpu", NULL, NULL, NULL);
  aotigen_run_begin(run, &model, 0, NULL);
  if (!getenv("LAUNCHES")) return;
  run->launch = 4;
  fake *out = fake_new("float32", 4, -1);
  const aotigen_value v[] = {handle(out)};
  aotigen_before(run, 0, v, 1);
  aotigen_after(run, 0, NULL, 0);
  run->launch += (uint64_t)atoi(getenv("LAUNCHES"));
}

/* Calls itself until the stack is used up. */
static inline int overflow(int n) {
  volatile char some[4096];
  some[0] = (char)n;
  return n ? overflow(n + 1) + some[0] : 0;
}
static inline void overflow_stack(void) { overflow(1); }

static inline void assert_killed(const ending *e, int signal) {
  if (!WIFSIGNALED(e->status) || WTERMSIG(e->status) != signal)
    fail_msg("status %x, not signal %d; stderr:\n%s", e->status, signal, e->err);
}

static inline void assert_exited(const ending *e, int status) {
  if (!WIFEXITED(e->status) || WEXITSTATUS(e->status) != status)
    fail_msg("status %x, not exit %d; stderr:\n%s", e->status, status, e->err);
}

/* The report for segv(). Not every processor distinguishes a store from a load. */
#ifdef __x86_64__
#define AT_NOWHERE "; address 0x10 (write), 16 bytes from a null pointer\n"
#else
#define AT_NOWHERE "; address 0x10, 16 bytes from a null pointer\n"
#endif
static volatile uintptr_t nowhere = 16;
static inline void segv(void) {
  __asm__ volatile("" ::: "memory");
  *(volatile int *)nowhere = 0;
}

#endif
