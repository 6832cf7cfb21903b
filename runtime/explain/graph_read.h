/* graph_read.h - a kernel's graph of expressions, read from the text that the generator wrote into
 * the wrapper. Inside the library only.
 *
 * The text has a line for each thing; a number of a node, loop and so on is its place among its
 * kind, -1 stands for none, and T is the letter of a type, one of "~nbBcHhIiLlx8yefd".
 *
 *   1 c|t MEMORIES LOOPS CARRIED ACCESSES NODES PARAMS   C++ or Triton, and how many of each follow
 *   mT PARAM NAME                                        memory: of a parameter, or an array
 *   f|t|l NAME LOW HIGH STEP AXIS OUTER                  loop: for, tile, lanes
 *   g|b NAME LOW HIGH STEP AXIS OUTER TILE OVER          loop: grid, blocks
 *   c NAME LOOP FIRST NEXT                               variable that a loop carries
 *   l|s|a MEMORY INDEX WHEN VALUE OTHER PARTLY ORDER     load, store, atomic
 *   iT VALUE   fT TEXT   pT PARAM   sT LOOP   lT ACCESS   cT CARRIED   eT CARRIED   uT WHY
 *   oT NAME NODE...                                      operator; each node may end in =VARIABLE
 *   k HOLDS WHEN ORDER TEXT                              assert, of which there is any number; of
 *                                                        the texts "divisor != 0" and "quotient
 *                                                        fits" what a division of integers needs
 *
 * A node needs only nodes before it, but for what the iteration before left in a variable.
 */
#ifndef AOTIGEN_GRAPH_READ_H
#define AOTIGEN_GRAPH_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/ops.h"

#define AG_DIVISOR "divisor != 0"   /* D != 0 */
#define AG_QUOTIENT "quotient fits" /* D != -1 | X != the least integer, of X / D */
enum { AG_GRAPH_MOST = 8192 };      /* of each kind */

typedef enum ag_type {
  AG_TYPE_ANY,
  AG_TYPE_WEAK,
  AG_TYPE_BOOL,
  AG_TYPE_U8,
  AG_TYPE_I8,
  AG_TYPE_U16,
  AG_TYPE_I16,
  AG_TYPE_U32,
  AG_TYPE_I32,
  AG_TYPE_U64,
  AG_TYPE_I64,
  AG_TYPE_WEAK_FLOAT,
  AG_TYPE_F8,
  AG_TYPE_BF16,
  AG_TYPE_F16,
  AG_TYPE_F32,
  AG_TYPE_F64
} ag_type;

enum ag_node_is {
  AG_NODE_INTEGER,
  AG_NODE_FLOAT,
  AG_NODE_PARAM,
  AG_NODE_STEP,    /* the variable of loop `index` */
  AG_NODE_LOAD,    /* what access `index` loads */
  AG_NODE_CARRIED, /* what carried variable `index` holds when an iteration begins */
  AG_NODE_AFTER,   /* and when its loop has ended */
  AG_NODE_OP,
  AG_NODE_UNKNOWN /* text: why */
};

typedef struct ag_graph_node {
  uint8_t is;   /* enum ag_node_is */
  uint8_t type; /* ag_type */
  ag_op op;     /* AG_OP_OTHER of what is no operator, and of one that no table has */
  int32_t n;
  int32_t index;
  int64_t value;
  double real;
  const char *text, *name; /* name: of a variable, or NULL */
  const int32_t *args;
} ag_graph_node;

/* AG_LOOP_GRID, AG_LOOP_BLOCKS: over elements, which Triton counts as a program's, or an
 * iteration's, number times the block `step` plus a place in the block. */
enum ag_loop_is { AG_LOOP_FOR, AG_LOOP_GRID, AG_LOOP_BLOCKS, AG_LOOP_TILE, AG_LOOP_LANES };

typedef struct ag_graph_loop {
  uint8_t is; /* enum ag_loop_is */
  const char *name;
  int32_t low, high, step, outer;
  int32_t axis; /* of the grid; AG_LOOP_TILE: the dimension of a block, -1 where it is not known */
  int32_t tile; /* the loop over the places in a block; -1 of a loop over programs */
  int32_t over; /* AG_LOOP_BLOCKS: the loop over blocks */
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

enum ag_access_is { AG_ACCESS_LOAD, AG_ACCESS_STORE, AG_ACCESS_ATOMIC };

typedef struct ag_graph_access {
  uint8_t is; /* enum ag_access_is */
  bool partly;
  int32_t memory, index, when, value, other;
  uint32_t order;
} ag_graph_access;

/* text: of the exception, without what precedes and follows it there. */
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
  char *words; /* and what they point to */
  int32_t *args;
} ag_graph;

/* Is it what a division needs. */
bool ag_graph_is_of_division(const ag_graph_assert *a);

/* False where the text is not of this form, or memory ran out; nothing is to be freed then. */
bool ag_graph_read(ag_graph *g, const char *text);
void ag_graph_free(ag_graph *g);

#endif
