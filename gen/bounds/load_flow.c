/* load_flow.c - see load_flow.h. */
#include "bounds/load_flow.h"

typedef struct seek {
  int load;
  bool found;
} seek;

static void note_load(void *data, graph_node *node) {
  seek *s = data;
  s->found = s->found || (node->kind == NODE_LOAD && node->index == s->load);
}

bool load_flow_begin(load_flow *d, const graph *g, const graph_access *load, graph_node *value,
                     arena *a) {
  seek s = {.load = (int)(load - g->accesses.at)};
  if (value) graph_each(g, value, note_load, &s);
  if (!s.found) return false;
  *d = (load_flow){.g = g, .load = load, .at = arena_alloc(a, (g->nodes.n + 1) * sizeof *d->at)};
  return true;
}

static enum load_flow_kind greater(enum load_flow_kind x, enum load_flow_kind y) {
  return x > y ? x : y;
}

static enum load_flow_kind lesser(enum load_flow_kind x, enum load_flow_kind y) {
  return x < y ? x : y;
}

static enum load_flow_kind find(load_flow *d, points *p, const graph_node *node);

/* The flow of a value that is one of two. */
static enum load_flow_kind either(enum load_flow_kind x, enum load_flow_kind y) {
  return x == y ? x : FLOWS_MAYBE;
}

static enum load_flow_kind find_load(load_flow *d, points *p, const graph_node *node) {
  const graph_access *l = &d->g->accesses.at[node->index];
  int64_t holds = 1;
  if (l == d->load) return FLOWS;
  enum load_flow_kind other = find(d, p, l->other), when = find(d, p, l->when);
  bool known = when == FLOWS_NOT && (!l->when || points_evaluate(p, l->when, &holds));
  if (known && !holds) return other;
  enum load_flow_kind index = find(d, p, l->index);
  bool none = index == FLOWS_NOT && when == FLOWS_NOT && (known || other == FLOWS_NOT);
  return none ? FLOWS_NOT : FLOWS_MAYBE; /* other elements may hold the same value */
}

static enum load_flow_kind find_where(load_flow *d, points *p, const graph_node *node) {
  int64_t holds;
  if (find(d, p, node->args[0]) != FLOWS_NOT) return FLOWS_MAYBE;
  if (points_evaluate(p, node->args[0], &holds)) return find(d, p, node->args[holds ? 1 : 2]);
  return either(find(d, p, node->args[1]), find(d, p, node->args[2]));
}

/* True if some content of an operand, such as NaN or an infinity, reaches the result. */
static bool passes_on(const graph_node *node) {
  if (!ag_graph_type_is_float(node->type)) return false;
  if (node->n == 1) return ag_graph_type_is_float(node->args[0]->type);
  switch (node->op) {
    case AG_OP_ADD:
    case AG_OP_SUBTRACT:
    case AG_OP_MULTIPLY:
    case AG_OP_DIVIDE:
    case AG_OP_SUM:
    case AG_OP_SUM_MASKED:
    case AG_OP_MAX:
    case AG_OP_STD_MAX:
    case AG_OP_MAX_PROPAGATE_NAN:
    case AG_OP_MAXIMUM:
    case AG_OP_FMAX:
    case AG_OP_MIN:
    case AG_OP_STD_MIN:
    case AG_OP_MIN_PROPAGATE_NAN:
    case AG_OP_MINIMUM:
    case AG_OP_FMIN: return true;
    case AG_OP_VEC_REDUCE_ALL: return ag_op_find_function(node->args[0]->text) == AG_OP_ADD;
    default: return false;
  }
}

static enum load_flow_kind find_op(load_flow *d, points *p, const graph_node *node) {
  int64_t value;
  enum load_flow_kind kind = FLOWS_NOT;
  if (node->op == AG_OP_WHERE) return find_where(d, p, node);
  if (graph_is_integer(node->type) && points_evaluate(p, node, &value)) return FLOWS_NOT;
  for (int i = 0; i < node->n && kind != FLOWS; i++)
    kind = greater(kind, find(d, p, node->args[i]));
  return passes_on(node) ? kind : lesser(kind, FLOWS_MAYBE);
}

/* True if each iteration adds to the value that variable `carried` had before, so that nothing
 * of that is lost. */
static bool accumulates(const graph_node *node, int carried, int depth) {
  if (node->kind == NODE_CARRIED) return node->index == carried;
  if (node->kind != NODE_OP || depth > 20) return false;
  if (node->op == AG_OP_WHERE)
    return accumulates(node->args[1], carried, depth + 1) &&
           accumulates(node->args[2], carried, depth + 1);
  bool sum = passes_on(node) && (node->op == AG_OP_ADD || node->n == 3);
  for (int i = 0; i < 2 && sum; i++)
    if (accumulates(node->args[i], carried, depth + 1)) return true;
  return false;
}

static enum load_flow_kind find_carried(load_flow *d, points *p, const graph_node *node) {
  const graph_carried *c = &d->g->carried.at[node->index];
  enum load_flow_kind kind = greater(find(d, p, c->first), find(d, p, c->next));
  bool kept = node->kind == NODE_AFTER && c->next && accumulates(c->next, node->index, 0);
  return kept ? kind : lesser(kind, FLOWS_MAYBE);
}

static enum load_flow_kind find_node(load_flow *d, points *p, const graph_node *node) {
  switch (node->kind) {
    case NODE_LOAD: return find_load(d, p, node);
    case NODE_OP: return find_op(d, p, node);
    case NODE_UNKNOWN: return FLOWS_MAYBE;
    case NODE_CARRIED:
    case NODE_AFTER: return find_carried(d, p, node);
    default: return FLOWS_NOT;
  }
}

static enum load_flow_kind find(load_flow *d, points *p, const graph_node *node) {
  if (!node) return FLOWS_NOT;
  struct load_flow_node *at = &d->at[node->number];
  if (at->point == d->point) return at->kind;
  *at = (struct load_flow_node){.point = d->point, .kind = FLOWS_NOT}; /* while it is found */
  d->work++;
  enum load_flow_kind kind = find_node(d, p, node);
  at->kind = kind;
  return kind;
}

enum load_flow_kind load_flow_find(load_flow *d, points *p, const graph_node *value) {
  d->point++;
  d->work = 0;
  return find(d, p, value);
}
