/* assert_search.c - see assert_search.h. */
#define _GNU_SOURCE
#include "explain/assert_search.h"

#include <stdlib.h>
#include <string.h>

#include "explain/lanes.h"
#include "explain/memory.h"
#include "explain/solve.h"
#include "tensor/layout.h"

enum { LOOPS_MOST = 16, KNOWN = 1 << 16, NESTING_MOST = 200 };

typedef struct search {
  ag_interpreter *m;
  const ag_graph_assert *a;
  int32_t holds, lanes; /* lanes: the node that gives the number of lanes, or -1 */
  int32_t mask;         /* the mask under which it must hold, or -1 */
  int32_t loops[LOOPS_MOST];
  int32_t inner[LOOPS_MOST]; /* the loops that the condition itself executes */
  int nloops, ninner, nloads;
  int32_t load;
  bool open;        /* it depends on loops, and not only through the elements it loads */
  int64_t *fine;    /* values for which it holds, indexed by their low bits */
  bool *fine_known; /* true where `fine` has a value */
  ag_failure *f;
} search;

/* ---- what the condition is made of ---------------------------------------------------------- */

typedef struct leaves {
  ag_interpreter *m;
  bool *seen;
  bool deep, done;
  ag_visit_leaf *visit;
  void *data;
} leaves;

static void visit_node(leaves *l, int32_t node, int depth);

/* Marks a loop that the condition executes: it has no iteration outside. */
static void visit_after(leaves *l, const ag_graph_node *node, int depth) {
  const ag_graph_carried *c = &l->m->g->carried[node->index];
  visit_node(l, c->first, depth);
  if (c->next >= 0) visit_node(l, c->next, depth);
}

static void visit_load(leaves *l, int32_t node, int depth) {
  const ag_graph_access *a = &l->m->g->accesses[l->m->g->nodes[node].index];
  l->visit(l->data, node);
  if (!l->deep) return;
  visit_node(l, a->index, depth);
  if (a->when >= 0) visit_node(l, a->when, depth);
  if (a->other >= 0) visit_node(l, a->other, depth);
}

static void visit_node(leaves *l, int32_t node, int depth) {
  const ag_graph_node *x = &l->m->g->nodes[node];
  if (depth > NESTING_MOST) l->done = false;
  if (!l->done || l->seen[node]) return;
  l->seen[node] = true;
  if (x->kind == NODE_LOAD) visit_load(l, node, depth + 1);
  if (x->kind == NODE_STEP || x->kind == NODE_AFTER) l->visit(l->data, node);
  if (x->kind == NODE_AFTER) visit_after(l, x, depth + 1);
  for (int32_t i = 0; i < x->n; i++) visit_node(l, x->args[i], depth + 1);
}

bool ag_assert_each_leaf(ag_interpreter *m, int32_t node, bool deep, ag_visit_leaf *visit,
                         void *data) {
  leaves l = {.m = m, .deep = deep, .done = true, .visit = visit, .data = data};
  l.seen = calloc((size_t)m->g->nnodes + 1, 1);
  if (!l.seen) return ag_interpreter_give_up(m, "no memory is left");
  visit_node(&l, node, 0);
  free(l.seen);
  return l.done || ag_interpreter_give_up(m, "its expression is too deep");
}

static const ag_graph_node *node_of(const search *s, int32_t node) { return &s->m->g->nodes[node]; }

static bool is_call(const ag_graph_node *node, ag_op op) {
  return node->kind == NODE_OP && node->op == op;
}

/* "all_masked(set(1, x, n))" means that x holds in the first n lanes. */
static void strip_lanes(search *s) {
  s->holds = s->a->holds;
  s->lanes = -1;
  if (is_call(node_of(s, s->holds), AG_OP_ALL_MASKED)) s->holds = node_of(s, s->holds)->args[0];
  const ag_graph_node *x = node_of(s, s->holds);
  if (!is_call(x, AG_OP_SET)) return;
  s->lanes = x->args[2];
  s->holds = x->args[1];
}

/* Triton asserts "x | !mask": x holds where the mask does. */
static void strip_mask(search *s) {
  const ag_graph_node *x = node_of(s, s->holds);
  s->mask = -1;
  for (int i = 0; i < 2 && is_call(x, AG_OP_OR); i++) {
    const ag_graph_node *other = node_of(s, x->args[i]);
    if (!is_call(other, AG_OP_NOT)) continue;
    s->mask = other->args[0];
    s->holds = x->args[!i];
    return;
  }
}

/* ---- the iterations ------------------------------------------------------------------------- */

static bool has_loop(const search *s, int32_t loop) {
  bool lanes = s->m->g->loops[loop].kind == LOOP_LANES;
  for (int i = 0; i < s->nloops; i++)
    if (s->loops[i] == loop || (lanes && s->m->g->loops[s->loops[i]].kind == LOOP_LANES))
      return true;
  return false;
}

