/* sink.c - the only writer. Knows descriptors and the log's framing, nothing of what is said. */
#define _GNU_SOURCE
#include "base/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/settings.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int log_fd = -1;
static bool log_opened, out_failed, log_failed;
static atomic_bool writing; /* stored under the lock */
static _Thread_local long behalf;
static _Thread_local bool gathering;
static _Thread_local ag_text gathered;
enum { GATHERED_MOST = 1 << 16 };

/* Can writing there end in SIGPIPE. Asked again every now and then, for the host may put something
 * else in its place. */
static bool may_break(int fd) {
  static struct {
    bool no;
    time_t second;
  } known[3];
  struct timespec now;
  struct stat st;
  if (fd < 0 || fd > 2) return true;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  if (known[fd].second != now.tv_sec + 1) {
    known[fd].no = !fstat(fd, &st) && (S_ISREG(st.st_mode) || S_ISCHR(st.st_mode));
    known[fd].second = now.tv_sec + 1;
  }
  return !known[fd].no;
}

/* The host may not expect SIGPIPE: whoever reads our messages may be gone. */
static ssize_t write_quietly(int fd, const char *s, size_t n) {
  static const struct timespec now = {0, 0};
  sigset_t pipe, before, pending;
  if (gathering || !may_break(fd)) return write(fd, s, n);
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  sigemptyset(&pending);
  sigpending(&pending);
  pthread_sigmask(SIG_BLOCK, &pipe, &before);
  ssize_t done = write(fd, s, n);
  int error = errno;
  if (done < 0 && error == EPIPE && !sigismember(&pending, SIGPIPE))
    while (sigtimedwait(&pipe, NULL, &now) < 0 && errno == EINTR) continue;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = error;
  return done;
}

bool ag_sink_writing(void) { return atomic_load(&writing); }

/* 0, or the errno. */
static int write_on(int fd, const char *s, size_t n) {
  while (n) {
    ssize_t done = write_quietly(fd, s, n);
    if (done < 0 && errno == EAGAIN) {
      struct pollfd p = {fd, POLLOUT, 0};
      if (poll(&p, 1, 1000) <= 0) return EAGAIN;
      continue;
    }
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return done ? errno : ENOSPC;
    s += done;
    n -= (size_t)done;
  }
  return 0;
}

/* Written under the lock, so that a message that takes two writes stays whole. */
static int write_all(int fd, const char *s, size_t n) {
  atomic_store(&writing, true);
  int error = write_on(fd, s, n);
  atomic_store(&writing, false);
  return error;
}

static void say_once(bool *said, const char *what, const char *name, int error) {
  char reason[128];
  ag_text t = {0};
  if (*said) return;
  *said = true;
  const char *text = strerror_r(error, reason, sizeof reason);
  ag_addf(&t, "aotigen: cannot write %s%s%s%s: %s\n", what, name ? " '" : "", name ? name : "",
          name ? "'" : "", text);
  write_all(STDERR_FILENO, ag_text_string(&t), t.length);
  ag_text_free(&t);
}

static void write_out(const char *message, size_t n) {
  int saved = errno;
  pthread_mutex_lock(&lock);
  int error = write_all(STDOUT_FILENO, message, n);
  if (error) say_once(&out_failed, "to standard output", NULL, error);
  pthread_mutex_unlock(&lock);
  errno = saved;
}

void ag_sink_out(const char *message) {
  size_t n = strlen(message);
  if (!gathering) {
    write_out(message, n);
    return;
  }
  ag_add_bytes(&gathered, message, n);
  if (gathered.length > GATHERED_MOST) ag_sink_flush();
}

void ag_sink_buffer_stdout(void) { gathering = true; }

void ag_sink_flush(void) {
  if (!gathered.length) return;
  write_out(gathered.data, gathered.length);
  ag_text_clear(&gathered);
}

void ag_sink_err(const char *message) {
  int saved = errno;
  pthread_mutex_lock(&lock);
  write_all(STDERR_FILENO, message, strlen(message));
  pthread_mutex_unlock(&lock);
  errno = saved;
}

bool ag_sink_logging(void) { return ag_get_settings()->log != NULL; }

static void log_line(const ag_text *t) {
  const char *name = ag_get_settings()->log;
  int saved = errno, error = 0;
  pthread_mutex_lock(&lock);
  if (!log_opened) {
    log_opened = true;
    log_fd = open(name, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (log_fd < 0) error = errno;
  }
  if (log_fd >= 0) error = write_all(log_fd, ag_text_string(t), t->length);
  if (error) say_once(&log_failed, "the log", name, error);
  pthread_mutex_unlock(&lock);
  errno = saved;
}

void ag_event_begin(ag_text *t, const char *event) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  *t = (ag_text){0};
  ag_add(t, "{\"event\":");
  ag_add_json(t, event);
  ag_addf(t, ",\"time\":%lld.%06ld,\"pid\":%ld,\"thread\":%ld", (long long)now.tv_sec,
          now.tv_nsec / 1000, (long)getpid(), behalf ? behalf : (long)syscall(SYS_gettid));
}

static void field_name(ag_text *t, const char *field) {
  ag_add(t, ",");
  ag_add_json(t, field);
  ag_add(t, ":");
}

void ag_event_string(ag_text *t, const char *field, const char *value) {
  field_name(t, field);
  ag_add_json(t, value);
}

void ag_event_number(ag_text *t, const char *field, int64_t value) {
  field_name(t, field);
  ag_addf(t, "%lld", (long long)value);
}

void ag_event_list(ag_text *t, const char *field, const int64_t *list, int64_t n) {
  field_name(t, field);
  ag_add_list(t, list, n, "[", ",", "]");
}

void ag_event_end(ag_text *t) {
  ag_add(t, "}\n");
  if (ag_sink_logging()) log_line(t);
  ag_text_free(t);
}

void ag_sink_log_as_thread(long thread) { behalf = thread; }

bool ag_sink_logged_thread(void) { return behalf != 0; }

/* Of a child that was forked while somebody wrote: who has the lock is not there. */
static void free_in_child(void) { lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER; }

__attribute__((constructor)) static void set_up(void) {
  pthread_atfork(NULL, NULL, free_in_child);
  ag_settings_complain = ag_sink_err;
}

void ag_sink_reopen(void) {
  pthread_mutex_lock(&lock);
  if (log_fd >= 0) close(log_fd);
  log_fd = -1;
  log_opened = out_failed = log_failed = false;
  pthread_mutex_unlock(&lock);
}
