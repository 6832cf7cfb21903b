/* graph.h - what a kernel computes, as one graph of expressions: its loads and stores with index
 * and condition, its loops, its asserts, and the values between them.
 *
 * Triton and C++ give the same graph. A vector of C++ is one element of it: its place among the
 * elements is the variable of a loop over lanes. A node that the builder does not understand gives
 * the reason; every node that needs it depends on it. Nothing is invented: an access whose pointer
 * is not understood is counted in `not_understood`. All of it lives in one arena; two equal
 * expressions without a load are one node.
 */
#ifndef GEN_KERNEL_GRAPH_H
#define GEN_KERNEL_GRAPH_H

#include "kernel/tree.h"
#include "shared/graph_words.h"
#include "shared/ops.h"
#include <stdio.h>

enum { GRAPH_DEPTH_MAX = 2000, GRAPH_NODES_MAX = 1000000, GRAPH_ARGS_MAX = 16 };
enum { GRAPH_NEAR_ASSERTS = 128 };
enum { GRAPH_AXIS_YZ = 3 }; /* y and z together, as one axis: y overflows into z */

typedef struct graph_node {
  enum node_kind kind;
  graph_type type;
  ag_op op;        /* AG_OP_OTHER for a node that is no operator, or is in no table */
  unsigned number; /* in the order they are made, from 0: an argument has a lower one */
  unsigned line;   /* in the text, from 1; 0 if it is not known */
  unsigned depth;  /* the depth of the operators below it */
  int index;
  int64_t value;
  const char *text;
  const char *name; /* the first variable that it was assigned to, or NULL */
  size_t iteration; /* 1 + the last graph_iteration of it; 0: none */
  bool joins;       /* AG_OP_WHERE: it joins the values of a statement's branches, or of lanes */
  int n;
  /* NODE_UNKNOWN: a sum or a variance of the first `value` arguments. Without any, it may depend on
   * everything that is loaded. */
  struct graph_node **args;
} graph_node;

typedef struct graph_loop {
  enum loop_kind kind;
  const char *name;
  graph_node *low, *high, *step;
  int axis;
  int tile;  /* GRID, BLOCKS: the loop over the elements of a block that it joins */
  int over;  /* BLOCKS: the loop over blocks, likewise */
  int place; /* TILE: 1 + the dimension of its elements by x[:, None]; 0 not known, -1 several */
  int outer; /* the loop around it, -1 for none */
  bool parallel;    /* FOR in C++: several threads execute its iterations, in any order */
  graph_node *when; /* the condition on which it is entered; NULL: always */
  unsigned line;
} graph_loop;

/* What the names in Inductor's own Triton kernels mean: the integer `of`, such as xindex, takes
 * each value from 0 to below `end`, such as xnumel. */
typedef struct graph_iteration {
  graph_node *of, *end;
  int loop;       /* the innermost loop around it, -1 for none */
  unsigned order; /* that of the first access behind it */
} graph_iteration;

/* A pointer that is passed to code that is not understood, which may load and store through it. */
typedef struct graph_escape {
  int memory;
  const char *to; /* the function; "" if there is none */
  bool reads;     /* it stores nothing */
  unsigned order; /* a call has one */
  int loop;
  graph_node *when; /* as for an access */
} graph_escape;

/* A variable that a loop computes from its previous value. */
typedef struct graph_carried {
  const char *name;
  int variable; /* in the kernel's tree: names recur */
  int part;     /* the member of the object that the variable is, -1 for a plain variable */
  int loop;
  graph_node *first, *next;
} graph_carried;

/* What pointers point to: first the kernel's parameters, then its own arrays. */
typedef struct graph_memory {
  const char *name;
  int param;            /* -1: an array of the kernel's own */
  graph_node *elements; /* the number of an array's elements; NULL if it is not known */
  graph_type type;
} graph_memory;

typedef struct graph_access {
  enum access_kind kind;
  int memory;
  graph_node *index; /* in elements */
  graph_node *when;  /* the condition on which it is made; NULL: always */
  bool partly;       /* there are more conditions: a loop may be left early */
  bool selected;     /* for a load: a mask or a choice of its own selects its value */
  bool uncounted;    /* a vector under a mask, whose last element may lie past the end */
  bool updates;      /* for a store: "p[i] += x" */
  int loop;          /* the innermost loop around it, -1 for none */
  graph_node *value; /* for a store */
  graph_node *other; /* for a load: its value where the condition does not hold; or NULL */
  unsigned line;
  unsigned order; /* among accesses and asserts */
  /* The numbers of the asserts before it that depend on no load, or on one that its index or its
   * condition depends on: at most the nearest GRAPH_NEAR_ASSERTS, in order. */
  const int *asserts;
  int nasserts;
} graph_access;

typedef struct graph_assert {
  graph_node *holds, *when; /* `when` as for an access */
  const char *text;
  unsigned line, order;
} graph_assert;