static void note_loop(void *data, int32_t node) {
  search *s = data;
  const ag_graph_node *x = node_of(s, node);
  if (x->kind == NODE_AFTER && s->ninner < LOOPS_MOST)
    s->inner[s->ninner++] = s->m->g->carried[x->index].loop;
  if (x->kind != NODE_STEP || has_loop(s, x->index)) return;
  if (s->nloops == LOOPS_MOST)
    ag_interpreter_give_up(s->m, "more than %d loops", LOOPS_MOST);
  else
    s->loops[s->nloops++] = x->index;
}

static int compare_loops(const void *a, const void *b) {
  return *(const int32_t *)a - *(const int32_t *)b;
}

static bool is_inner(const search *s, int32_t loop) {
  for (int i = 0; i < s->ninner; i++)
    if (s->inner[i] == loop) return true;
  return false;
}

/* Lists the loops that the condition depends on, outer ones first: these have lower numbers. */
static bool list_loops(search *s) {
  int n = 0;
  bool done = ag_assert_each_leaf(s->m, s->holds, true, note_loop, s) &&
              (s->a->when < 0 || ag_assert_each_leaf(s->m, s->a->when, true, note_loop, s)) &&
              (s->mask < 0 || ag_assert_each_leaf(s->m, s->mask, true, note_loop, s));
  for (int i = 0; i < s->nloops; i++)
    if (!is_inner(s, s->loops[i])) s->loops[n++] = s->loops[i];
  s->nloops = n;
  qsort(s->loops, (size_t)n, sizeof *s->loops, compare_loops);
  return done && !*s->m->why.text;
}

static bool find_lanes(search *s, int32_t loop, int64_t *low, int64_t *high) {
  *low = 0;
  if (s->lanes >= 0) return ag_interpret_whole(s->m, s->lanes, high);
  *high = ag_lanes_of_loop(s->m->g, loop);
  return *high > 0 || ag_interpreter_give_up(s->m, "a vector without a width");
}

static bool find_span(search *s, int32_t loop, ag_span *to) {
  to->step = 1;
  return s->m->g->loops[loop].kind == LOOP_LANES ? find_lanes(s, loop, &to->low, &to->high)
                                                 : ag_interpreter_find_span(s->m, loop, to);
}

/* Sets `fails` if the assert fails in this iteration. False if that is not decided. */
static bool test_here(search *s, bool *fails) {
  ag_number when = {.type = GRAPH_BOOL, .whole = 1}, holds;
  int64_t lanes = INT64_MAX;
  *fails = false;
  if (s->a->when >= 0 && !ag_interpret(s->m, s->a->when, &when)) return false;
  if (s->mask >= 0 && ag_number_is_true(when) && !ag_interpret(s->m, s->mask, &when)) return false;
  if (!ag_number_is_true(when)) return true;
  if (s->lanes >= 0 && s->m->loops.lane >= 0 && !ag_interpret_whole(s->m, s->lanes, &lanes))
    return false;
  if (s->m->loops.lane >= lanes) return true;
  if (!ag_interpret(s->m, s->holds, &holds)) return false;
  *fails = !ag_number_is_true(holds);
  return true;
}

static bool is_bound(const search *s, int32_t loop) {
  return s->m->g->loops[loop].kind == LOOP_LANES ? s->m->loops.lane >= 0 : s->m->loops.bound[loop];
}

/* Tries all iterations of the unbound loops from number i on. */
static bool try_iterations(search *s, int i, bool *fails) {
  ag_span all;
  while (i < s->nloops && is_bound(s, s->loops[i])) i++;
  if (i == s->nloops) return test_here(s, fails);
  int32_t loop = s->loops[i];
  bool lanes = s->m->g->loops[loop].kind == LOOP_LANES;
  if (!find_span(s, loop, &all)) return false;
  for (int64_t v = all.low; v < all.high; v += all.step) {
    if (lanes)
      ag_interpreter_bind_lane(s->m, v);
    else
      ag_interpreter_bind(s->m, loop, v);
    if (!try_iterations(s, i + 1, fails)) return false;
    if (*fails) return true;
    if (v > INT64_MAX - all.step) break;
  }
  if (lanes)
    ag_interpreter_bind_lane(s->m, -1);
  else
    ag_interpreter_unbind(s->m, loop);
  return true;
}

static void unbind(search *s) {
  ag_interpreter_unbind_all(s->m);
  ag_interpreter_bind_lane(s->m, -1);
}

/* ---- the elements --------------------------------------------------------------------------- */

static void note_leaf(void *data, int32_t node) {
  search *s = data;
  if (node_of(s, node)->kind != NODE_LOAD) {
    s->open = true;
    return;
  }
  s->nloads++;
  s->load = node;
}

