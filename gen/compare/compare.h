/* compare.h - the verbs compare and bisect: the launches of a debug package beside the exported
 * program that the package was made of, or beside those of another package.
 *
 * A Python with torch does it, with scripts that the program carries: it runs the package, whose
 * debug package saves what each launch reads and writes, and computes the program's nodes
 * (compare.py), or has each launch of the one read what those of the other wrote (bisection.py).
 */
#ifndef GEN_COMPARE_H
#define GEN_COMPARE_H

#include "run/run.h"

/* Makes the debug package, and the command, whose exit status is the verb's; `given` is the
 * environment of this process as it began. NULL with an error in `d`. */
run *compare_prepare(const options *o, char *const *given, arena *a, diags *d);

#endif
