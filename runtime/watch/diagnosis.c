/* diagnosis.c - see diagnosis.h. */
#define _GNU_SOURCE
#include "watch/diagnosis.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/background.h"
#include "base/fork_lock.h"
#include "base/own_path.h"
#include "base/settings.h"
#include "base/sink.h"
#include "base/thread.h"
#include "checks/finding.h"
#include "watch/counts.h"
#include "watch/outlets.h"
#include "watch/replay_command.h"

enum {
  MINUTE_US = 60 * 1000 * 1000,
  GRACE_US = 5 * 1000 * 1000, /* from SIGTERM to SIGKILL */
  TOLD_MOST = 64 << 10        /* bytes of a report that are told */
};

/* The longest that one may take. Tests shorten it. */
extern int64_t ag_diagnosis_limit_us;
int64_t ag_diagnosis_limit_us = 10 * 60 * 1000 * (int64_t)1000;

static struct {
  pthread_mutex_t lock;
  ag_text asked; /* under the lock: a capsule */
} request = {.lock = PTHREAD_MUTEX_INITIALIZER};
AG_FORK_LOCK(request.lock)

/* Of the library's own thread. */
static struct {
  ag_background child;
  pid_t process; /* that started it */
  ag_text capsule, part;
  int out;       /* the file at `part` */
  int64_t begun; /* by ag_time_us() */
  int signalled; /* 0, SIGTERM or SIGKILL */
} going;

bool ag_diagnosis_wanted(void) { return ag_settings_get()->on_fault == AG_FAULT_DIAGNOSE; }

void ag_diagnosis_ask(const char *capsule) {
  ag_count_table *table = ag_diagnosis_wanted() ? ag_counts_table() : NULL;
  if (!table) return;
  int64_t last = atomic_load(&table->diagnosed), now = ag_time_us();
  if ((last && now - last < MINUTE_US) || atomic_exchange(&table->diagnosing, true)) return;
  atomic_store(&table->diagnosed, now);
  pthread_mutex_lock(&request.lock);
  ag_text_clear(&request.asked);
  ag_text_add(&request.asked, capsule);
  pthread_mutex_unlock(&request.lock);
}

/* ---- what came of it ------------------------------------------------------------------------- */

static void log_it(const char *file, const char *failure, const char *report) {
  ag_text event;
  if (!ag_sink_has_log()) return;
  ag_event_begin(&event, EVENT_DIAGNOSIS);
  ag_event_add_string(&event, "capsule", ag_text_string(&going.capsule));
  ag_event_add_string(&event, "file", file);
  ag_event_add_string(&event, "failure", failure);
  ag_event_add_string(&event, "report", report);
  ag_event_end(&event);
}

/* file: where the report stands whole; failure: why it may be none. Both may be NULL. */
static void tell(const char *file, const char *failure, const char *report) {
  ag_text t = {0};
  const char *capsule = ag_text_string(&going.capsule);
  if (failure)
    ag_text_addf(&t, "aotigen: no diagnosis of %s: %s", capsule, failure);
  else
    ag_text_addf(&t, "aotigen: diagnosis of %s", capsule);
  if (file) ag_text_addf(&t, "; it stands in %s", file);
  ag_text_add(&t, "\n");
  ag_text_add(&t, report);
  ag_sink_write_stderr(ag_text_string(&t));
  if (!failure) ag_outlet_terminate(report);
  log_it(file, failure, report);
  ag_text_free(&t);
}

/* The diagnosis is over: another may begin. */
static void leave(void) {
  ag_count_table *table = ag_counts_table();
  if (going.part.length) unlink(ag_text_string(&going.part)); /* that of a failure */
  if (going.out >= 0) close(going.out);
  going.out = -1;
  ag_text_clear(&going.part);
  ag_text_clear(&going.capsule);
  if (table) atomic_store(&table->diagnosing, false);
}

static void fail(const char *why) {
  tell(NULL, why, "");
  leave();
}

