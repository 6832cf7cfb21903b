/* in_flight.c - the table of runs, and its report by a signal handler. */
#define _GNU_SOURCE
#include "state/in_flight.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/process_tag.h"
#include "base/raw_text.h"
#include "base/settings.h"
#include "base/sink.h"
#include "state/crash_cause.h"
#include "state/crash_lines.h"
#include "state/crash_stack.h"
#include "state/run_state.h"
#include "state/in_flight_line.h"
#include "state/staged.h"

enum { PLACES = AG_STAGED_SLOTS, TAKEN = -1, SAYING_MS = 2000 };
/* Together they fit a text. */
enum { NAME_MOST = 160, NODES_MOST = 120, CAUSE_MOST = 400 };

struct ag_in_flight {
  atomic_int thread; /* 0: free; TAKEN: being set up, or left */
  atomic_int at;     /* enum ag_in_flight_at */
  const aotigen_model *model;
  const aotigen_run *current; /* stands on the stack of its thread: another one may read it while
                                 its launch is in flight */
  ag_explain_crash_function *explain; /* or NULL */
  uint64_t run, launch;
  uint32_t site;
  uint32_t iteration[AG_LOOPS_NAMED]; /* as in ag_launch */
  const void *stream;
  int64_t since;      /* milliseconds of the coarse monotonic clock */
  uintptr_t stack[2]; /* the bounds of the thread's stack */
  bool unlogged;      /* the run has no line in the log: that takes longer than the rest */
  atomic_uint steps;  /* as in ag_in_flight_seen */
  atomic_int lookers; /* threads that read `current`: the watchdog, and another one's handler */
  atomic_ullong said; /* by the last line: the launch, and the signal in the low byte; 0: none */
  atomic_int saying;  /* threads that put such a line together, or have it explained */
  ag_in_flight_line line;
  ag_args_snapshot args;
  struct ag_in_flight *outer; /* that the thread was in when this run began */
};

static ag_in_flight places[PLACES];
static _Thread_local ag_in_flight *innermost;

static int64_t coarse_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
  return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* ---- runs and launches ---------------------------------------------------------------------- */

/* Takes the lowest free place: there are as many lines in the log as there were concurrent runs. */
static ag_in_flight *take_place(void) {
  for (int i = 0; i < PLACES; i++) {
    int free = 0;
    if (!atomic_load_explicit(&places[i].thread, memory_order_relaxed) &&
        atomic_compare_exchange_strong(&places[i].thread, &free, TAKEN))
      return &places[i];
  }
  return NULL;
}

/* Only the run's thread writes. */
static void step(ag_in_flight *u) {
  unsigned n = atomic_load_explicit(&u->steps, memory_order_relaxed);
  atomic_store_explicit(&u->steps, n + 1, memory_order_release);
}

void ag_in_flight_beat(void) {
  if (innermost) step(innermost);
}

ag_in_flight *ag_in_flight_begin(const aotigen_model *model, const aotigen_run *run,
                                 ag_explain_crash_function *explain) {
  int thread = (int)syscall(SYS_gettid);
  ag_in_flight *u = take_place();
  if (!u) return NULL;
  atomic_store(&u->at, AG_AT_BEGIN);
  u->model = model;
  u->current = run;
  u->explain = explain;
  u->run = run ? run->number : 0;
  u->launch = 0;
  atomic_store(&u->said, 0);
  u->site = 0;
  u->unlogged = run && run->state && run->state->progress.unchecked;
  ag_args_snapshot_clear(&u->args);
  if (ag_settings_get()->signals) {
    ag_crash_stack_provide();
    ag_crash_cause_find_stack(u->stack);
    if (!u->unlogged)
      ag_in_flight_line_begin(&u->line, (int)(u - places), model, u->run, thread);
  }
  u->outer = innermost;
  innermost = u;
  step(u);
  atomic_store(&u->thread, thread); /* a signal handler may look at it from here on */
  return u;
}

static void store_at(ag_in_flight *u, enum ag_in_flight_at at) {
  step(u);
  atomic_store_explicit(&u->at, at, memory_order_release);
}

