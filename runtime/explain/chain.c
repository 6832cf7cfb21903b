/* chain.c - see chain.h. */
#define _GNU_SOURCE
#include "explain/chain.h"

#include <math.h>
#include <string.h>

#include "explain/memory.h"

enum { INLINE_DEEP = 4, OPERANDS_DEEP = 4, OPERANDS_MOST = 10, TEXT_MOST = 120 };

/* ---- expressions ---------------------------------------------------------------------------- */

static void add_number(ag_text *t, ag_number x) {
  if (x.type == AG_TYPE_BOOL)
    ag_text_add(t, x.whole ? "true" : "false");
  else if (!ag_type_is_real(x.type))
    ag_text_add_int(t, x.whole);
  else if (isnan(x.real))
    ag_text_add(t, "nan");
  else
    ag_text_add_g(t, x.real);
}

static const ag_graph_node *node_of(const ag_chain *c, int32_t node) {
  return &c->m->g->nodes[node];
}

/* "arg0_1[2, 3]" */
static void add_element(ag_text *t, ag_chain *c, int32_t node) {
  const ag_graph_access *x = &c->m->g->accesses[node_of(c, node)->index];
  const ag_graph_memory *memory = &c->m->g->memories[x->memory];
  const ag_view *v = memory->param >= 0 ? c->m->operands[memory->param].view : NULL;
  int64_t index;
  const char *name = memory->param >= 0 ? c->name(c->data, memory->param) : NULL;
  ag_text_add(t, name ? name : memory->name);
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
static void add_operand(ag_text *t, ag_chain *c, int32_t node, int depth);

static bool is_cast(const ag_graph_node *x) {
  return x->is == AG_NODE_OP && x->n == 1 && strcmp(x->text, "cast") == 0;
}

/* A number in the kernel's text, and what only converts one. */
static bool is_constant(const ag_chain *c, int32_t node) {
  const ag_graph_node *x = node_of(c, node);
  while (is_cast(x)) x = node_of(c, x->args[0]);
  return x->is == AG_NODE_INTEGER || x->is == AG_NODE_FLOAT || x->is == AG_NODE_STEP ||
         x->is == AG_NODE_UNKNOWN || (x->is == AG_NODE_OP && !x->n);
}

static bool is_all_lanes(const ag_graph_node *x) {
  return x->is == AG_NODE_OP && x->n == 2 && strcmp(x->text, "vec_reduce_all") == 0;
}

/* "sum(tmp_acc0_vec, 16 lanes)" */
static void add_all_lanes(ag_text *t, ag_chain *c, const ag_graph_node *x, int depth) {
  const char *f = node_of(c, x->args[0])->text;
  const char *name = f && strncmp(f, "function:", 9) == 0 ? f + 9 : "?";
  name = strcmp(name, "+") == 0 ? "sum" : strcmp(name, "*") == 0 ? "product" : name;
  ag_text_addf(t, "%s(", name);
  add_operand(t, c, x->args[1], depth + 1);
  ag_text_addf(t, ", %lld lanes)", (long long)ag_interpreter_width(c->m, x->args[1]));
}

/* Where the node is part of another one. */
static void add_operand(ag_text *t, ag_chain *c, int32_t node, int depth) {
  const ag_graph_node *x = node_of(c, node);
  bool named = x->name && (x->is == AG_NODE_OP || x->is == AG_NODE_LOAD);
  while (is_constant(c, node) && is_cast(x)) {
    node = x->args[0];
    x = node_of(c, node);
    named = false;
  }
  if (named)
    ag_text_add(t, x->name);
  else
    add_expression(t, c, node, depth);
}

static void add_operator(ag_text *t, ag_chain *c, const ag_graph_node *x, int depth) {
  bool infix = x->n == 2 && strchr("+-*/%<>=!&|^", *x->text);
  if (depth > INLINE_DEEP || t->length > TEXT_MOST) {
    ag_text_add(t, "...");
  } else if (is_all_lanes(x)) {
    add_all_lanes(t, c, x, depth);
  } else if (infix) {
    ag_text_add(t, depth ? "(" : "");
    add_operand(t, c, x->args[0], depth + 1);
    ag_text_addf(t, " %s ", x->text);
    add_operand(t, c, x->args[1], depth + 1);
    ag_text_add(t, depth ? ")" : "");
  } else if (x->n == 1 && strcmp(x->text, "-") == 0) {
    ag_text_add(t, "-");
    add_operand(t, c, x->args[0], depth + 1);
  } else {
    const char *cast = is_cast(x) ? ag_type_name((ag_type)x->type) : x->text;
    ag_text_add(t, cast);
    if (x->n) ag_text_add(t, "(");
    for (int i = 0; i < x->n; i++) {
      add_operand(t, c, x->args[i], depth + 1);
      if (i + 1 < x->n) ag_text_add(t, ", ");
    }
    if (x->n) ag_text_add(t, ")");
  }
}

static void add_expression(ag_text *t, ag_chain *c, int32_t node, int depth) {
  const ag_graph_node *x = node_of(c, node);
  ag_number value;
  switch (x->is) {
    case AG_NODE_INTEGER: ag_text_add_int(t, x->value); break;
    case AG_NODE_FLOAT: ag_text_add_g(t, x->real); break;
    case AG_NODE_LOAD: add_element(t, c, node); break;
    case AG_NODE_CARRIED:
    case AG_NODE_AFTER: ag_text_add(t, c->m->g->carried[x->index].name); break;
    case AG_NODE_STEP: ag_text_add(t, c->m->g->loops[x->index].name); break;
    case AG_NODE_OP: add_operator(t, c, x, depth); break;
    default:
      if (ag_interpret(c->m, node, &value))
        add_number(t, value);
      else
        ag_text_add(t, "?");
  }
}

void ag_chain_add_expression(ag_text *t, ag_chain *c, int32_t node) {
  add_expression(t, c, node, 0);
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
  if (x->name) ag_text_addf(t, "%s = ", x->name);
  add_expression(t, c, node, 0);
  ag_text_add(t, " = ");
  add_number(t, value);
  ag_text_add(t, after);
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

static bool is_branch(const ag_graph_node *x) {
  return x->is == AG_NODE_OP && x->n == 3 && strcmp(x->text, "where") == 0;
}

/* The operands that count: of "where" the one that it took. -1: all. */
static int find_taken(ag_chain *c, const ag_graph_node *x) {
  ag_number test;
  if (!is_branch(x) || !ag_interpret(c->m, x->args[0], &test)) return -1;
  return ag_number_is_true(test) ? 1 : 2;
}

/* "tmp_acc0_vec = 4e+37 to 5e+37 in 16 lanes" */
static void add_lanes(ag_chain *c, int32_t vector) {
  const ag_graph_node *x = node_of(c, vector);
  int64_t width = ag_interpreter_width(c->m, vector), lane = c->m->lane;
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
  if (!done || x->is != AG_NODE_AFTER) return;
  ag_text *t = &c->lines[c->n];
  c->shown[c->n++] = vector;
  ag_text_addf(t, "%s = ", c->m->g->carried[x->index].name);
  add_number(t, least);
  ag_text_add(t, " to ");
  add_number(t, most);
  ag_text_addf(t, " in %lld lanes", (long long)width);
}

/* The lines of what a node was computed from, deepest first. */
static void add_operands(ag_chain *c, int32_t node, int depth) {
  const ag_graph_node *x = node_of(c, node);
  if (x->is != AG_NODE_OP || depth > OPERANDS_DEEP || c->n >= OPERANDS_MOST) return;
  if (is_all_lanes(x)) {
    add_lanes(c, x->args[1]);
    return;
  }
  int taken = find_taken(c, x);
  for (int i = 0; i < x->n; i++) {
    const ag_graph_node *y = node_of(c, x->args[i]);
    bool line = (y->name && y->is == AG_NODE_OP) || y->is == AG_NODE_LOAD ||
                y->is == AG_NODE_AFTER || y->is == AG_NODE_CARRIED;
    ag_number value;
    if ((taken >= 0 && i != taken) || is_constant(c, x->args[i]) || is_shown(c, x->args[i]))
      continue;
    if (!ag_interpret(c->m, x->args[i], &value)) { /* such as a lambda */
      *c->m->why = '\0';
      continue;
    }
    add_operands(c, x->args[i], depth + 1);
    if (line && c->n < OPERANDS_MOST) add_line(c, x->args[i], "");
  }
}

/* ---- the way down --------------------------------------------------------------------------- */

/* The way of the bad value, from what is stored. Lines are formatted at once: below a loop its
 * variables have other values. */
typedef struct way {
  ag_text lines[AG_CHAIN_MOST];
  int32_t nodes[AG_CHAIN_MOST];
  int n;
} way;

static bool push(way *w, ag_chain *c, int32_t node) {
  if (w->n == AG_CHAIN_MOST) return ag_interpreter_give_up(c->m, "it has more than 200 steps");
  w->lines[w->n] = (ag_text){0};
  w->nodes[w->n] = node;
  return format_line(&w->lines[w->n++], c, node, "");
}

static void note_loop(ag_chain *c, const ag_graph_carried *v) {
  const ag_graph_loop *l = &c->m->g->loops[v->loop];
  int64_t at = c->m->steps[v->loop] + (c->m->lane > 0 ? c->m->lane : 0);
  ag_text_addf(&c->head, "; '%s' goes bad at %s = %lld", v->name, l->name, (long long)at);
}

/* Into the iteration that made the variable bad; *next is -1 where the loop began with it. */
static bool enter_loop(ag_chain *c, int32_t node, int32_t *next) {
  const ag_graph_carried *v = &c->m->g->carried[node_of(c, node)->index];
  ag_number begun;
  ag_first first;
  if (!ag_interpret(c->m, v->first, &begun)) return false;
  *next = v->first;
  if (c->is_bad(begun)) return true;
  if (!ag_interpret_until(c->m, node, c->is_bad, true, &first)) return false;
  if (!first.found) return ag_interpreter_give_up(c->m, "'%s' does not go bad", v->name);
  note_loop(c, v);
  *next = v->next;
  return true;
}

/* When a lane goes bad: the iteration of its loop; -1 where it does not. */
static bool find_lane_step(ag_chain *c, int32_t vector, int64_t lane, int64_t *step) {
  ag_number value;
  ag_first first = {0};
  ag_interpreter_bind_lane(c->m, lane);
  *step = -1;
  if (!ag_interpret(c->m, vector, &value)) return false;
  if (!c->is_bad(value)) return true;
  if (node_of(c, vector)->is == AG_NODE_AFTER &&
      !ag_interpret_until(c->m, vector, c->is_bad, false, &first))
    return false;
  *step = first.found && first.step > 0 ? first.step : 0;
  return true;
}

/* Into the lane that goes bad first. */
static bool enter_lanes(ag_chain *c, const ag_graph_node *x, int32_t *next) {
  int64_t width = ag_interpreter_width(c->m, x->args[1]), lane = -1, least = INT64_MAX, step;
  for (int64_t i = 0; i < width; i++) {
    if (!find_lane_step(c, x->args[1], i, &step)) return false;
    if (step < 0 || step >= least) continue;
    least = step;
    lane = i;
  }
  ag_interpreter_bind_lane(c->m, lane);
  *next = lane < 0 ? -1 : x->args[1];
  return true;
}

static bool enter_operator(ag_chain *c, const ag_graph_node *x, int32_t *next) {
  int taken = find_taken(c, x);
  ag_number value;
  *next = -1;
  if (is_all_lanes(x)) return enter_lanes(c, x, next);
  for (int i = 0; i < x->n && *next < 0; i++) {
    if (taken >= 0 && i != taken) continue;
    if (!ag_interpret(c->m, x->args[i], &value)) return false;
    if (ag_type_is_real(value.type) && c->is_bad(value)) *next = x->args[i];
  }
  return true;
}

static bool enter_load(ag_chain *c, int32_t node, int32_t *next) {
  const ag_graph_access *x = &c->m->g->accesses[node_of(c, node)->index];
  ag_place place;
  *next = -1;
  if (!ag_memory_find_place(c->m, node, true, &place)) return false;
  if (place.is_other && x->other >= 0) *next = x->other;
  if (place.store) *next = place.store->value;
  return true;
}

static bool enter(ag_chain *c, int32_t node, int32_t *next) {
  const ag_graph_node *x = node_of(c, node);
  *next = -1;
  switch (x->is) {
    case AG_NODE_OP: return enter_operator(c, x, next);
    case AG_NODE_AFTER: return enter_loop(c, node, next);
    case AG_NODE_LOAD: return enter_load(c, node, next);
    default: return true;
  }
}

/* A line of its own: an operand without a name is part of the line above it, but for the last. A
 * branch of C++ chooses between values of one variable, and does nothing to them. */
static bool is_line(const ag_chain *c, const ag_graph_node *x) {
  const char *chosen = is_branch(x) ? node_of(c, x->args[1])->name : NULL;
  return x->name && !(chosen && strcmp(chosen, x->name) == 0);
}

static bool walk_down(ag_chain *c, way *w, int32_t node) {
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

/* From the deepest up. Of many the middle is left out. */
static void take_lines(ag_chain *c, way *w) {
  int32_t origin = w->nodes[w->n - 1];
  int kept = 0, total = 0;
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
  way w = {.n = 0};
  bool done = walk_down(c, &w, node);
  if (done) take_lines(c, &w);
  for (int i = 0; i < w.n; i++) ag_text_free(&w.lines[i]);
  return done && c->n > 0;
}

void ag_chain_free(ag_chain *c) {
  ag_text_free(&c->head);
  for (int i = 0; i < AG_CHAIN_LINES; i++) ag_text_free(&c->lines[i]);
}
