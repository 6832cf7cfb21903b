/* event_log.h - reads what debug models wrote to AOTIGEN_LOG: JSON Lines, as aotigen(7) says.
 *
 * Causes are those of shared/causes.def. The file may end in the middle of a line, and the program
 * may have written anything into it: a line of another form is counted and left out. Memory does
 * not grow with a file.
 */
#ifndef GEN_EVENT_LOG_H
#define GEN_EVENT_LOG_H

#include <sys/types.h>
#include "run/kernel_list.h"
#include "shared/causes.h"
#include <limits.h>
#include <stdio.h>

#define EVENT_NO_ELEMENT LLONG_MIN

/* An event, in parts. A text that it lacks is NULL, a number -1; texts are as the log has them. */

/* The place of the event. */
typedef struct event_place {
  long long run, launch, site, line, iteration, after_launch;
  long long rank; /* of the process, in a program of several ranks */
  const char *source, *kernel, *nodes;
  bool names_guessed;    /* nodes, from the kernel's name */
  const char *launch_is; /* "kernel", "operator": of a guard */
  strings model_lines;   /* "model.py:15  TEXT  (MODULE)", the file as file_here() says, in the
                          * model's   order; if there are several, each may be the one */
  bool lines_guessed;
} event_place;

/* The finding about an argument, and the origin of its value. */
typedef struct event_value {
  const char *arg, *python_name, *device, *check, *expected, *found;
  const char *index; /* "2,3": the element's */
  long long count, numel;
  const char *how;
  strings how_steps;
  const char *values; /* "by = 3.0, size = []": passed to an operator besides the tensors */
  const char *maker;  /* the library's operator that made the argument; of a guard's event */
  const char *unwritten, *unscanned; /* "buf3, buf4", "buf3": may have held the bad value already */
  const char *made_of;               /* "the Inf of launch 3 (lab::op, buf2), which it read as b" */
  long long suspected_by; /* of an Inf: the launch that may have made its NaN of it; else -1 */
} event_value;

typedef struct event_suspect {
  long long launch, site;
} event_suspect;

enum { EVENT_SUSPECTS = 8 };

/* The finding about a buffer's memory. */
typedef struct event_memory {
  const char *buffer, *of, *writer;
  long long element; /* next to a buffer; EVENT_NO_ELEMENT if it is not told */
  long long since, bytes, written_by;
  long long released_after;               /* this launch the buffer was released */
  long long seen_after;                   /* this launch; one of those since `since` overwrote it */
  event_suspect suspects[EVENT_SUSPECTS]; /* of those the last ones */
  size_t nsuspects;
  const char *kernels; /* of those launches; for growth, of those that may keep the buffer */
} event_memory;

/* A signal, a hang or a device error. */
typedef struct event_end {
  const char *signal, *at;
  long long sender;        /* the process that sent the signal */
  long long signal_thread; /* got the signal, while `thread` was in the run */
  long long milliseconds;  /* how long a hang had lasted */
  long long suspects;
  const char *guards; /* "canary,poison": what the model has, of a crash or device error */
  const char *words;  /* the address of a signal, and what that belongs to */
} event_end;

typedef struct event {
  enum cause cause;
  long long number; /* the number of its line, over all files that were read */
  double time;      /* in seconds; HUGE_VAL where it is not told */
  long long pid, thread;
  event_place place;
  event_value value;
  event_memory memory;
  event_end end;
} event;

/* A thread's line about its launch in flight; `at` is as in aotigen(7), without blanks. */
typedef struct in_flight {
  double time; /* like that of an event: when the launch began */
  long long pid, thread, run, launch, line;
  const char *source, *kernel, *at;
} in_flight;

/* A process whose input of a collective held a bad value. */
typedef struct event_given {
  long long pid, rank, run, launch;
} event_given;

enum { IN_FLIGHT_MOST = 256, EARLIER_MOST = 1024, GIVEN_MOST = 256 };

typedef struct event_log {
  arena *a;
  long long lines, odd; /* the number of lines, and of those that are no event */
  long long counts[CAUSES];
  long long runs[CAUSES]; /* the number of runs that had one, by one process at a time */
  long long last_run[CAUSES], last_pid[CAUSES]; /* of those the last; 0: none */
  long long requests; /* of CAUSE_OUTSIDE those with which users and process managers end a program:
                       * no findings */
  event first[CAUSES]; /* in time, of each cause that has a count; of CAUSE_OUTSIDE the last: the
                        * program may have handled those before it */
  event made;          /* the first NaN that a launch may have made of an Inf; number 0: none */
  event suspected;     /* the first such Inf of which that is not sure; no event of a cause */
  bool seen[CAUSES];   /* in this file, whose first event is its earliest */
  long long begin;     /* the lines before this file */
  arena_list(event) earlier; /* may explain a later one: the first of such a cause in a process */
  in_flight threads[IN_FLIGHT_MOST]; /* if there are more, those that wait the longest */
  size_t nthreads;
  event_given given[GIVEN_MOST]; /* the first of them */
  size_t ngiven;
  int replaced;
  long long launches, left_out; /* of runs with a filter, and those that it left out; 0 where no
                                 * process ended well, or none had one */
  kernel_list kernels;
  long long findings;   /* of watched runs */
  const char *not_kept; /* why the first of those without a capsule has none; NULL: none is */
  bool found;           /* a log was there */
} event_log;

/* Adds the lines of the stream up to its end. */
void event_log_read(event_log *log, FILE *from);

/* Adds a line of n bytes, without its newline. */
void event_log_add(event_log *log, const char *line, size_t n);

/* True if its signal is one with which users and process managers end a program. */
bool event_is_request(const event *e);

/* True if its tensor is in main memory, as far as the event tells. */
bool event_is_on_cpu(const event *e);

/* The first event of the cause in this process, for a cause that may explain a later event; NULL if
 * there is none. */
event *event_log_find(const event_log *log, enum cause cause, long long pid);

/* The event of `cause` before `e`, in the same process and run. Overwritten memory, which may be
 * reported much later, and a warning, which comes once, are those of any run. NULL if there is
 * none. */
const event *event_log_find_before(const event_log *log, enum cause cause, const event *e);

/* The process that put into the collective of `e`, a CAUSE_RECEIVED, what came to this one. Ranks
 * make the same launches: it has the launch's number there, too. NULL if none is known. */
const event_given *event_log_find_giver(const event_log *log, const event *e);

/* True if its run had ended, or not begun. */
bool in_flight_is_over(const in_flight *u);

/* True if a run of a debug model was begun. */
bool event_log_has_run(const event_log *log);

/* ---- the files that AOTIGEN_LOG stands for, and what a run adds to them.
 *
 * The user's log may be there already, and its name may have the process's number or rank in it:
 * then each file of such a name counts. */

typedef struct log_file {
  dev_t device;
  ino_t inode;
  off_t size;
} log_file;

typedef struct log_files {
  const char *pattern;         /* for glob() */
  arena_list(log_file) before; /* the size of each before the run */
} log_files;

/* Notes the files before the run. `name` is the user's variable where `of_user`, else a path. */
void log_files_note(log_files *f, const char *name, bool of_user, arena *a);

/* Reads what the run has added, after it. */
void log_files_read(const log_files *f, event_log *log);

#endif
