/* chain.c - see chain.h. */
#define _GNU_SOURCE
#include "explain/chain.h"

#include <math.h>
#include <string.h>

#include "explain/expression.h"
#include "explain/lanes.h"
#include "explain/memory.h"
#include "explain/threads.h"

enum { OPERANDS_DEEP = 4, OPERANDS_MOST = 10 };

static const ag_graph_node *node_of(const ag_chain *c, int32_t node) {
  return &c->m->g->nodes[node];
}

/* ---- lines ---------------------------------------------------------------------------------- */

static bool is_shown(const ag_chain *c, int32_t node) {
  for (int i = 0; i < c->n; i++)
    if (c->shown[i] == node) return true;
  return false;
}

/* "tmp2 = tmp0 - tmp1 = -84" */
static bool format_line(ag_text *t, ag_chain *c, int32_t node, const char *after) {
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

static bool add_line(ag_chain *c, int32_t node, const char *after) {
  if (c->n == AG_CHAIN_LINES) return true;
  c->shown[c->n] = node;
  ag_text_clear(&c->lines[c->n]);
  if (!format_line(&c->lines[c->n], c, node, after)) return false;
  c->n++;
  return true;
}

static bool is_branch(const ag_graph_node *node) { return node->op == AG_OP_WHERE; }

/* The index of the only operand that matters: for "where", the one that it selected. -1: all do. */
static int find_taken(ag_chain *c, const ag_graph_node *node) {
  ag_number test;
  if (!is_branch(node) || !ag_interpret(c->m, node->args[0], &test)) return -1;
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
  ag_text *t = &c->lines[c->n];
  c->shown[c->n++] = vector;
  ag_text_addf(t, "%s = ", c->m->g->carried[x->index].name);
  ag_expression_add_number(t, least);
  ag_text_add(t, " to ");
  ag_expression_add_number(t, most);
  ag_text_addf(t, " in %lld lanes", (long long)width);
}

static void add_operands(ag_chain *c, int32_t node, int depth);

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
    add_operands(c, reduction->args[i], depth + 1);
    if (!ag_expression_is_constant(c, reduction->args[i]) && c->n < OPERANDS_MOST)
      add_line(c, reduction->args[i], "");
  }
}

/* Adds the lines of what a node was computed from, deepest first. */
static void add_operands(ag_chain *c, int32_t node, int depth) {
  const ag_graph_node *x = ag_expression_skip_item(c, node_of(c, node));
  int32_t vector = ag_lanes_find_vector(c->m->g, node_of(c, node));
  if (x->kind != NODE_OP || depth > OPERANDS_DEEP || c->n >= OPERANDS_MOST) return;
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
  int taken = find_taken(c, x);
  for (int i = 0; i < x->n; i++) {
    const ag_graph_node *y = node_of(c, x->args[i]);
    bool line = (y->name && y->kind == NODE_OP) || y->kind == NODE_LOAD ||
                ag_expression_find_reduction(c, y) || y->kind == NODE_AFTER ||
                y->kind == NODE_CARRIED;
    ag_number value;
    if ((taken >= 0 && i != taken) || ag_expression_is_constant(c, x->args[i]) ||
        is_shown(c, x->args[i]))
      continue;
    if (!ag_interpret(c->m, x->args[i], &value)) { /* such as a lambda */
      *c->m->why.text = '\0';
      continue;
    }
    add_operands(c, x->args[i], depth + 1);
    if (line && c->n < OPERANDS_MOST) add_line(c, x->args[i], "");
  }
}

/* ---- the way down --------------------------------------------------------------------------- */

/* The path of the bad value, starting at the store. Lines are formatted at once, since variables
 * have other values below a loop. */
typedef struct path {
  ag_text lines[AG_CHAIN_MOST];
  int32_t nodes[AG_CHAIN_MOST];
  int n;
} path;

static bool push(path *w, ag_chain *c, int32_t node) {
  if (w->n == AG_CHAIN_MOST) return ag_interpreter_give_up(c->m, "it has more than 200 steps");
  w->lines[w->n] = (ag_text){0};
  w->nodes[w->n] = node;
  return format_line(&w->lines[w->n++], c, node, "");
}

/* True if a vector's lanes run along the loop: its step is not 1. */
static bool has_lanes(const ag_chain *c, const ag_graph_loop *l) {
  const ag_graph_node *step = l->step >= 0 ? node_of(c, l->step) : NULL;
  return !step || step->kind != NODE_INTEGER || step->value != 1;
}

int64_t ag_chain_add_lane(const ag_chain *c, int32_t loop, int64_t at) {
  bool along = c->m->loops.lane > 0 && has_lanes(c, &c->m->g->loops[loop]);
  return at + (along ? c->m->loops.lane : 0);
}

