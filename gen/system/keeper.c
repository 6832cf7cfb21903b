/* keeper.c - see keeper.h. */
#include "system/keeper.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const struct timespec step = {0, 5000000};

/* Holds nothing open: a reader of this process's output waits for its end alone. */
static void close_all(void) {
  struct rlimit most = {0, 0};
  if (close_range(0, ~0U, 0) != 0 && getrlimit(RLIMIT_NOFILE, &most) == 0)
    for (int fd = 0; (rlim_t)fd < most.rlim_cur; fd++) close(fd);
  while (open("/dev/null", O_RDWR | O_CLOEXEC) == STDIN_FILENO) continue;
}

/* Returns once the parent has ended. */
static void await_parent(pid_t parent, const sigset_t *all) {
  prctl(PR_SET_PDEATHSIG, SIGHUP, 0, 0, 0);
  while (getppid() == parent) sigwaitinfo(all, NULL);
}

static void keep(pid_t parent, const sigset_t *all, void (*clean_up)(void)) {
  setsid();
  prctl(PR_SET_NAME, "aotigen-keeper", 0, 0, 0);
  close_all();
  await_parent(parent, all);
  clean_up();
  _exit(0);
}

pid_t keeper_start(void (*clean_up)(void)) {
  sigset_t all, before;
  pid_t self = getpid();
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &before);
  pid_t keeper = fork();
  if (keeper == 0) keep(self, &all, clean_up);
  sigprocmask(SIG_SETMASK, &before, NULL);
  return keeper > 0 ? keeper : 0;
}

void keeper_stop(pid_t keeper) {
  kill(keeper, SIGKILL);
  while (waitpid(keeper, NULL, 0) < 0 && errno == EINTR) continue;
}

void keeper_end_group(pid_t group) {
  enum { STEPS = 400 };
  for (int i = 0; i < STEPS && kill(-group, SIGKILL) == 0; i++) nanosleep(&step, NULL);
}

void keeper_await(pid_t process) {
  int fd = (int)syscall(SYS_pidfd_open, process, 0);
  struct pollfd end = {fd, POLLIN, 0};
  while (fd >= 0 && poll(&end, 1, -1) < 0 && errno == EINTR) continue;
  if (fd >= 0) close(fd);
}
