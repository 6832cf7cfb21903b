/* request.c - see request.h. */
#define _GNU_SOURCE
#include "explain/request.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "explain/chain.h"
#include "explain/explanation.h"
#include "explain/expression.h"
#include "explain/lanes.h"

enum { FIRST_LINES = 12, LAST_LINES = 20, NESTING_MOST = 300, CONSTANT_DEEP = 8, LOOPS_MOST = 8 };

/* One computed value. */
typedef struct step {
  int32_t node;
  bool shown, begins; /* begins: it is NaN or Inf, and none of its operands is */
} step;

typedef struct trace {
  const explanation *x;
  ag_interpreter *m;
  ag_chain c;
  bool *reached;
  bool *made; /* by node: it is computed in this iteration, and not skipped by a condition */
  ag_text lines;
  int32_t loops[LOOPS_MOST]; /* the loops that were executed */
  int nloops;
} trace;

static const ag_graph_node *node_of(const trace *t, int32_t node) { return &t->x->g.nodes[node]; }

static bool is_bad(ag_number x) { return ag_graph_type_is_float(x.type) && !isfinite(x.real); }

/* ---- what is on the way --------------------------------------------------------------------- */

static void reach(trace *t, int32_t node, int depth) {
  const ag_graph_node *x = node_of(t, node);
  if (t->reached[node] || depth > NESTING_MOST) return;
  t->reached[node] = true;
  for (int32_t i = 0; i < x->n; i++) reach(t, x->args[i], depth + 1);
  const ag_graph_access *a = x->kind == NODE_LOAD ? &t->x->g.accesses[x->index] : NULL;
  if (a && a->other >= 0) reach(t, a->other, depth + 1);
}

/* Computes the value. False if it is not decided, as in a branch that is not taken. */
static bool compute(trace *t, int32_t node, ag_number *value) {
  return ag_interpret_quietly(t->m, node, value);
}

static bool is_number_text(const ag_graph_node *node) {
  return node->kind == NODE_INTEGER || node->kind == NODE_FLOAT || node->kind == NODE_PARAM ||
         node->kind == NODE_STEP || node->kind == NODE_UNKNOWN;
}

/* True if it is made of constants of the kernel alone. */
static bool is_constant(const trace *t, int32_t node, int depth) {
  const ag_graph_node *x = node_of(t, node);
  if (x->kind != NODE_OP || depth > CONSTANT_DEEP) return is_number_text(x);
  for (int32_t i = 0; i < x->n; i++)
    if (!is_constant(t, x->args[i], depth + 1)) return false;
  return true;
}

static bool has_bad_operand(trace *t, const ag_graph_node *node) {
  ag_number value;
  for (int32_t i = 0; i < node->n; i++)
    if (compute(t, node->args[i], &value) && is_bad(value)) return true;
  return false;
}

/* True if the lane is behind the last element of "sum_masked_reduce(node, y, n)". */
static bool is_masked(trace *t, const ag_graph_node *node) {
  ag_number n;
  bool masked = node->kind == NODE_OP && ag_lanes_find_masked(node->op);
  return masked && compute(t, node->args[2], &n) && t->m->loops.lane >= n.whole;
}

/* A node that is not reached, such as a variable of the loop, is computed elsewhere. */
static bool has_made(const trace *t, int32_t node) { return t->made[node] || !t->reached[node]; }

/* True if the node is computed. A load is skipped if its condition does not hold, such as behind
 * the last element of a vector, and so is what is computed from it. "where" is not skipped if it
 * selects the other branch. */
static bool is_made(trace *t, int32_t node) {
  const ag_graph_node *x = node_of(t, node);
  const ag_graph_access *a = x->kind == NODE_LOAD ? &t->x->g.accesses[x->index] : NULL;
  ag_number test;
  if (a && a->when >= 0 && a->other < 0 && compute(t, a->when, &test) && !ag_number_is_true(test))
    return false;
  if (x->kind == NODE_OP && x->op == AG_OP_WHERE && compute(t, x->args[0], &test))
    return has_made(t, x->args[0]) && has_made(t, x->args[ag_number_is_true(test) ? 1 : 2]);
  if (is_masked(t, x)) return has_made(t, x->args[0]);
  for (int32_t i = 0; i < x->n; i++)
    if (!has_made(t, x->args[i])) return false;
  return true;
}

static void look_at(trace *t, int32_t node, step *s) {
  const ag_graph_node *x = node_of(t, node);
  ag_number value;
  *s = (step){.node = node};
  t->made[node] = is_made(t, node);
  if (!t->made[node] || is_constant(t, node, 0) || !compute(t, node, &value)) return;
  s->begins = is_bad(value) && !has_bad_operand(t, x);
  s->shown = s->begins || x->name || x->kind == NODE_LOAD || x->kind == NODE_AFTER ||
             x->kind == NODE_CARRIED;
}

