/* load_flow.h - whether what one access of a kernel loads comes into a value that it computes, at
 * one point of its loops: what a where() does not choose does not count. */
#ifndef GEN_BOUNDS_LOAD_FLOW_H
#define GEN_BOUNDS_LOAD_FLOW_H

#include "bounds/points.h"

enum load_flow_kind {
  FLOWS_NOT,   /* the value is the same, whatever the element holds */
  FLOWS_MAYBE, /* neither is shown */
  FLOWS        /* some content of the element, such as NaN, changes the value */
};

typedef struct load_flow {
  const graph *g;
  const graph_access *load;
  struct load_flow_node {
    unsigned point; /* for which `is` holds, from 1 */
    enum load_flow_kind kind;
  } * at;         /* by node */
  unsigned point; /* that is asked for */
  int64_t work;   /* nodes, of the last point */
} load_flow;

/* False: `value` depends on `load` at no point. */
bool load_flow_begin(load_flow *d, const graph *g, const graph_access *load, graph_node *value,
                     arena *a);

/* At the point that p stands at, where the load is made. */
enum load_flow_kind load_flow_find(load_flow *d, points *p, const graph_node *value);

#endif
