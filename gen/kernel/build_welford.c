/* build_welford.c - torch's Welford<T> in C++ kernels, a running mean and variance, as its members:
 * each is an expression like any other, with the arithmetic of torch's cpp_prefix.h (2.6 to 2.15).
 * See builder.h.
 */
#include "kernel/builder.h"
#include <stdlib.h>
#include <string.h>

enum { MEAN, M2, WEIGHT, INDEX, MEMBERS };
static const char *const members[] = {"mean", "m2", "weight", "index", NULL};
static const graph_value none = {.memory = -1};

static graph_value make(graph_builder *b, graph_node *const *nodes) {
  graph_value v = {.memory = -1, .n = MEMBERS, .members = members};
  v.items = arena_alloc(b->a, MEMBERS * sizeof *v.items);
  for (int i = 0; i < MEMBERS; i++) v.items[i] = builder_value(nodes[i]);
  return v;
}

static graph_node *make_op(graph_builder *b, ag_op op, graph_node *x, graph_node *y) {
  return graph_binary(b->g, op, x, y, b->line);
}

static graph_node *where(graph_builder *b, graph_node *test, graph_node *x, graph_node *y) {
  graph_node *args[] = {test, x, y}, *v = graph_op(b->g, AG_OP_WHERE, x->type, 3, args, b->line);
  v->joins = true;
  return v;
}

static graph_node *named(graph_node *x, const char *name) {
  if (x->kind == NODE_OP && !x->name) x->name = name;
  return x;
}

static bool is_welford(graph_value v) { return v.members == members; }

/* Welford<float>(), Welford<at::vec::Vectorized<float>>(): empty. Vectors of two registers are
 * summed in another order. */
static graph_value read_empty(graph_builder *b, const tree_expr *call) {
  static const char vector[] = "Vectorized<";
  if (!call->type || strstr(call->type, "VectorizedN") || kernel_tree_argument(call, 0))
    return none;
  const char *of = strstr(call->type, vector);
  const char *type = of ? of + sizeof vector - 1 : call->type;
  graph_type t = graph_find_type(arena_strndup(b->a, type, strcspn(type, ">")));
  if (!ag_graph_type_is_float(t)) return none;
  graph_node *zero = graph_float(b->g, "0.0", t);
  return make(b, (graph_node *[]){zero, zero, zero, graph_integer(b->g, 0, GRAPH_I64)});
}

/* ---- one more element ----------------------------------------------------------------------- */

/* static WelfordHelper<float, 4096> helper(n): it has reciprocals of weights, and restarts after so
 * many elements. WeightRecp<float> has reciprocals alone. */
typedef struct helper {
  bool given;
  int64_t chunk; /* 0: it does not restart */
} helper;

static bool read_helper(const graph_builder *b, const tree_expr *e, helper *h) {
  bool address = e->kind == TREE_UNARY && *e->text == '&' && e->first->kind == TREE_NAME &&
                 e->first->variable >= 0;
  const char *type = address ? b->t->variables.at[e->first->variable].type : NULL;
  bool helps = type && strstr(type, "WelfordHelper<"),
       divides = type && strstr(type, "WeightRecp<");
  const char *comma = helps ? strrchr(type, ',') : NULL;
  *h = (helper){.chunk = comma ? strtoll(comma + 1, NULL, 10) : 0};
  h->given = divides || h->chunk > 0;
  return h->given;
}

static graph_node *move_mean(graph_builder *b, const graph_value *acc, graph_node *delta,
                             graph_node *weight, graph_node *index, const helper *h) {
  graph_type t = acc->items[MEAN].node->type;
  if (!h->given)
    return make_op(b, AG_OP_ADD, acc->items[MEAN].node, make_op(b, AG_OP_DIVIDE, delta, weight));
  graph_node *one = graph_float(b->g, "1.0", GRAPH_F64);
  graph_node *part = make_op(b, AG_OP_DIVIDE, one, graph_cast(b->g, index, GRAPH_F64, b->line));
  part = graph_cast(b->g, part, t, b->line);
  return make_op(b, AG_OP_ADD, acc->items[MEAN].node, make_op(b, AG_OP_MULTIPLY, delta, part));
}

/* tail: the number of lanes with an element, or NULL. */
static graph_value add_element(graph_builder *b, graph_value acc, graph_node *data,
                               graph_node *tail, const helper *h) {
  graph_node *old[MEMBERS], *new[MEMBERS];
  for (int i = 0; i < MEMBERS; i++) old[i] = acc.items[i].node;
  graph_type t = old[MEAN]->type;
  graph_node *delta = named(make_op(b, AG_OP_SUBTRACT, data, old[MEAN]), "delta");
  new[INDEX] = make_op(b, AG_OP_ADD, old[INDEX], graph_integer(b->g, 1, GRAPH_I64));
  new[WEIGHT] = make_op(b, AG_OP_ADD, old[WEIGHT], graph_float(b->g, "1.0", t));
  new[MEAN] = named(move_mean(b, &acc, delta, new[WEIGHT], new[INDEX], h), "mean");
  graph_node *square = make_op(b, AG_OP_MULTIPLY, delta,
                               named(make_op(b, AG_OP_SUBTRACT, data, new[MEAN]), "new_delta"));
  new[M2] = named(make_op(b, AG_OP_ADD, old[M2], square), "m2");
  for (int i = 0; i < INDEX && tail; i++)
    new[i] = where(b, make_op(b, AG_OP_LESS, builder_lane(b), tail), new[i], old[i]);
  graph_node *of[] = {old[MEAN], old[M2], old[WEIGHT], data};
  graph_node *again = graph_unknown_sum(b->g, "a variance of more elements than a chunk of its sum",
                                        4, of, b->line);
  graph_node *first = make_op(b, AG_OP_LESS, old[INDEX], graph_integer(b->g, h->chunk, GRAPH_I64));
  for (int i = 0; i < INDEX && h->chunk; i++) new[i] = where(b, first, new[i], again);
  return make(b, new);
}

