/* explain_crash.c - see explain_crash.h. */
#define _GNU_SOURCE
#include "launch/explain_crash.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/sink.h"
#include "checks/finding.h"
#include "explain/asserts.h"
#include "explain/divisions.h"
#include "state/run_state.h"
#include "state/in_flight.h"

enum { WAIT_MS = 1500, STEP_MS = 2 };

static void write_all(int file, const char *bytes, size_t n) {
  while (n) {
    ssize_t done = write(file, bytes, n);
    if (done <= 0) return;
    bytes += done;
    n -= (size_t)done;
  }
}

/* Logs the explanation; the signal's event is already written. Takes no lock that another thread of
 * the process may hold, such as the log's. */
static void log_how(const aotigen_run *run, int process, const ag_text *report) {
  const ag_launch *l = &run->state->record->launch;
  ag_text event = {0};
  if (ag_sink_log_fd() < 0) return;
  ag_text_addf(&event, "{\"event\":\"%s\"", event_name(EVENT_EXPLAINED));
  ag_event_add_number(&event, "pid", process);
  ag_event_add_number(&event, "run", (int64_t)l->run);
  ag_event_add_number(&event, "launch", (int64_t)l->number);
  ag_event_add_how(&event, ag_text_string(report));
  ag_text_add(&event, "}\n");
  write_all(ag_sink_log_fd(), ag_text_string(&event), event.length);
}

/* Runs in the child, which has only this thread and a copy of all memory. If another thread held a
 * lock of malloc, or memory is damaged, it hangs or crashes, and nothing is written. */
static _Noreturn void explain(const aotigen_run *run, int signal_number, int process) {
  static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  const ag_record *r = run->state->record;
  ag_text t = {0};
  for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++) signal(fatal[i], SIG_DFL);
  prctl(PR_SET_DUMPABLE, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  ag_text_add(&t, "\n"); /* ends the report's head, the signal's line, which is already written */
  bool sure = signal_number == SIGABRT
                  ? ag_assert_explain(&t, r, run->state->retained.args, NULL)
                  : ag_division_explain(&t, r, UINT64_MAX, true); /* the launch has not ended */
  if (sure) log_how(run, process, &t);
  write_all(STDERR_FILENO, ag_text_string(&t) + 1, t.length - 1);
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

/* True if the record is of the current launch and the signal may have a cause that can be
 * explained. */
static bool can_explain(const aotigen_run *run, const ag_crash *c) {
  const aotigen_graph *g = run->model->sites[run->site].graph;
  if (!g || !run->state || !run->state->record || !run->state->progress.active) return false;
  if (c->signal == SIGFPE) return c->info->si_code == FPE_INTDIV;
  return c->signal == SIGABRT && g->asserted;
}

/* Uses a child whose end raises no signal in the host and is invisible to the host's own
 * waiting. */
void ag_explain_crash(const aotigen_run *run, const ag_crash *c) {
  int saved = errno, process = getpid();
  if (!can_explain(run, c)) return;
  long child = syscall(SYS_clone, 0ul, NULL, NULL, NULL, 0ul);
  if (!child) explain(run, c->signal, process);
  if (child > 0) await((int)child);
  errno = saved;
}
