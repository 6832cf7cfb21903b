/* grids.c - whether the programs of a launch cover each element of a kernel of Inductor's, and each
 * once: see checker.h.
 *
 * Such a kernel compares the number of its element with the number of elements, and stores only
 * below that. So the last program has to reach that far.
 */
#include "check/checker.h"
#include <string.h>

/* The number of an element, and the number of elements. */
typedef struct bound {
  int loop;
  const graph_node *most;
} bound;

/* The end of the programs along the loop's axis. */
static const poly *find_end(const checker *k, const range_launch *l, int loop) {
  range last = range_of_loop(range_begin(k->s, l, NULL), loop);
  return poly_add(k->s, last.high, poly_number(k->s, 1));
}

static const poly *find_most(const checker *k, const range_launch *l, const graph_node *node) {
  range b = range_of(range_begin(k->s, l, NULL), node);
  return b.low && poly_is_same(b.low, b.high) ? b.low : NULL;
}

static bool try_bound(checker *k, const void *data, violation *w) {
  const bound *b = data;
  range_launch l = checker_evaluate(k);
  *w = (violation){.text = ""};
  return checker_value(k, find_end(k, &l, b->loop), &w->index) &&
         checker_value(k, find_most(k, &l, b->most), &w->elements) && w->index > 0 &&
         w->index < w->elements;
}

/* False if the finding is refuted or not decided. */
static bool check_bound(checker *k, const graph_access *access, const bound *b) {
  const poly *end = find_end(k, &k->launch, b->loop), *most = find_most(k, &k->launch, b->most);
  checker_example e;
  if (end && most && poly_is_at_most(k->s, most, end)) return true;
  bool refuted = end && most && checker_find_example(k, try_bound, b, &e) && !e.unbounded;
  finding *f = checker_add(k, access, FINDING_GRID, refuted ? VERDICT_REFUTED : VERDICT_UNDECIDED);
  if (!refuted) {
    f->why = "it is not shown that the programs of the launch go over each element";
    return false;
  }
  f->why = arena_printf(k->a, "%sthe programs of the launch end before %s = %lld of %lld", e.text,
                        k->launch.g->loops.at[b->loop].name, (long long)e.w.index,
                        (long long)e.w.elements);
  return false;
}

static bool check_condition(checker *k, const graph_access *access, const graph_node *when) {
  if (when->op == AG_OP_AND)
    return check_condition(k, access, when->args[0]) && check_condition(k, access, when->args[1]);
  const graph_node *step = when->op == AG_OP_LESS ? when->args[0] : NULL;
  bool grid = step && step->kind == NODE_STEP &&
              k->launch.g->loops.at[step->index].kind == LOOP_GRID;
  const bound b = {grid ? step->index : -1, grid ? when->args[1] : NULL};
  return !grid || check_bound(k, access, &b);
}

/* ---- programs that are not told apart ------------------------------------------------------- */

static bool is_program(const graph_node *node, int axis) {
  return node->op == AG_OP_PROGRAM_ID &&
         (graph_program_axis(node) < 0 || graph_program_axis(node) == axis);
}

/* True if the kernel reads the number of its program along the axis. */
static bool is_asked(const graph *g, int axis) {
  bool found = false;
  for (size_t i = 0; i < g->nodes.n && !found; i++) found = is_program(g->nodes.at[i], axis);
  for (size_t i = 0; i < g->loops.n && !found; i++) {
    const graph_loop *l = &g->loops.at[i];
    found = l->kind == LOOP_GRID && (l->axis == axis || (l->axis == GRAPH_AXIS_YZ && axis > 0));
  }
  return found;
}

static bool try_programs(checker *k, const void *data, violation *w) {
  range_launch l = checker_evaluate(k);
  *w = (violation){.text = ""};
  return checker_value(k, l.grid[*(const int *)data], &w->index) && w->index > 1;
}

static void check_axis(checker *k, int axis) {
  const poly *programs = k->launch.grid[axis];
  checker_example e;
  if (!programs || poly_is_at_most(k->s, programs, poly_number(k->s, 1))) return;
  if (is_asked(k->launch.g, axis)) return;
  if (!checker_find_example(k, try_programs, &axis, &e) || e.counted) return;
  finding *f = checker_add(k, NULL, FINDING_GRID, VERDICT_REFUTED);
  f->why = arena_printf(k->a,
                        "%sthe launch has %lld programs along %c, and the kernel does not ask "
                        "which it is: each does the same elements",
                        e.text, (long long)e.w.index, "xyz"[axis]);
}

void grids_check(checker *k, const site *s) {
  const graph *g = k->launch.g;
  if (!s->triton || !strstr(s->triton->source, "triton_heuristics.")) return;
  for (int axis = 0; axis < 3 && !s->by_user; axis++) check_axis(k, axis);
  for (size_t i = 0; i < g->accesses.n; i++) {
    const graph_access *x = &g->accesses.at[i];
    bool own = x->kind != ACCESS_LOAD && x->when && !s->by_user;
    if (own && !check_condition(k, x, x->when)) return; /* only the first one is reported */
  }
}