static void set_at(ag_in_flight *u, enum ag_in_flight_at at, const char text[8]) {
  store_at(u, at);
  if (!u->unlogged) ag_in_flight_line_at(&u->line, text);
}

/* Frees the place, since the run's stack frame ends. Waits until nothing reads it: some
 * microseconds, or as long as a signal is explained. */
static void leave_place(ag_in_flight *u) {
  innermost = u->outer;
  atomic_store(&u->thread, TAKEN);
  while (atomic_load(&u->lookers)) sched_yield();
  atomic_store(&u->thread, 0);
}

void ag_in_flight_end(ag_in_flight *u) {
  if (!u) return;
  set_at(u, AG_AT_BEGIN, "run over");
  leave_place(u);
}

void ag_in_flight_load(const aotigen_model *model) {
  ag_sink_open_log();
  ag_in_flight *u = ag_in_flight_begin(model, NULL, NULL);
  if (!u) return;
  set_at(u, AG_AT_BEGIN, "loaded  ");
  leave_place(u);
}

void ag_in_flight_set_run(ag_in_flight *u, const aotigen_run *run) {
  if (u) u->current = run;
}

static void note_iterations(ag_in_flight *u, const aotigen_run *run) {
  ag_launch l = {.model = u->model};
  const aotigen_site *s = &u->model->sites[u->site];
  if (!s->scope) return;
  ag_iterations_note(&run->state->progress.iterations, s, &l);
  memcpy(u->iteration, l.iteration, sizeof u->iteration);
}

void ag_in_flight_before(ag_in_flight *u, const aotigen_run *run, uint32_t site) {
  if (!u) return;
  store_at(u, AG_AT_BEGIN);
  ag_args_snapshot_clear(&u->args);
  u->current = run;
  u->launch = run->launch;
  u->site = site;
  u->stream = run->stream;
  note_iterations(u, run);
  u->since = coarse_ms();
  ag_in_flight_line_launch(&u->line, u->model, site, run->launch, "checking");
  store_at(u, AG_AT_BEFORE);
}

void ag_in_flight_bound(ag_in_flight *u, const ag_record *record) {
  if (u && record) ag_args_snapshot_take(&u->args, record);
}

void ag_in_flight_launch(ag_in_flight *u) {
  if (u) set_at(u, AG_AT_DURING, "launched");
}

void ag_in_flight_wait(ag_in_flight *u) {
  if (u) set_at(u, AG_AT_WAITING, "awaited ");
}

void ag_in_flight_after(ag_in_flight *u) {
  if (u) set_at(u, AG_AT_AFTER, "returned");
}

/* ---- what is said --------------------------------------------------------------------------- */

const char *ag_in_flight_at_name(enum ag_in_flight_at at) {
  static const char *const names[] = {"starting", "checking", "launched", "awaited", "returned"};
  return names[at];
}

static const aotigen_site *site_of(const ag_in_flight *u) {
  return u->launch && u->site < u->model->nsites ? &u->model->sites[u->site] : NULL;
}

/* The filtered-out launch that the run may be at; 0 for none. */
static uint64_t find_left_out(const ag_in_flight *u, int at, bool own) {
  if (!own || !u->current || (at != AG_AT_AFTER && at != AG_AT_BEGIN)) return 0;
  return u->current->launch > u->launch ? u->current->launch : 0;
}

/* "in run 1, launch 3", with what the run was doing. */
static void add_place(ag_raw_text *t, const ag_in_flight *u, int at, bool own) {
  const char *device = u->model->device;
  uint64_t left_out = find_left_out(u, at, own);
  ag_raw_add(t, " in run ");
  ag_raw_add_number(t, (int64_t)u->run);
  if (left_out) {
    ag_raw_add(t, ", at or after launch ");
    ag_raw_add_number(t, (int64_t)left_out);
    ag_raw_add(t, ", which the filter leaves out");
  }
  if (!site_of(u)) {
    if (!left_out) ag_raw_add(t, ", before its first checked launch");
    return;
  }
  ag_raw_add(t, left_out                                    ? "; the last checked launch was "
                : at == AG_AT_BEFORE                        ? ", while the arguments of launch "
                : at == AG_AT_DURING || at == AG_AT_WAITING ? ", launch "
                                                            : ", after launch ");
  ag_raw_add_number(t, (int64_t)u->launch);
  if (at == AG_AT_BEFORE) ag_raw_add(t, " were checked");
  if (at == AG_AT_DURING && device && strcmp(device, "cpu")) ag_raw_add(t, ", as it was made");
  if (at == AG_AT_WAITING) ag_raw_add(t, ", as the device was waited for");
  ag_raw_add(t, ": ");
  ag_raw_add_some(t, site_of(u)->kernel, NAME_MOST);
}

