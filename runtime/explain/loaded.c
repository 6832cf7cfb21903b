/* loaded.c - see loaded.h. */
#define _GNU_SOURCE
#include "explain/loaded.h"

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

typedef struct search {
  ag_interpreter *m;
  const ag_graph_access *x;
  const ag_loaded *of;
  int64_t index, at[AG_LOADED_MOST];
  ag_number_test *is_bad;
  bool undecided;
} search;

static void bind(ag_interpreter *m, int32_t loop, int64_t at) {
  if (m->g->loops[loop].kind == LOOP_LANES)
    ag_interpreter_bind_lane(m, at);
  else
    ag_interpreter_bind(m, loop, at);
}

/* True if the access touches the element where the loops are, and what it stores passes. */
static bool is_touched(search *s) {
  ag_number value;
  ag_interpreter_unbind_all(s->m);
  for (int i = 0; i < s->of->nloops; i++) bind(s->m, s->of->loops[i], s->at[i]);
  enum ag_solved solved = ag_solve_within(s->m, s->x, s->index);
  if (solved == AG_SOLVED && ag_interpret_quietly(s->m, s->x->value, &value) && s->is_bad(value))
    return true;
  s->undecided = s->undecided || solved != AG_SOLVED_NOT;
  return false;
}

static bool give_up(search *s) {
  s->undecided = true;
  return false;
}

/* Goes through the iterations of loop number k and those below it, the last one first. */
static bool search_loops(search *s, int k) {
  ag_span all = {.step = 1};
  if (k == s->of->nloops) return is_touched(s);
  const int32_t loop = s->of->loops[k];
  if (!ag_solve_find_span(s->m, s->x, loop, &all)) return give_up(s);
  if (all.high <= all.low) return false;
  if ((all.high - all.low) / all.step > ITERATIONS_MOST) return give_up(s);
  for (int64_t i = all.low + (all.high - 1 - all.low) / all.step * all.step; i >= all.low;
       i -= all.step) {
    if (!ag_interpreter_may_go_on(s->m)) return give_up(s);
    s->at[k] = i;
    bind(s->m, loop, i);
    if (search_loops(s, k + 1)) return true;
  }
  return false;
}

enum ag_solved ag_loaded_solve(ag_interpreter *m, const ag_graph_access *x, int64_t index,
                               ag_number_test *is_bad) {
  ag_loaded of;
  if (!ag_loaded_list(m->g, x->index, &of)) return AG_SOLVED_UNDECIDED;
  search s = {.m = m, .x = x, .of = &of, .index = index, .is_bad = is_bad};
  ag_interpreter_unbind_all(m);
  if (search_loops(&s, 0)) return AG_SOLVED;
  return s.undecided ? AG_SOLVED_UNDECIDED : AG_SOLVED_NOT;
}
