/* run.h - the verb run: the user's command, with debug packages in the place of packages, and a
 * diagnosis at its end.
 */
#ifndef GEN_RUN_H
#define GEN_RUN_H

#include "base/options.h"

typedef struct run run;

/* Makes the debug packages and the environment of the command. `given` is the environment of this
 * process as it began. NULL with an error in `d`. */
run *run_prepare(const options *o, char *const *given, arena *a, diags *d);

/* Runs the command and prints the diagnosis. Returns the exit status for this process. If a signal
 * ended the command, this process ends by it. */
int run_command(run *r);

#endif