/* The loops around the launch whose iterations are counted, the innermost first. */
static void add_loops(ag_raw_text *t, const ag_in_flight *u, const aotigen_site *site) {
  int n = 0;
  for (const aotigen_scope *s = site->scope; s && n < AG_LOOPS_NAMED; s = s->outer) {
    if (!ag_loop_is_counted(s)) continue;
    ag_raw_add(t, ", in iteration ");
    ag_raw_add_number(t, u->iteration[n++]);
    ag_raw_add(t, s->kind == AOTIGEN_WHILE ? " of the while_loop at line "
                                           : " of the for loop at line ");
    ag_raw_add_number(t, s->line);
  }
}

static void add_site(ag_raw_text *t, const ag_crash *c, const ag_in_flight *u) {
  const aotigen_site *s = site_of(u);
  if (!s) return;
  if (s->nodes && *s->nodes) {
    ag_raw_add(t, " (");
    ag_raw_add_some(t, s->nodes, NODES_MOST);
    ag_raw_add(t, ")");
  }
  ag_raw_add(t, ", launched at ");
  ag_raw_add_path(t, u->model->source, AG_SOURCE_MOST);
  ag_raw_add(t, ":");
  ag_raw_add_number(t, s->line);
  if (s->number && s->number != u->launch) {
    ag_raw_add(t, " (site ");
    ag_raw_add_number(t, s->number);
    ag_raw_add(t, ")");
  }
  ag_crash_lines_add(t, s, c->signal);
  add_loops(t, u, s);
}

/* True if the launch is in flight, so that its arguments may have caused a fault. */
static bool has_arguments(int at) { return at == AG_AT_BEFORE || at == AG_AT_DURING; }

/* Adds what raised the signal, and for how long an interrupted launch has run. */
static void add_cause(ag_raw_text *t, const ag_crash *c, const ag_in_flight *u, int at, bool own) {
  int64_t ms = coarse_ms() - u->since;
  ag_crash_cause_add(t, c, has_arguments(at) ? &u->args : NULL, own ? u->stack : NULL);
  if ((at != AG_AT_DURING && at != AG_AT_WAITING) || ag_crash_is_fault(c->signal) ||
      c->signal == SIGABRT)
    return;
  ag_raw_add(t, "; in flight for ");
  ag_raw_add_number(t, ms / 1000);
  ag_raw_add(t, ".");
  ag_raw_add_number(t, ms / 100 % 10);
  ag_raw_add(t, " s");
}

/* thread: the run's. */
static void write_stderr(const ag_crash *c, const ag_in_flight *u, int at, int thread,
                         const char *cause) {
  const bool own = thread == c->thread;
  ag_raw_text t;
  t.length = 0;
  ag_raw_add(&t, "aotigen: ");
  ag_process_tag_add(&t);
  ag_raw_add(&t, c->name);
  if (!own) {
    ag_raw_add(&t, " on thread ");
    ag_raw_add_number(&t, c->thread);
    ag_raw_add(&t, ", while thread ");
    ag_raw_add_number(&t, thread);
    ag_raw_add(&t, " was");
  }
  add_place(&t, u, at, own);
  add_site(&t, c, u);
  ag_raw_add_some(&t, cause, CAUSE_MOST);
  ag_raw_add(&t, "\n");
  ag_raw_write(STDERR_FILENO, &t);
}

