/* in_flight.h - the launches in flight, for the reports when the process crashes, hangs or is
 * killed. Inside the library only.
 *
 * A run has a place in a table of the library from its start to its end. A launch stores its site
 * and number there and, if there is a log, in the place's line of the log. A signal handler may
 * read the table at any time; only the run's thread changes its place. */
#ifndef AOTIGEN_IN_FLIGHT_H
#define AOTIGEN_IN_FLIGHT_H

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "state/args_snapshot.h"

enum ag_in_flight_at {
  AG_AT_BEGIN,   /* no launch yet */
  AG_AT_BEFORE,  /* the arguments are checked */
  AG_AT_DURING,  /* the launch is in flight: on a GPU, it is being made */
  AG_AT_WAITING, /* the device runs it, and the host waits */
  AG_AT_AFTER    /* it has returned; its results are checked, and what follows it runs */
};

/* The name in events: "checking", "launched". */
const char *ag_in_flight_at_name(enum ag_in_flight_at at);

typedef struct ag_in_flight ag_in_flight;
struct ag_crash;

/* Explains, in the handler, why the launch in flight may have raised the signal. */
typedef void ag_explain_crash_function(const aotigen_run *run, const struct ag_crash *c);

/* Call it at a model's load: the log has the model's line from then on. */
void ag_in_flight_load(const aotigen_model *model);

/* At the start and end of a run, on its thread. explain: called behind the line about a signal that
 * came while a launch was in flight; or NULL. Returns NULL if all places are taken: the other
 * functions take NULL, and do nothing. */
ag_in_flight *ag_in_flight_begin(const aotigen_model *model, const aotigen_run *run,
                                 ag_explain_crash_function *explain);
void ag_in_flight_end(ag_in_flight *u);
/* The run goes on as this one: a part of it has ended. */
void ag_in_flight_set_run(ag_in_flight *u, const aotigen_run *run);

/* Around a launch that the filter selects. Stores `run`, whose `launch` also counts filtered-out
 * launches. */
void ag_in_flight_before(ag_in_flight *u, const aotigen_run *run, uint32_t site);
/* Its arguments are bound. */
void ag_in_flight_bound(ag_in_flight *u, const ag_record *record);
void ag_in_flight_launch(ag_in_flight *u);
void ag_in_flight_wait(ag_in_flight *u);
void ag_in_flight_after(ag_in_flight *u);

/* ---- for a signal handler ------------------------------------------------------------------- */

typedef struct ag_crash {
  int signal;
  const siginfo_t *info;
  const char *name; /* "SIGSEGV" */
  int thread;       /* the thread that got the signal */
  const void *context;
} ag_crash;

/* True if an instruction raises the signal. */
static inline bool ag_crash_is_fault(int signal) {
  return signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL;
}

/* Reports each run on the signal's thread or, if there is none, each launch in flight on another: a
 * line on stderr, and an event in the log. Returns their number. */
int ag_in_flight_say_own(const ag_crash *c);
int ag_in_flight_say_others(const ag_crash *c);

/* Logs a signal that has no such line, as an event without a run. */
void ag_in_flight_log_outside(const ag_crash *c);

/* ---- for the watchdog's thread -------------------------------------------------------------- */

/* What a run is doing. */
typedef struct ag_in_flight_seen {
  int thread;
  enum ag_in_flight_at at;
  unsigned steps;    /* changes whenever the run makes progress */
  ag_launch launch;  /* the last checked one; its number is 0 where there was none */
  uint64_t left_out; /* the launch that the filter left out and that the run is at, or behind; 0 */
  const ag_args_snapshot *args; /* may be read at any time, as args_snapshot.h says */
} ag_in_flight_seen;

int ag_in_flight_places(void);
/* False if the place is free. */
bool ag_in_flight_look(int place, ag_in_flight_seen *seen);
/* True if the run is still where it was seen. */
bool ag_in_flight_is_there(int place, const ag_in_flight_seen *seen);

/* Marks progress of this thread's innermost run though its launch makes none: a tensor is
 * scanned. */
void ag_in_flight_beat(void);

#endif
