/* corner_loops.h - the loops that an access depends on, and what its condition says of each. Part
 * of corners.h; nothing else includes it. */
#ifndef GEN_BOUNDS_CORNER_LOOPS_H
#define GEN_BOUNDS_CORNER_LOOPS_H

#include "kernel/graph.h"

enum { CORNER_LOOPS_MAX = 8, CORNER_LIMITS_MAX = 16, CORNER_DIGITS_MAX = 8 };

/* A condition: x + plus < most, x + plus <= most where `inclusive`; or, of the least value, x +
 * plus > least, x + plus >= least. */
typedef struct corner_limit {
  const graph_node *plus; /* NULL: 0 */
  const graph_node *end;  /* NULL: there is no condition */
  bool inclusive;
} corner_limit;

/* v // divisor % modulus, of the variable of a loop. */
typedef struct corner_digit {
  int loop;
  const graph_node *node;
  const graph_node *divisor, *modulus; /* NULL: 1; without */
  corner_limit most, least;
} corner_digit;

/* A loop is known by its number in the graph; the programs of an axis, where they are no loop
 * there, by the number of loops and the axis. */
typedef struct corner_loops {
  const graph *g;
  graph_loop programs[3];
  int at[CORNER_LOOPS_MAX]; /* of the index, of the condition, and those that these depend on */
  int n;
  struct {
    int loop;
    corner_limit is;
  } most[CORNER_LIMITS_MAX]; /* of their variables */
  int nmost;
  corner_digit digits[CORNER_DIGITS_MAX];
  int ndigits;
  bool incomplete; /* too many, or one of them decides another */
  unsigned work;
} corner_loops;

/* Those of `term`, for the access. */
void corner_loops_read(corner_loops *l, const graph *g, const graph_access *x,
                       const graph_node *term);
/* Those of `term` alone. */
void corner_loops_read_term(corner_loops *l, const graph *g, const graph_node *term);

const graph_loop *corner_loops_get(const corner_loops *l, int loop);
/* What a program's number is a variable of; -1 of another node. */
int corner_loops_program(const corner_loops *l, const graph_node *x);

/* Its place in `at`, or -1. */
int corner_loops_find(const corner_loops *l, int loop);

/* A bit for each axis of the grid that the loop goes over. */
unsigned corner_loops_axes(const graph_loop *l);

#endif
