/* uses.h - whether a result depends on elements that nothing has written: a kernel may read them
 * and choose another value, or what it computes of them may be overwritten. */
#ifndef GEN_CHECK_USES_H
#define GEN_CHECK_USES_H

#include "check/checker.h"

/* USES_UNKNOWN: no result that certainly depends on one was found, and not all is followed. */
enum uses_found { USES_NONE, USES_UNKNOWN, USES_CERTAIN };

/* Of what `x`, a load of the launch of k->site, reads of variable `root`'s memory, which has n
 * elements: those are meant that are 0 in `written`. k->s->values is set. *element: of
 * USES_CERTAIN, the one on which the first result found depends. */
enum uses_found uses_find(checker *k, const graph_access *x, int root, const unsigned char *written,
                          int64_t n, int64_t *element);

#endif
