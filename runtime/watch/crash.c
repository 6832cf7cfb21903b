/* crash.c - see crash.h. */
#define _GNU_SOURCE
#include "watch/crash.h"

#include <errno.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/fork_lock.h"
#include "base/process_tag.h"
#include "base/settings.h"
#include "base/thread.h"
#include "state/crash_cause.h"
#include "state/crash_signals.h"
#include "state/crash_stack.h"
#include "state/library_copies.h"
#include "watch/crash_mark.h"
#include "watch/crash_thread.h"
#include "watch/watcher.h"

enum { CAUSE_MOST = 400 };
enum { NONE, ASKED, WRITING, OVER }; /* stages of the one crash */

/* Milliseconds that the handler waits. Tests shorten it. */
extern int ag_watch_crash_wait_ms;
int ag_watch_crash_wait_ms = 5000;

static struct {
  pthread_mutex_t lock; /* of what begins the thread */
  ag_thread thread;
  atomic_bool exists, stops;
  sem_t asked;
  atomic_int stage;
  atomic_flag said;
  _Atomic(ag_watched_run *) run;
  ag_raw_text cause;
} crash = {.lock = PTHREAD_MUTEX_INITIALIZER, .said = ATOMIC_FLAG_INIT};
AG_FORK_LOCK(crash.lock)

/* ---- the thread ----------------------------------------------------------------------------- */

static void *write_when_asked(void *unused) {
  (void)unused;
  while (sem_wait(&crash.asked) && errno == EINTR) continue;
  ag_watched_run *r = atomic_load(&crash.run);
  if (atomic_load(&crash.stops) || !r) return NULL;
  atomic_store(&crash.stage, WRITING);
  ag_watched_crash(r, crash.cause.bytes);
  atomic_store(&crash.stage, OVER);
  return NULL;
}

static void stop(void) {
  if (!ag_thread_is_here(&crash.thread)) return;
  atomic_store(&crash.stops, true);
  sem_post(&crash.asked);
  if (atomic_load(&crash.stage) != WRITING) ag_thread_join(&crash.thread);
}

/* ---- in a handler --------------------------------------------------------------------------- */

static bool is_crash(const ag_crash *c) {
  return ag_crash_is_fault(c->signal) || c->signal == SIGABRT;
}

/* "; address 0x10 (read), ...": without what begins the first part. */
static void find_cause(const ag_crash *c, const ag_watched_run *r) {
  ag_raw_text *t = &crash.cause, cause;
  const int thread = atomic_load(&r->thread);
  t->length = cause.length = 0;
  if (thread != c->thread) {
    ag_raw_add(t, "on thread ");
    ag_raw_add_number(t, c->thread);
    ag_raw_add(t, ", while the run was in progress on thread ");
    ag_raw_add_number(t, thread);
  }
  ag_crash_cause_add(&cause, c, NULL, thread == c->thread ? r->stack : NULL);
  cause.bytes[cause.length < sizeof cause.bytes ? cause.length : sizeof cause.bytes - 1] = '\0';
  ag_raw_add_some(t, cause.bytes + (t->length ? 0 : strspn(cause.bytes, "; ")), CAUSE_MOST);
  t->bytes[t->length < sizeof t->bytes ? t->length : sizeof t->bytes - 1] = '\0';
}

/* What the thread could not write. */
static void say_alone(const ag_crash *c, const ag_watched_run *r, const char *why) {
  ag_raw_text t;
  t.length = 0;
  ag_raw_add(&t, "aotigen: ");
  ag_process_tag_add(&t);
  ag_raw_add(&t, c->name);
  ag_raw_add(&t, " in run ");
  ag_raw_add_number(&t, (int64_t)r->number);
  ag_raw_add(&t, ", of a watched model; no capsule: ");
  ag_raw_add(&t, why);
  ag_raw_add(&t, "\n");
  ag_raw_write(STDERR_FILENO, &t);
}

static bool wait_until_over(void) {
  static const struct timespec step = {0, 1000 * 1000};
  for (int i = 0; i < ag_watch_crash_wait_ms && atomic_load(&crash.stage) != OVER; i++)
    nanosleep(&step, NULL);
  return atomic_load(&crash.stage) == OVER;
}

/* Once in a process: a host may handle a million. Another thread that crashes meanwhile waits, as
 * it would end the process. */
static int say(const ag_crash *c, ag_watched_run *r) {
  if (!r) return 0;
  ag_crash_mark_leave(c->name, r->number, c->thread);
  if (atomic_flag_test_and_set(&crash.said)) {
    if (atomic_load(&crash.stage) != NONE) wait_until_over();
    return 1;
  }
  find_cause(c, r);
  r->signal = c->name;
  if (!atomic_load(&crash.exists) || !ag_thread_is_here(&crash.thread) ||
      atomic_load(&crash.stops)) {
    say_alone(c, r, "the thread that writes it is not there");
    return 1;
  }
  atomic_store(&crash.run, r);
  atomic_store(&crash.stage, ASKED);
  sem_post(&crash.asked);
  if (!wait_until_over())
    say_alone(c, r, "it was not written within 5 s: what crashed may hold a lock");
  return 1;
}

static int say_own(const ag_crash *c) {
  return is_crash(c) ? say(c, ag_watcher_find(c->thread)) : 0;
}

static int say_others(const ag_crash *c) {
  return is_crash(c) && ag_watcher_find(0) && ag_crash_thread_is_models(c)
             ? say(c, ag_watcher_find(0))
             : 0;
}

/* ---- around runs ---------------------------------------------------------------------------- */

static void install(void) {
  sem_init(&crash.asked, 0, 0);
  ag_crash_mark_prepare();
  ag_crash_thread_prepare();
  ag_this_library_copy.say_own = say_own;
  ag_this_library_copy.say_others = say_others;
  ag_crash_signals_install();
}

/* A child of fork() has none, and begins its own. */
static void begin_thread(void) {
  pthread_mutex_lock(&crash.lock);
  if (!atomic_load(&crash.exists) || !ag_thread_is_here(&crash.thread))
    atomic_store(&crash.exists, ag_thread_begin(&crash.thread, write_when_asked, stop));
  pthread_mutex_unlock(&crash.lock);
}

void ag_watch_crash_prepare(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (!ag_settings_get()->signals) return;
  pthread_once(&once, install);
  ag_crash_stack_provide();
  if (!atomic_load(&crash.exists) || !ag_thread_is_here(&crash.thread)) begin_thread();
}

void ag_watch_crash_settle(const ag_watched_run *r) {
  if (atomic_load(&crash.run) == r) wait_until_over();
}

void ag_watch_crash_keep(void) { ag_crash_signals_keep(); }
