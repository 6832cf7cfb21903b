/* loaded.c - see loaded.h. */
#define _GNU_SOURCE
#include "explain/loaded.h"

#include "explain/memory.h"

enum {
  NODES_MOST = 1000,         /* of an index */
  ITERATIONS_MOST = 10000000 /* of one loop, as far as time allows */
};

enum part { OUTSIDE, INDEX, CONDITION };

/* True if the loops have one variable: the lane is that of all loops over lanes. */
static bool is_same(const ag_graph *g, int32_t a, int32_t b) {
  return a == b || (g->loops[a].kind == LOOP_LANES && g->loops[b].kind == LOOP_LANES);
}

static bool list_loop(const ag_graph *g, int32_t loop, enum part part, ag_loaded *l) {
  int i = 0;
  while (i < l->nloops && !is_same(g, l->loops[i], loop)) i++;
  if (i == AG_LOADED_MOST) return false;
  if (i == l->nloops) l->decides[i] = false;
  l->nloops += i == l->nloops;
  l->loops[i] = loop;
  l->decides[i] = l->decides[i] || part == INDEX;
  return true;
}

static bool list_load(ag_loaded *l, int32_t node) {
  for (int i = 0; i < l->nloads; i++)
    if (l->loads[i] == node) return true;
  if (l->nloads == AG_LOADED_MOST) return false;
  l->loads[l->nloads++] = node;
  return true;
}

/* Adds the loads that the node is computed from, and the loops that these depend on. False if it
 * depends on more. */
static bool list_loaded(const ag_graph *g, int32_t node, enum part part, ag_loaded *l, int *left) {
  const ag_graph_node *x = &g->nodes[node];
  if (--*left < 0 || x->kind == NODE_CARRIED || x->kind == NODE_AFTER) return false;
  if (x->kind == NODE_STEP && part != OUTSIDE) return list_loop(g, x->index, part, l);
  if (x->kind == NODE_LOAD) {
    const ag_graph_access *a = &g->accesses[x->index];
    return (part != OUTSIDE || list_load(l, node)) &&
           list_loaded(g, a->index, part == CONDITION ? CONDITION : INDEX, l, left) &&
           (a->when < 0 || list_loaded(g, a->when, CONDITION, l, left));
  }
  for (int32_t i = 0; i < x->n; i++)
    if (!list_loaded(g, x->args[i], part, l, left)) return false;
  return true;
}

bool ag_loaded_list(const ag_graph *g, int32_t index, ag_loaded *l) {
  int left = NODES_MOST;
  *l = (ag_loaded){.nloops = 0};
  return list_loaded(g, index, OUTSIDE, l, &left) && l->nloads && l->nloops;
}

/* ---- the search ----------------------------------------------------------------------------- */

struct search;
/* Looks at an iteration in which the access touches the element. True ends the search. */
typedef bool visit_touch(struct search *s);

typedef struct search {
  ag_interpreter *m;
  const ag_graph_access *x;
  const ag_loaded *of;
  int64_t index, at[AG_LOADED_MOST];
  bool forward; /* the first iteration first */
  visit_touch *visit;
  ag_number_test *is_bad;
  int32_t value; /* the node that is stored, or added */
  ag_number sum; /* of those up to the iteration, of the memory's type */
  ag_added *added;
  bool undecided;
} search;

static bool give_up(search *s) {
  s->undecided = true;
  return false;
}

static void bind(ag_interpreter *m, int32_t loop, int64_t at) {
  if (m->g->loops[loop].kind == LOOP_LANES)
    ag_interpreter_bind_lane(m, at);
  else
    ag_interpreter_bind(m, loop, at);
}

/* True if the access touches the element where the loops are, and that ends the search. */
static bool is_touched(search *s) {
  ag_interpreter_unbind_all(s->m);
  for (int i = 0; i < s->of->nloops; i++) bind(s->m, s->of->loops[i], s->at[i]);
  enum ag_solved solved = ag_solve_within(s->m, s->x, s->index);
  if (solved == AG_SOLVED) return s->visit(s);
  return solved == AG_SOLVED_UNDECIDED && give_up(s);
}

/* Goes through the iterations of loop number k and those below it. */
static bool search_loops(search *s, int k) {
  ag_span all = {.step = 1};
  if (k == s->of->nloops) return is_touched(s);
  const int32_t loop = s->of->loops[k];
  if (!ag_solve_find_span(s->m, s->x, loop, &all)) return give_up(s);
  if (all.high <= all.low) return false;
  const int64_t last = (all.high - 1 - all.low) / all.step;
  if (last >= ITERATIONS_MOST) return give_up(s);
  for (int64_t i = 0; i <= last; i++) {
    if (!ag_interpreter_may_go_on(s->m)) return give_up(s);
    s->at[k] = all.low + (s->forward ? i : last - i) * all.step;
    bind(s->m, loop, s->at[k]);
    if (search_loops(s, k + 1)) return true;
    if (s->forward && s->undecided) return false;
  }
  return false;
}

