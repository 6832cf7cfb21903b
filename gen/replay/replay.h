/* replay.h - the verb replay: the run that a capsule keeps, made once more under the debug package,
 * as 'aotigen run' runs a program.
 */
#ifndef GEN_REPLAY_H
#define GEN_REPLAY_H

#include "run/run.h"

/* Reads the capsule o->replay.capsule, finds its package, and prepares the run, which run_command()
 * makes. `given` is the environment of this process as it began. NULL with an error in `d`. */
run *replay_prepare(const options *o, char *const *given, arena *a, diags *d);

#endif
