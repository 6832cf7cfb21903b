/* thread.c - begins and joins threads, and reads the clock. */
#define _GNU_SOURCE
#include "base/thread.h"

#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int64_t ag_stall_timeout_us = 10 * 1000 * 1000;

bool ag_thread_begin(ag_thread *t, void *(*body)(void *), void (*stop)(void)) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  t->process = getpid();
  bool has_begun = !pthread_create(&t->id, NULL, body, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (has_begun && !t->has_begun) atexit(stop);
  t->has_begun |= has_begun;
  return has_begun;
}

bool ag_thread_is_here(const ag_thread *t) { return getpid() == t->process; }

void ag_thread_join(const ag_thread *t) { pthread_join(t->id, NULL); }

int64_t ag_time_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

void ag_time_sleep_us(long microseconds) {
  struct timespec t = {0, microseconds * 1000};
  nanosleep(&t, NULL);
}