static void note_loop(ag_chain *c, const ag_graph_carried *carried) {
  const ag_graph_loop *l = &c->m->g->loops[carried->loop];
  if (ag_threads_is_loop(c->m->g, carried->loop)) return; /* it is not an index of an element */
  int64_t at = ag_chain_add_lane(c, carried->loop, c->m->loops.steps[carried->loop]);
  const char *name = l->kind == LOOP_FOR ? ag_expression_name_loop(c, carried->loop) : l->name;
  ag_text_addf(&c->head, "; '%s' goes bad at %s = %lld", carried->name, name, (long long)at);
}

/* Goes to the iteration that made the variable bad, or to its initial value if none did. */
static bool enter_loop(ag_chain *c, int32_t node, int32_t *next) {
  const ag_graph_carried *v = &c->m->g->carried[node_of(c, node)->index];
  ag_number begun;
  ag_first first;
  if (!ag_interpret(c->m, v->first, &begun) ||
      !ag_interpret_until(c->m, node, c->is_bad, true, &first))
    return false;
  if (!first.found && !c->is_bad(begun))
    return ag_interpreter_give_up(c->m, "'%s' does not go bad", v->name);
  if (first.found) note_loop(c, v);
  *next = first.found ? v->next : v->first;
  return true;
}

/* Finds the vector that makes the lane bad, below sums of vectors and values that threads
 * stored. */
static bool find_lane_source(ag_chain *c, int32_t *vector) {
  for (int depth = 0; depth < OPERANDS_DEEP; depth++) {
    const ag_graph_node *x = node_of(c, *vector);
    int32_t next = ag_threads_find_stored(c->m->g, *vector);
    for (int i = 0; x->kind == NODE_OP && !is_branch(x) && i < x->n && next < 0; i++) {
      ag_number value;
      if (!ag_interpret(c->m, x->args[i], &value)) return false;
      if (ag_graph_type_is_float(value.type) && c->is_bad(value)) next = x->args[i];
    }
    if (next < 0) return true;
    *vector = next;
  }
  return true;
}

/* Finds the iteration of the loop in which a lane goes bad; -1 if it does not. */
static bool find_lane_step(ag_chain *c, int32_t vector, int64_t lane, int64_t *step) {
  ag_number value;
  ag_first first = {0};
  ag_interpreter_bind_lane(c->m, lane);
  *step = -1;
  if (!ag_interpret(c->m, vector, &value)) return false;
  if (!c->is_bad(value)) return true;
  if (!find_lane_source(c, &vector)) return false;
  if (node_of(c, vector)->kind == NODE_AFTER &&
      !ag_interpret_until(c->m, vector, c->is_bad, false, &first))
    return false;
  *step = first.found && first.step > 0 ? first.step : 0;
  return true;
}

/* Goes to the lane that goes bad first. */
static bool enter_lanes(ag_chain *c, int32_t vector, int32_t *next) {
  int64_t width = ag_lanes_of_node(c->m->g, vector), lane = -1, least = INT64_MAX, step;
  for (int64_t i = 0; i < width; i++) {
    if (!find_lane_step(c, vector, i, &step)) return false;
    if (step < 0 || step >= least) continue;
    least = step;
    lane = i;
  }
  ag_interpreter_bind_lane(c->m, lane);
  *next = lane < 0 ? -1 : vector;
  return true;
}

/* Goes to the element of the block that makes the result bad. Elements are taken in the order of
 * their numbers; the kernel's order is another. */
static bool enter_reduction(ag_chain *c, const ag_graph_node *node, const ag_reduction *reduction,
                            int32_t *next) {
  ag_reduced reduced;
  ag_number value;
  *next = -1;
  if (!ag_interpret_reduction(c->m, reduction, c->is_bad, true, &reduced)) return false;
  if (!reduced.found) return ag_interpreter_give_up(c->m, "'%s' does not go bad", reduction->name);
  int32_t tile = reduction->tiles[reduction->ntiles - 1];
  c->before = reduced.first ? (ag_number){.type = GRAPH_ANY} : reduced.before;
  c->place_name = ag_expression_name_loop(c, tile);
  c->place = reduced.place;
  const ag_graph_loop *l = &c->m->g->loops[tile];
  bool alone = l->high >= 0 && node_of(c, l->high)->kind == NODE_INTEGER &&
               node_of(c, l->high)->value == 1; /* a loop over blocks names the place */
  if (!alone) {
    ag_text_add(&c->head, "; '");
    if (node->name)
      ag_expression_add_name(&c->head, c, (int32_t)(node - c->m->g->nodes));
    else
      ag_text_add(&c->head, reduction->name);
    ag_text_addf(&c->head, "' goes bad at %s = %lld", c->place_name, (long long)c->place);
  }
  for (int i = 0; i < reduction->n && *next < 0; i++) {
    if (!ag_interpret(c->m, reduction->args[i], &value)) return false;
    if (ag_graph_type_is_float(value.type) && c->is_bad(value)) *next = reduction->args[i];
  }
  return true;
}

