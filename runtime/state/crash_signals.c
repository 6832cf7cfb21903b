/* crash_signals.c - the handler, and what it chains to. */
#define _GNU_SOURCE
#include "state/crash_signals.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/library.h"
#include "base/settings.h"
#include "state/crash_cause.h"
#include "state/library_copies.h"

#ifndef BUS_MCEERR_AO
#define BUS_MCEERR_AO 5
#endif

static const struct {
  int number;
  const char *name;
} signals[AG_SIGNALS] = {{SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},
                         {SIGILL, "SIGILL"},   {SIGABRT, "SIGABRT"}, {SIGINT, "SIGINT"},
                         {SIGTERM, "SIGTERM"}};

static struct sigaction before[AG_SIGNALS]; /* the handlers to chain to */
static atomic_bool installed[AG_SIGNALS];

static int index_of(int signal) {
  int i = 0;
  while (i < AG_SIGNALS - 1 && signals[i].number != signal) i++;
  return i;
}

/* ---- the handler ---------------------------------------------------------------------------- */

/* Reports launches of other threads if there is none on this one: a worker thread of a kernel may
 * have failed. */
static void say_all(ag_library_copy *this, const ag_crash *c) {
  int said = 0;
  for (int i = 0; i < AG_COPIES; i++) {
    ag_library_copy *copy = this->all[i];
    if (copy) said += copy->say_own(c);
  }
  for (int i = 0; i < AG_COPIES && !said; i++) {
    ag_library_copy *copy = this->all[i];
    if (copy) said += copy->say_others(c);
  }
  if (!said) ag_in_flight_log_outside(c);
}

/* True if the instruction fails again when the handler returns. */
static bool comes_again(int signal, const siginfo_t *info) {
  return ag_crash_is_fault(signal) && info->si_code > 0 &&
         !(signal == SIGBUS && info->si_code == BUS_MCEERR_AO);
}

/* Lets the default action follow: at the same instruction again, or by the same signal, which is
 * delivered when this handler returns and unblocks it. */
static void act_by_default(int signal, siginfo_t *info, const struct sigaction *action) {
  sigaction(signal, action, NULL);
  if (comes_again(signal, info)) return;
  int thread = (int)syscall(SYS_gettid);
  if (syscall(SYS_rt_tgsigqueueinfo, getpid(), thread, signal, info))
    syscall(SYS_tgkill, getpid(), thread, signal); /* a sandbox may refuse the first */
}

typedef void signal_action(int signal, siginfo_t *info, void *context);

/* The handler that gets the signal next, or NULL. */
static signal_action *act_or_find_next(int i, siginfo_t *info) {
  if (before[i].sa_handler == SIG_IGN) return NULL;
  if (before[i].sa_handler != SIG_DFL)
    return before[i].sa_sigaction; /* the kernel passes three arguments to each kind */
  act_by_default(signals[i].number, info, &before[i]);
  return NULL;
}

__attribute__((noinline)) static signal_action *say_all_and_find_next(int signal, siginfo_t *info,
                                                                      void *context) {
  int saved = errno, i = index_of(signal);
  ag_library_copy *this = &ag_this_library_copy;
  const ag_crash c = {signal, info, signals[i].name, (int)syscall(SYS_gettid), context};
  atomic_fetch_add(&this->readers, 1);
  say_all(this, &c);
  signal_action *next = act_or_find_next(i, info);
  atomic_fetch_sub(&this->readers, 1);
  errno = saved;
  return next;
}

/* The next handler is reached by a jump, not a call: when it returns, another thread may have
 * unloaded the model, and this code with it. */
static void handle_signal(int signal, siginfo_t *info, void *context) {
  signal_action *next = say_all_and_find_next(signal, info, context);
  if (next) next(signal, info, context);
}

/* ---- installing ----------------------------------------------------------------------------- */

/* The mask and the flags are those of the handler that follows, so that it finds what it asked for:
 * SA_RESETHAND, for one, takes both away. */
static void install_handler(int i, const struct sigaction *old) {
  struct sigaction ours = *old;
  bool is_default = old->sa_handler == SIG_DFL;
  if (is_default) sigemptyset(&ours.sa_mask);
  ours.sa_flags = is_default ? SA_ONSTACK | SA_RESTART : old->sa_flags;
  ours.sa_flags |= SA_SIGINFO;
  ours.sa_sigaction = handle_signal;
  before[i] = *old;
  installed[i] = !sigaction(signals[i].number, &ours, NULL);
}

static void install_all(void) {
  struct sigaction old;
  ag_this_library_copy.take_over = install_handler;
  ag_library_copies_add(&ag_this_library_copy, &ag_this_library_copy);
  for (int i = 0; i < AG_SIGNALS; i++)
    if (!sigaction(signals[i].number, NULL, &old) && old.sa_handler != SIG_IGN)
      install_handler(i, &old);
}

/* Prepares this copy: any of the copies may have to handle signals. */
static void join_handler(ag_library_copy *const *others, int n) {
  ag_this_library_copy.take_over = install_handler;
  for (int i = 0; i < n; i++)
    if (others[i]->handler == others[i]) {
      ag_library_copies_add(others[i], &ag_this_library_copy);
      return;
    }
  install_all();
}

void ag_crash_signals_install(void) {
  static atomic_flag done = ATOMIC_FLAG_INIT;
  if (!ag_settings_get()->signals || atomic_flag_test_and_set(&done)) return;
  ag_crash_cause_prepare();
  ag_library_copies_change(join_handler);
}

/* ---- unloading ------------------------------------------------------------------------------ */

static bool is_on_top(int i) {
  struct sigaction now;
  return !sigaction(signals[i].number, NULL, &now) && now.sa_sigaction == handle_signal;
}

void ag_crash_signals_keep(void) {
  bool kept = false;
  for (int i = 0; i < AG_SIGNALS && !kept; i++) kept = installed[i] && !is_on_top(i);
  if (kept) ag_library_keep();
}

/* Another copy, or the handler that was installed before ours, handles the signals from now on. */
static void hand_over(ag_library_copy *heir) {
  ag_library_copy *this = &ag_this_library_copy;
  for (int i = 0; i < AG_COPIES && heir; i++)
    if (this->all[i] && this->all[i] != this) ag_library_copies_add(heir, this->all[i]);
  for (int i = 0; i < AG_SIGNALS; i++) {
    if (!installed[i] || !is_on_top(i)) continue;
    if (heir)
      heir->take_over(i, &before[i]);
    else
      sigaction(signals[i].number, &before[i], NULL);
    installed[i] = false;
  }
}

static void leave_handler(ag_library_copy *const *others, int n) {
  ag_library_copy *this = &ag_this_library_copy, *handler = this->handler, *heir = NULL;
  (void)others;
  (void)n;
  if (!handler) return;
  for (int i = 0; i < AG_COPIES && handler == this && !heir; i++)
    if (this->all[i] != this) heir = this->all[i];
  if (handler == this) hand_over(heir);
  ag_library_copies_remove(handler, this);
}

__attribute__((destructor)) static void unload_copy(void) {
  ag_library_copies_change(leave_handler);
}
