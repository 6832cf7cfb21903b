/* stack.c - see stack.h. Knows threads and signals. */
#include "system/crash_guard.h"
#include "system/atomic_output.h"
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { HANDLER = 64 * 1024, NEAR = 1 << 20 };
static const size_t SIZE =
    (size_t)64 << 20; /* 8 times what a thread has, and all of it touched is still modest */

static struct {
  void (*f)(void *);
  void *data;
  const char *const *input;
  uintptr_t lowest; /* address of the stack */
} job;

static void put(const char *s) {
  if (write(STDERR_FILENO, s, strlen(s)) < 0) return;
}

/* Async-signal-safe, on a stack of its own. */
static void faulted(int sig, siginfo_t *info, void *context) {
  (void)context;
  uintptr_t at = (uintptr_t)info->si_addr;
  bool overflow = sig == SIGSEGV && at + NEAR > job.lowest && at < job.lowest + NEAR;
  put(job.input && *job.input ? *job.input : "aotigen");
  put(overflow         ? ": error: nests too deep to be parsed\n"
      : sig == SIGABRT ? ": error: the parser gave up on it: a fault of its own, or no room left "
                         "on the disk or in memory\n"
                       : ": error: aotigen itself failed on it (a fault of memory): please report "
                         "it, with the file\n");
  output_clean_up();
  _exit(overflow || sig == SIGABRT ? STATUS_INPUT : STATUS_BUG);
}

/* Here all happens, signals included: the first thread holds them back, so that no child is begun
 * while they are handled. */
static void *on_it(void *before_it) {
  output_release_signals(before_it);
  static char memory[HANDLER];
  stack_t other = {.ss_sp = memory, .ss_size = sizeof memory}, before;
  sigaltstack(&other, &before);
  struct sigaction act = {.sa_sigaction = faulted,
                          .sa_flags = SA_SIGINFO | SA_ONSTACK | (int)SA_RESETHAND};
  sigaction(SIGSEGV, &act, NULL);
  sigaction(SIGBUS, &act, NULL);
  sigaction(SIGILL, &act, NULL);
  sigaction(SIGTRAP, &act, NULL);
  sigaction(SIGFPE, &act, NULL);
  sigaction(SIGABRT, &act,
            NULL); /* how libclang ends where it cannot write or has no memory; it says so itself */
  job.f(job.data);
  sigaltstack(&before, NULL); /* a sanitizer's own, which it takes back */
  return NULL;
}

void stack_run(void (*f)(void *), void *data, const char *const *input) {
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
    f(data); /* as deep as the first thread's goes */
    return;
  }
  job.lowest = (uintptr_t)stack + HANDLER;
  pthread_attr_setstack(&attributes, stack, SIZE);
  sigset_t before;
  output_hold_signals(&before);
  bool made = pthread_create(&thread, &attributes, on_it, &before) == 0;
  if (made) pthread_join(thread, NULL);
  output_release_signals(&before);
  if (!made) f(data);
  pthread_attr_destroy(&attributes);
  munmap(stack, SIZE);
}
