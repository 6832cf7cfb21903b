/* background.c - see background.h.
 *
 * The new process shares the host's memory until it runs the program, as that of vfork() does, and
 * only the calling thread waits for that: pages of a large host are not copied, and no handler of
 * pthread_atfork() runs. */
#define _GNU_SOURCE
#include "base/background.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  STACK = 64 << 10,
  NICE = 19,
  IO_OF_PROCESS = 1,  /* IOPRIO_WHO_PROCESS */
  IO_IDLE = 3 << 13,  /* IOPRIO_CLASS_IDLE */
  FDS_MOST = 1 << 16, /* that are closed one by one */
  NOT_RUN = 127
};

#ifndef SYS_close_range
#define SYS_close_range 436 /* Linux 5.9 */
#endif

typedef struct start {
  const char *program;
  char *const *arguments, *const *environment;
  int in, out;
  pid_t parent;
  bool keeps_priority;
  int error; /* set by the new process */
} start;

/* Each of these may fail: then the process runs all the same. */
static void lower_priority(void) {
  static const struct sched_param none;
  setpriority(PRIO_PROCESS, 0, NICE);
  sched_setscheduler(0, SCHED_IDLE, &none);
  syscall(SYS_ioprio_set, IO_OF_PROCESS, 0, IO_IDLE);
  int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (fd < 0) return;
  ssize_t ignored = write(fd, "1000", 4);
  (void)ignored;
  close(fd);
}

static void leave_descriptors(const start *s) {
  dup2(s->in, STDIN_FILENO);
  dup2(s->out, STDOUT_FILENO);
  dup2(s->out, STDERR_FILENO);
  if (!syscall(SYS_close_range, STDERR_FILENO + 1, ~0u, 0)) return;
  for (int fd = STDERR_FILENO + 1; fd < FDS_MOST; fd++) close(fd);
}

/* A handler of the host's would run in its memory: none is left before signals come again. */
static void leave_signals(void) {
  struct sigaction plain = {.sa_handler = SIG_DFL};
  for (int i = 1; i < NSIG; i++) sigaction(i, &plain, NULL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

/* In the new process. Calls functions of signal-safety(7) alone. */
static int begin(void *p) {
  start *s = p;
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != s->parent) _exit(NOT_RUN);
  if (!s->keeps_priority) lower_priority();
  leave_descriptors(s);
  leave_signals();
  execve(s->program, s->arguments, s->environment);
  s->error = errno;
  _exit(NOT_RUN);
}

/* A descriptor other than 0 to 2, which the host may have closed. */
static int open_null(void) {
  int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
  int above = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (fd >= 0) close(fd);
  return above;
}

const char *ag_background_start(ag_background *b, const char *program, char *const *arguments,
                                char *const *environment, int out) {
  start s = {program, arguments, environment, open_null(), out, getpid(), b->keeps_priority, 0};
  sigset_t all, before;
  char *stack = malloc(STACK);
  *b = (ag_background){.keeps_priority = b->keeps_priority};
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t process = stack ? clone(begin, stack + STACK, CLONE_VM | CLONE_VFORK | SIGCHLD, &s)
                              : -1;
  const int error = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  free(stack);
  if (s.in >= 0) close(s.in);
  if (process < 0) return strerror(error);
  b->process = process;
  if (!s.error) return NULL;
  waitpid(process, NULL, 0);
  b->process = 0;
  return strerror(s.error);
}

bool ag_background_runs(ag_background *b) {
  if (!b->process) return false;
  const pid_t ended = waitpid(b->process, &b->status, WNOHANG);
  if (!ended) return true;
  if (ended < 0 && errno == EINTR) return true;
  if (ended < 0) b->status = -1;
  b->process = 0;
  return false;
}

void ag_background_signal(const ag_background *b, int signal) {
  if (b->process) kill(-b->process, signal);
}
