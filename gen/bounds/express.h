/* express.h - an integer of a kernel as a text in postfix form (kernel/postfix.h): operators of
 * what is known of its leaves. */
#ifndef GEN_BOUNDS_EXPRESS_H
#define GEN_BOUNDS_EXPRESS_H

#include "kernel/graph.h"
#include "kernel/postfix.h"

enum { EXPRESS_DEPTH_MAX = 60, EXPRESS_WORK_MAX = 4000 };

typedef struct express_state {
  /* Sets *value where the node is no operator of its operands here: a loop's variable, say. */
  bool (*know)(void *data, const graph_node *x, postfix *value);
  void *data;
  int depth;
  unsigned work; /* nodes so far: a graph may have more paths than can be walked */
  arena *a;      /* for the texts */
} express_state;

/* Unknown where the integer may not fit, and beyond the depth and the work. */
postfix express_node(express_state *e, const graph_node *node);

/* Adds a condition to those that a text begins with, "@3 0 > ? ", unless it holds always or is one
 * of them. False if it is not known, never holds, or makes them too long. */
bool express_require(const char **path, postfix condition, arena *a);

#endif