/* The end of what was printed, which has the diagnosis; it begins with a line's begin. */
static void read_report(ag_text *t) {
  struct stat st;
  char part[4096];
  ssize_t n;
  if (fstat(going.out, &st)) return;
  off_t at = st.st_size > TOLD_MOST ? st.st_size - TOLD_MOST : 0;
  bool is_within = at > 0;
  for (; (n = pread(going.out, part, sizeof part, at)) > 0; at += n) {
    const char *from = is_within ? memchr(part, '\n', (size_t)n) : part;
    if (!from) continue;
    if (is_within) from++;
    is_within = false;
    ag_text_add_bytes(t, from, (size_t)(part + n - from));
  }
  for (size_t i = 0; i < t->length; i++)
    if (!t->data[i]) t->data[i] = '?';
}

/* NULL: it ended well. */
static const char *find_failure(char *to, size_t room) {
  const int status = going.child.status;
  if (going.signalled)
    snprintf(to, room, "it took more than %lld s", (long long)(ag_diagnosis_limit_us / 1000000));
  else if (status == -1 || (WIFEXITED(status) && !WEXITSTATUS(status)))
    return NULL;
  else if (WIFSIGNALED(status))
    snprintf(to, room, "it was ended by signal %d", WTERMSIG(status));
  else
    snprintf(to, room, "it ended with exit status %d", WEXITSTATUS(status));
  return to;
}

static void end(void) {
  char failure[64];
  struct stat st;
  ag_text file = {0}, report = {0};
  const char *why = find_failure(failure, sizeof failure);
  ag_text_addf(&file, "%s.txt", ag_text_string(&going.capsule));
  const char *name = ag_text_string(&file);
  const bool other = !lstat(name, &st) && !S_ISREG(st.st_mode);
  const bool has_name = !other && !rename(ag_text_string(&going.part), name);
  read_report(&report);
  tell(has_name ? name : NULL, why, ag_text_string(&report));
  ag_text_free(&file);
  ag_text_free(&report);
  leave();
}

/* ---- the process ----------------------------------------------------------------------------- */

static void open_report(void) {
  ag_text_addf(&going.part, "%s.txt.%ld.part", ag_text_string(&going.capsule), (long)getpid());
  const char *path = ag_text_string(&going.part);
  unlink(path); /* an earlier process of this number was killed */
  int fd = ag_own_path_open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  going.out = fd < 0 ? fd : fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (fd >= 0) close(fd);
}

static void start(void) {
  ag_replay_command command = {0};
  const char *why = ag_replay_command_make(&command, ag_text_string(&going.capsule));
  going.signalled = 0;
  going.process = getpid();
  going.begun = ag_time_us();
  if (!why) open_report();
  if (!why && going.out < 0) why = ag_own_path_error(errno);
  if (!why)
    why = ag_background_start(&going.child, command.program, command.arguments, command.environment,
                              going.out);
  ag_text text = {0};
  if (why && command.program)
    ag_text_addf(&text, "'%s': %s", command.program, why);
  else if (why)
    ag_text_add(&text, why);
  if (why) fail(ag_text_string(&text));
  ag_text_free(&text);
  ag_replay_command_free(&command);
}

static void limit(void) {
  const int64_t taken = ag_time_us() - going.begun;
  const int due = taken > ag_diagnosis_limit_us + GRACE_US ? SIGKILL
                  : taken > ag_diagnosis_limit_us          ? SIGTERM
                                                           : 0;
  if (due == going.signalled) return;
  ag_background_signal(&going.child, due);
  going.signalled = due;
}

bool ag_diagnosis_step(void) {
  if (!ag_diagnosis_wanted()) return false;
  if (going.child.process && going.process != getpid()) going.child.process = 0; /* the parent's */
  if (going.child.process) {
    limit();
    if (!ag_background_runs(&going.child)) end();
    return true;
  }
  pthread_mutex_lock(&request.lock);
  const bool is_asked = request.asked.length != 0;
  if (is_asked) {
    ag_text_clear(&going.capsule);
    ag_text_add(&going.capsule, ag_text_string(&request.asked));
    ag_text_clear(&request.asked);
  }
  pthread_mutex_unlock(&request.lock);
  going.out = going.child.process ? going.out : -1;
  if (is_asked) start();
  return is_asked;
}

void ag_diagnosis_stop(void) {
  if (!going.child.process || going.process != getpid()) return;
  ag_background_signal(&going.child, SIGTERM);
  for (int i = 0; i < 100 && ag_background_runs(&going.child); i++) ag_time_sleep_us(1000);
  going.child.process = 0;
  fail("the model was unloaded, or the program ended, before it was made");
}
