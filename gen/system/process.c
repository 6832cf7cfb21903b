/* process.c - see process.h. */
#include "system/process.h"
#include "system/budget.h"
#include "system/cleanup.h"
#include "system/progress.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* True for variables of the environment that a closed program gets. */
static bool is_passed(const char *variable) {
  static const char *const names[] = {
      "PATH=",     "LD_LIBRARY_PATH=",  "HOME=", "GCC_EXEC_PREFIX=", "COMPILER_PATH=",
      "LIBCLANG_", "SOURCE_DATE_EPOCH="};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (text_begins(variable, names[i])) return true;
  return false;
}

/* The environment that the program gets; the caller frees it. `entry` holds the new text. */
static char **make_environment(const process_setting *how, strbuf *entry) {
  const char *tmpdir = how->tmpdir;
  size_t n = 0, k = 0;
  while (environ[n]) n++;
  char **env = calloc(n + 4, sizeof *env);
  if (!env) return NULL;
  for (size_t i = 0; i < n; i++)
    if ((!tmpdir || strncmp(environ[i], "TMPDIR=", 7) != 0) &&
        (!how->closed || is_passed(environ[i])))
      env[k++] = environ[i];
  if (how->closed) {
    env[k++] = "CCACHE_DISABLE=1"; /* its cache is not the compiler's own */
    env[k++] = "LC_ALL=C.UTF-8";   /* its messages are read */
  }
  if (tmpdir) {
    strbuf_printf(entry, "TMPDIR=%s", tmpdir);
    env[k++] = entry->at;
  }
  return env;
}

/* A copy of this process holds its environment in memory: variables that it must not get are
 * wiped. */
static void close_environment(strbuf *entry) {
  char **passed = make_environment(&(process_setting){.closed = true}, entry);
  for (char **e = environ; *e; e++)
    if (!is_passed(*e)) memset(*e, 0, strlen(*e));
  environ = passed;
}

/* Makes the kernel kill this child with its parent, which may die of a signal that cannot be
 * caught. */
static void die_with(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (getppid() != parent) _exit(126);
}

/* Detaches the child from the user's terminal, and makes it the leader of a group, to be killed
 * with all processes that it starts. */
static void lead_session(void) { setsid(); }

/* If the child does not lead its group yet, it has started nothing. */
static void kill_group(pid_t child) {
  if (kill(-child, SIGKILL) != 0) kill(child, SIGKILL);
}

/* Closes descriptor `first` and all above it. Linux has a call for that since 5.9, or 5.11. */
static void close_from(int first, bool at_exec) {
  if (close_range((unsigned)first, ~0U, at_exec ? CLOSE_RANGE_CLOEXEC : 0) == 0) return;
  struct rlimit most;
  int end = getrlimit(RLIMIT_NOFILE, &most) == 0 && most.rlim_cur < INT_MAX ? (int)most.rlim_cur
                                                                            : INT_MAX;
  for (int fd = first; fd < end; fd++)
    if (!at_exec)
      close(fd);
    else
      fcntl(fd, F_SETFD, FD_CLOEXEC);
}

/* Runs in the child, with async-signal-safe calls only. Reports the errno of an exec that fails
 * through the pipe `report`. Does not return. */
static void exec_program(char *const argv[], char **env, const process_setting *how, int out,
                         int err, int report, const sigset_t *mask) {
  lead_session();
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (null >= 0 && dup2(null, 0) == 0 && dup2(out >= 0 ? out : null, 1) == 1 &&
      dup2(err >= 0 ? err : null, 2) == 2) {
    signal(SIGXFSZ, SIG_DFL);
    sigprocmask(SIG_SETMASK, mask, NULL);
    close_from(3, true); /* descriptors that a library opened without O_CLOEXEC */
    bool there = !how->dir || chdir(how->dir) == 0;
    if (there && (!how->confine || confine_enter(how->confine))) execvpe(argv[0], argv, env);
  }
  int error = errno;
  ssize_t written = write(report, &error, sizeof error);
  _exit(written == sizeof error ? 127 : 126);
}

/* The time at which a child is to be killed: by its own clock or by that of the package. */
static long find_deadline(const process_setting *how) {
  long own = how->seconds ? budget_now() + 1000L * how->seconds : 0, all = budget_until();
  return own && (!all || own < all) ? own : all;
}

/* The children that were started and not yet waited for. */
static struct {
  pid_t pid;
  long until;
} running[CLEANUP_CHILDREN];

static void note_running(const process *p) {
  for (size_t i = 0; i < CLEANUP_CHILDREN; i++)
    if (!running[i].pid) {
      running[i].pid = p->pid;
      running[i].until = p->until;
      return;
    }
}

static void forget_running(pid_t pid) {
  for (size_t i = 0; i < CLEANUP_CHILDREN; i++)
    if (running[i].pid == pid) running[i].pid = 0;
}

