/* scopes.h - the loops and branches that launch sites are in, and the sites' numbers. Part of the
 * model stage. */
#ifndef GEN_SCOPES_H
#define GEN_SCOPES_H

#include "model/model.h"

/* Sets `scope`, `graph`, `number` and `heads` of each site, and m->scopes. The sites are in source
 * order. */
void scopes_read(model *m, arena *a);

/* Is the inner scope the outer one or in it; a scope is a row of m->scopes, -1 the function's body.
 * loop: set to whether a loop lies between, so that one execution of the outer may have several of
 * the inner; may be NULL. */
bool scopes_is_within(const model *m, int inner, int outer, bool *loop);

#endif
