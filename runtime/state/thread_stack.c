/* thread_stack.c - see thread_stack.h. */
#define _GNU_SOURCE
#include "state/thread_stack.h"

#include <errno.h>
#include <execinfo.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/thread.h"

/* OWN: the frames of the handler, and of the kernel's code that calls it. */
enum { WAIT_US = 1000 * 1000, STEP_US = 1000, OWN = 2 };

static void *found[AG_STACK_MOST + OWN];
static atomic_int asked, frames_found; /* the thread; 0: none */

static void store_stack(int signal) {
  int saved = errno, thread = (int)syscall(SYS_gettid);
  (void)signal;
  if (atomic_compare_exchange_strong(&asked, &thread, 0))
    atomic_store(&frames_found, backtrace(found, AG_STACK_MOST + OWN));
  errno = saved;
}

void ag_thread_stack_prepare(void) {
  void *frame[1];
  backtrace(frame, 1);
}

/* ---- what the system says of the thread ----------------------------------------------------- */

/* Reads the value of a field of the thread's status, such as "State:", into `text`. False if there
 * is none. */
static bool read_status(int thread, const char *field, char *text, size_t room) {
  char name[64], line[256];
  bool is_found = false;
  snprintf(name, sizeof name, "/proc/self/task/%d/status", thread);
  FILE *f = fopen(name, "re");
  while (f && !is_found && fgets(line, sizeof line, f))
    if (!strncmp(line, field, strlen(field))) {
      snprintf(text, room, "%s", line + strlen(field) + strspn(line + strlen(field), " \t"));
      is_found = true;
    }
  if (f) fclose(f);
  return is_found;
}

const char *ag_thread_stack_doing(int thread) {
  char state[8];
  if (!read_status(thread, "State:", state, sizeof state)) return NULL;
  return *state == 'R' ? "runs" : *state == 'S' || *state == 'D' ? "sleeps" : NULL;
}

/* ---- the signal ----------------------------------------------------------------------------- */

/* Takes a signal that has its default action and that the thread does not block; 0 if there is
 * none. It has our handler from now on. */
static int take_signal(int thread) {
  const struct sigaction ours = {.sa_handler = store_stack, .sa_flags = SA_RESTART | SA_ONSTACK};
  struct sigaction now;
  char text[32] = "";
  if (!read_status(thread, "SigBlk:", text, sizeof text)) return 0;
  unsigned long long blocked = strtoull(text, NULL, 16);
  for (int s = SIGRTMAX; s >= SIGRTMIN; s--) {
    if (blocked >> (s - 1) & 1 || sigaction(s, NULL, &now) || now.sa_handler != SIG_DFL) continue;
    if (sigaction(s, &ours, &now)) continue;
    if (now.sa_handler == SIG_DFL) return s;
    sigaction(s, &now, NULL); /* the host has just taken it */
  }
  return 0;
}

/* Gives a signal back. One that was not delivered yet must not end the process. */
static void give_signal(int s) {
  signal(s, SIG_IGN);
  signal(s, SIG_DFL);
}

int ag_thread_stack_read(int thread, void *frames[AG_STACK_MOST], const char **why) {
  int s = take_signal(thread);
  *why = "no real-time signal is free that the thread does not block";
  if (!s) return 0;
  atomic_store(&frames_found, 0);
  atomic_store(&asked, thread);
  bool sent = !syscall(SYS_tgkill, getpid(), thread, s);
  for (int t = 0; sent && t < WAIT_US && !atomic_load(&frames_found); t += STEP_US)
    ag_time_sleep_us(STEP_US);
  atomic_store(&asked, 0);
  give_signal(s);
  *why = "the thread did not answer a signal";
  int n = atomic_load(&frames_found) - OWN;
  if (n <= 0) return 0;
  memcpy(frames, found + OWN, (size_t)n * sizeof *frames);
  return n;
}
