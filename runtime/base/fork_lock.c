/* fork_lock.c - see fork_lock.h. */
#define _GNU_SOURCE
#include "base/fork_lock.h"

#include <stdatomic.h>
#include <time.h>

static _Atomic(ag_fork_lock *) all;                      /* the last one added comes first */
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER; /* held by the thread that forks */
static ag_fork_lock *taken;                              /* under `turn` */

void ag_fork_lock_add(ag_fork_lock *entry, pthread_mutex_t *lock) {
  entry->lock = lock;
  entry->next = atomic_load(&all);
  while (!atomic_compare_exchange_weak(&all, &entry->next, entry)) continue;
}

/* Times out, since the fork may come from a signal handler that interrupted the holder of a
 * lock. */
static void take_all(void) {
  struct timespec until;
  pthread_mutex_lock(&turn);
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec++;
  taken = atomic_load(&all);
  for (ag_fork_lock *l = taken; l; l = l->next) l->held = !pthread_mutex_timedlock(l->lock, &until);
}

static void give_all(void) {
  for (ag_fork_lock *l = taken; l; l = l->next)
    if (l->held) pthread_mutex_unlock(l->lock);
  pthread_mutex_unlock(&turn);
}

/* Makes the locks anew that were not taken or were added meanwhile: a thread that does not exist in
 * the child may hold one. */
static void give_all_in_child(void) {
  for (ag_fork_lock *l = atomic_load(&all); l; l = l->next)
    if (!l->held) *l->lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  give_all();
}

/* Runs before the constructors of the wrapper, which may call the library already. */
__attribute__((constructor(101))) static void set_up(void) {
  pthread_atfork(take_all, give_all, give_all_in_child);
}