static bool spawn_program(process *p, char *const argv[], int out, int err,
                          const process_setting *how) {
  int report[2];
  *p = (process){0};
  strbuf entry = {0};
  char **env = make_environment(how, &entry);
  if (!env || pipe2(report, O_CLOEXEC) != 0) {
    p->error = env ? errno : ENOMEM;
    goto out;
  }
  sigset_t before;
  cleanup_block_signals(&before);
  pid_t self = getpid();
  p->pid = fork();
  if (p->pid == 0) {
    die_with(self);
    exec_program(argv, env, how, out, err, report[1], &before);
  }
  if (p->pid > 0) {
    cleanup_add_child(p->pid);
    p->until = find_deadline(how);
    note_running(p);
  } else {
    p->error = errno;
    p->pid = 0;
  }
  cleanup_restore_signals(&before);
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

/* The function that a copy of this process runs: one of the two. */
typedef struct copy {
  bool (*f)(void *);
  bool (*answer)(void *, FILE *);
  void *data;
  const process_setting *how;
  int to;      /* the descriptor for the answer */
  bool serves; /* it answers for as long as this process asks: no other waits for it */
} copy;

#ifdef __SANITIZE_ADDRESS__
enum { SILENT = 2 }; /* its reports are shown */
#else
enum { SILENT = 3 };
#endif

static bool write_answer(const copy *c) {
  FILE *to = fdopen(c->to, "w");
  bool ok = to && c->answer(c->data, to);
  return to && fclose(to) == 0 && ok;
}

/* Keeps only the descriptor for the answer, as number 3, and the file that it is to keep. */
static void run_copy(copy *c) {
  static const int defaults[] = {SIGSEGV, SIGBUS,  SIGABRT, SIGILL,  SIGFPE,
                                 SIGINT,  SIGTERM, SIGHUP,  SIGPIPE, SIGQUIT,
                                 SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGVTALRM};
  for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++) signal(defaults[i], SIG_DFL);
  lead_session();
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int fd = 0; fd < SILENT; fd++)
    if (dup2(null, fd) != fd) _exit(PROCESS_NOT_CONFINED);
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  if (c->how->confine && !confine_enter(c->how->confine)) _exit(PROCESS_NOT_CONFINED);
  strbuf entry = {0};
  if (c->how->closed) close_environment(&entry);
  int file = c->how->file ? fcntl(c->how->file, F_DUPFD, PROCESS_FILE + 1) : -1;
  if (c->answer) c->to = dup2(c->to, 3);
  if (file >= 0) dup2(file, PROCESS_FILE);
  close_from(!c->answer ? 3 : file < 0 ? PROCESS_FILE : PROCESS_FILE + 1, false);
  _exit((c->answer ? write_answer(c) : c->f(c->data)) ? 0 : 1);
}

static bool fork_copy(process *p, copy *c) {
  sigset_t before;
  fflush(NULL); /* else the child would write it once more */
  *p = (process){0};
  cleanup_block_signals(&before);
  pid_t self = getpid(), child = fork();
  if (child == 0) {
    die_with(self);
    cleanup_restore_signals(&before);
    run_copy(c);
  }
  if (child > 0) {
    p->pid = child;
    p->until = find_deadline(c->how);
    cleanup_add_child(child);
    if (!c->serves) note_running(p);
  } else {
    p->error = errno;
  }
  cleanup_restore_signals(&before);
  return child > 0;
}

bool process_serve(process *p, bool (*f)(void *, FILE *), void *data, const process_setting *how,
                   int *socket) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    *p = (process){.error = errno};
    return false;
  }
  copy c = {.answer = f, .data = data, .how = how, .to = ends[1], .serves = true};
  bool ok = fork_copy(p, &c);
  close(ends[1]);
  *socket = ok ? ends[0] : -1;
  if (!ok) close(ends[0]);
  return ok;
}

bool process_fork(process *p, bool (*f)(void *), void *data, const process_setting *how) {
  return fork_copy(p, &(copy){.f = f, .data = data, .how = how});
}

void process_kill(process *p) {
  if (!p->pid) return;
  kill_group(p->pid);
  process_wait(p);
}

bool process_start(process *p, char *const argv[], const char *log, const process_setting *how) {
  int fd = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0) {
    *p = (process){.error = errno};
    return false;
  }
  bool ok = spawn_program(p, argv, fd, fd, how);
  close(fd);
  return ok;
}

static const struct timespec step = {0, 5000000};

/* False once it was reaped: its number may belong to another process. */
static bool is_child(pid_t pid) {
  siginfo_t info;
  return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

/* True also for a process that is no child any more. Does not reap it. */
static bool has_ended(pid_t pid) {
  siginfo_t info = {0};
  if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0) return errno == ECHILD;
  return info.si_pid == pid;
}