/* ---- lines ---------------------------------------------------------------------------------- */

static void begin_line(trace *t) { ag_text_addf(&t->lines, "%16s", ""); }

static void add_line(trace *t, const step *s) {
  ag_text line = {0}; /* long expressions are cut by the length of their text */
  ag_reason before = t->m->why;
  ag_chain_add_value(&line, &t->c, s->node);
  t->m->why = before;
  begin_line(t);
  ag_text_addf(&t->lines, "%s%s\n", ag_text_string(&line), s->begins ? "   <- here" : "");
  ag_text_free(&line);
}

/* If there are many, the middle is omitted, except where a NaN or Inf begins. */
static void add_steps(trace *t, const step *list, int32_t n) {
  int32_t total = 0, number = 0, left_out = 0;
  for (int32_t i = 0; i < n; i++) total += list[i].shown;
  for (int32_t i = 0; i < n; i++) {
    if (!list[i].shown) continue;
    bool kept = number < FIRST_LINES || number >= total - LAST_LINES || list[i].begins;
    number++;
    if (!kept) {
      left_out++;
      continue;
    }
    if (left_out) {
      begin_line(t);
      ag_text_addf(&t->lines, "... %d more\n", (int)left_out);
      left_out = 0;
    }
    add_line(t, &list[i]);
  }
}

/* Adds each value that is reached, in the order of the text. */
static bool add_reached(trace *t) {
  int32_t n = 0;
  step *list = calloc((size_t)t->x->g.nnodes + 1, sizeof *list);
  if (!list) return ag_interpreter_give_up(t->m, "no memory is left");
  for (int32_t i = 0; i < t->x->g.nnodes; i++)
    if (t->reached[i]) look_at(t, i, &list[n++]);
  add_steps(t, list, n);
  free(list);
  return true;
}

/* ---- loops ---------------------------------------------------------------------------------- */

/* True if a NaN or Inf begins in this iteration. */
static bool begins_here(trace *t) {
  step s;
  for (int32_t i = 0; i < t->x->g.nnodes; i++) {
    if (!t->reached[i] || !ag_interpreter_may_go_on(t->m)) continue;
    look_at(t, i, &s);
    if (s.begins) return true;
  }
  return false;
}

static bool add_iteration(trace *t, const ag_graph_loop *l, int64_t at) {
  begin_line(t);
  ag_text_addf(&t->lines, "at %s = %lld:\n", l->name,
               (long long)(at + (t->m->loops.lane > 0 ? t->m->loops.lane : 0)));
  return add_reached(t);
}

/* The number of lanes of the loop's vectors; 0 if it has none. */
static int64_t count_lanes(const trace *t, int32_t loop) {
  int64_t width = ag_lanes_of_loop(t->m->g, loop);
  return t->x->g.triton || width <= 1 ? 0 : width;
}

static bool search_lanes(trace *t, int32_t loop, bool *found) {
  int64_t width = count_lanes(t, loop);
  for (int64_t i = 0; i < (width ? width : 1) && !*found; i++) {
    if (width) ag_interpreter_bind_lane(t->m, i);
    if (!ag_interpreter_may_go_on(t->m)) return false;
    *found = begins_here(t);
  }
  return true;
}

/* Finds the first iteration of the loop in which a NaN or Inf begins. Values from the previous
 * iteration do not count. */
static bool search_loop(trace *t, int32_t loop) {
  ag_span all;
  bool found = false;
  if (!ag_interpreter_find_span(t->m, loop, &all)) return false;
  for (int64_t v = all.low; v < all.high; v += all.step) {
    ag_interpreter_bind(t->m, loop, v);
    if (!search_lanes(t, loop, &found)) return false;
    if (found) return add_iteration(t, &t->x->g.loops[loop], v);
    if (v > INT64_MAX - all.step) break;
  }
  return true;
}

static bool is_done(trace *t, int32_t loop) {
  for (int i = 0; i < t->nloops; i++)
    if (t->loops[i] == loop) return true;
  if (t->nloops == LOOPS_MOST) return true;
  t->loops[t->nloops++] = loop;
  return false;
}

/* Marks what the loop's variables are computed from, but not these: they have a value only while
 * the loop is executed. */
