/* fork_lock.h - mutexes that a child of fork() finds free. Inside the library only.
 *
 * The thread that forks takes them all first, so that what they guard is whole in the child; one
 * that it cannot have, within a second for all of them, is made anew there. Of two that are held at
 * a time, the one that is taken first is added later. Lives: an entry stays where it is to the
 * process's end.
 */
#ifndef AOTIGEN_FORK_LOCK_H
#define AOTIGEN_FORK_LOCK_H

#include <pthread.h>
#include <stdbool.h>

typedef struct ag_fork_lock {
  pthread_mutex_t *lock;
  bool held; /* by the thread that forks */
  struct ag_fork_lock *next;
} ag_fork_lock;

/* On any thread; the lock is free. */
void ag_fork_lock_add(ag_fork_lock *entry, pthread_mutex_t *lock);

/* For a file's own mutex: before the constructors of the wrapper, which may call the library. */
#define AG_FORK_LOCK(mutex)                                                                        \
  __attribute__((constructor(101))) static void add_fork_lock(void) {                              \
    static ag_fork_lock entry;                                                                     \
    ag_fork_lock_add(&entry, &(mutex));                                                            \
  }

#endif
