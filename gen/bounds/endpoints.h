/* endpoints.h - the index of an access where each loop of the kernel is at one of its ends, as a
 * text in postfix form (kernel/postfix.h) over the arguments of the launch.
 *
 * Where the text has a result, the access is certain to be made: its condition, and whatever else
 * is needed, stands before a "?". So an index outside of the memory is a fault, never a bound that
 * is too wide.
 */
#ifndef GEN_BOUNDS_ENDPOINTS_H
#define GEN_BOUNDS_ENDPOINTS_H

#include "bounds/range.h"

enum { ENDPOINTS_MAX = 6 };

typedef struct endpoint {
  const char *index; /* "@3 0 > ? @3 1 -" */
  const char *at;    /* the loops of the index: "x @3 1 -,r0 11"; "" where there are none */
  bool is_number; /* the index is `number` for all sizes, and nothing stands before a "?" */
  int64_t number;
} endpoint;

typedef struct endpoints_launch {
  symbols *s;
  const range_launch *l;
  const int *args; /* by parameter: the argument of the launch with its value, -1 for none */
  /* Only the first lane of a vector load is checked: Inductor loads whole vectors and uses a part
   * of them, also beyond the end of memory. */
  bool first_lane;
  uint64_t *left; /* the number of nodes that may still be visited; each endpoint reduces it */
} endpoints_launch;

/* Finds the endpoints of `term`, which is the index of the access or a term of it. Returns how many
 * are known, each with a text of its own. What they hold lives in `a`. */
int endpoints_of_term(const endpoints_launch *in, const graph_access *access,
                      const graph_node *term, endpoint *to, arena *a);

#endif
