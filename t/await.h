/* await.h - a test waits for what is to happen, not for a time. */
#ifndef T_AWAIT_H
#define T_AWAIT_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Waits, where time itself is tested: each call has a comment that says why. */
static inline void let_pass(long microseconds) {
  struct timespec t = {microseconds / 1000000, microseconds % 1000000 * 1000};
  while (nanosleep(&t, &t)) continue;
}

static inline void await_more(int *tries, const char *what) {
  if (++*tries > 600000) {
    fprintf(stderr, "not within a minute: %s\n", what);
    abort();
  }
  let_pass(100);
}

/* Goes on when the condition holds; after a minute without it the process ends. From any thread. */
#define AWAIT(condition)                                                                           \
  for (int await_tries = 0; !(condition);) await_more(&await_tries, #condition)

#endif
