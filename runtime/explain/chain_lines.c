/* chain_lines.c - see chain_lines.h. */
#define _GNU_SOURCE
#include "explain/chain_lines.h"

#include <math.h>

#include "explain/expression.h"
#include "explain/lanes.h"
#include "explain/memory.h"

enum { OPERANDS_DEEP = 4 };

static const ag_graph_node *node_of(const ag_chain *c, int32_t node) {
  return &c->m->g->nodes[node];
}

/* ---- lines ---------------------------------------------------------------------------------- */

bool ag_chain_is_shown(const ag_chain *c, int32_t node) {
  for (int i = 0; i < c->n; i++)
    if (c->shown[i] == node) return true;
  return false;
}

bool ag_chain_format_line(ag_text *t, ag_chain *c, int32_t node, const char *after) {
  const ag_graph_node *x = node_of(c, node);
  ag_number value;
  if (!ag_interpret(c->m, node, &value)) return false;
  if (x->name) {
    ag_expression_add_name(t, c, node);
    ag_text_add(t, " = ");
  }
  ag_expression_add(t, c, node);
  ag_text_add(t, " = ");
  ag_expression_add_number(t, value);
  const char *stage = c->m->memo.is_stored[node]             ? ", as the kernel stored it"
                      : ag_memory_is_from_before(c->m, node) ? ", before the launch"
                                                             : "";
  ag_text_addf(t, "%s%s", stage, after);
  return true;
}

bool ag_chain_add_line(ag_chain *c, int32_t node, const char *after) {
  if (c->n == AG_CHAIN_LINES) return true;
  c->shown[c->n] = node;
  ag_text_clear(&c->lines[c->n]);
  if (!ag_chain_format_line(&c->lines[c->n], c, node, after)) return false;
  ag_number value;
  if (!*after && ag_interpret(c->m, node, &value) && ag_chain_is_infinite(value))
    c->takes_infinity = true;
  c->n++;
  return true;
}

bool ag_chain_is_infinite(ag_number x) { return ag_graph_type_is_float(x.type) && isinf(x.real); }

int ag_chain_find_taken(ag_chain *c, const ag_graph_node *node) {
  ag_number test;
  if (node->op != AG_OP_WHERE || !ag_interpret(c->m, node->args[0], &test)) return -1;
  return ag_number_is_true(test) ? 1 : 2;
}

/* "tmp_acc0_vec = 4e+37 to 5e+37 in 16 lanes" */
static void add_lanes(ag_chain *c, int32_t vector) {
  const ag_graph_node *x = node_of(c, vector);
  int64_t width = ag_lanes_of_node(c->m->g, vector), lane = c->m->loops.lane;
  ag_number value, least = {0}, most = {0};
  bool done = width > 0;
  for (int64_t i = 0; i < width && done; i++) {
    ag_interpreter_bind_lane(c->m, i);
    done = ag_interpret(c->m, vector, &value);
    if (!done) break;
    if (!i || ag_number_real(value) < ag_number_real(least)) least = value;
    if (!i || ag_number_real(value) > ag_number_real(most)) most = value;
  }
  ag_interpreter_bind_lane(c->m, lane);
  if (!done || x->kind != NODE_AFTER) return;
  if (ag_chain_is_infinite(least) || ag_chain_is_infinite(most)) c->takes_infinity = true;
  ag_text *t = &c->lines[c->n];
  c->shown[c->n++] = vector;
  ag_text_addf(t, "%s = ", c->m->g->carried[x->index].name);
  ag_expression_add_number(t, least);
  ag_text_add(t, " to ");
  ag_expression_add_number(t, most);
  ag_text_addf(t, " in %lld lanes", (long long)width);
}

/* "tmp4 = 3e+38 up to r0 = 36": its sum before the element at which the loops are. */
static void add_state(ag_chain *c, int32_t node, const ag_reduction *reduction) {
  const ag_graph_node *x = node_of(c, node);
  if (c->before.type == GRAPH_ANY || c->n == AG_CHAIN_LINES) return;
  ag_text *t = &c->lines[c->n];
  c->shown[c->n++] = -1;
  if (x->name)
    ag_expression_add_name(t, c, node);
  else
    ag_text_add(t, reduction->name);
  ag_text_add(t, " = ");
  ag_expression_add_number(t, c->before);
  ag_text_addf(t, " before %s = %lld", c->place_name, (long long)c->place);
}

static void add_terms(ag_chain *c, int32_t node, const ag_reduction *reduction, int depth) {
  add_state(c, node, reduction);
  for (int i = 0; i < reduction->n; i++) {
    ag_chain_add_operands(c, reduction->args[i], depth + 1);
    if (!ag_expression_is_constant(c, reduction->args[i]) && c->n < AG_CHAIN_OPERANDS)
      ag_chain_add_line(c, reduction->args[i], "");
  }
}

