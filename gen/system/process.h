/* process.h - runs programs by fork and exec, never through a shell.
 *
 * A child has a process group of its own, registered with cleanup.h, so it does not outlive this
 * process. Its standard input is /dev/null.
 */
#ifndef GEN_PROCESS_H
#define GEN_PROCESS_H

#include "system/confine.h"
#include <stdio.h>
#include <sys/types.h>

typedef struct process {
  pid_t pid;   /* 0: not running */
  int status;  /* after process_wait(): as waitpid() returns it */
  int error;   /* errno of an exec that failed, else 0 */
  long cpu_ms; /* after process_wait(): processor time of it and its children */
  long until;  /* when it is killed, in milliseconds of the monotonic clock; 0: never */
} process;

/* The descriptor that a copy of this process keeps. */
enum { PROCESS_FILE = 4 };

/* The settings with which a program runs. */
typedef struct process_setting {
  const char *tmpdir; /* its $TMPDIR; NULL: unchanged */
  const char *dir;    /* its working directory; NULL: this process's */
  /* It gets only the variables of the environment by which a compiler is found, and those that say
   * how libclang runs. Its messages are in English. */
  bool closed;
  const confine *confine; /* NULL: it has all rights of the user */
  unsigned seconds;       /* the time after which it is killed; 0: never */
  int file; /* of a copy of this process: a descriptor that it keeps, as PROCESS_FILE; 0: none */
} process_setting;

/* Starts argv[0], which is searched on PATH, with stdout and stderr going to file `log`. False,
 * with p->error, if it cannot be started. */
bool process_start(process *p, char *const argv[], const char *log, const process_setting *how);

/* The exit status of a copy of this process that could not enter its rules. */
enum { PROCESS_NOT_CONFINED = 125 };

/* Runs f(data) in a forked child, without output and with the default actions for signals. All of
 * `how` counts but the directories. The child exits with 0 if f returns true. False, with p->error,
 * if it cannot be forked. */
bool process_fork(process *p, bool (*f)(void *), void *data, const process_setting *how);

/* Takes the next n bytes that a child writes. False, with errno, kills the child. */
typedef bool process_take(void *to, const char *at, size_t n);

/* Adds the bytes to a strbuf. */
bool process_take_text(void *to, const char *at, size_t n);

/* The same for a function that writes an answer. `take` gets it part by part, up to its end: at
 * most `max` bytes, and within the seconds of `how`. False if the child fails, or p->error is
 * ETIMEDOUT, EFBIG or that of `take`. */
bool process_answer(process *p, bool (*f)(void *, FILE *), void *data, const process_setting *how,
                    size_t max, process_take *take, void *to);

/* The same for a function that answers again and again: it may also read from the descriptor of the
 * FILE what is written to *socket, which the caller closes, and ends once that is closed.
 * process_wait_below() does not count it. */
bool process_serve(process *p, bool (*f)(void *, FILE *), void *data, const process_setting *how,
                   int *socket);

/* Kills it and waits for it, if it is running. */
void process_kill(process *p);

/* Waits until fewer than `n` children run, and kills those that ran too long. The ended ones have
 * still to be waited for. */
void process_wait_below(unsigned n);

/* True if it has ended with another exit status than 0 or by a signal, and has still to be
 * waited for. */
bool process_has_failed(const process *p);

/* Waits for its end. True if it exited with 0. p->error is ETIMEDOUT if it ran too long, and EDQUOT
 * if the package's budget is spent (budget.h). */
bool process_wait(process *p);

/* Runs argv and captures its stdout; its stderr is dropped. False if it fails or cannot be started,
 * prints more than `max` bytes (p->error is EFBIG) or runs longer than `seconds` (p->error is
 * ETIMEDOUT). The caller frees the text. */
bool process_capture(process *p, char *const argv[], int seconds, size_t max, strbuf *out);

/* The same, with all of `how`. */
bool process_ask(process *p, char *const argv[], const process_setting *how, size_t max,
                 strbuf *out);

#endif