bool process_has_failed(const process *p) {
  siginfo_t info = {0};
  return p->pid && waitid(P_PID, (id_t)p->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == p->pid && (info.si_code != CLD_EXITED || info.si_status != 0);
}

/* False, with errno, if it must be killed. */
static bool may_go_on(long until) {
  errno = budget_is_spent(false) ? EDQUOT : ETIMEDOUT;
  return errno != EDQUOT && budget_now() < until;
}

/* Waits for what ends soon in short steps at first. */
static void wait_a_step(struct timespec *next) {
  nanosleep(next, NULL);
  if (next->tv_nsec < step.tv_nsec) next->tv_nsec *= 2;
}

/* True once the child has ended; false, with errno, if it must be killed. Does not reap it. */
static bool wait_for_end(pid_t pid, long until) {
  struct timespec next = {0, 100000};
  siginfo_t info;
  progress_tick();
  if (!until && !progress_is_told()) {
    while (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) continue;
    return true;
  }
  while (!has_ended(pid)) {
    if (until && !may_go_on(until)) return false;
    progress_tick();
    wait_a_step(&next);
  }
  return true;
}

/* The number of running children. Kills those that must not run any longer. */
static unsigned count_running(void) {
  unsigned n = 0;
  for (size_t i = 0; i < CLEANUP_CHILDREN; i++) {
    pid_t pid = running[i].pid;
    if (!pid || has_ended(pid)) continue;
    if (running[i].until && !may_go_on(running[i].until)) kill_group(pid);
    n++;
  }
  return n;
}

void process_wait_below(unsigned n) {
  while (count_running() >= n) {
    progress_tick();
    nanosleep(&step, NULL);
  }
}

/* The reason why a child is gone that this process did not kill. */
static int find_cause(const process *p) {
  bool killed = p->until && p->status != -1 && WIFSIGNALED(p->status) &&
                WTERMSIG(p->status) == SIGKILL;
  return killed && !may_go_on(p->until) ? errno : 0;
}

bool process_wait(process *p) {
  if (!p->pid) return false;
  if (!wait_for_end(p->pid, p->until)) p->error = errno;
  if (is_child(p->pid)) kill_group(p->pid); /* with what it left running; it is not reaped yet */
  struct rusage used = {0};
  while (wait4(p->pid, &p->status, 0, &used) < 0)
    if (errno != EINTR) {
      p->error = errno;
      p->status = -1;
      break;
    }
  /* Processes that were killed with it may write to the private directory until they have ended. */
  while (waitpid(-p->pid, NULL, 0) > 0) continue;
  if (!p->error) p->error = find_cause(p);
  p->cpu_ms = (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000 +
              (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1000;
  cleanup_remove_child(p->pid);
  forget_running(p->pid);
  p->pid = 0;
  return !p->error && WIFEXITED(p->status) && WEXITSTATUS(p->status) == 0;
}

/* The receiver of an answer of at most `max` bytes. */
typedef struct answer {
  process_take *take;
  void *to;
  size_t max;
} answer;

bool process_take_text(void *to, const char *at, size_t n) {
  strbuf_add(to, at, n);
  return true;
}

/* Reads to the end of the pipe. False, with errno, on a timeout, an error, or too many bytes. */
static bool read_pipe(int fd, long until, const answer *x) {
  enum { TICK_MS = 200 };
  size_t sum = 0;
  char buffer[64 << 10];
  for (;;) {
    struct pollfd f = {fd, POLLIN, 0};
    if (!may_go_on(until)) return false;
    progress_tick();
    int ready = poll(&f, 1, TICK_MS);
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    if (ready < 0) return false;
    ssize_t n = read(fd, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n == 0;
    sum += (size_t)n;
    errno = EFBIG;
    if (sum > x->max || !x->take(x->to, buffer, (size_t)n)) return false;
  }
}

/* Reads the child's answer and waits for its end. A child with too long an answer is killed at
 * once. */
static bool take_answer(process *p, int from, const answer *x) {
  int error = 0;
  long until = p->until ? p->until : LONG_MAX;
  if (!read_pipe(from, until, x) || !wait_for_end(p->pid, until)) {
    error = errno;
    kill_group(p->pid);
  }
  bool ok = process_wait(p);
  if (error) p->error = error;
  return ok && !error;
}

bool process_answer(process *p, bool (*f)(void *, FILE *), void *data, const process_setting *how,
                    size_t max, process_take *take, void *to) {
  int ends[2];
  /* A socket, since a child could open a pipe once more by its name in /proc, and wait for it. */
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    *p = (process){.error = errno};
    return false;
  }
  bool ok = fork_copy(p, &(copy){.answer = f, .data = data, .how = how, .to = ends[1]});
  close(ends[1]);
  ok = ok && take_answer(p, ends[0], &(answer){take, to, max});
  close(ends[0]);
  return ok;
}

bool process_capture(process *p, char *const argv[], int seconds, size_t max, strbuf *out) {
  return process_ask(p, argv, &(process_setting){.seconds = (unsigned)seconds}, max, out);
}

bool process_ask(process *p, char *const argv[], const process_setting *how, size_t max,
                 strbuf *out) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    *p = (process){.error = errno};
    return false;
  }
  bool ok = spawn_program(p, argv, ends[1], -1, how);
  close(ends[1]);
  ok = ok && take_answer(p, ends[0], &(answer){process_take_text, out, max});
  close(ends[0]);
  return ok;
}