/* ---- two of them ---------------------------------------------------------------------------- */

static bool is_empty(graph_value v) {
  const graph_node *n = v.items[INDEX].node;
  return n->kind == NODE_INTEGER && n->value == 0;
}

static graph_value join(graph_builder *b, graph_value x, graph_value y) {
  if (is_empty(x)) return y;
  if (is_empty(y)) return x;
  graph_node *p[MEMBERS], *q[MEMBERS], *both[MEMBERS];
  for (int i = 0; i < MEMBERS; i++) p[i] = x.items[i].node, q[i] = y.items[i].node;
  graph_node *zero = graph_float(b->g, "0.0", p[MEAN]->type);
  graph_node *none_yet = graph_integer(b->g, 0, GRAPH_I64);
  graph_node *delta = named(make_op(b, AG_OP_SUBTRACT, q[MEAN], p[MEAN]), "delta");
  both[INDEX] = make_op(b, AG_OP_ADD, p[INDEX], q[INDEX]);
  both[WEIGHT] = make_op(b, AG_OP_ADD, p[WEIGHT], q[WEIGHT]);
  graph_node *part = make_op(b, AG_OP_DIVIDE, q[WEIGHT], both[WEIGHT]);
  part = where(b, make_op(b, AG_OP_EQUAL, both[WEIGHT], zero), zero, part);
  both[MEAN] =
      named(make_op(b, AG_OP_ADD, p[MEAN], make_op(b, AG_OP_MULTIPLY, delta, part)), "mean");
  graph_node *square = make_op(
      b, AG_OP_MULTIPLY,
      make_op(b, AG_OP_MULTIPLY, make_op(b, AG_OP_MULTIPLY, delta, delta), p[WEIGHT]), part);
  both[M2] = named(make_op(b, AG_OP_ADD, make_op(b, AG_OP_ADD, p[M2], q[M2]), square), "m2");
  for (int i = 0; i < MEMBERS; i++)
    both[i] = where(b, make_op(b, AG_OP_EQUAL, p[INDEX], none_yet), q[i],
                    where(b, make_op(b, AG_OP_EQUAL, q[INDEX], none_yet), p[i], both[i]));
  return make(b, both);
}

static graph_value read_combine(graph_builder *b, const tree_expr *call) {
  const tree_expr *to = kernel_tree_argument(call, 0), *from = kernel_tree_argument(call, 1),
                  *third = kernel_tree_argument(call, 2), *fourth = kernel_tree_argument(call, 3);
  graph_value acc = to && from ? builder_expr(b, to) : none;
  helper h = {.given = false};
  if (!is_welford(acc)) return none;
  if (!third && read_helper(b, from, &h)) return acc; /* the part before a restart is added */
  graph_value x = builder_expr(b, from);
  if (is_welford(x)) return third ? none : join(b, acc, x);
  const tree_expr *last = fourth ? fourth : third;
  bool helps = last && read_helper(b, last, &h);
  if ((fourth && !helps) || x.n || x.memory >= 0 || !x.node ||
      !ag_graph_type_is_float(x.node->type))
    return none;
  const tree_expr *tail = fourth || !helps ? third : NULL;
  return add_element(b, acc, x.node, tail ? builder_node(b, tail) : NULL, &h);
}

/* All lanes of a vector combined. */
static graph_value read_all_lanes(graph_builder *b, const tree_expr *call, const char *name) {
  const tree_expr *x = kernel_tree_argument(call, 0);
  graph_value v = x ? builder_expr(b, x) : none;
  if (!is_welford(v)) return none;
  if (is_empty(v)) return v;
  graph_node *args[MEMBERS], *items[MEMBERS];
  for (int i = 0; i < MEMBERS; i++) args[i] = v.items[i].node;
  graph_node *all = graph_call(b->g, name, args[MEAN]->type, MEMBERS, args, b->line);
  for (int i = 0; i < MEMBERS; i++) {
    graph_node *item[] = {all, graph_integer(b->g, i, GRAPH_WEAK)};
    items[i] = graph_op(b->g, AG_OP_ITEM, i == INDEX ? GRAPH_I64 : all->type, 2, item, b->line);
  }
  return make(b, items);
}

/* Its operands are variables. */
static graph_value read_unknown(graph_builder *b, const tree_expr *call) {
  graph_node *of[GRAPH_ARGS_MAX];
  int n = 0;
  for (const tree_expr *x = call->first->next; x; x = x->next) {
    const graph_value *v = x->kind == TREE_NAME && x->variable >= 0 ? &b->vars[x->variable] : NULL;
    for (int i = 0; v && i < v->n && n < GRAPH_ARGS_MAX; i++)
      if (v->items[i].node) of[n++] = v->items[i].node;
    if (v && v->node && n < GRAPH_ARGS_MAX) of[n++] = v->node;
  }
  return builder_value(graph_unknown_sum(
      b->g, "a variance whose parts several threads compute, or pairs of registers", n, of,
      b->line));
}

graph_value builder_call_welford(graph_builder *b, const tree_expr *call, const char *name) {
  graph_value v = none;
  if (strcmp(name, "Welford") == 0)
    v = read_empty(b, call);
  else if (strcmp(name, "welford_combine") == 0)
    v = read_combine(b, call);
  else if (strcmp(name, "welford_vec_reduce_all") == 0)
    v = read_all_lanes(b, call, name);
  else
    return none;
  return v.n ? v : read_unknown(b, call);
}