typedef arena_list(graph_assert) graph_asserts;

typedef struct graph {
  const char *name;
  const char *why; /* the reason why the kernel is not understood; else NULL */
  bool python;
  bool by_hand, by_user; /* as in the tree */
  size_t nparams;
  struct graph_param {
    const char *name;
    graph_type type; /* the type of the value, or of what it points to */
    bool pointer;
    bool constant; /* nothing is stored through it */
  } * params;
  arena_list(graph_node *) nodes;
  arena_list(graph_loop) loops;
  arena_list(graph_carried) carried;
  arena_list(graph_memory) memories;
  arena_list(graph_access) accesses;
  arena_list(graph_iteration) iterations;
  arena_list(graph_escape) escapes; /* each is also one that is not understood */
  graph_asserts asserts;            /* in order */
  graph_asserts divisions;          /* for C++: the condition of each division of integers */
  bool has_unknown;                 /* there is a NODE_UNKNOWN */
  unsigned depth; /* that of the deepest node; beyond GRAPH_DEPTH_MAX `why` says so */
  struct {
    unsigned n;      /* loads and stores whose pointer is not understood */
    const char *why; /* the reason for the first of these */
  } not_understood;
  struct string_map *index; /* nodes by their contents */
  arena *a;
} graph;

/* Gives the type of a Triton kernel's parameter that its text does not have: "*fp32" and so on,
 * or NULL. */
typedef const char *graph_signature(void *data, const char *param);

/* Builds the graph of a kernel's tree. `signature` may be NULL: then those of Triton's parameters
 * are pointers that are used as such. */
void graph_build(graph *g, const kernel_tree *t, const char *name, graph_signature *signature,
                 void *data, arena *a);

/* True if node is the number of a program along the axis that its argument gives. */
bool graph_is_program(const graph_node *node);
/* That axis, 0 to 2; -1 for another node, or for an axis that is no such number. */
int graph_program_axis(const graph_node *node);
/* The number of a parameter; -1 if there is none of that name. */
int graph_find_param(const graph *g, const char *name);

/* ---- nodes; for the builder */

/* Called once all asserts and accesses are there. */
void graph_read_asserts(graph *g);

graph_node *graph_integer(graph *g, int64_t value, graph_type type);
graph_node *graph_float(graph *g, const char *text, graph_type type);
graph_node *graph_unknown(graph *g, const char *why, unsigned line);
graph_node *graph_unknown_sum(graph *g, const char *why, int n, graph_node **of, unsigned line);
graph_node *graph_leaf(graph *g, enum node_kind kind, int index, graph_type type);
/* An operator; folds integers that are constants. */
graph_node *graph_op(graph *g, ag_op op, graph_type type, int n, graph_node **args, unsigned line);
/* The same for an operator or a function by its name, which may be in no table. */
graph_node *graph_call(graph *g, const char *name, graph_type type, int n, graph_node **args,
                       unsigned line);
/* x op y, with the type by the language's rules; for an operator that is in no table, by its text.
 */
graph_node *graph_binary(graph *g, ag_op op, graph_node *x, graph_node *y, unsigned line);
graph_node *graph_binary_named(graph *g, const char *text, graph_node *x, graph_node *y,
                               unsigned line);
/* node if it has that type, else a "cast". */
graph_node *graph_cast(graph *g, graph_node *node, graph_type type, unsigned line);
/* Both hold; NULL means true. */
graph_node *graph_and(graph *g, graph_node *x, graph_node *y);
graph_node *graph_not(graph *g, graph_node *node);

bool graph_is_integer(graph_type t); /* GRAPH_BOOL is one, GRAPH_ANY is not */
/* "fp32", "tl.float32", "float", "int64_t", "Half", "unsigned char" ... */
graph_type graph_find_type(const char *name);
/* The same for the n bytes of a declaration: "const float*", "*fp32". */
graph_type graph_read_type(const char *text, size_t n);

/* ---- what stands in it */

/* Calls `visit` with each node below `x`, and with `x`, once. A load's index, condition and
 * replacement count as below it. */
typedef void graph_visit(void *data, graph_node *x);
void graph_each(const graph *g, graph_node *node, graph_visit *visit, void *data);

/* The same but for the nodes that `skip` names, and what is below these alone; `visit` may be
 * NULL. */
typedef bool graph_skip(void *data, const graph_node *x);
void graph_each_but(const graph *g, graph_node *node, graph_skip *skip, graph_visit *visit,
                    void *data);

/* The reason of the first node below `node` that is not understood; NULL if all are. */
const char *graph_find_unknown(const graph *g, graph_node *node);

/* The expression in C's notation, with the names of loops and parameters; cut at 400 bytes. */
const char *graph_format(const graph *g, const graph_node *node, arena *a);

/* As --dump=kernels prints it. */
void graph_print(const graph *g, FILE *to);

#endif