void ag_chain_add_operands(ag_chain *c, int32_t node, int depth) {
  const ag_graph_node *x = ag_expression_skip_item(c, node_of(c, node));
  int32_t vector = ag_lanes_find_vector(c->m->g, node_of(c, node));
  if (x->kind != NODE_OP || depth > OPERANDS_DEEP || c->n >= AG_CHAIN_OPERANDS) return;
  const ag_reduction *r = ag_expression_find_reduction(c, node_of(c, node));
  if (r && depth) return; /* over all elements: none of them says more */
  if (r) {
    add_terms(c, node, r, depth);
    return;
  }
  if (vector >= 0) {
    add_lanes(c, vector);
    return;
  }
  int taken = ag_chain_find_taken(c, x);
  for (int i = 0; i < x->n; i++) {
    const ag_graph_node *y = node_of(c, x->args[i]);
    bool line = (y->name && y->kind == NODE_OP) || y->kind == NODE_LOAD ||
                ag_expression_find_reduction(c, y) || y->kind == NODE_AFTER ||
                y->kind == NODE_CARRIED;
    ag_number value;
    if ((taken >= 0 && i != taken) || ag_expression_is_constant(c, x->args[i]) ||
        ag_chain_is_shown(c, x->args[i]))
      continue;
    if (!ag_interpret(c->m, x->args[i], &value)) { /* such as a lambda */
      *c->m->why.text = '\0';
      continue;
    }
    if (y->kind == NODE_LOAD && ag_chain_is_infinite(value)) ag_chain_add_stored(c, x->args[i]);
    ag_chain_add_operands(c, x->args[i], depth + 1);
    if (line && c->n < AG_CHAIN_OPERANDS) ag_chain_add_line(c, x->args[i], "");
  }
}

void ag_chain_add_value(ag_text *t, ag_chain *c, int32_t node) {
  ag_chain_format_line(t, c, node, "");
}

bool ag_chain_add_store(ag_chain *c, int32_t node, ag_number stored) {
  c->origin = -1;
  ag_chain_add_operands(c, node, 0);
  if (!ag_chain_add_line(c, node, "") || c->n == AG_CHAIN_LINES) return false;
  ag_text *t = &c->lines[c->n++];
  ag_text_addf(t, "%s(", ag_graph_type_name(stored.type));
  ag_expression_add_operand(t, c, node, 0);
  ag_text_add(t, ") = ");
  ag_expression_add_number(t, stored);
  ag_text_add(t, AG_CHAIN_HERE);
  return true;
}

void ag_chain_note_indices(ag_chain *c, const ag_graph_access *store) {
  const char *what = ag_loaded_find_term(c->m->g, store) < 0 ? "stored at" : "added at";
  ag_loaded l;
  ag_number value;
  int64_t at;
  if (!ag_loaded_list(c->m->g, store->index, &l)) return;
  for (int i = 0, n = 0; i < l.nloops; i++) {
    if (!l.decides[i] || !ag_interpreter_find_step(c->m, l.loops[i], &at)) continue;
    if (!n) ag_text_addf(&c->head, "; %s", what);
    ag_text_addf(&c->head, "%s%s = %lld", n++ ? ", " : " ", ag_expression_name_loop(c, l.loops[i]),
                 (long long)ag_chain_add_lane(c, l.loops[i], at));
  }
  for (int i = 0, n = 0; i < l.nloads; i++) {
    if (!ag_interpret_quietly(c->m, l.loads[i], &value)) continue;
    ag_text_add(&c->head, n++ ? " and " : ", where ");
    ag_expression_add(&c->head, c, l.loads[i]);
    ag_text_add(&c->head, " = ");
    ag_expression_add_number(&c->head, value);
  }
}

/* Begins another line. */
static ag_text *begin_line(ag_chain *c, int32_t node) {
  c->shown[c->n] = node;
  ag_text_clear(&c->lines[c->n]);
  return &c->lines[c->n++];
}

/* The node whose value the kernel stored to an array of its own, for one that loads it from there;
 * else the node given. */
static int32_t skip_own_array(ag_chain *c, int32_t node) {
  const ag_graph_node *x = node_of(c, node);
  ag_place place;
  if (x->kind != NODE_LOAD || c->m->g->memories[c->m->g->accesses[x->index].memory].param >= 0)
    return node;
  return ag_memory_find_place(c->m, node, true, &place) && place.store ? place.store->value : node;
}

bool ag_chain_add_sum(ag_chain *c, const ag_graph_access *x, const ag_added *added,
                      const char *mark) {
  const bool own = x->kind == ACCESS_STORE; /* the sum is an operation of the kernel */
  ag_text element = {0};
  ag_expression_add_access(&element, c, x);
  const int32_t term = skip_own_array(c, added->term);
  ag_chain_add_operands(c, term, 0);
  if (!ag_expression_is_constant(c, term) && !ag_chain_is_shown(c, term))
    ag_chain_add_line(c, term, "");
  if (c->n + 2 <= AG_CHAIN_LINES) {
    ag_text *t = begin_line(c, -1);
    ag_text_addf(t, "%s = ", ag_text_string(&element));
    ag_expression_add_number(t, added->before);
    ag_text_add(t, " so far");
    t = begin_line(c, own ? x->value : -1);
    ag_text_addf(t, "%s + ", ag_text_string(&element));
    ag_expression_add_operand(t, c, term, 1);
    ag_text_add(t, " = ");
    ag_expression_add_number(t, added->after);
    ag_text_add(t, mark);
  }
  c->origin = own ? x->value : -1;
  ag_text_free(&element);
  return true;
}

void ag_chain_free(ag_chain *c) {
  ag_text_free(&c->head);
  for (int i = 0; i < AG_CHAIN_LINES; i++) ag_text_free(&c->lines[i]);
}