/* ---- a value -------------------------------------------------------------------------------- */

static bool is_bad_value(search *s) {
  ag_number value;
  return (ag_interpret_quietly(s->m, s->value, &value) && s->is_bad(value)) || give_up(s);
}

static enum ag_solved find_value(ag_interpreter *m, const ag_graph_access *x, int32_t value,
                                 int64_t index, ag_number_test *is_bad) {
  ag_loaded of;
  if (!ag_loaded_list(m->g, x->index, &of)) return AG_SOLVED_UNDECIDED;
  search s = {.m = m,
              .x = x,
              .of = &of,
              .index = index,
              .visit = is_bad_value,
              .is_bad = is_bad,
              .value = value};
  ag_interpreter_unbind_all(m);
  if (search_loops(&s, 0)) return AG_SOLVED;
  return s.undecided ? AG_SOLVED_UNDECIDED : AG_SOLVED_NOT;
}

enum ag_solved ag_loaded_solve(ag_interpreter *m, const ag_graph_access *x, int64_t index,
                               ag_number_test *is_bad) {
  return find_value(m, x, x->value, index, is_bad);
}

/* ---- a sum ---------------------------------------------------------------------------------- */

/* True if the node loads the element that the access stores to. */
static bool loads_same(const ag_graph *g, const ag_graph_access *x, int32_t node) {
  const ag_graph_node *load = &g->nodes[node];
  const ag_graph_access *from = load->kind == NODE_LOAD ? &g->accesses[load->index] : NULL;
  return from && from->memory == x->memory && from->index == x->index && from->when == x->when;
}

int32_t ag_loaded_find_term(const ag_graph *g, const ag_graph_access *x) {
  if (x->kind == ACCESS_ATOMIC) return x->value;
  const ag_graph_node *value = x->value >= 0 ? &g->nodes[x->value] : NULL;
  if (x->kind != ACCESS_STORE || !value || value->kind != NODE_OP || value->op != AG_OP_ADD)
    return -1;
  for (int i = 0; i < 2; i++)
    if (loads_same(g, x, value->args[i])) return value->args[1 - i];
  return -1;
}

static bool add_term(search *s) {
  const graph_type type = (graph_type)s->m->g->memories[s->x->memory].type;
  ag_number both[2] = {s->sum}, sum;
  if (!ag_interpret_quietly(s->m, s->value, &both[1])) return give_up(s);
  both[1] = ag_number_cast(both[1], type);
  if (!ag_operator_apply(AG_OP_ADD, GRAPH_ANY, both, 2, &sum)) return give_up(s);
  sum = ag_number_cast(sum, type);
  *s->added =
      (ag_added){.term = s->value, .is_sum = !s->is_bad(both[1]), .before = s->sum, .after = sum};
  s->sum = sum;
  return s->is_bad(sum);
}

/* Outer loops have lower numbers. */
static void sort_loops(ag_loaded *of) {
  for (int i = 1; i < of->nloops; i++)
    for (int k = i; k > 0 && of->loops[k] < of->loops[k - 1]; k--) {
      const int32_t loop = of->loops[k];
      of->loops[k] = of->loops[k - 1];
      of->loops[k - 1] = loop;
    }
}

enum ag_solved ag_loaded_add_up(ag_interpreter *m, const ag_graph_access *x, int64_t index,
                                ag_number_test *is_bad, ag_added *a) {
  ag_loaded of;
  *a = (ag_added){.term = ag_loaded_find_term(m->g, x)};
  if (a->term < 0 || !ag_loaded_list(m->g, x->index, &of)) return AG_SOLVED_UNDECIDED;
  search s = {.m = m,
              .x = x,
              .of = &of,
              .index = index,
              .forward = true,
              .visit = add_term,
              .is_bad = is_bad,
              .value = a->term,
              .added = a};
  ag_interpreter_unbind_all(m);
  if (!ag_memory_find_before(m, x, index, &s.sum)) return find_value(m, x, a->term, index, is_bad);
  sort_loops(&of);
  const bool found = search_loops(&s, 0);
  if (found && a->is_sum && x->kind == ACCESS_ATOMIC) m->reordered = true;
  return found ? AG_SOLVED : s.undecided ? AG_SOLVED_UNDECIDED : AG_SOLVED_NOT;
}
