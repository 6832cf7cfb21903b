/* child.c - see child.h. The signal handler makes async-signal-safe calls only. */
#include "run/child.h"
#include "system/cleanup.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The signals that are passed on to the program if they are sent to this process. */
static const int passed[] = {SIGINT,  SIGQUIT, SIGTERM, SIGHUP,   SIGUSR1, SIGUSR2,
                             SIGALRM, SIGTSTP, SIGCONT, SIGWINCH, SIGPIPE, SIGXCPU};
enum { PASSED = sizeof passed / sizeof *passed };

/* The seconds that a program has to stop once it was asked to. A later stop has another cause. */
enum { ANSWER = 60 };

static volatile pid_t running;         /* 0: none */
static volatile sig_atomic_t asked_at; /* to stop, by ^Z or by another process; 0: it was not */

static int tell_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int)now.tv_sec + 1;
}

/* Passes on a signal of another process, and SIGCONT. Signals of the kernel, such as those of the
 * terminal's keys, reach the whole group; of a shell's `fg` this process only learns that it
 * continues. */
static void pass_on(int signal, siginfo_t *info, void *context) {
  (void)context;
  int saved = errno;
  if (signal == SIGTSTP) asked_at = tell_seconds();
  if (signal == SIGCONT) asked_at = 0;
  if (running && (info->si_code <= 0 || signal == SIGCONT)) kill(running, signal);
  errno = saved;
}

/* That of SIGCHLD, which only wakes this process. */
static void wake_up(int signal) { (void)signal; }

/* The program's first signals: one that was ignored stays ignored. */
typedef struct signals {
  struct sigaction before[PASSED], child_before;
  sigset_t mask;
} signals;

/* Blocks them: they come while this process waits, and at no other time. */
static void take_signals(signals *s) {
  sigset_t all;
  struct sigaction ours = {.sa_sigaction = pass_on, .sa_flags = SA_SIGINFO},
                   wakes = {.sa_handler = wake_up};
  sigfillset(&all);
  sigfillset(&ours.sa_mask);
  sigprocmask(SIG_SETMASK, &all, &s->mask);
  sigaction(SIGCHLD, &wakes, &s->child_before);
  for (int i = 0; i < PASSED; i++) {
    sigaction(passed[i], NULL, &s->before[i]);
    if (s->before[i].sa_handler != SIG_IGN || passed[i] == SIGCONT || passed[i] == SIGWINCH)
      sigaction(passed[i], &ours, NULL);
  }
}

static void give_signals_back(const signals *s) {
  sigaction(SIGCHLD, &s->child_before, NULL);
  for (int i = 0; i < PASSED; i++) sigaction(passed[i], &s->before[i], NULL);
}

/* Runs in the child: handlers become the default at exec. */
static void reset_signals(const signals *s) {
  for (int i = 0; i < PASSED; i++)
    signal(passed[i], s->before[i].sa_handler == SIG_IGN ? SIG_IGN : SIG_DFL);
  cleanup_give_signals_back();
  sigprocmask(SIG_SETMASK, &s->mask, NULL);
}

/* Reports the errno of an exec that fails through the pipe. Does not return. */
static void exec_command(char *const argv[], char *const environment[], const signals *s,
                         int report) {
  reset_signals(s);
  execvpe(argv[0], argv, environment);
  int error = errno;
  ssize_t written = write(report, &error, sizeof error);
  _exit(written == sizeof error ? 127 : 126);
}

static bool start(child *c, char *const argv[], char *const environment[], const signals *s) {
  int report[2], error = 0;
  if (pipe2(report, O_CLOEXEC) != 0) {
    c->error = errno;
    return false;
  }
  c->pid = fork();
  if (c->pid == 0) exec_command(argv, environment, s, report[1]);
  if (c->pid < 0) error = errno;
  if (c->pid > 0) cleanup_note_program(c->pid);
  close(report[1]);
  if (c->pid > 0 && read(report[0], &error, sizeof error) < 0) error = errno;
  close(report[0]);
  c->error = error;
  if (c->pid > 0 && error) waitpid(c->pid, &c->status, 0);
  return error == 0;
}

/* The handlers run of all that is pending. */
static void take_pending(const sigset_t *waiting) {
  sigset_t blocked;
  sigprocmask(SIG_SETMASK, waiting, &blocked);
  sigprocmask(SIG_SETMASK, &blocked, NULL);
}

static bool was_asked_to_stop(void) { return asked_at && tell_seconds() - asked_at <= ANSWER; }

/* If both were asked to stop, this process stops once the program has, so that the shell sees it.
 * SIGCONT is passed on. A signal that another process sends to the program alone does not affect
 * this one. */
static void wait_for_end(child *c, const sigset_t *mask) {
  sigset_t waiting = *mask;
  bool stopped = false;
  sigdelset(&waiting, SIGCHLD);
  for (;;) {
    siginfo_t end = {0}, change = {0};
    if (waitid(P_PID, (id_t)c->pid, &end, WEXITED | WNOHANG | WNOWAIT) != 0 || end.si_pid) break;
    waitid(P_PID, (id_t)c->pid, &change, WSTOPPED | WCONTINUED | WNOHANG);
    if (change.si_pid) {
      stopped = change.si_code == CLD_STOPPED;
      take_pending(&waiting); /* what came before it */
    } else if (stopped && was_asked_to_stop()) {
      stopped = false;
      asked_at = 0;
      raise(SIGSTOP);
    } else {
      sigsuspend(&waiting);
    }
  }
  cleanup_note_program(0);
  running = 0; /* its number may be another's once it is reaped */
  while (waitpid(c->pid, &c->status, 0) < 0 && errno == EINTR) continue;
}

bool child_run(child *c, char *const argv[], char *const environment[]) {
  signals s;
  *c = (child){0};
  prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0); /* what it leaves running is init's, as without us */
  take_signals(&s);
  bool ok = start(c, argv, environment, &s);
  if (ok) {
    running = c->pid;
    wait_for_end(c, &s.mask);
    take_pending(&s.mask); /* what came for the program is over with it */
  }
  give_signals_back(&s);
  sigprocmask(SIG_SETMASK, &s.mask, NULL);
  return ok;
}

int child_error_status(const child *c) {
  return c->error == ENOENT || c->error == ENOTDIR ? 127 : 126;
}

void child_die_alike(const child *c) {
  if (!WIFSIGNALED(c->status)) return;
  int number = WTERMSIG(c->status);
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  signal(number, SIG_DFL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  sigprocmask(SIG_UNBLOCK, &set, NULL);
  raise(number);
}
