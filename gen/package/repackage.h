/* repackage.h - makes a debug package from a package: each model is rewritten, compiled by its own
 * recorded commands, and linked with its own weights and the runtime; all other members are copied.
 * The package is untrusted: nothing in it is run, and include_audit.h limits which files it reads.
 */
#ifndef GEN_REPACKAGE_H
#define GEN_REPACKAGE_H

#include "base/options.h"

/* From o->input to o->output. After an error, which is in `d`, there is no output. */
void repackage_rewrite(const options *o, arena *a, diags *d);

/* The verb `list` for a package. */
void repackage_list(const options *o, arena *a, diags *d);

#endif
