/* scopes.h - the loops and branches that launch sites are in, and the sites' numbers. Part of the
 * model stage. */
#ifndef GEN_SCOPES_H
#define GEN_SCOPES_H

#include "model/model.h"

/* Sets `scope`, `graph`, `number` and `heads` of each site, and m->scopes. The sites are in source
 * order. */
void scopes_read(model *m, arena *a);

/* True if scope `inner` is `outer` or lies within it. A scope is an entry of m->scopes, -1 the
 * function's body. loop, if not NULL, is set to whether a loop lies between, so that one execution
 * of `outer` may execute `inner` several times. */
bool scopes_is_within(const model *m, int inner, int outer, bool *loop);

#endif