static void begin_event(ag_raw_text *t) {
  struct timespec now;
  t->length = 0;
  clock_gettime(CLOCK_REALTIME, &now);
  ag_raw_add(t, "{\"event\":\"");
  ag_raw_add(t, event_name(EVENT_SIGNAL));
  ag_raw_add(t, "\"");
  ag_raw_add_number_field(t, "time", now.tv_sec);
  ag_raw_add(t, ".");
  for (long unit = 100000, micro = now.tv_nsec / 1000; unit; unit /= 10)
    ag_raw_add_number(t, micro / unit % 10);
  ag_raw_add_number_field(t, "pid", getpid());
}

static void add_signal(ag_raw_text *t, const ag_crash *c) {
  ag_raw_add_string_field(t, "signal", c->name, NAME_MOST);
  ag_raw_add_number_field(t, "signal_thread", c->thread);
  if (ag_crash_cause_sender(c)) ag_raw_add_number_field(t, "sender", ag_crash_cause_sender(c));
}

static void write_log(const ag_crash *c, const ag_in_flight *u, int at, int thread,
                      const char *cause) {
  const aotigen_site *s = site_of(u);
  char guards[AG_GUARDS];
  ag_raw_text t;
  if (ag_sink_log_fd() < 0) return;
  begin_event(&t);
  ag_raw_add_number_field(&t, "thread", thread);
  ag_raw_add_path_field(&t, "source", u->model->source, AG_SOURCE_MOST);
  ag_raw_add_number_field(&t, "run", (int64_t)u->run);
  ag_raw_add_string_field(&t, "device", u->model->device, NAME_MOST);
  ag_raw_add_number_field(&t, "launch", (int64_t)u->launch);
  if (s) {
    if (s->number)
      ag_raw_add_number_field(&t, "site", s->number);
    else
      ag_raw_add(&t, ",\"site\":null");
    if (s->scope && u->iteration[0]) ag_raw_add_number_field(&t, "iteration", u->iteration[0]);
    ag_raw_add_number_field(&t, "line", s->line);
    ag_raw_add_string_field(&t, "kernel", s->kernel, NAME_MOST);
    ag_raw_add_string_field(&t, "nodes", s->nodes, NODES_MOST);
    if (s->flags & AOTIGEN_NAMES_GUESSED) ag_raw_add(&t, ",\"names_guessed\":true");
  }
  ag_raw_add_string_field(&t, "at", ag_in_flight_at_name((enum ag_in_flight_at)at), NAME_MOST);
  add_signal(&t, c);
  ag_model_name_guards(u->model, guards);
  if (*guards) ag_raw_add_string_field(&t, "guards", guards, sizeof guards);
  if (*cause) ag_raw_add_string_field(&t, "cause", cause + strspn(cause, "; "), CAUSE_MOST);
  if (s) ag_crash_lines_add_field(&t, s, c->signal);
  ag_raw_add(&t, "}\n");
  ag_raw_write(ag_sink_log_fd(), &t);
}

/* Avoids repeated lines: a host may handle SIGSEGV a million times in a launch, as a virtual
 * machine does. False if the line is already written. It is complete by then, unless that takes
 * SAYING_MS: the process may end when this returns. */
static bool begin_saying(const ag_crash *c, ag_in_flight *u) {
  static const struct timespec step = {0, 1000000};
  uint64_t said = (u->launch + 1) << 8 | (uint64_t)c->signal;
  atomic_fetch_add(&u->saying, 1);
  if (atomic_exchange(&u->said, said) != said) return true;
  atomic_fetch_sub(&u->saying, 1);
  for (int i = 0; i < SAYING_MS && atomic_load(&u->saying); i++) nanosleep(&step, NULL);
  return false;
}

static int say_place(const ag_crash *c, ag_in_flight *u, int at, int thread) {
  if (!begin_saying(c, u)) return 1;
  ag_raw_text cause;
  cause.length = 0;
  add_cause(&cause, c, u, at, thread == c->thread);
  cause.bytes[cause.length < sizeof cause.bytes ? cause.length : sizeof cause.bytes - 1] = '\0';
  write_stderr(c, u, at, thread, cause.bytes);
  write_log(c, u, at, thread, cause.bytes);
  /* What wrote beyond an array may have overwritten the run, which stands on the same stack. */
  bool whole = u->current && u->current->model == u->model;
  if (at == AG_AT_DURING && whole && u->explain) u->explain(u->current, c);
  atomic_fetch_sub(&u->saying, 1);
  return 1;
}

