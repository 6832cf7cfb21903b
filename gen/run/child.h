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

/* Runs argv[0], searched on PATH, to its end. What the terminal sends reaches
 * it by itself; a signal that another process sends to this one is passed on, and a stop is joined.
 * False where it could not be started: c->error. */
bool child_run(child *c, char *const argv[], char *const environment[]);

/* The exit status that stands for c->error, as a shell has it: 127 or 126. */
int child_error_status(const child *c);

/* Ends this process by the signal that ended the child, without a core dump. Returns where the
 * signal does not end it. */
void child_die_alike(const child *c);

#endif
