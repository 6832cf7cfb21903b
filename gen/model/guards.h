/* guards.h - the checks of the run-time guard that a launch site gets, as `aotigen list` prints
 * them.
 */
#ifndef GEN_GUARDS_H
#define GEN_GUARDS_H

#include "model/model.h"

/* The names of a site's guards, from shared/checks.def and in its order; none for a site that is
 * not instrumented. */
strings guards_find(const site *s, arena *a);

#endif
