/* builder.h - the state of graph_build(): what each variable holds while the statements are read in
 * order. Parts of graph.h; nothing else includes it. */
#ifndef GEN_KERNEL_BUILDER_H
#define GEN_KERNEL_BUILDER_H

#include "kernel/graph.h"

/* A descriptor of a tensor, which is used with offsets, by what is loaded outside of its sizes. */
enum descriptor_padding { NO_DESCRIPTOR, PADS_ZERO, PADS_OTHERWISE };

/* The value of an expression: a number, a pointer to element `node` of `memory`, several values, or
 * a function that is not called yet. */
typedef struct graph_value {
  graph_node *node; /* NULL: it was not assigned */
  int memory;       /* -1: not a pointer */
  graph_node *when; /* for a pointer to a block: which of its elements exist; or NULL */
  enum descriptor_padding descriptor;
  struct graph_value *items;
  int n;
  const char *const *members; /* for an object, whose items are values: their names; or NULL */
  const tree_expr *lambda;
} graph_value;

typedef struct graph_builder {
  graph *g;
  const kernel_tree *t;
  graph_value *vars;  /* by variable */
  bool *noted;        /* by variable: it is in a list that is being made */
  const char **names; /* by variable: copied, or NULL */
  graph_node *when;   /* the condition that is known to hold here, NULL: none */
  bool partly;        /* a statement is executed under more conditions than `when` */
  int loop;           /* the innermost loop, -1 for none */
  unsigned line, order;
  int depth;      /* the nesting of lambda calls */
  unsigned calls; /* calls of lambdas so far */
  bool updates;   /* a "+=" is read */
  struct {
    struct builder_held {
      graph_node *value, *when, *lanes;
      int loop;
    } * at;
    size_t n, cap;
  } held; /* by memory: what was last stored to lane i of an array of the kernel's own, and where */
  graph_value returned; /* the result of the function that is read */
  arena *a;
} graph_builder;

/* The name of a variable, as long as the graph lives. */
const char *builder_name(graph_builder *b, int variable);

graph_value builder_value(graph_node *node);
graph_value builder_unknown(graph_builder *b, const char *why);

graph_value builder_expr(graph_builder *b, const tree_expr *e);

/* Reads the statements of a block or of a function, whose result is `returned`. */
void builder_block(graph_builder *b, const tree_block *block);

/* True for a pointer, and for values with a pointer among them. */
bool builder_has_pointer(graph_value v);

/* The value as a node. Several values are unknown, and so is a pointer, which is lost. */
graph_node *builder_to_node(graph_builder *b, graph_value v);

static inline graph_node *builder_node(graph_builder *b, const tree_expr *e) {
  return builder_to_node(b, builder_expr(b, e));
}

/* The pointer as one to elements of that type; lost if those have another size. */
graph_value builder_cast_pointer(graph_builder *b, graph_value v, graph_type to);

/* An argument by its name or its place, NULL if the call has none. place -1: by name only. */
const tree_expr *builder_argument(const tree_expr *call, const char *name, int place);

/* The variable of the lanes of the innermost loop's vectors. */
graph_node *builder_lane(graph_builder *b);

/* The pointer moved by x: op is AG_OP_ADD or AG_OP_SUBTRACT. */
graph_value builder_add(graph_builder *b, ag_op op, graph_value p, graph_value x);

/* x + y and so on, for pointers too. */
graph_value builder_binary(graph_builder *b, ag_op op, graph_value x, graph_value y);
/* The same for the operator's text in the kernel. */
graph_value builder_binary_named(graph_builder *b, const char *text, graph_value x, graph_value y);

/* The element is loaded where `when` holds, which may be NULL. */
graph_value builder_load(graph_builder *b, graph_value from, graph_node *when, graph_node *other);
void builder_store(graph_builder *b, enum access_kind kind, graph_value to, graph_node *value,
                   graph_node *when);
void builder_assert(graph_builder *b, graph_node *holds, const char *text);
void builder_lose(graph_builder *b, const char *why);
/* The same for a pointer that is passed to `to`. */
void builder_escape(graph_builder *b, graph_value v, const char *to, const char *why);

int builder_add_loop(graph_builder *b, graph_loop l);
graph_node *builder_step(graph_builder *b, int loop, graph_type type);
int builder_add_memory(graph_builder *b, const char *name, graph_node *elements, graph_type type);

/* Calls of either language. The node of the result is NULL if the function is not known. */
graph_value builder_call_triton(graph_builder *b, const tree_expr *call);
graph_value builder_call_cpp(graph_builder *b, const tree_expr *call);
graph_value builder_call_welford(graph_builder *b, const tree_expr *call, const char *name);
graph_value builder_call_sum(graph_builder *b, const tree_expr *call, const char *name);

/* The first value of a variable of that type, if it is a helper of sums in chunks; else no node. */
graph_value builder_begin_sum(graph_builder *b, const char *type);

#endif
