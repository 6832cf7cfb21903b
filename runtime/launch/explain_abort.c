/* explain_abort.c - see explain_abort.h. */
#define _GNU_SOURCE
#include "launch/explain_abort.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "explain/asserts.h"
#include "state/run_state.h"
#include "state/under_way.h"

enum { WAIT_MS = 1500, STEP_MS = 2 };

static void write_all(const ag_text *t) {
  for (size_t done = 0; done < t->length;) {
    ssize_t n = write(STDERR_FILENO, t->data + done, t->length - done);
    if (n <= 0) return;
    done += (size_t)n;
  }
}

/* In the child, which has this thread alone and a copy of all memory. Where another thread held a
 * lock of malloc, or the memory is damaged, it hangs or crashes, and nothing is written. */
static _Noreturn void explain(const aotigen_run *run) {
  static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  ag_text t = {0};
  for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++) signal(fatal[i], SIG_DFL);
  prctl(PR_SET_DUMPABLE, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  ag_assert_explain(&t, run->state->record, run->state->retained.args, NULL);
  write_all(&t);
  _exit(0);
}

static void await(int child) {
  static const struct timespec step = {0, STEP_MS * 1000000};
  for (int waited = 0; waited < WAIT_MS; waited += STEP_MS) {
    int done = waitpid(child, NULL, __WCLONE | WNOHANG);
    if (done && !(done < 0 && errno == EINTR)) return;
    nanosleep(&step, NULL);
  }
  kill(child, SIGKILL);
  while (waitpid(child, NULL, __WCLONE) < 0 && errno == EINTR) continue;
}

/* The child's end raises no signal in the host, and the host's own waiting does not see it. */
static void explain_abort(const aotigen_run *run) {
  const aotigen_graph *g = run->model->sites[run->site].graph;
  int saved = errno;
  if (!g || !g->asserted || !run->state || !run->state->record) return;
  long child = syscall(SYS_clone, 0ul, NULL, NULL, NULL, 0ul);
  if (!child) explain(run);
  if (child > 0) await((int)child);
  errno = saved;
}

void ag_explain_abort_install(void) { ag_under_way_explain = explain_abort; }
