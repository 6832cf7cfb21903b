/* depends.h - whether a value of a kernel depends on what one of its accesses loads, at one point
 * of its loops: what a where() does not choose does not count. */
#ifndef GEN_CHECK_DEPENDS_H
#define GEN_CHECK_DEPENDS_H

#include "check/points.h"

enum depends_is { DEPENDS_NOT, DEPENDS_PERHAPS, DEPENDS };

typedef struct depends {
  const graph *g;
  const graph_access *load;
  struct depends_node {
    unsigned point; /* for which `is` holds, from 1 */
    enum depends_is is;
  } * at;         /* by node */
  unsigned point; /* that is asked for */
  int64_t work;   /* nodes, of the last point */
} depends;

/* False: `value` depends on `load` at no point. */
bool depends_begin(depends *d, const graph *g, const graph_access *load, graph_node *value,
                   arena *a);

/* At the point that p stands at, where the load is made. */
enum depends_is depends_on_load(depends *d, points *p, const graph_node *value);

#endif
