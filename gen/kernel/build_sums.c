/* build_sums.c - torch's CascadeSumHelper<T> in C++ kernels, the state of a sum in chunks of 4096
 * elements: the helper's variable holds the sum so far, as if it were one. See builder.h.
 */
#include "kernel/builder.h"
#include <string.h>

static const graph_value none = {.memory = -1};

graph_value builder_begin_sum(graph_builder *b, const char *type) {
  static const char helper[] = "CascadeSumHelper<", vector[] = "Vectorized";
  const char *of = type ? strstr(type, helper) : NULL;
  if (!of || b->g->python) return none;
  of += sizeof helper - 1;
  const char *lanes = strstr(of, vector), *begin = lanes ? strchr(lanes, '<') : NULL;
  if (begin) of = begin + 1; /* also for VectorizedN<float,2> */
  graph_type t = graph_find_type(arena_strndup(b->a, of, strcspn(of, ",>")));
  if (!ag_graph_type_is_float(t)) return none;
  return builder_value(graph_float(b->g, "0.0", t));
}

/* cascade_sum_combine(x, &helper), cascade_sum_combine(x, lanes, &helper) */
static graph_value combine(graph_builder *b, const tree_expr *call, int variable) {
  const tree_expr *x = kernel_tree_argument(call, 0), *tail = kernel_tree_argument(call, 1);
  bool masked = kernel_tree_argument(call, 2) != NULL;
  graph_node *before = b->vars[variable].node, *data = builder_node(b, x);
  graph_node *args[] = {before, data, masked ? builder_node(b, tail) : NULL};
  graph_node *sum = masked ? graph_op(b->g, AG_OP_SUM_MASKED, before->type, 3, args, b->line)
                           : graph_binary(b->g, AG_OP_ADD, before, data, b->line);
  if (sum->kind == NODE_OP && !sum->name) sum->name = builder_name(b, variable);
  b->vars[variable] = builder_value(sum);
  return builder_unknown(b, "a sum in chunks that is not at its end");
}

graph_value builder_call_sum(graph_builder *b, const tree_expr *call, const char *name) {
  const tree_expr *helper = kernel_tree_sum_helper(call);
  graph_value sum = helper ? b->vars[helper->variable] : none;
  if (!sum.node || sum.n || sum.memory >= 0) return none;
  if (strcmp(name, "cascade_sum_combine") == 0) return combine(b, call, helper->variable);
  return builder_value(graph_call(b->g, name, sum.node->type, 1, &sum.node, b->line));
}
