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

#include "base/raw_text.h"
#include "base/sink.h"
#include "checks/finding.h"
#include "explain/asserts.h"
#include "explain/divisions.h"
#include "state/run_state.h"
#include "state/under_way.h"

enum { WAIT_MS = 1500, STEP_MS = 2, HOW_MOST = 1024 };

static void write_all(const ag_text *t) {
  for (size_t done = 0; done < t->length;) {
    ssize_t n = write(STDERR_FILENO, t->data + done, t->length - done);
    if (n <= 0) return;
    done += (size_t)n;
  }
}

/* The event of the signal is written already. */
static void log_how(const aotigen_run *run, int process, const ag_text *report) {
  const ag_launch *l = &run->state->record->launch;
  ag_text how = {0};
  ag_raw_text event = {0};
  ag_report_find_how(&how, ag_text_string(report));
  if (!how.length || ag_sink_log_fd() < 0) return;
  ag_raw_add(&event, "{\"event\":\"explained\"");
  ag_raw_add_number_field(&event, "pid", process);
  ag_raw_add_number_field(&event, "run", (int64_t)l->run);
  ag_raw_add_number_field(&event, "launch", (int64_t)l->number);
  ag_raw_add_string_field(&event, "how", ag_text_string(&how), HOW_MOST);
  ag_raw_add(&event, "}\n");
  ag_raw_write(ag_sink_log_fd(), &event);
}

/* In the child, which has this thread alone and a copy of all memory. Where another thread held a
 * lock of malloc, or the memory is damaged, it hangs or crashes, and nothing is written. */
static _Noreturn void explain(const aotigen_run *run, int signal_number, int process) {
  static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  const ag_record *r = run->state->record;
  ag_text t = {0};
  for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++) signal(fatal[i], SIG_DFL);
  prctl(PR_SET_DUMPABLE, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  bool sure = signal_number == SIGABRT
                  ? ag_assert_explain(&t, r, run->state->retained.args, NULL)
                  : ag_division_explain(&t, r, UINT64_MAX); /* the launch has not ended */
  if (sure) log_how(run, process, &t);
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

/* What the record is of, and whether the signal may be of what is explained. */
static bool can_explain(const aotigen_run *run, const ag_crash *c) {
  const aotigen_graph *g = run->model->sites[run->site].graph;
  if (!g || !run->state || !run->state->record || !run->state->progress.active) return false;
  if (c->signal == SIGFPE) return c->info->si_code == FPE_INTDIV;
  return c->signal == SIGABRT && g->asserted;
}

/* The child's end raises no signal in the host, and the host's own waiting does not see it. */
static void explain_crash(const aotigen_run *run, const ag_crash *c) {
  int saved = errno, process = getpid();
  if (!can_explain(run, c)) return;
  long child = syscall(SYS_clone, 0ul, NULL, NULL, NULL, 0ul);
  if (!child) explain(run, c->signal, process);
  if (child > 0) await((int)child);
  errno = saved;
}

void ag_explain_crash_install(void) { ag_under_way_explain = explain_crash; }
