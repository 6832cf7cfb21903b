/* expression.c - see expression.h. */
#define _GNU_SOURCE
#include "explain/expression.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "explain/lanes.h"
#include "explain/memory.h"
#include "explain/threads.h"

enum { INLINE_DEEP = 4, TEXT_MOST = 120 };

void ag_expression_add_number(ag_text *t, ag_number x) {
  if (x.type == GRAPH_BOOL)
    ag_text_add(t, x.whole ? "true" : "false");
  else if (!ag_graph_type_is_float(x.type))
    ag_text_add_int(t, x.whole);
  else if (isnan(x.real))
    ag_text_add(t, "nan");
  else
    ag_text_add_g(t, x.real);
}

static const ag_graph_node *node_of(const ag_chain *c, int32_t node) {
  return &c->m->g->nodes[node];
}

bool ag_expression_is_masked_off(const ag_chain *c, int32_t node) {
  const ag_graph_node *load = node_of(c, node);
  const ag_graph_access *x = load->kind == NODE_LOAD ? &c->m->g->accesses[load->index] : NULL;
  ag_number when;
  return x && x->when >= 0 && x->other >= 0 && ag_interpret_quietly(c->m, x->when, &when) &&
         !ag_number_is_true(when);
}

/* "arg0_1[2, 3]" */
void ag_expression_add_access(ag_text *t, ag_chain *c, const ag_graph_access *x) {
  const ag_graph_memory *memory = &c->m->g->memories[x->memory];
  const ag_view *v = memory->param >= 0 ? c->m->operands[memory->param].view : NULL;
  int64_t index;
  const ag_graph_node *at = node_of(c, x->index);
  const char *name = memory->param >= 0 ? c->name(c->data, memory->param) : NULL;
  ag_text_add(t, name ? name : memory->name);
  if (at->kind == NODE_STEP && ag_threads_is_array(c->m->g, x->memory)) {
    ag_text_addf(t, "[%s]", c->m->g->loops[at->index].name);
    return;
  }
  if (!ag_interpret_whole(c->m, x->index, &index)) {
    ag_text_add(t, "[?]");
    return;
  }
  int64_t flat = v ? ag_memory_find_element(v, index) : -1;
  if (flat >= 0)
    ag_tensor_describe_index(t, &v->t, flat);
  else
    ag_text_addf(t, "[%lld]", (long long)index);
}

static void add_expression(ag_text *t, ag_chain *c, int32_t node, int depth);

static bool is_cast(const ag_graph_node *node) { return node->op == AG_OP_CAST; }

static bool is_negative(const ag_graph_node *node) { return node->op == AG_OP_NEGATE; }

/* True for a number in the kernel's text, and for a conversion of one. */
bool ag_expression_is_constant(const ag_chain *c, int32_t node) {
  const ag_graph_node *x = node_of(c, node);
  while (is_cast(x) || is_negative(x)) x = node_of(c, x->args[0]);
  return x->kind == NODE_INTEGER || x->kind == NODE_FLOAT || x->kind == NODE_STEP ||
         x->kind == NODE_UNKNOWN || (x->kind == NODE_OP && !x->n);
}

/* NULL if the node is not a reduction. */
const ag_reduction *ag_expression_find_reduction(const ag_chain *c, const ag_graph_node *node) {
  const ag_reduction *r = &c->m->depends.reductions[node - c->m->g->nodes];
  return node->kind == NODE_OP && r->n ? r : NULL;
}

/* The node of "item(node, 1)" if it is an operator with several results; else the node given. */
const ag_graph_node *ag_expression_skip_item(const ag_chain *c, const ag_graph_node *node) {
  const ag_graph_node *of = node->op == AG_OP_ITEM ? node_of(c, node->args[0]) : node;
  return of->kind == NODE_OP ? of : node;
}

/* The name that the kernel gives the loop over elements that contains this loop. */
const char *ag_expression_name_loop(const ag_chain *c, int32_t loop) {
  for (int32_t i = 0; i < c->m->g->nloops; i++)
    if (c->m->g->loops[i].over == loop || c->m->g->loops[i].tile == loop)
      return c->m->g->loops[i].name;
  return c->m->g->loops[loop].name;
}

static const char *name_reduction(ag_op op) {
  const ag_operator *o = ag_op_get(op);
  return o->reduced ? o->reduced : o->text;
}

/* "sum(tmp3 over r0)"; with several results "welford(mean, m2, weight over r0)[1]" */
static void add_reduction(ag_text *t, ag_chain *c, const ag_graph_node *node,
                          const ag_reduction *reduction, int depth) {
  ag_text_addf(t, "%s(", name_reduction(reduction->op));
  for (int i = 0; i < reduction->n; i++) {
    ag_expression_add_operand(t, c, reduction->args[i], depth + 1);
    if (i + 1 < reduction->n) ag_text_add(t, ", ");
  }
  for (int i = 0; i < reduction->ntiles; i++)
    ag_text_addf(t, "%s%s", i ? ", " : " over ", ag_expression_name_loop(c, reduction->tiles[i]));
  ag_text_add(t, ")");
  if (reduction->n > 1 && node->op == AG_OP_ITEM) ag_text_addf(t, "[%d]", reduction->part);
}

