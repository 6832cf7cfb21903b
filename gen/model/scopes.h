/* scopes.h - the loops and branches that launch sites are in, and the sites' numbers. Part of the
 * model stage. */
#ifndef GEN_SCOPES_H
#define GEN_SCOPES_H

#include "model/model.h"

/* Sets `scope`, `number` and `heads` of each site, and m->scopes. The sites are in source order. */
void scopes_read(model *m, arena *a);

#endif
