/* points.h - the points of a kernel's loops at which an access is made, as numbers. The unknowns
 * that the access depends on are collected first; then a point is set, and evaluated. */
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
  const range_launch *l; /* its parameters and grid are numbers: checker_evaluate() */
  const graph_access *x;
  point_unknown at[POINTS_UNKNOWNS_MAX];
  int n;
  bool incomplete;  /* there are more than POINTS_UNKNOWNS_MAX unknowns, or one has no bounds */
  bool unbounded;   /* not all values of a loop or of the grid are known, and some are tried */
  bool unsure;      /* at some point it was not known whether the access is made */
  bool asks;        /* only asserts bound a loaded value: each of them must hold */
  int64_t elements; /* the number of elements of the memory, or 0 */
  bool bounded;     /* both bounds of the term are known */
  range_reader *r;
  bool takes_first; /* the variable of a loop that was not collected is 0 */
  int depth;
  unsigned work; /* nodes collected, or evaluated for one value */
  bool costly;   /* one value took too much work: no other is computed */
} points;

/* Collects the unknowns that `node`, the access's condition and the loops around it depend on.
 * False where no point can be found: the values or the bounds of one are not known. */
bool points_collect(points *p, const graph_node *node);
/* Adds the unknowns of `node`, which belongs to another access of the launch. */
bool points_collect_also(points *p, const graph_node *node);

/* The loop's step at or before `at`; the one after it where that is below its range. */
int64_t points_align(points *p, const point_unknown *u, int64_t at);

/* The number of points, whether or not the access is made there; INT64_MAX for more than can be
 * counted. points_first() sets the first of them and points_next() the one after; false past the
 * last. */
int64_t points_count(points *p);
void points_first(points *p);
bool points_next(points *p);

/* Sets each variable that is a part of others to the value that follows from them. */
void points_derive(points *p);

/* True if the access is made at the point. */
bool points_is_reached(points *p);

/* The value of `node` at the point; false where it is not known. */
bool points_evaluate(points *p, const graph_node *node, int64_t *value);

/* "x = 4095, r0 = 3" */
const char *points_format(const points *p);

#endif
