/* child.h - runs the user's command as a shell would: in this process group, on this terminal, with
 * the signals passed on.
 */
#ifndef GEN_CHILD_H
#define GEN_CHILD_H

#include "base/diag.h"
#include <sys/types.h>

typedef struct child {
  pid_t pid;
  int status; /* as waitpid() gives it */
  int error;  /* errno where the command could not be executed, else 0 */
} child;

/* Runs argv[0], which is searched on PATH, to its end. Signals from the terminal reach it by
 * themselves. A signal that another process sends to this one is passed on, and this process stops
 * when the child does. False, with c->error, if it cannot be started. */
bool child_run(child *c, char *const argv[], char *const environment[]);

/* The exit status for c->error, as a shell has it: 127 or 126. */
int child_error_status(const child *c);

/* Ends this process by the signal that ended the child, without a core dump. Returns if the signal
 * does not end it. */
void child_die_alike(const child *c);

#endif
