/* endpoint_loops.h - the loops that an access depends on, and the bounds that its condition sets on
 * each. Part of endpoints.h; nothing else includes it. */
#ifndef GEN_BOUNDS_ENDPOINT_LOOPS_H
#define GEN_BOUNDS_ENDPOINT_LOOPS_H

#include "kernel/graph.h"

enum { ENDPOINT_LOOPS_MAX = 8, ENDPOINT_LIMITS_MAX = 16, ENDPOINT_DIGITS_MAX = 8 };

/* A condition on a value x. As an upper bound it is x + plus < end, or x + plus <= end where
 * `inclusive`; as a lower bound x + plus > end, or x + plus >= end. */
typedef struct endpoint_limit {
  const graph_node *plus; /* NULL stands for 0 */
  const graph_node *end;  /* NULL: there is no condition */
  bool inclusive;
} endpoint_limit;

/* v // divisor % modulus, where v is the variable of a loop. */
typedef struct endpoint_digit {
  int loop;
  const graph_node *node;
  const graph_node *divisor, *modulus; /* NULL: the divisor is 1, or there is no modulus */
  endpoint_limit most, least;
} endpoint_digit;

/* The loops of the access. A loop is known by its number in the graph. The programs of an axis that
 * is no loop there have the number of loops plus the axis. */
typedef struct endpoint_loops {
  const graph *g;
  graph_loop programs[3];
  int at[ENDPOINT_LOOPS_MAX]; /* those of the index and the condition, and loops that these need */
  int n;
  struct {
    int loop;
    endpoint_limit limit;
  } most[ENDPOINT_LIMITS_MAX]; /* upper bounds of the loops' variables */
  int nmost;
  endpoint_digit digits[ENDPOINT_DIGITS_MAX];
  int ndigits;
  bool incomplete; /* there are too many loops, or one determines another */
  unsigned work;
} endpoint_loops;

/* Reads the loops of `term` and of the access around it. */
void endpoint_loops_read(endpoint_loops *l, const graph *g, const graph_access *access,
                         const graph_node *term);
/* Reads the loops of `term` alone. */
void endpoint_loops_read_term(endpoint_loops *l, const graph *g, const graph_node *term);

const graph_loop *endpoint_loops_get(const endpoint_loops *l, int loop);
/* The loop whose variable is the program's number; -1 for another node. */
int endpoint_loops_program(const endpoint_loops *l, const graph_node *node);

/* The loop's place in `at`, or -1. */
int endpoint_loops_find(const endpoint_loops *l, int loop);

/* A bit for each axis of the grid that the loop goes over. */
unsigned endpoint_loops_axes(const graph_loop *l);

#endif
