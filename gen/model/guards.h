/* guards.h - which of the run-time guard's checks a launch site gets: what `aotigen list` prints.
 */
#ifndef GEN_GUARDS_H
#define GEN_GUARDS_H

#include "model/model.h"

/* The names of a site's guards, of shared/checks.def and in its order; none of a site that is left
 * alone. */
strings guards_find(const site *s, arena *a);

#endif
