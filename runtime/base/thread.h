/* thread.h - the library's own threads, and a clock.
 *
 * A thread begins when it is first needed, with all signals blocked: signals are the host's. It
 * ends when the process exits or the model is unloaded. A child of fork() does not have it.
 */
#ifndef AOTIGEN_THREAD_H
#define AOTIGEN_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct ag_thread {
  pthread_t id;
  pid_t process;  /* the process that started it */
  bool has_begun; /* it was started once or more */
} ag_thread;

/* Starts the thread. False if the system gives none. `stop` is called at exit and when the model is
 * unloaded: it must make `body` return, and call ag_thread_join(). A thread that ended may be
 * started again. */
bool ag_thread_begin(ag_thread *t, void *(*body)(void *), void (*stop)(void));
/* False in a child of the process that started the thread. */
bool ag_thread_is_here(const ag_thread *t);
void ag_thread_join(const ag_thread *t);

/* The microseconds that a thread that needs room waits for a device that makes no progress: the
 * device may itself be waiting for what this thread does next. Tests shorten it. */
extern int64_t ag_stall_timeout_us;

/* Microseconds of a monotonic clock. */
int64_t ag_time_us(void);
/* Sleeps for less than a second. */
void ag_time_sleep_us(long microseconds);

#endif
