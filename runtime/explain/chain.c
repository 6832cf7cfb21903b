/* chain.c - see chain.h. */
#define _GNU_SOURCE
#include "explain/chain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "explain/chain_lanes.h"
#include "explain/chain_lines.h"
#include "explain/expression.h"
#include "explain/lanes.h"
#include "explain/memory.h"
#include "explain/threads.h"

static const ag_graph_node *node_of(const ag_chain *c, int32_t node) {
  return &c->m->g->nodes[node];
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
  return ag_chain_format_line(&w->lines[w->n++], c, node, "");
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
  if (vector >= 0) return ag_chain_enter_lanes(c, vector, next);
  node = ag_expression_skip_item(c, node);
  int taken = ag_chain_find_taken(c, node);
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

/* Goes to the term with which a sum went bad that the kernel added up through loaded indices. */
static void enter_sum(ag_chain *c, const ag_graph_access *load, int64_t index, int32_t *next) {
  const ag_graph *g = c->m->g;
  const ag_reason why = c->m->why;
  ag_bindings s;
  ag_loaded loaded;
  ag_added added;
  int32_t i = g->naccesses;
  while (i-- > 0 && (g->accesses[i].kind == ACCESS_LOAD || g->accesses[i].order > load->order ||
                     g->accesses[i].memory != load->memory)) {
  }
  if (i < 0 || ag_loaded_find_term(g, &g->accesses[i]) < 0 ||
      !ag_loaded_list(g, g->accesses[i].index, &loaded) || !ag_bindings_save(c->m, &s))
    return;
  if (ag_loaded_add_up(c->m, &g->accesses[i], index, c->is_bad, &added) == AG_SOLVED) {
    ag_chain_note_indices(c, &g->accesses[i]);
    if (added.is_sum)
      c->sum = (ag_chain_sum){&g->accesses[i], added};
    else
      *next = added.term;
  } else {
    ag_bindings_restore(c->m, &s);
  }
  ag_bindings_drop(&s);
  c->m->why = why;
}

static bool enter_load(ag_chain *c, int32_t node, int32_t *next) {
  const ag_graph_access *x = &c->m->g->accesses[node_of(c, node)->index];
  ag_place place;
  *next = -1;
  if (!ag_memory_find_place(c->m, node, true, &place)) return false;
  const ag_graph_node *other = x->other >= 0 ? &c->m->g->nodes[x->other] : NULL;
  bool number = other && (other->kind == NODE_INTEGER || other->kind == NODE_FLOAT);
  if (place.is_other && other && !number) *next = x->other;
  if (place.store)
    *next = place.store->value;
  else if (!place.is_other)
    enter_sum(c, x, place.index, next);
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

static bool is_branch(const ag_graph_node *node) { return node->op == AG_OP_WHERE; }

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

/* Adds the lines up to the last node of the path, where the badness begins. Returns how many nodes
 * of the path are left. */
static int take_origin(ag_chain *c, const path *w, const char *mark) {
  const ag_chain_sum sum = c->sum;
  c->sum = (ag_chain_sum){0};
  if (sum.access) return ag_chain_add_sum(c, sum.access, &sum.added, mark) ? w->n : 0;
  const int32_t origin = w->nodes[w->n - 1];
  ag_chain_add_operands(c, origin, 0); /* which may have an origin of their own */
  c->origin = origin;
  if (!ag_chain_is_shown(c, origin)) ag_chain_add_line(c, origin, mark);
  return w->n - 1;
}

/* Takes the lines, deepest first. If there are many, the middle is omitted. */
static void take_lines(ag_chain *c, path *w, const char *mark) {
  int kept = 0, total = 0;
  const int left = take_origin(c, w, mark);
  for (int i = left; i-- > 0;) total += is_line(c, node_of(c, w->nodes[i]));
  for (int i = left; i-- > 0;) {
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

void ag_chain_add_stored(ag_chain *c, int32_t node) {
  const ag_reason why = c->m->why;
  ag_number_test *const is_bad = c->is_bad;
  ag_bindings s;
  ag_place place;
  path *w = c->n < AG_CHAIN_OPERANDS - 2 ? calloc(1, sizeof *w) : NULL;
  if (!w || !ag_bindings_save(c->m, &s)) {
    free(w);
    return;
  }
  c->is_bad = ag_chain_is_infinite;
  if (ag_memory_find_place(c->m, node, true, &place) && place.store &&
      walk_down(c, w, place.store->value))
    take_lines(c, w, "");
  c->is_bad = is_bad;
  ag_bindings_restore(c->m, &s);
  ag_bindings_drop(&s);
  for (int i = 0; i < w->n; i++) ag_text_free(&w->lines[i]);
  free(w);
  c->m->why = why;
}

/* ---- the Inf that a NaN is made of ---------------------------------------------------------- */

enum { INFINITY_UNKNOWN = -2, INFINITY_MADE = -1 };

/* True if the load has the number that it gives where it is masked. */
static bool is_masked(ag_chain *c, int32_t node) {
  ag_place place;
  return !ag_memory_find_place(c->m, node, true, &place) || place.is_other;
}

/* The node that loaded the Inf that this one is, INFINITY_MADE or INFINITY_UNKNOWN. */
static int32_t follow_infinity(ag_chain *c, int32_t node) {
  const ag_chain was = *c;
  int32_t found = INFINITY_UNKNOWN;
  ag_bindings s;
  path *w = calloc(1, sizeof *w);
  if (!w || !ag_bindings_save(c->m, &s)) {
    free(w);
    return found;
  }
  c->is_bad = ag_chain_is_infinite;
  c->head = (ag_text){0};
  if (walk_down(c, w, node) && !c->sum.access) {
    const int32_t last = w->nodes[w->n - 1];
    const enum node_kind kind = node_of(c, last)->kind;
    if (kind == NODE_LOAD)
      found = is_masked(c, last) ? INFINITY_UNKNOWN : last;
    else if (kind == NODE_OP || kind == NODE_FLOAT)
      found = INFINITY_MADE;
  }
  ag_text_free(&c->head);
  *c = was;
  ag_bindings_restore(c->m, &s);
  ag_bindings_drop(&s);
  for (int i = 0; i < w->n; i++) ag_text_free(&w->lines[i]);
  free(w);
  return found;
}

/* Finds where the Inf among the operands of the operation come from at which a NaN begins, or where
 * an Inf was loaded that is followed itself. */
static void find_infinity(ag_chain *c, int32_t origin) {
  const ag_graph_node *x = ag_expression_skip_item(c, node_of(c, origin));
  const ag_reduction *r = ag_expression_find_reduction(c, node_of(c, origin));
  const ag_number nan = {.type = GRAPH_F64, .real = NAN};
  const ag_reason why = c->m->why;
  int n = 0, made = 0;
  ag_number value;
  if (x->kind == NODE_LOAD && !c->is_bad(nan) && !is_masked(c, origin)) c->infinity = origin;
  if (x->kind != NODE_OP || !c->is_bad(nan) || c->sum.access ||
      ag_lanes_find_vector(c->m->g, node_of(c, origin)) >= 0)
    return;
  if (r && ag_chain_is_infinite(c->before)) n++;
  for (int i = 0; i < (r ? r->n : x->n) && c->infinity < 0; i++) {
    const int32_t operand = r ? r->args[i] : x->args[i];
    if (!ag_interpret_quietly(c->m, operand, &value) || !ag_chain_is_infinite(value)) continue;
    n++;
    const int32_t found = follow_infinity(c, operand);
    if (found >= 0) c->infinity = found;
    made += found == INFINITY_MADE;
  }
  c->makes_infinity = n && made == n;
  c->m->why = why;
}

bool ag_chain_follow(ag_chain *c, int32_t node) {
  path w = {.n = 0};
  bool done = walk_down(c, &w, node);
  if (done) find_infinity(c, w.nodes[w.n - 1]);
  if (done) take_lines(c, &w, AG_CHAIN_HERE);
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
  if (done) find_infinity(c, w.nodes[w.n - 1]);
  if (done) take_lines(c, &w, AG_CHAIN_HERE);
  for (int i = 0; i < w.n; i++) ag_text_free(&w.lines[i]);
  return done && c->n > 0;
}
