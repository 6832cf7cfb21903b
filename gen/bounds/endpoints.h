/* endpoints.h - the index of an access where each loop of the kernel stands at one of its ends, as
 * a text in postfix form (kernel/postfix.h) over the arguments of the launch.
 *
 * The access is certain to be made there where the text has a result: its condition, and what else
 * is needed, stands in it before a "?". So an index outside of the memory is a fault, and never a
 * bound that is too wide.
 */
#ifndef GEN_BOUNDS_ENDPOINTS_H
#define GEN_BOUNDS_ENDPOINTS_H

#include "bounds/range.h"

enum { ENDPOINTS_MAX = 6 };

typedef struct endpoint {
  const char *index; /* "@3 0 > ? @3 1 -" */
  const char *at;    /* the loops that it depends on: "x @3 1 -,r0 11"; "" where there are none */
  bool is_number;    /* the index is `number` for all sizes, and nothing stands before a "?" */
  int64_t number;
} endpoint;

typedef struct endpoints_launch {
  symbols *s;
  const range_launch *l;
  const int *args; /* of each parameter the argument of the launch that has its value, -1: none */
  /* Of a vector that is loaded the first lane alone: Inductor loads whole vectors of which it uses
   * a part, also behind the end of memory. */
  bool first_lane;
  uint64_t *left; /* nodes that may yet be visited: less what an endpoint takes */
} endpoints_launch;

/* Of `term`: the index of the access, or a term of it. Returns how many endpoints are known, each
 * with another text. What they hold lives in `a`. */
int endpoints_of_term(const endpoints_launch *in, const graph_access *access,
                      const graph_node *term, endpoint *to, arena *a);

#endif