static bool enter_operator(ag_chain *c, const ag_graph_node *node, int32_t *next) {
  if (ag_expression_find_reduction(c, node))
    return enter_reduction(c, node, ag_expression_find_reduction(c, node), next);
  int32_t vector = ag_lanes_find_vector(c->m->g, node);
  if (vector >= 0) return enter_lanes(c, vector, next);
  node = ag_expression_skip_item(c, node);
  int taken = find_taken(c, node);
  ag_number value;
  *next = -1;
  bool known = true; /* what the kernel overwrote may have been good */
  for (int i = 0; i < node->n && *next < 0; i++) {
    if (taken >= 0 && i != taken) continue;
    bool done = ag_interpret(c->m, node->args[i], &value);
    known = known && done;
    if (!done && !c->m->depends.lost[node->args[i]]) return false;
    if (done && ag_graph_type_is_float(value.type) && c->is_bad(value)) *next = node->args[i];
  }
  if (*next >= 0) *c->m->why.text = '\0';
  return known || *next >= 0;
}

static bool enter_load(ag_chain *c, int32_t node, int32_t *next) {
  const ag_graph_access *x = &c->m->g->accesses[node_of(c, node)->index];
  ag_place place;
  *next = -1;
  if (!ag_memory_find_place(c->m, node, true, &place)) return false;
  const ag_graph_node *other = x->other >= 0 ? &c->m->g->nodes[x->other] : NULL;
  bool number = other && (other->kind == NODE_INTEGER || other->kind == NODE_FLOAT);
  if (place.is_other && other && !number) *next = x->other;
  if (place.store) *next = place.store->value;
  return true;
}

static bool enter(ag_chain *c, int32_t node, int32_t *next) {
  const ag_graph_node *x = node_of(c, node);
  *next = -1;
  switch (x->kind) {
    case NODE_OP: return enter_operator(c, x, next);
    case NODE_AFTER:
    case NODE_CARRIED: return enter_loop(c, node, next);
    case NODE_LOAD: return enter_load(c, node, next);
    default: return true;
  }
}

/* True if the node has a line of its own. An operand without a name is part of the line above it,
 * except the last. A branch of C++ only selects between values of one variable. */
static bool is_line(const ag_chain *c, const ag_graph_node *node) {
  const char *chosen = is_branch(node) ? node_of(c, node->args[1])->name : NULL;
  return node->name && !(chosen && strcmp(chosen, node->name) == 0);
}

static bool walk_down(ag_chain *c, path *w, int32_t node) {
  for (;;) {
    int32_t next;
    ag_number value;
    if (!ag_interpret(c->m, node, &value)) return false;
    if (!c->is_bad(value)) return ag_interpreter_give_up(c->m, "it is not bad as computed again");
    if (!push(w, c, node) || !enter(c, node, &next)) return false;
    if (next < 0) return true;
    node = next;
  }
}

/* Takes the lines, deepest first. If there are many, the middle is omitted. */
static void take_lines(ag_chain *c, path *w) {
  int32_t origin = w->nodes[w->n - 1];
  int kept = 0, total = 0;
  c->origin = origin;
  add_operands(c, origin, 0);
  add_line(c, origin, "   <- here");
  for (int i = w->n - 1; i-- > 0;) total += is_line(c, node_of(c, w->nodes[i]));
  for (int i = w->n - 1; i-- > 0;) {
    if (!is_line(c, node_of(c, w->nodes[i]))) continue;
    kept++;
    bool shown = total <= 4 || kept <= 2 || kept > total - 2;
    if (!shown) c->left_out++;
    if (shown && c->n < AG_CHAIN_LINES) {
      if (c->left_out && kept == total - 1)
        ag_text_addf(&c->lines[c->n - 1], "\n                ... %d more", c->left_out);
      ag_text_add(&c->lines[c->n++], ag_text_string(&w->lines[i]));
    }
  }
}

bool ag_chain_follow(ag_chain *c, int32_t node) {
  path w = {.n = 0};
  bool done = walk_down(c, &w, node);
  if (done) take_lines(c, &w);
  for (int i = 0; i < w.n; i++) ag_text_free(&w.lines[i]);
  return done && c->n > 0;
}

/* ---- from a value that is not decided ------------------------------------------------------- */

