/* crash_guard.c - see crash_guard.h. */
#include "system/crash_guard.h"
#include "base/diag.h"
#include "system/cleanup.h"
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The sizes of the signal handler's stack and guard area, and the distance from the lowest address
 * within which a fault is an overflow. */
enum { HANDLER = 64 * 1024, NEAR = 1 << 20 };
#ifdef __SANITIZE_ADDRESS__ /* its frames are larger */
static const size_t SIZE = (size_t)128 << 20;
#else
static const size_t SIZE = (size_t)64 << 20; /* 8 times the usual size */
#endif

static struct {
  void (*f)(void *);
  void *data;
  const char *const *input;
  uintptr_t lowest; /* the stack's lowest address */
  bool is_copy;
} job;

static void print_text(const char *s) {
  if (write(STDERR_FILENO, s, strlen(s)) < 0) return;
}

/* The signal handler: async-signal-safe, on a stack of its own. */
static void report_crash(int sig, siginfo_t *info, void *context) {
  (void)context;
  uintptr_t at = (uintptr_t)info->si_addr;
  bool overflow = sig == SIGSEGV && at + NEAR > job.lowest && at < job.lowest + NEAR;
  if (job.is_copy) _exit(overflow ? CRASH_GUARD_OVERFLOW : CRASH_GUARD_CRASH);
  print_text(job.input && *job.input ? *job.input : "aotigen");
  if (overflow)
    print_text(": error: nests too deep to be parsed\n");
  else if (sig == SIGABRT)
    print_text(": error: the parser gave up on it: no memory or disk space left, or a bug in it\n");
  else
    print_text(": error: aotigen crashed on this input: this is a bug, please report it with the "
               "file\n");
  cleanup_run();
  _exit(overflow || sig == SIGABRT ? STATUS_INPUT : STATUS_BUG);
}

static void catch_crashes(void) {
  struct sigaction act = {.sa_sigaction = report_crash,
                          .sa_flags = SA_SIGINFO | SA_ONSTACK | (int)SA_RESETHAND};
  static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT};
  for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) sigaction(crashes[i], &act, NULL);
}

void crash_guard_in_copy(void) {
  job.is_copy = true;
  catch_crashes();
}

/* The thread. It alone handles signals, since the first thread blocks them. So no signal is handled
 * between a fork() and the registration of the child. */
static void *run_job(void *before_it) {
  cleanup_restore_signals(before_it);
  static char memory[HANDLER];
  stack_t other = {.ss_sp = memory, .ss_size = sizeof memory}, before;
  sigaltstack(&other, &before);
  catch_crashes();
  job.f(job.data);
  sigaltstack(&before, NULL); /* a sanitizer frees its own */
  return NULL;
}

void crash_guard_run(void (*f)(void *), void *data, const char *const *input) {
  pthread_attr_t attributes;
  pthread_t thread;
  job.f = f;
  job.data = data;
  job.input = input;
  setenv("LIBCLANG_NOTHREADS", "1", 1);
  setenv("LIBCLANG_DISABLE_CRASH_RECOVERY", "1", 1);
  void *stack = mmap(NULL, SIZE, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (stack == MAP_FAILED || mprotect(stack, HANDLER, PROT_NONE) != 0 ||
      pthread_attr_init(&attributes) != 0) {
    f(data); /* on the first thread's stack */
    return;
  }
  job.lowest = (uintptr_t)stack + HANDLER;
  pthread_attr_setstack(&attributes, stack, SIZE);
  sigset_t before;
  cleanup_block_signals(&before);
  bool made = pthread_create(&thread, &attributes, run_job, &before) == 0;
  if (made) pthread_join(thread, NULL);
  cleanup_restore_signals(&before);
  if (!made) f(data);
  pthread_attr_destroy(&attributes);
  munmap(stack, SIZE);
}
