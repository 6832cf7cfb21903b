/* run.h - the verb run: the user's command, with debug packages in the place of packages, and a
 * diagnosis at its end.
 */
#ifndef GEN_RUN_H
#define GEN_RUN_H

#include "run/diagnosis.h"

typedef struct run run;

/* What the command's end tells besides, which is not the log's. */
typedef struct run_sequel {
  /* Adds to what the diagnosis says. False if there is nothing to diagnose: it has printed an
   * error, and the exit status is 1. */
  bool (*tell)(void *data, const evidence *e, diagnosis_notes *notes, arena *a);
  void *data;
  bool alone; /* it prints all that there is to say, and `notes` is NULL */
} run_sequel;

/* Makes the debug packages and the environment of the command. `given` is the environment of this
 * process as it began. NULL with an error in `d`. */
run *run_prepare(const options *o, char *const *given, arena *a, diags *d);

/* Has it asked once the command has ended. */
void run_add_sequel(run *r, const run_sequel *sequel);

/* Runs the command and prints the diagnosis. Returns the exit status for this process. If a signal
 * ended the command, this process ends by it. */
int run_command(run *r);

#endif