/* "sum(tmp_acc0_vec, 16 lanes)", "welford(tmp_acc0_vec.m2, 16 lanes)" */
static void add_all_lanes(ag_text *t, ag_chain *c, const ag_graph_node *node, int32_t vector,
                          int depth) {
  const ag_graph_node *f = node_of(c, node->args[0]);
  ag_op op = node->op == AG_OP_ITEM ? f->op : ag_op_find_function(f->text);
  const char *own = f->text ? ag_op_skip_function(f->text) : NULL;
  ag_text_addf(t, "%s(", op ? name_reduction(op) : own ? own : "?");
  ag_expression_add_operand(t, c, vector, depth + 1);
  int64_t lanes = ag_lanes_of_node(c->m->g, vector);
  if (lanes) ag_text_addf(t, ", %lld lanes", (long long)lanes);
  ag_text_add(t, ")");
}

static bool is_variable(const ag_graph *g, const char *name) {
  for (int32_t i = 0; i < g->nnodes; i++)
    if (g->nodes[i].name && strcmp(g->nodes[i].name, name) == 0) return true;
  return false;
}

/* The name of the number-th node of that name. Skips names that a variable of the kernel has. */
static void add_numbered(ag_text *t, const ag_graph *g, const char *name, int number) {
  char own[128];
  for (int i = 2; number > 1; i++) {
    snprintf(own, sizeof own, "%s_%d", name, i);
    if (strlen(own) + 1 == sizeof own || !is_variable(g, own)) number--;
  }
  ag_text_add(t, own);
}

/* The node that a branch assigns to its own variable; -1 if the node is not such a branch. */
static int32_t find_assigned(const ag_chain *c, int32_t node) {
  const ag_graph_node *x = node_of(c, node);
  bool branch = x->op == AG_OP_WHERE;
  const char *name = branch ? node_of(c, x->args[1])->name : NULL;
  return name && strcmp(name, x->name) == 0 ? x->args[1] : -1;
}

void ag_expression_add_name(ag_text *t, ag_chain *c, int32_t node) {
  const char *name = node_of(c, node)->name;
  int number = 1, i = 0;
  for (int32_t one; (one = find_assigned(c, node)) >= 0; node = one) {
  }
  for (; i < c->nnamed && c->named[i] != node; i++)
    number += strcmp(node_of(c, c->named[i])->name, name) == 0;
  if (i == c->nnamed && i < AG_CHAIN_NAMES) c->named[c->nnamed++] = node;
  if (number == 1)
    ag_text_add(t, name);
  else
    add_numbered(t, c->m->g, name, number);
}

/* Adds the node as part of another one. */
void ag_expression_add_operand(ag_text *t, ag_chain *c, int32_t node, int depth) {
  const ag_graph_node *x = node_of(c, node);
  bool named = x->name && (x->kind == NODE_OP || x->kind == NODE_LOAD);
  while (ag_expression_is_constant(c, node) && is_cast(x)) {
    node = x->args[0];
    x = node_of(c, node);
    named = false;
  }
  if (named)
    ag_expression_add_name(t, c, node);
  else
    add_expression(t, c, node, depth);
}

static void add_operator(ag_text *t, ag_chain *c, const ag_graph_node *node, int depth) {
  bool infix = ag_op_is_infix(node->op);
  int32_t vector = ag_lanes_find_vector(c->m->g, node);
  if (depth > INLINE_DEEP || t->length > TEXT_MOST) {
    ag_text_add(t, "...");
  } else if (ag_expression_find_reduction(c, node)) {
    add_reduction(t, c, node, ag_expression_find_reduction(c, node), depth);
  } else if (vector >= 0) {
    add_all_lanes(t, c, node, vector, depth);
  } else if (infix) {
    ag_text_add(t, depth ? "(" : "");
    ag_expression_add_operand(t, c, node->args[0], depth + 1);
    ag_text_addf(t, " %s ", node->text);
    ag_expression_add_operand(t, c, node->args[1], depth + 1);
    ag_text_add(t, depth ? ")" : "");
  } else if (is_negative(node)) {
    ag_text_add(t, "-");
    ag_expression_add_operand(t, c, node->args[0], depth + 1);
  } else {
    const char *cast = is_cast(node) ? ag_graph_type_name((graph_type)node->type) : node->text;
    const ag_graph_node *item = node;
    node = ag_expression_skip_item(c, node);
    ag_text_add(t, node == item ? cast : node->text);
    if (node->n) ag_text_add(t, "(");
    for (int i = 0; i < node->n; i++) {
      ag_expression_add_operand(t, c, node->args[i], depth + 1);
      if (i + 1 < node->n) ag_text_add(t, ", ");
    }
    if (node->n) ag_text_add(t, ")");
    if (node != item) ag_text_addf(t, "[%lld]", (long long)node_of(c, item->args[1])->value);
  }
}

static void add_expression(ag_text *t, ag_chain *c, int32_t node, int depth) {
  const ag_graph_node *x = node_of(c, node);
  ag_number value;
  switch (x->kind) {
    case NODE_INTEGER: ag_text_add_int(t, x->value); break;
    case NODE_FLOAT: ag_text_add_g(t, x->real); break;
    case NODE_LOAD:
      ag_expression_add_access(t, c, &c->m->g->accesses[x->index]);
      if (ag_expression_is_masked_off(c, node)) ag_text_add(t, " (masked off)");
      break;
    case NODE_CARRIED:
    case NODE_AFTER: ag_text_add(t, c->m->g->carried[x->index].name); break;
    case NODE_STEP: ag_text_add(t, c->m->g->loops[x->index].name); break;
    case NODE_OP: add_operator(t, c, x, depth); break;
    default:
      if (ag_interpret(c->m, node, &value))
        ag_expression_add_number(t, value);
      else
        ag_text_add(t, "?");
  }
}

void ag_expression_add(ag_text *t, ag_chain *c, int32_t node) { add_expression(t, c, node, 0); }
