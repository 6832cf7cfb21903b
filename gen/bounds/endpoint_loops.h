/* endpoint_loops.h - the loops that an access depends on, and what its condition says of each. Part
 * of endpoints.h; nothing else includes it. */
#ifndef GEN_BOUNDS_ENDPOINT_LOOPS_H
#define GEN_BOUNDS_ENDPOINT_LOOPS_H

#include "kernel/graph.h"

enum { ENDPOINT_LOOPS_MAX = 8, ENDPOINT_LIMITS_MAX = 16, ENDPOINT_DIGITS_MAX = 8 };

/* A condition: x + plus < most, x + plus <= most where `inclusive`; or, of the least value, x +
 * plus > least, x + plus >= least. */
typedef struct endpoint_limit {
  const graph_node *plus; /* NULL: 0 */
  const graph_node *end;  /* NULL: there is no condition */
  bool inclusive;
} endpoint_limit;

/* v // divisor % modulus, of the variable of a loop. */
typedef struct endpoint_digit {
  int loop;
  const graph_node *node;
  const graph_node *divisor, *modulus; /* NULL: 1; without */
  endpoint_limit most, least;
} endpoint_digit;

/* A loop is known by its number in the graph; the programs of an axis, where they are no loop
 * there, by the number of loops and the axis. */
typedef struct endpoint_loops {
  const graph *g;
  graph_loop programs[3];
  int at[ENDPOINT_LOOPS_MAX]; /* of the index, of the condition, and those that these depend on */
  int n;
  struct {
    int loop;
    endpoint_limit kind;
  } most[ENDPOINT_LIMITS_MAX]; /* of their variables */
  int nmost;
  endpoint_digit digits[ENDPOINT_DIGITS_MAX];
  int ndigits;
  bool incomplete; /* too many, or one of them decides another */
  unsigned work;
} endpoint_loops;

/* Those of `term`, for the access. */
void endpoint_loops_read(endpoint_loops *l, const graph *g, const graph_access *access,
                         const graph_node *term);
/* Those of `term` alone. */
void endpoint_loops_read_term(endpoint_loops *l, const graph *g, const graph_node *term);

const graph_loop *endpoint_loops_get(const endpoint_loops *l, int loop);
/* What a program's number is a variable of; -1 of another node. */
int endpoint_loops_program(const endpoint_loops *l, const graph_node *node);

/* Its place in `at`, or -1. */
int endpoint_loops_find(const endpoint_loops *l, int loop);

/* A bit for each axis of the grid that the loop goes over. */
unsigned endpoint_loops_axes(const graph_loop *l);

#endif