/* True if a NaN among the operands makes the result one, whatever the others are. */
static bool keeps_nan(const ag_graph_node *x) {
  switch (ag_op_get(x->op)->effect) {
    case AG_EFFECT_MOVES:
    case AG_EFFECT_ADDS:
    case AG_EFFECT_SUBTRACTS:
    case AG_EFFECT_MULTIPLIES:
    case AG_EFFECT_DIVIDES:
    case AG_EFFECT_NEGATES:
    case AG_EFFECT_COMPUTES:
    case AG_EFFECT_ABSOLUTE:
    case AG_EFFECT_EXPONENTIAL:
    case AG_EFFECT_BOUNDED:
    case AG_EFFECT_MAXIMUM:
    case AG_EFFECT_MINIMUM:
    case AG_EFFECT_SELECTS: return true; /* of the operand that is selected */
    case AG_EFFECT_CONVERTS: return ag_graph_type_is_float((graph_type)x->type);
    default: return false;
  }
}

/* The nodes from one that is not decided down to an operand that is NaN; `way` has them from the
 * last one up. */
typedef struct nan_way {
  int32_t nodes[AG_CHAIN_MOST];
  int n, tries;
} nan_way;

static bool find_nan(ag_chain *c, nan_way *way, int32_t node, int depth) {
  enum { DEEP = 40, TRIES_MOST = 2000 };
  const ag_graph_node *x = node_of(c, node);
  ag_number value, test;
  if (ag_interpret_quietly(c->m, node, &value)) {
    if (!ag_graph_type_is_float(value.type) || !c->is_bad(value)) return false;
    way->nodes[way->n++] = node;
    return true;
  }
  if (x->kind != NODE_OP || !keeps_nan(x) || depth == DEEP || ++way->tries > TRIES_MOST)
    return false;
  int taken = -1;
  if (is_branch(x) && !ag_interpret_quietly(c->m, x->args[0], &test)) return false;
  if (is_branch(x)) taken = ag_number_is_true(test) ? 1 : 2;
  for (int i = 0; i < x->n; i++) {
    if ((taken >= 0 && i != taken) || !find_nan(c, way, x->args[i], depth + 1)) continue;
    way->nodes[way->n++] = node;
    return true;
  }
  return false;
}

bool ag_chain_follow_nan(ag_chain *c, int32_t node) {
  const ag_number nan = {.type = GRAPH_F64, .real = NAN};
  nan_way way = {.n = 0};
  path w = {.n = 0};
  bool done = find_nan(c, &way, node, 0);
  *c->m->why.text = '\0';
  for (int i = way.n; done && i-- > 1;) {
    ag_interpreter_assume(c->m, way.nodes[i], nan);
    done = push(&w, c, way.nodes[i]);
  }
  done = done && walk_down(c, &w, way.nodes[0]);
  if (done) take_lines(c, &w);
  for (int i = 0; i < w.n; i++) ag_text_free(&w.lines[i]);
  return done && c->n > 0;
}

void ag_chain_add_value(ag_text *t, ag_chain *c, int32_t node) { format_line(t, c, node, ""); }

bool ag_chain_add_store(ag_chain *c, int32_t node, ag_number stored) {
  c->origin = -1;
  add_operands(c, node, 0);
  if (!add_line(c, node, "") || c->n == AG_CHAIN_LINES) return false;
  ag_text *t = &c->lines[c->n++];
  ag_text_addf(t, "%s(", ag_graph_type_name(stored.type));
  ag_expression_add_operand(t, c, node, 0);
  ag_text_add(t, ") = ");
  ag_expression_add_number(t, stored);
  ag_text_add(t, "   <- here");
  return true;
}

/* Begins another line. */
static ag_text *begin_line(ag_chain *c, int32_t node) {
  c->shown[c->n] = node;
  ag_text_clear(&c->lines[c->n]);
  return &c->lines[c->n++];
}

bool ag_chain_add_sum(ag_chain *c, const ag_graph_access *x, const ag_added *added) {
  const bool own = x->kind == ACCESS_STORE; /* the sum is an operation of the kernel */
  ag_text element = {0};
  ag_expression_add_access(&element, c, x);
  c->origin = own ? x->value : -1;
  add_operands(c, added->term, 0);
  if (!ag_expression_is_constant(c, added->term) && !is_shown(c, added->term))
    add_line(c, added->term, "");
  if (c->n + 2 <= AG_CHAIN_LINES) {
    ag_text *t = begin_line(c, -1);
    ag_text_addf(t, "%s = ", ag_text_string(&element));
    ag_expression_add_number(t, added->before);
    ag_text_add(t, " so far");
    t = begin_line(c, c->origin);
    ag_text_addf(t, "%s + ", ag_text_string(&element));
    ag_expression_add_operand(t, c, added->term, 1);
    ag_text_add(t, " = ");
    ag_expression_add_number(t, added->after);
    ag_text_add(t, "   <- here");
  }
  ag_text_free(&element);
  return true;
}

void ag_chain_free(ag_chain *c) {
  ag_text_free(&c->head);
  for (int i = 0; i < AG_CHAIN_LINES; i++) ag_text_free(&c->lines[i]);
}
