/* thread.h - the threads of the library's own: one that judges (desk.c), one that writes files
 * (spool.c).
 *
 * Each is begun when it is first needed, with all signals blocked, for signals are the host's, and
 * told to end when the process exits or the model is unloaded. A child of fork() has none of them.
 */
#ifndef AOTIGEN_THREAD_H
#define AOTIGEN_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct ag_thread {
  pthread_t id;
  pid_t process; /* whose it is */
} ag_thread;

/* False where it cannot be had. stop: called at exit, and when the model is unloaded; sees to it
 * that `body` returns, and then calls ag_thread_join(). */
bool ag_thread_begin(ag_thread *t, void *(*body)(void *), void (*stop)(void));
/* False in a child of the process that began it. */
bool ag_thread_is_here(const ag_thread *t);
void ag_thread_join(const ag_thread *t);

/* So long a thread that has no room waits for a device that answers it nothing: the device may be
 * waiting for what this very thread would do next. Microseconds; tests shorten it. */
extern int64_t ag_stall_timeout;

/* Microseconds of a clock that nobody sets; and to sleep for so many, fewer than a second. */
int64_t ag_now(void);
void ag_sleep_us(long microseconds);

#endif
