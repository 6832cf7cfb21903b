/* watched_run.h - 'aotigen run --watch': the user's command with watch packages in the place of
 * packages, and what the capsules say that its models wrote.
 */
#ifndef GEN_WATCHED_RUN_H
#define GEN_WATCHED_RUN_H

#include "run/run.h"

/* As run_prepare(), with which it shares all but the end. */
run *watched_run_prepare(const options *o, char *const *given, arena *a, diags *d);

#endif
