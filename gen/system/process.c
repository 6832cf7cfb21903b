/* process.c - see process.h. Knows fork, exec and pipes; not what is run. */
#include "system/process.h"
#include "system/atomic_output.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* The environment with $TMPDIR replaced; freed by the caller. `entry` holds the new text. */
static char **environment(const char *tmpdir, strbuf *entry) {
  size_t n = 0, k = 0;
  while (environ[n]) n++;
  char **env = calloc(n + 2, sizeof *env);
  if (!env) return NULL;
  for (size_t i = 0; i < n; i++)
    if (!tmpdir || strncmp(environ[i], "TMPDIR=", 7) != 0) env[k++] = environ[i];
  if (tmpdir) {
    strbuf_printf(entry, "TMPDIR=%s", tmpdir);
    env[k++] = entry->at;
  }
  return env;
}

/* In the child: nothing but async-signal-safe calls. Does not return. */
static void become(char *const argv[], char **env, int out, int err, int report,
                   const sigset_t *mask) {
  setpgid(0, 0);
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (null >= 0 && dup2(null, 0) == 0 && dup2(out >= 0 ? out : null, 1) == 1 &&
      dup2(err >= 0 ? err : null, 2) == 2) {
    signal(SIGXFSZ, SIG_DFL);
    sigprocmask(SIG_SETMASK, mask, NULL);
    execvpe(argv[0], argv, env);
  }
  int error = errno;
  ssize_t told = write(report, &error, sizeof error);
  _exit(told == sizeof error ? 127 : 126);
}

static bool spawn(process *p, char *const argv[], int out, int err, const char *tmpdir) {
  int report[2];
  *p = (process){0};
  strbuf entry = {0};
  char **env = environment(tmpdir, &entry);
  if (!env || pipe2(report, O_CLOEXEC) != 0) {
    p->error = env ? errno : ENOMEM;
    goto out;
  }
  sigset_t before;
  output_hold_signals(&before);
  p->pid = fork();
  if (p->pid == 0) become(argv, env, out, err, report[1], &before);
  if (p->pid > 0) {
    setpgid(p->pid, p->pid);
    output_child_began(p->pid);
  } else {
    p->error = errno;
    p->pid = 0;
  }
  output_release_signals(&before);
  close(report[1]);
  int error = 0;
  ssize_t n = 0;
  while (p->pid && (n = read(report[0], &error, sizeof error)) < 0 && errno == EINTR) continue;
  close(report[0]);
  if (n == sizeof error) {
    process_wait(p);
    p->error = error;
  }
out:
  free(env);
  strbuf_free(&entry);
  return p->error == 0;
}

static void run_copy(bool (*f)(void *), void *data) {
  static const int defaults[] = {SIGSEGV, SIGBUS,  SIGABRT, SIGILL,  SIGFPE,
                                 SIGINT,  SIGTERM, SIGHUP,  SIGPIPE, SIGQUIT};
  for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++) signal(defaults[i], SIG_DFL);
  setpgid(0, 0);
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int fd = 0; fd < 3; fd++) dup2(null, fd);
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  _exit(f(data) ? 0 : 1);
}

bool process_copy(process *p, bool (*f)(void *), void *data) {
  sigset_t before;
  *p = (process){0};
  output_hold_signals(&before);
  pid_t child = fork();
  if (child == 0) {
    output_release_signals(&before);
    run_copy(f, data);
  }
  if (child > 0) {
    p->pid = child;
    setpgid(child, child);
    output_child_began(child);
  } else {
    p->error = errno;
  }
  output_release_signals(&before);
  return child > 0;
}

void process_kill(process *p) {
  if (!p->pid) return;
  kill(-p->pid, SIGKILL);
  process_wait(p);
}

bool process_start(process *p, char *const argv[], const char *log, const char *tmpdir) {
  int fd = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0) {
    *p = (process){.error = errno};
    return false;
  }
  bool ok = spawn(p, argv, fd, fd, tmpdir);
  close(fd);
  return ok;
}

bool process_wait(process *p) {
  if (!p->pid) return false;
  while (waitpid(p->pid, &p->status, 0) < 0)
    if (errno != EINTR) {
      p->error = errno;
      p->status = -1;
      break;
    }
  output_child_ended(p->pid);
  p->pid = 0;
  return !p->error && WIFEXITED(p->status) && WEXITSTATUS(p->status) == 0;
}

static long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Reads until the end; false with errno where the time is up or it will not end. */
static bool collect(int fd, long until, size_t max, strbuf *out) {
  char buffer[4096];
  for (;;) {
    long left = until - now();
    struct pollfd f = {fd, POLLIN, 0};
    int ready = left > 0 ? poll(&f, 1, (int)left) : 0;
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) {
      errno = ready < 0 ? errno : ETIMEDOUT;
      return false;
    }
    ssize_t n = read(fd, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n == 0;
    if (out->n + (size_t)n > max) {
      errno = EFBIG;
      return false;
    }
    strbuf_add(out, buffer, (size_t)n);
  }
}

/* Is the child at its end, before the time is up; it is left to be waited for. */
static bool ended(pid_t pid, long until) {
  static const struct timespec pause = {0, 5000000};
  for (;;) {
    siginfo_t info = {0};
    if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid)
      return true;
    if (now() >= until) {
      errno = ETIMEDOUT;
      return false;
    }
    nanosleep(&pause, NULL);
  }
}

bool process_ask(process *p, char *const argv[], int seconds, size_t max, strbuf *out) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    *p = (process){.error = errno};
    return false;
  }
  bool ok = spawn(p, argv, ends[1], -1, NULL);
  close(ends[1]);
  int error = 0;
  long until = now() + seconds * 1000L;
  if (ok && (!collect(ends[0], until, max, out) || !ended(p->pid, until))) {
    error = errno;
    kill(-p->pid, SIGKILL);
  }
  close(ends[0]);
  if (!ok) return false;
  ok = process_wait(p);
  if (error) p->error = error;
  return ok && !error;
}
