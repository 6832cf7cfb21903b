/* diff.h - the verb diff: where two recordings of AOTIGEN_RECORD begin to differ. */
#ifndef GEN_DIFF_H
#define GEN_DIFF_H

#include "base/options.h"

/* Prints it on standard output. True if the two agree as far as they were compared. What cannot be
 * read, or compared at all, is an error of STATUS_USAGE. */
bool diff_recordings(const options *o, arena *a, diags *d);

#endif