int ag_in_flight_say_own(const ag_crash *c) {
  int said = 0;
  for (int i = 0; i < PLACES; i++)
    if (atomic_load(&places[i].thread) == c->thread)
      said += say_place(c, &places[i], atomic_load(&places[i].at), c->thread);
  return said;
}

/* Returns the thread of the place, which stays until let_go(); 0 if it has none. */
static int hold(ag_in_flight *u) {
  if (atomic_load_explicit(&u->thread, memory_order_relaxed) <= 0) return 0;
  atomic_fetch_add(&u->lookers, 1);
  int thread = atomic_load(&u->thread);
  if (thread > 0) return thread;
  atomic_fetch_sub(&u->lookers, 1);
  return 0;
}

static void let_go(ag_in_flight *u) { atomic_fetch_sub(&u->lookers, 1); }

int ag_in_flight_say_others(const ag_crash *c) {
  int said = 0;
  for (int i = 0; i < PLACES; i++) {
    ag_in_flight *u = &places[i];
    int thread = hold(u), at = thread ? atomic_load(&u->at) : AG_AT_BEGIN;
    if (at == AG_AT_DURING) said += say_place(c, u, at, thread);
    if (thread) let_go(u);
  }
  return said;
}

void ag_in_flight_log_outside(const ag_crash *c) {
  enum { MOST = 64 }; /* a host may handle a million */
  static atomic_int written;
  ag_raw_text t;
  if (ag_sink_log_fd() < 0 || atomic_fetch_add(&written, 1) >= MOST) return;
  begin_event(&t);
  add_signal(&t, c);
  ag_raw_add(&t, "}\n");
  ag_raw_write(ag_sink_log_fd(), &t);
}

/* ---- the watchdog --------------------------------------------------------------------------- */

int ag_in_flight_places(void) { return PLACES; }

static void look(const ag_in_flight *u, ag_in_flight_seen *seen) {
  int at = atomic_load_explicit(&u->at, memory_order_acquire);
  seen->at = (enum ag_in_flight_at)at;
  seen->steps = atomic_load_explicit(&u->steps, memory_order_acquire);
  seen->args = &u->args;
  seen->launch = (ag_launch){.model = u->model,
                             .run = u->run,
                             .number = u->launch,
                             .site = u->site,
                             .stream = (void *)(uintptr_t)u->stream};
  memcpy(seen->launch.iteration, u->iteration, sizeof u->iteration);
  seen->left_out = find_left_out(u, at, true);
}

bool ag_in_flight_look(int place, ag_in_flight_seen *seen) {
  ag_in_flight *u = &places[place];
  seen->thread = hold(u);
  if (!seen->thread) return false;
  look(u, seen);
  let_go(u);
  return true;
}

bool ag_in_flight_is_there(int place, const ag_in_flight_seen *seen) {
  ag_in_flight_seen now;
  return ag_in_flight_look(place, &now) && now.thread == seen->thread && now.steps == seen->steps &&
         now.left_out == seen->left_out;
}

/* ---- fork, and the model's unloading -------------------------------------------------------- */

static atomic_int forking; /* the thread */

static void note_thread(void) { forking = (int)syscall(SYS_gettid); }

/* The child has one thread; a run that it is in goes on. */
static void keep_own(void) {
  int own = forking, mine = (int)syscall(SYS_gettid);
  for (int i = 0; i < PLACES; i++) {
    ag_in_flight_line_forget(&places[i].line);
    places[i].lookers = 0;
    if (places[i].thread != own) places[i].at = AG_AT_BEGIN;
    places[i].thread = own && places[i].thread == own ? mine : 0;
  }
  ag_staged_forget();
}

__attribute__((constructor)) static void set_up(void) {
  pthread_atfork(note_thread, NULL, keep_own);
}

__attribute__((destructor)) static void unmap_lines(void) {
  bool all = true;
  for (int i = 0; i < PLACES; i++)
    if (!places[i].thread)
      ag_in_flight_line_free(&places[i].line);
    else
      all = false;
  if (all) ag_staged_forget();
}
