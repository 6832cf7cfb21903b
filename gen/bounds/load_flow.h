/* load_flow.h - whether the element that one access loads reaches a value that the kernel computes,
 * at one point of its loops. An operand that a where() does not select does not count. */
#ifndef GEN_BOUNDS_LOAD_FLOW_H
#define GEN_BOUNDS_LOAD_FLOW_H

#include "bounds/points.h"

enum load_flow_kind {
  FLOWS_NOT,   /* the value is the same, whatever the element holds */
  FLOWS_MAYBE, /* neither of the others is shown */
  FLOWS        /* some content of the element, such as NaN, changes the value */
};

typedef struct load_flow {
  const graph *g;
  const graph_access *load;
  struct load_flow_node {
    unsigned point; /* the point for which `kind` holds, from 1 */
    enum load_flow_kind kind;
  } * at;         /* by node */
  unsigned point; /* the point of the current request */
  int64_t work;   /* nodes visited for the last point */
} load_flow;

/* False if `value` does not depend on `load` at any point. */
bool load_flow_begin(load_flow *d, const graph *g, const graph_access *load, graph_node *value,
                     arena *a);

/* The flow at the current point of p, where the load is made. */
enum load_flow_kind load_flow_find(load_flow *d, points *p, const graph_node *value);

#endif
