/* take.h - `aotigen replay --launch=N -o DIR`: what the run of a capsule's inputs has told of one
 * launch, as a program.
 */
#ifndef GEN_TAKE_H
#define GEN_TAKE_H

#include "base/options.h"

/* What is taken from which run. */
typedef struct take {
  const options *o;
  const char *package, *model; /* that ran: its sources */
  const char *dir;             /* where the debug package has written the launch */
} take;

/* The environment of the run: without the user's variables for debug models, which are for the
 * user's own runs. Makes the directory; NULL with an error in `d`. */
char *const *take_make_environment(take *t, char *const *given, arena *a, diags *d);

/* Writes the program, and says so. `signal`: what ended the run, or NULL. False with an error in
 * `d`. */
bool take_write(const take *t, const char *signal, arena *a, diags *d);

#endif
