/* exported.h - the exported program that a package was compiled from, as torch.export.save() writes
 * it: models/model.json of a .pt2 archive, or serialized_exported_program.json of torch 2.6.
 *
 * Its nodes have the names that a wrapper's comments use. Each has a line in the model's source,
 * and a module. The text is read once, node by node; it must live as long.
 */
#ifndef GEN_EXPORTED_H
#define GEN_EXPORTED_H

#include "base/string_map.h"
#include "model/model.h"

#define EXPORTED_NONE ((size_t)-1)

typedef struct exported_node {
  const char *name;
  const char *op;              /* "layer_norm" of torch.ops.aten.layer_norm.default; "" for none */
  aotigen_line line;           /* its line is 0 where the program has none */
  size_t first_input, ninputs; /* in `inputs`: the nodes whose results it takes */
  size_t first_value, nvalues; /* in `values`: the tensors that it takes */
  size_t first_scalar, nscalars; /* in `scalars`: the numbers that it takes */
  uint64_t arguments;            /* a sum of the text of its arguments: equal for the same ones */
  size_t graph; /* the branch or loop that it is in: an entry of `graphs`; else EXPORTED_NONE */
  size_t first_made, nmade; /* in `made`: the tensors that it returns */
} exported_node;

/* A tensor that a node of the program's own graph returns. */
typedef struct exported_tensor {
  const char *name;
  const char *dtype;             /* or NULL */
  int ndim;                      /* -1: its sizes are not known */
  const int64_t *dims, *strides; /* -1 where it is not a number; strides may be NULL */
  const char *const *exprs;      /* of a size that is no number: model/size_expression.h; or NULL */
} exported_tensor;

/* A graph within the program's graph. */
typedef struct exported_graph {
  const char *name;  /* "true_graph_0"; "" for none */
  size_t owner;      /* the cond or while_loop that has it */
  size_t first, end; /* its nodes, and those of graphs within it */
} exported_graph;

/* A value in `values` that is no node's: an entry of `given` plus this. */
#define EXPORTED_GIVEN ((size_t)1 << 32)

/* A tensor that is an input of the program. */
typedef struct exported_input {
  int ndim;             /* -1: not known */
  const int64_t *dims;  /* -1 where the size is not a number */
  const int64_t *hints; /* the sizes with which it was exported; -1 where they are not known */
  const char *const *exprs;   /* of a size that is no number its text, or NULL */
  const char *const *symbols; /* "s77" where the size is no more than this symbol, else NULL */
  int64_t place;              /* among the program's inputs */
} exported_input;

/* The values that a symbol of the program may have. */
typedef struct exported_range {
  int64_t min, max; /* AOTIGEN_ANY where there is no bound */
} exported_range;

typedef struct exported {
  arena_list(exported_node) nodes; /* each behind the nodes whose results it takes */
  arena_list(exported_tensor) made;
  arena_list(size_t) inputs, results; /* results: the nodes that the program returns */
  arena_list(size_t) values;          /* nodes, or EXPORTED_GIVEN + an entry of `given` */
  arena_list(double) scalars;
  strings given;             /* names that nodes take and no node has: inputs, weights */
  strings user_names;        /* the names of the program's inputs, in order; "" for one without */
  string_map *given_by_name; /* entries of `given` */
  string_map *weight_names;  /* the name of a weight, by FQN */
  arena_list(exported_graph) graphs;
  arena_list(exported_input) tensors; /* the inputs that are tensors, in their order */
  size_t ninputs;                     /* the program's inputs, tensors or not */
  string_map *outer, *nested;         /* indices of nodes by name, and by the names of results */
  string_map *in_graph;               /* nodes by "GRAPH/NAME", and entries of graphs by "GRAPH/" */
  string_map *ambiguous; /* names that more than one nested graph has, and such "GRAPH/NAME" */
  strings guards;        /* conditions of the inputs' sizes, in Python: see guard_text.h */
  string_map *ranges;    /* an exported_range by symbol */
  string_map *weights;   /* the sizes, "16, 64", by FQN; "" where they are not known */
} exported;

/* False, with an error in `d`, if the text of `path` is not an exported program, or has more nodes
 * than any program. */
bool exported_read(exported *x, const char *text, size_t n, const char *path, arena *a, diags *d);

/* The index of the node of that name, or EXPORTED_NONE. nested: the launch is in a branch or in a
 * loop. graph: torch's name of its graph, or NULL where that is not known. */
size_t exported_find(const exported *x, const char *name, bool nested, const char *graph);

/* The only nested graph of that name, or NULL. */
const exported_graph *exported_find_graph(const exported *x, const char *name);

/* The value of that name among `given`, plus EXPORTED_GIVEN; EXPORTED_NONE if no node takes it. */
size_t exported_find_given(const exported *x, const char *name);

/* ---- whether a wrapper was compiled from an exported program, as far as both tell,
 * and whether the program has lines */

/* False, with one error in `d`, if the program has less than half of the wrapper's source nodes,
 * weights or inputs, if the number of inputs differs, or, with `lines`, if no node has a line. A
 * warning if only the kernels' names can be compared, and they name none of its operators. */
bool exported_check(const exported *x, const model *m, bool lines, const char *path, arena *a,
                    diags *d);

/* ---- what the program promises of its inputs */

/* Takes over from the program, of which the wrapper was compiled: the symbols of the inputs' sizes,
 * the guards as m->promises, and the ranges that the compiler has narrowed. A warning, and nothing
 * is taken over, where the program has other sizes than the wrapper. A note on guards that are of a
 * form that is not read, or that do not hold of the sizes that the program was exported with. */
void exported_promises_read(model *m, const exported *x, const char *path, arena *a, diags *d);

/* Leaves out each promise that holds wherever another one of the same sizes does: a fact that is
 * broken is one violation. Where a size has a least one only since another size is at least 2,
 * which is torch's range for what it does not specialise, that is one more promise, which excludes,
 * and `derived_least` of the input. */
void exported_promises_relate(model *m, arena *a);

/* Adds to what is expected of an operator's outputs what the program says of them: dtype and sizes,
 * of symbols too, and where a library's operator makes an output of the model its strides. node:
 * the one that the site computes. */
void exported_outputs_read(const model *m, site *s, const exported *x, size_t node, arena *a);

#endif
