/* repackage.h - a package in, a debug package out: every model of it rewritten, compiled by its own
 * recorded commands, linked with its own weights and the runtime, all else byte for byte.
 *
 * A package is a stranger's file: nothing that it holds is run, and what it may read while it is
 * compiled is depend.h's.
 */
#ifndef GEN_REPACKAGE_H
#define GEN_REPACKAGE_H

#include "base/options.h"

/* From o->input to o->output; what went wrong is in `d`, and then no output is there. */
void repackage(const options *o, arena *a, diags *d);

/* The verb `list` for a package. */
void repackage_list(const options *o, arena *a, diags *d);

#endif
