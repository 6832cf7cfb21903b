/* uses.h - whether a result depends on elements that were never written: a kernel may read them and
 * select another value, or what it computes from them may be overwritten. */
#ifndef GEN_CHECK_USES_H
#define GEN_CHECK_USES_H

#include "check/checker.h"

/* The sites through which elements that a load reads from one variable's memory may reach a result,
 * with their sizes. */
typedef struct uses uses;

/* Reads the sites behind `access`, a load of the launch of k->site, that elements of variable
 * `root`'s memory may reach. k->s->values is not set: sizes are remembered, and symbols made. Lives
 * in k->s->a. */
uses *uses_read(checker *k, const graph_access *access, int root);

/* USES_UNKNOWN: no result was found to depend on one for certain, and not everything was
 * followed. */
enum uses_found { USES_NONE, USES_UNKNOWN, USES_CERTAIN };

/* Follows the elements whose byte in `bad` is not 0, of the memory's n, at sizes that are set.
 * *element: for USES_CERTAIN, the one that the first result found depends on. */
enum uses_found uses_find(uses *u, const unsigned char *bad, int64_t n, int64_t *element);

#endif
