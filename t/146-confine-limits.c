/* 146-confine-limits.c - what a confined child may have of the machine. */
#include "system/confine.h"
#include "machine.h"
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROCESSES = 20 };

/* The number of processes that can be started; all are ended with the group. */
static int fork_many(void) {
  int n = 0;
  while (n < 10 * PROCESSES) {
    pid_t child = fork();
    if (child == 0)
      for (;;) pause();
    if (child < 0) break;
    n++;
  }
  return n;
}

TEST(test_processes) {
  machine *m = *state;
  confine c;
  assert_true(confine_begin(&c, &(confine_limits){.cpu_seconds = 20}, false, m->a, m->d));
  assert_true(confine_own_processes() > 0);
  c.limits.processes = PROCESSES + (geteuid() ? confine_own_processes() : 0);
  pid_t child = fork();
  if (child == 0) {
    setpgid(0, 0);
    if (geteuid() == 0 && setuid(54321) != 0) _exit(99);
    if (!confine_enter(&c)) _exit(98);
    _exit(fork_many());
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  kill(-child, SIGKILL);
  assert_true(WIFEXITED(status));
  if (confine_kernel_version() > 0 && WEXITSTATUS(status) > PROCESSES)
    fail_msg("%d processes, where %d may be", WEXITSTATUS(status), PROCESSES);
  confine_end(&c);
}