static void reach_body(trace *t, int32_t loop, bool *inner) {
  const ag_graph *g = &t->x->g;
  memset(t->reached, 0, (size_t)g->nnodes);
  for (int32_t i = 0; i < g->ncarried; i++)
    if (g->carried[i].loop == loop && g->carried[i].next >= 0) reach(t, g->carried[i].next, 0);
  memcpy(inner, t->reached, (size_t)g->nnodes);
  for (int32_t i = 0; i < g->nnodes; i++) {
    const ag_graph_node *x = &g->nodes[i];
    bool carried = x->kind == NODE_CARRIED && g->carried[x->index].loop == loop;
    if (inner[i] && carried) inner[i] = false;
    for (int32_t k = 0; k < x->n && inner[i]; k++)
      if (t->reached[x->args[k]] && !inner[x->args[k]]) inner[i] = false;
  }
  memcpy(t->reached, inner, (size_t)g->nnodes);
}

/* Searches each loop that the element was computed by. */
static void add_loops(trace *t, const bool *on_way) {
  const ag_graph *g = &t->x->g;
  bool *inner = calloc((size_t)g->nnodes + 1, 1);
  ag_bindings s;
  for (int32_t i = 0; i < g->nnodes && inner; i++) {
    if (!on_way[i] || g->nodes[i].kind != NODE_AFTER) continue;
    int32_t loop = g->carried[g->nodes[i].index].loop;
    if (is_done(t, loop) || !ag_bindings_save(t->m, &s)) continue;
    reach_body(t, loop, inner);
    search_loop(t, loop);
    ag_bindings_restore(t->m, &s);
    ag_bindings_drop(&s);
  }
  free(inner);
}

/* ---- the report ----------------------------------------------------------------------------- */

static bool is_same(ag_number a, ag_number b) {
  if (!ag_graph_type_is_float(a.type)) return a.whole == b.whole;
  return a.real == b.real || (isnan(a.real) && isnan(b.real));
}

static void add_head(ag_text *to, const explanation *answer, int64_t flat, ag_number found,
                     ag_number again, bool reordered) {
  ag_text_add(to, "  how           ");
  ag_text_add(to, answer->out->param->name);
  ag_tensor_describe_index(to, &answer->out->view.t, flat);
  ag_text_add(to, " = ");
  ag_expression_add_number(to, found);
  if (is_same(found, again)) {
    ag_text_add(to, ", as computed again");
  } else {
    ag_text_add(to, "; computed again it is ");
    ag_expression_add_number(to, again);
    int64_t ulps = ag_number_count_ulps(found, again);
    if (ulps > 0) ag_text_addf(to, ", %lld ulp from it", (long long)ulps);
  }
  if (reordered) ag_text_add(to, ", term by term in one thread");
  if (answer->elements.late) ag_text_add(to, ", from inputs that may have changed since");
  ag_text_add(to, ":\n");
}

static bool trace_value(trace *t, int32_t value) {
  const ag_graph *g = &t->x->g;
  bool *on_way = malloc((size_t)g->nnodes + 1);
  t->reached = calloc((size_t)g->nnodes + 1, 1);
  t->made = calloc((size_t)g->nnodes + 1, 1);
  bool done = t->reached && t->made && on_way;
  if (done) {
    reach(t, value, 0);
    memcpy(on_way, t->reached, (size_t)g->nnodes);
    done = add_reached(t);
    add_loops(t, on_way);
  }
  free(t->reached);
  free(t->made);
  free(on_way);
  return done || ag_interpreter_give_up(t->m, "no memory is left");
}

static void explain(ag_text *to, explanation *answer, int64_t flat, ag_number found) {
  ag_interpreter m;
  ag_number again;
  if (!ag_explanation_interpret(answer, &m)) return;
  trace t = {.x = answer, .m = &m};
  t.c = (ag_chain){.m = &m, .name = ag_explanation_name, .data = answer, .is_bad = is_bad};
  ag_stored of;
  bool done = ag_explanation_find_store(answer, &m, flat, NULL, &of) &&
              ag_interpret(&m, of.value, &again) && trace_value(&t, of.value);
  if (done) {
    add_head(to, answer, flat, found, ag_number_cast(again, found.type), m.reordered);
    ag_text_add(to, ag_text_string(&t.lines));
  } else {
    ag_text_addf(to, "  how           %s", answer->out->param->name);
    ag_tensor_describe_index(to, &answer->out->view.t, flat);
    ag_text_addf(to, " is not explained: %s\n", *m.why.text ? m.why.text : "it is not decided");
  }
  ag_text_free(&t.lines);
  ag_chain_free(&t.c);
  ag_interpreter_end(&m);
}

bool ag_request_explain(ag_text *t, const ag_record *record, const ag_element_source *from,
                        size_t out, int64_t flat) {
  explanation x;
  ag_number found;
  if (!ag_explanation_begin(&x, record, from)) return false;
  x.out = &record->args[out];
  bool read = ag_explanation_read(&x, flat, &found);
  if (read) explain(t, &x, flat, found);
  ag_explanation_end(&x);
  return read;
}
