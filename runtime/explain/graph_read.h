/* graph_read.h - a kernel's graph of expressions, read from the text that the generator wrote into
 * the wrapper: shared/graph_words.h has its form. Inside the library only.
 */
#ifndef AOTIGEN_GRAPH_READ_H
#define AOTIGEN_GRAPH_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/graph_words.h"
#include "shared/ops.h"

typedef struct ag_graph_node {
  uint8_t kind; /* enum node_kind */
  uint8_t type; /* graph_type */
  ag_op op;     /* AG_OP_OTHER: no operator, or one that no table has */
  int32_t n;
  int32_t index;
  int64_t value;
  double real;
  const char *text, *name; /* name: the variable's, or NULL */
  const int32_t *args;
} ag_graph_node;

/* LOOP_GRID and LOOP_BLOCKS go over elements. Triton counts an element as the number of its
 * program, or iteration, times the block size `step`, plus its place in the block. */
typedef struct ag_graph_loop {
  uint8_t kind; /* enum loop_kind */
  const char *name;
  int32_t low, high, step, outer;
  int32_t axis; /* LOOP_GRID: its axis; LOOP_TILE: a block's dimension, -1: not known */
  int32_t tile; /* the loop over the places in a block; -1 for a loop over programs */
  int32_t over; /* LOOP_BLOCKS: the loop over blocks */
} ag_graph_loop;

typedef struct ag_graph_carried {
  const char *name;
  int32_t loop, first, next;
} ag_graph_carried;

typedef struct ag_graph_memory {
  const char *name;
  uint8_t type;
  int32_t param;
} ag_graph_memory;

typedef struct ag_graph_access {
  uint8_t kind; /* enum access_kind */
  bool partly;
  int32_t memory, index, when, value, other;
  uint32_t order;
} ag_graph_access;

/* text: the exception's, without what precedes and follows it there. */
typedef struct ag_graph_assert {
  int32_t holds, when;
  uint32_t order;
  const char *text;
} ag_graph_assert;

typedef struct ag_graph {
  bool triton;
  int32_t nmemories, nloops, ncarried, naccesses, nnodes, nparams, nasserts;
  ag_graph_memory *memories;
  ag_graph_loop *loops;
  ag_graph_carried *carried;
  ag_graph_access *accesses;
  ag_graph_node *nodes;
  ag_graph_assert *asserts;
  char *words; /* the buffer that they point to */
  int32_t *args;
} ag_graph;

/* True if the assert is one that a division needs. */
bool ag_graph_is_of_division(const ag_graph_assert *a);

/* False if the text does not have this form, or memory ran out; nothing is to be freed then. */
bool ag_graph_read(ag_graph *g, const char *text);
void ag_graph_free(ag_graph *g);

#endif
