/* points.h - the points of a kernel's loops at which an access is made, as numbers: s->values is
 * set. What the access depends on is collected first; then a point is set, and evaluated. */
#ifndef GEN_BOUNDS_POINTS_H
#define GEN_BOUNDS_POINTS_H

#include "bounds/range.h"

enum { POINTS_UNKNOWNS_MAX = 24 };

/* A loop's variable, a program's number, or a value that is loaded. */
typedef struct point_unknown {
  const graph_node *node; /* NODE_STEP, NODE_LOAD, or "program_id" */
  int64_t low, high, value;
} point_unknown;

typedef struct points {
  symbols *s;
  const range_launch *l;
  const graph_access *x;
  point_unknown at[POINTS_UNKNOWNS_MAX];
  int n;
  bool incomplete; /* more than POINTS_UNKNOWNS_MAX, or one without bounds */
  bool unbounded;  /* of a loop or of the grid not all values are known: it stands at one of them */
  bool unsure;     /* of a point it was not known whether the access is made there */
  bool asks;       /* a loaded value is bounded by nothing but asserts: each of these must hold */
  int64_t elements; /* that there are, or 0 */
  bool bounded;     /* of a term: both its bounds are known */
  range_reader *r;
  bool takes_first; /* a loop's variable that was not collected is 0 */
  int depth;
  unsigned work; /* nodes collected, or evaluated for one value */
  bool costly;   /* one value took too many: no other is computed */
} points;

/* Collects what `node` depends on, the access's condition and the loops around it. False where a
 * point cannot be found: of these the values, or the bounds, are not known. */
bool points_collect(points *p, const graph_node *node);
/* The same of what `node` depends on beside that: it is another access's of the launch. */
bool points_collect_also(points *p, const graph_node *node);

/* The loop's step at or before `at`; the one behind it where that is below its range. */
int64_t points_align(points *p, const point_unknown *u, int64_t at);

/* How many points there are, made or not; INT64_MAX for more than can be counted. points_first()
 * sets the first of them and points_next() the one after; false past the last. */
int64_t points_count(points *p);
void points_first(points *p);
bool points_next(points *p);

/* Gives the variables that are parts of others the values that follow from these. */
void points_derive(points *p);

/* Is the access made at the point. */
bool points_is_reached(points *p);

/* The value of `node` at the point; false where it is not known. */
bool points_evaluate(points *p, const graph_node *node, int64_t *value);

/* "x = 4095, r0 = 3" */
const char *points_format(const points *p);

#endif