/* Sets `fails` if the condition fails for this value of the load. False if that is not decided. */
static bool test_value(search *s, ag_number value, bool *fails) {
  size_t slot = (size_t)value.whole % KNOWN;
  ag_number holds;
  *fails = false;
  if (s->fine_known[slot] && s->fine[slot] == value.whole) return true;
  ag_interpreter_assume(s->m, s->load, value);
  if (!ag_interpret(s->m, s->holds, &holds)) return false;
  *fails = !ag_number_is_true(holds);
  s->fine_known[slot] = s->fine_known[slot] || !*fails;
  if (!*fails) s->fine[slot] = value.whole;
  return true;
}

/* Finds the iteration that reads the element, and whether the assert fails there. */
static enum ag_searched find_iteration(search *s, const ag_view *view, int64_t flat) {
  ag_graph_access a = s->m->g->accesses[node_of(s, s->load)->index];
  int64_t place = ag_layout_offset(view->t.ndim, view->t.sizes, view->t.strides, flat);
  bool fails = false;
  unbind(s);
  a.when = -1; /* it may depend on loops that the index leaves open */
  enum ag_solved solved = ag_solve(s->m, &a, place);
  if (solved == AG_SOLVED_NOT) return AG_FAILS_NOWHERE;
  if (solved != AG_SOLVED && !ag_solve_any(s->m, &a, place)) return AG_FAILS_AT;
  *s->m->why.text = '\0';
  if (!try_iterations(s, 0, &fails)) return AG_FAILS_AT;
  return fails ? AG_FAILS : AG_FAILS_NOWHERE;
}

static enum ag_searched look_through(search *s, const ag_view *view) {
  enum ag_searched open = AG_FAILS_NOWHERE;
  for (int64_t flat = 0; flat < view->t.numel; flat++) {
    int64_t place = view->contiguous
                        ? flat
                        : ag_layout_offset(view->t.ndim, view->t.sizes, view->t.strides, flat);
    ag_number value;
    bool fails;
    if (!ag_interpreter_may_go_on(s->m) ||
        !ag_memory_decode(view->t.dtype,
                          (const char *)view->t.data + place * view->t.dtype->item_size, &value) ||
        !test_value(s, value, &fails))
      break;
    if (!fails) continue;
    enum ag_searched found = find_iteration(s, view, flat);
    if (found == AG_FAILS) return found;
    if (found == AG_FAILS_AT && open == AG_FAILS_NOWHERE) {
      open = found;
      s->f->load = s->load;
      s->f->flat = flat;
      s->f->value = value.whole;
    }
    *s->m->why.text = '\0';
  }
  return open;
}

/* The tensor of integers whose elements alone decide the condition. NULL if there is none, or if
 * the kernel itself may have overwritten them. */
static const ag_view *find_tensor(search *s) {
  if (!ag_assert_each_leaf(s->m, s->holds, false, note_leaf, s) || s->open || s->nloads != 1)
    return NULL;
  const ag_graph *g = s->m->g;
  const ag_graph_access *load = &g->accesses[node_of(s, s->load)->index];
  const ag_graph_memory *x = &g->memories[load->memory];
  if (ag_memory_has_later(s->m, load)) return NULL;
  const ag_operand *from = x->param >= 0 ? &s->m->operands[x->param] : NULL;
  const ag_view *v = from && !from->is_gone ? from->view : NULL;
  ag_number value;
  bool fits = v && v->t.numel > 0 && ag_memory_decode(v->t.dtype, v->t.data, &value);
  return fits && value.type == x->type && !ag_graph_type_is_float(value.type) ? v : NULL;
}

static enum ag_searched look_through_tensor(search *s) {
  const ag_view *v = find_tensor(s);
  enum ag_searched found = AG_FAILS_NOWHERE;
  if (!v) return found;
  s->fine = calloc(KNOWN, sizeof *s->fine);
  s->fine_known = calloc(KNOWN, sizeof *s->fine_known);
  if (s->fine && s->fine_known) found = look_through(s, v);
  free(s->fine);
  free(s->fine_known);
  return found;
}

enum ag_searched ag_assert_search(ag_interpreter *m, const ag_graph_assert *a, ag_failure *f) {
  search s = {.m = m, .a = a, .f = f, .load = -1};
  bool fails = false;
  strip_lanes(&s);
  strip_mask(&s);
  *f = (ag_failure){.holds = s.holds, .load = -1, .flat = -1};
  if (!list_loops(&s)) return AG_FAILS_NOWHERE;
  enum ag_searched found = look_through_tensor(&s);
  if (found == AG_FAILS || *m->why.text) return found;
  unbind(&s);
  bool done = try_iterations(&s, 0, &fails);
  if (done && fails) return AG_FAILS;
  return done ? AG_FAILS_NOWHERE : found;
}
