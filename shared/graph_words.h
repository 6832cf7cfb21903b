/* graph_words.h - a kernel's graph of expressions as a text, which the generator writes into the
 * wrapper and the runtime reads: the kinds of its parts, their letters, and its lines.
 *
 * The text has a line for each thing; a number of a node, loop and so on is its place among its
 * kind, -1 stands for none, and T is the letter of a type (GRAPH_TYPES).
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
 *                                                        the texts GRAPH_DIVISOR and
 *                                                        GRAPH_QUOTIENT what a division of
 *                                                        integers needs
 *
 * A node depends only on earlier nodes, except for a variable's value from the previous iteration.
 * An operator's NAME is its text in shared/ops.def, or that of a function that is not listed there.
 *
 * The structs of nodes, loops and so on are each half's own (gen/kernel/graph.h and
 * runtime/explain/graph_read.h). The generator's are made piece by piece in an arena, point to each
 * other, and have line numbers for messages. The runtime's are small arrays of numbers, which are
 * checked as they are read, since the text may be anything. */
#ifndef AG_SHARED_GRAPH_WORDS_H
#define AG_SHARED_GRAPH_WORDS_H

#include <stdbool.h>

enum { GRAPH_TEXT_MOST = 8192 }; /* for each kind */

#define GRAPH_DIVISOR "divisor != 0"   /* D != 0 */
#define GRAPH_QUOTIENT "quotient fits" /* D != -1 | X != the least integer, of X / D */

/* X(constant, letter, name, bytes of an element, or 0 if they are not known) */
#define GRAPH_TYPES(X)                                                                             \
  X(GRAPH_ANY, '~', "?", 0)    /* not known */                                                     \
  X(GRAPH_WEAK, 'n', "int", 0) /* a Python integer: it takes the type of the other operand */      \
  X(GRAPH_BOOL, 'b', "bool", 1)                                                                    \
  X(GRAPH_U8, 'B', "uint8", 1)                                                                     \
  X(GRAPH_I8, 'c', "int8", 1)                                                                      \
  X(GRAPH_U16, 'H', "uint16", 2)                                                                   \
  X(GRAPH_I16, 'h', "int16", 2)                                                                    \
  X(GRAPH_U32, 'I', "uint32", 4)                                                                   \
  X(GRAPH_I32, 'i', "int32", 4)                                                                    \
  X(GRAPH_U64, 'L', "uint64", 8)                                                                   \
  X(GRAPH_I64, 'l', "int64", 8)                                                                    \
  X(GRAPH_WEAK_FLOAT, 'x', "float", 0) /* a Python float */                                        \
  X(GRAPH_F8, '8', "float8", 1)                                                                    \
  X(GRAPH_BF16, 'y', "bfloat16", 2)                                                                \
  X(GRAPH_F16, 'e', "float16", 2)                                                                  \
  X(GRAPH_F32, 'f', "float32", 4)                                                                  \
  X(GRAPH_F64, 'd', "float64", 8)

#define GRAPH_NODES(X)                                                                             \
  X(NODE_INTEGER, 'i') /* value */                                                                 \
  X(NODE_FLOAT, 'f')   /* text: as in the source */                                                \
  X(NODE_PARAM, 'p')   /* the value of parameter `index` */                                        \
  X(NODE_STEP, 's')    /* the variable of loop `index` */                                          \
  X(NODE_LOAD, 'l')    /* the value that access `index` loads */                                   \
  X(NODE_CARRIED, 'c') /* the value of carried variable `index` at the start of an iteration */    \
  X(NODE_AFTER, 'e')   /* its value when the loop has ended */                                     \
  X(NODE_OP, 'o')      /* the operator or function `op` of the arguments; text: its name */        \
  X(NODE_UNKNOWN, 'u') /* text: the reason */

#define GRAPH_LOOPS(X)                                                                             \
  X(LOOP_FOR, 'f', "for")       /* low, low + step, ... below high */                              \
  X(LOOP_GRID, 'g', "grid")     /* 0 up to the programs of axis `axis` times `step`, less 1;       \
                                   `step` is the block; axis 3: the programs of axes 1 and 2       \
                                   together, that of axis 1 first */                               \
  X(LOOP_BLOCKS, 'b', "blocks") /* low up to high, rounded up to a multiple of the block `step`,   \
                                   less 1 */                                                       \
  X(LOOP_TILE, 't', "tile")     /* low up to high, less 1 */                                       \
  X(LOOP_LANES, 'l', "lanes")   /* 0 up to the lanes of a vector, less 1: each access has a        \
                                   condition that says how many they are */

#define GRAPH_ACCESSES(X)                                                                          \
  X(ACCESS_LOAD, 'l', "load")                                                                      \
  X(ACCESS_STORE, 's', "store")                                                                    \
  X(ACCESS_ATOMIC, 'a', "atomic")

#define GRAPH_CONSTANT(constant, ...) constant,
typedef enum graph_type { GRAPH_TYPES(GRAPH_CONSTANT) } graph_type;
enum node_kind { GRAPH_NODES(GRAPH_CONSTANT) };
enum loop_kind { GRAPH_LOOPS(GRAPH_CONSTANT) };
enum access_kind { GRAPH_ACCESSES(GRAPH_CONSTANT) };
#undef GRAPH_CONSTANT

/* The letters of each kind, by its number. */
extern const char ag_graph_type_letters[], ag_graph_node_letters[], ag_graph_loop_letters[],
    ag_graph_access_letters[];
extern const char *const ag_graph_loop_names[], *const ag_graph_access_names[];

const char *ag_graph_type_name(graph_type t); /* "float32" */
int ag_graph_type_bytes(graph_type t);
bool ag_graph_type_is_float(graph_type t);

#endif
