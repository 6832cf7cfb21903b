/* violation.h - a point of a kernel's loops at which an access leaves its memory, or a term its
 * type: a counter-example that was computed, not concluded. */
#ifndef GEN_CHECK_VIOLATION_H
#define GEN_CHECK_VIOLATION_H

#include "bounds/range.h"

typedef struct violation {
  int64_t index;    /* the index that was accessed; the value of a term */
  int64_t elements; /* the number of elements; 0 for a term */
  const char *text; /* "x = 4095": the loops and the loaded values that the index depends on */
} violation;

/* Looks for a point where the access is made outside of first ... elements - 1. The launch's
 * parameters are numbers. False if none is found. */
bool violation_of_access(violation *w, symbols *s, const range_launch *l,
                         const graph_access *access, int64_t first, int64_t elements);

/* The same for a term of the access's index that is not within [low, high]. */
bool violation_of_term(violation *w, symbols *s, const range_launch *l, const graph_access *access,
                       const graph_node *term, int64_t low, int64_t high);

#endif
