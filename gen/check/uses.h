/* uses.h - whether a result depends on elements that nothing has written: a kernel may read them
 * and choose another value, or what it computes of them may be overwritten. */
#ifndef GEN_CHECK_USES_H
#define GEN_CHECK_USES_H

#include "check/checker.h"

/* The sites by which what a load reads of one variable's memory may come to a result, with their
 * sizes. */
typedef struct uses uses;

/* Of what `access`, a load of the launch of k->site, reads of variable `root`'s memory.
 * k->s->values is not set: sizes are remembered, and symbols made. Lives in k->s->a. */
uses *uses_read(checker *k, const graph_access *access, int root);

/* USES_UNKNOWN: no result that certainly depends on one was found, and not all is followed. */
enum uses_found { USES_NONE, USES_UNKNOWN, USES_CERTAIN };

/* Those are meant of the memory's n elements that are not 0 in `bad`, at sizes that are set.
 * *element: of USES_CERTAIN, the one on which the first result found depends. */
enum uses_found uses_find(uses *u, const unsigned char *bad, int64_t n, int64_t *element);

#endif
