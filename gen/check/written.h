/* written.h - the elements that launches and calls have written of each buffer that the wrapper
 * allocates. Calls are followed in order. */
#ifndef GEN_CHECK_WRITTEN_H
#define GEN_CHECK_WRITTEN_H

#include "check/checker.h"

/* Makes an array with an entry for each variable of the wrapper. */
struct written *written_begin(const model *m, arena *a);

/* Checks that each element that the site reads of such a buffer was written before, then notes what
 * the site writes. graph: of the site's kernel, as it stands in k->launch; NULL for another call,
 * or a kernel that is not understood. */
void written_check(checker *k, const site *s, const graph *g);

#endif
