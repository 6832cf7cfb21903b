/* in_flight.h - which launches are in flight, for what is written when the process crashes, hangs
 * or is killed. Inside the library only.
 *
 * A run has a place in a table of the library from its begin to its end. A launch stores its site
 * and number there, and, where there is a log, in the line of the log that is the place's. A signal
 * handler may read the table at any time; only the run's thread changes what its place tells.
 */
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
  AG_AT_WAITING, /* the device is waited for, which runs it */
  AG_AT_AFTER    /* it has returned; its results are checked, and what follows it runs */
};

/* As events have it: "checking", "launched". */
const char *ag_in_flight_at_name(enum ag_in_flight_at at);

typedef struct ag_in_flight ag_in_flight;
struct ag_crash;

/* Writes why the launch of the run that is in flight may have raised the signal, in its handler. */
typedef void ag_explain_crash_function(const aotigen_run *run, const struct ag_crash *c);

/* At a model's load: the log has its line from then on. */
void ag_in_flight_load(const aotigen_model *model);

/* At the begin and end of a run, on its thread. explain: called behind the line about a signal that
 * came while a launch was in flight; or NULL. NULL where all places are taken: the other functions
 * take NULL, and do nothing. */
ag_in_flight *ag_in_flight_begin(const aotigen_model *model, const aotigen_run *run,
                                 ag_explain_crash_function *explain);
void ag_in_flight_end(ag_in_flight *u);
/* The run goes on as this one: a part of it is over. */
void ag_in_flight_set_run(ag_in_flight *u, const aotigen_run *run);

/* Around a launch that the filter lets in. `run` is kept: its `launch` also counts the launches
 * that the filter leaves out. */
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
  int thread;       /* that got the signal */
  const void *context;
} ag_crash;

/* Does an instruction raise it. */
static inline bool ag_crash_is_fault(int signal) {
  return signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL;
}

/* Each run that is on the signal's thread, or each launch that is in flight on another: a line on
 * stderr, and an event in the log. How many there were. */
int ag_in_flight_say_own(const ag_crash *c);
int ag_in_flight_say_others(const ag_crash *c);

/* A signal that has no such line: an event in the log alone, without a run. */
void ag_in_flight_log_outside(const ag_crash *c);

/* Was the SIGBUS at this address raised by a store to a line of a log that was truncated. Then the
 * store succeeds the next time. */
bool ag_in_flight_repair(const void *address);

/* ---- for the watchdog's thread -------------------------------------------------------------- */

/* What a run is at. */
typedef struct ag_in_flight_seen {
  int thread;
  enum ag_in_flight_at at;
  unsigned steps;    /* changes whenever the run makes progress */
  ag_launch launch;  /* the last checked one; its number is 0 where there was none */
  uint64_t left_out; /* the launch that the filter left out and that the run is at, or behind; 0 */
  const ag_args_snapshot *args; /* may be read at any time, as args_snapshot.h says */
} ag_in_flight_seen;

int ag_in_flight_places(void);
/* False where the place is free. */
bool ag_in_flight_look(int place, ag_in_flight_seen *seen);
/* Is the run still where it was seen. */
bool ag_in_flight_is_there(int place, const ag_in_flight_seen *seen);

/* This thread's innermost run makes progress though its launch does not: a tensor is scanned. */
void ag_in_flight_beat(void);

#endif
