/* process.h - running a program by fork and exec, never through a shell.
 *
 * A child stands in a process group of its own, which the register of output.h ends when a signal
 * ends us. Its standard input is /dev/null.
 */
#ifndef GEN_PROCESS_H
#define GEN_PROCESS_H

#include "base/diag.h"
#include <sys/types.h>

typedef struct process {
  pid_t pid;  /* 0: not running */
  int status; /* after process_wait(): what waitpid() gave */
  int error;  /* errno of an exec that failed, else 0 */
} process;

/* Starts argv[0] (found on PATH) with both outputs going to file `log`, and $TMPDIR naming `tmpdir`
 * (NULL: unchanged). False with `error` set where it cannot be started. */
bool process_start(process *p, char *const argv[], const char *log, const char *tmpdir);

/* Runs f(data) in a child that is a copy of us, silently and with the default actions for signals:
 * what it does in memory is lost, and how it dies is no matter of ours. It ends with 0 where f
 * gives true. */
bool process_copy(process *p, bool (*f)(void *), void *data);

/* Ends it, if it runs. */
void process_kill(process *p);

/* Waits. True where it exited with 0. */
bool process_wait(process *p);

/* Runs argv and gives its standard output, at most `max` bytes of it, within `seconds`; its errors
 * go nowhere. False where it failed, cannot be started (p->error), or took too long (p->error is
 * ETIMEDOUT). The text is freed by the caller. */
bool process_ask(process *p, char *const argv[], int seconds, size_t max, strbuf *out);

#endif
