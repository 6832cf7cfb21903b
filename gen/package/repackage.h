/* repackage.h - makes a debug package from a package: each model is rewritten, compiled by its own
 * recorded commands, and linked with its own weights and the runtime; all other members are copied.
 * The package is untrusted: nothing in it is run, and include_audit.h limits which files it reads.
 */
#ifndef GEN_REPACKAGE_H
#define GEN_REPACKAGE_H

#include "base/options.h"

/* From o->input to o->output. After an error, which is in `d`, there is no output. */
void repackage_rewrite(const options *o, arena *a, diags *d);

/* Writes what can be proved of each model of o->input to `to`, as `check --json` does: the lines of
 * a model, then {"type":"model","source":PATH,"left_alone":N}, where PATH is its wrapper's, as
 * reports have it. False with the reason in `d`, or if `to` has an error. */
bool repackage_check(const options *o, FILE *to, arena *a, diags *d);

/* The verbs `list` and `check` for a package. */
void repackage_list(const options *o, arena *a, diags *d);

#endif
