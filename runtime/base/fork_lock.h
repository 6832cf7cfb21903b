/* fork_lock.h - mutexes that a child of fork() finds free. Inside the library only.
 *
 * The thread that forks takes them all first, so that what they guard is consistent in the child. A
 * lock that it cannot take, within a second for all of them, is made anew there. If two are held at
 * a time, the one taken first must be added later. An entry must live until the process ends. */
#ifndef AOTIGEN_FORK_LOCK_H
#define AOTIGEN_FORK_LOCK_H

#include <pthread.h>
#include <stdbool.h>

typedef struct ag_fork_lock {
  pthread_mutex_t *lock;
  bool held; /* by the thread that forks */
  struct ag_fork_lock *next;
} ag_fork_lock;

/* Adds a free lock. Any thread may call. */
void ag_fork_lock_add(ag_fork_lock *entry, pthread_mutex_t *lock);

/* Adds a file's own mutex before the constructors of the wrapper, which may call the library. */
#define AG_FORK_LOCK(mutex)                                                                        \
  __attribute__((constructor(101))) static void add_fork_lock(void) {                              \
    static ag_fork_lock entry;                                                                     \
    ag_fork_lock_add(&entry, &(mutex));                                                            \
  }

#endif
