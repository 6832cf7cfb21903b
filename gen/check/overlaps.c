/* overlaps.c - two iterations of a launch that need the same element: one stores to it and the
 * other one reads it, or both store: see checker.h.
 *
 * The programs of a launch, and the iterations of a parallel loop, execute in any order. Inductor's
 * in-place kernels read and write each element in one iteration.
 */
#include "check/checker.h"
#include <string.h>

enum { POINTS_MAX = 1 << 13, POINTS_MAX_FIXED = 1 << 18 };

typedef struct attempt {
  const pair *p;
  int64_t most;
  const char *x_text, *y_text; /* the points of the last overlap that was found */
} attempt;

/* ---- loops that make two iterations of an access -------------------------------------------- */

static void add_loop(pair *p, int loop) {
  for (int i = 0; i < p->n; i++)
    if (p->loops[i] == loop) return;
  if (p->n < PAIR_LOOPS_MAX) p->loops[p->n++] = loop;
}

typedef struct seeker {
  const graph *g;
  pair *p;
  int loop; /* the loop to look for, or -1 */
  bool found;
  bool grid_only;
} seeker;

static void note_step(void *data, graph_node *node) {
  seeker *k = data;
  int axis = graph_program_axis(node);
  if (axis >= 0 && k->p) k->p->programs[axis] = true;
  if (node->kind != NODE_STEP) return;
  if (node->index == k->loop) k->found = true;
  bool grid = k->g->loops.at[node->index].kind == LOOP_GRID;
  if (k->p && (grid || !k->grid_only)) add_loop(k->p, node->index);
}

static bool depends_on(const graph *g, graph_node *node, int loop) {
  seeker k = {.g = g, .loop = loop};
  if (node) graph_each(g, node, note_step, &k);
  return k.found;
}

static void add_steps(const graph *g, pair *p, graph_node *node, bool grid_only) {
  seeker k = {.g = g, .p = p, .loop = -1, .grid_only = grid_only};
  if (node) graph_each(g, node, note_step, &k);
}

static bool is_around(const graph *g, const graph_access *access, int loop) {
  for (int i = access->loop; i >= 0; i = g->loops.at[i].outer)
    if (i == loop) return true;
  return false;
}

/* True if one thread, or one program, executes the steps of the loop, one after the other. */
static bool is_in_order(const graph *g, int loop) {
  return g->loops.at[loop].kind == LOOP_FOR && !g->loops.at[loop].parallel;
}

/* Chooses the elements of the grid, and the steps of loops around both. A user's kernel may carry
 * values from one step to the next in memory. in_order: what both do may depend on the step before,
 * so that loops whose steps are executed in order do not count. */
static void choose_loops_of_two(const checker *k, pair *p, bool in_order) {
  const graph *g = k->launch.g;
  for (int i = 0; i < 3; i++) p->programs[i] = g->python;
  const graph_access *both[] = {p->x, p->y};
  for (int i = 0; i < 2; i++) {
    add_steps(g, p, both[i]->index, true);
    add_steps(g, p, both[i]->when, true);
  }
  size_t n = k->by_user ? 0 : g->loops.n;
  for (size_t i = 0; i < n; i++) /* outer ones have lower numbers */
    if (g->loops.at[i].kind != LOOP_LANES && !(in_order && is_in_order(g, (int)i)) &&
        is_around(g, p->x, (int)i) && is_around(g, p->y, (int)i))
      add_loop(p, (int)i);
}

/* Chooses the loops that the stored value depends on. in_order: as above. */
static void choose_loops_of_one(const checker *k, pair *p, bool in_order) {
  const graph *g = k->launch.g;
  pair all = {.n = 0};
  add_steps(g, &all, p->x->index, false);
  add_steps(g, &all, p->x->when, false);
  for (int i = p->x->loop; i >= 0; i = g->loops.at[i].outer)
    if (g->loops.at[i].kind != LOOP_LANES) add_loop(&all, i);
  memcpy(p->programs, all.programs, sizeof p->programs);
  for (int i = 0; i < all.n; i++) {
    int loop = all.loops[i];
    bool grid = g->loops.at[loop].kind == LOOP_GRID, tile = g->loops.at[loop].kind == LOOP_TILE;
    if (k->by_user && !grid && !tile) continue;
    if (in_order && is_in_order(g, loop)) continue;
    if (g->python && !grid && !depends_on(g, p->x->index, loop)) continue;
    if (depends_on(g, p->x->value, loop)) add_loop(p, loop);
  }
}

/* Adds a loop around the access, or the variable of its index that goes over blocks of the loop. */
static void add_around(const graph *g, pair *p, int loop) {
  int joined = -1;
  for (size_t i = 0; i < g->loops.n; i++) {
    const graph_loop *l = &g->loops.at[i];
    if (l->kind == LOOP_BLOCKS && l->over == loop && depends_on(g, p->x->index, (int)i))
      joined = (int)i;
  }
  if (g->loops.at[loop].kind != LOOP_LANES) add_loop(p, joined >= 0 ? joined : loop);
}

typedef struct program_axes {
  const graph *g;
  bool *programs;
} program_axes;

/* Notes the axes that a value depends on. A node that is not understood may depend on each. */
static void note_axes(void *data, graph_node *node) {
  const program_axes *d = data;
  const graph_loop *l = node->kind == NODE_STEP ? &d->g->loops.at[node->index] : NULL;
  int axis = l && l->kind == LOOP_GRID ? l->axis : graph_program_axis(node);
  for (int i = 0; i < 3; i++)
    if (axis == i || (axis == GRAPH_AXIS_YZ && i > 0) || node->kind == NODE_UNKNOWN)
      d->programs[i] = true;
}

/* Chooses the programs, and the steps of a user's loops, in which the stored value may differ.
 * Steps execute in order, so the last value remains: that refutes nothing. */
static void choose_loops_of_value(const checker *k, pair *p) {
  const graph *g = k->launch.g;
  program_axes axes = {.g = g, .programs = p->programs};
  choose_loops_of_one(k, p, false);
  graph_each(g, p->x->value, note_axes, &axes);
  for (int i = p->x->loop; i >= 0 && k->by_user; i = g->loops.at[i].outer) add_around(g, p, i);
}

/* ---- examples ------------------------------------------------------------------------------- */

static const char *name_iteration(checker *k, const char *text) {
  return *text ? arena_printf(k->a, "iteration %s", text) : "each program";
}

static bool try_overlap(checker *k, const void *data, violation *w) {
  attempt *t = (void *)(uintptr_t)data;
  overlap_points found;
  range_launch l = checker_evaluate(k);
  if (k->work > CHECKER_WORK_MAX || !overlap_points_find(&found, k, &l, t->p, t->most))
    return false;
  *w = (violation){.index = found.element, .text = found.x_text};
  t->x_text = name_iteration(k, found.x_text);
  t->y_text = name_iteration(k, found.y_text);
  return true;
}

/* "element 4 of the memory of buf1 is stored by iteration x = 0, and loaded by iteration x = 4" */
static const char *explain_example(checker *k, const pair *p, const attempt *t,
                                   const checker_example *e) {
  static const char *const verbs[] = {"loaded", "stored", "added to"};
  const char *through = k->launch.g->memories.at[p->y->memory].name;
  bool same = p->x->memory == p->y->memory;
  return arena_printf(k->a, "%selement %lld of the memory of %s is %s by %s, and %s by %s%s%s",
                      e->text, (long long)e->w.index, checker_memory_name(k, p->x),
                      verbs[p->x->kind], t->x_text, verbs[p->y->kind], t->y_text,
                      same ? "" : " through ", same ? "" : through);
}

/* ---- pairs ---------------------------------------------------------------------------------- */

typedef struct question {
  enum finding_kind kind;
  enum verdict verdict;
  pair p; /* the pair that is refuted or not decided */
  const char *why, *would;
} question;

static enum overlap find_overlap(checker *k, const pair *p) {
  short list[SYMBOLS_POSITIVE_MAX];
  enum overlap m = pair_overlap(k->s, &k->launch, p);
  int n = m == OVERLAP_MAYBE ? pair_list_positive(k->s, &k->launch, p, list, SYMBOLS_POSITIVE_MAX)
                             : 0;
  if (!n) return m;
  unsigned before = symbols_assume_positive(k->s, list, n);
  m = pair_overlap(k->s, &k->launch, p);
  symbols_release_positive(k->s, list, n, before);
  return m;
}

/* Names the load that an index depends on, and what would decide it. False if there is none. */
static bool explain_loaded(checker *k, question *q, const graph_access *access) {
  const graph *g = k->launch.g;
  const graph_node *found = checker_find_load(k, access->index);
  if (!found) return false;
  const graph_access *from = &g->accesses.at[found->index];
  q->why = arena_printf(k->a, "the index is loaded, as %s", graph_format(g, found, k->a));
  q->would = arena_printf(k->a, "that the values of %s differ from each other",
                          checker_memory_name(k, from));
  return true;
}

static void explain_undecided(checker *k, question *q) {
  const graph_access *both[] = {q->p.x, q->p.y};
  for (int i = 0; i < 2; i++) {
    const char *unknown = graph_find_unknown(k->launch.g, both[i]->index);
    if (unknown) q->why = arena_printf(k->a, "an index depends on %s", unknown);
    if (unknown || explain_loaded(k, q, both[i])) return;
  }
  q->why = q->p.x == q->p.y ? "it is not shown that no two iterations store to one element"
                            : "it is not shown that no iteration stores what another one needs";
}

static void look_for_overlap(checker *k, question *q, const pair *p) {
  if (find_overlap(k, p) != OVERLAP_MAYBE) return;
  attempt t = {.p = p, .most = k->s->list.n ? POINTS_MAX : POINTS_MAX_FIXED};
  checker_example e;
  bool found = checker_find_example(k, try_overlap, &t, &e);
  if (found && !e.counted) {
    q->verdict = VERDICT_REFUTED;
  } else if (q->verdict == VERDICT_UNDECIDED) {
    return;
  } else {
    q->verdict = VERDICT_UNDECIDED;
  }
  q->p = *p;
  if (!found) explain_undecided(k, q);
  if (found) q->why = explain_example(k, p, &t, &e);
  if (found && e.counted)
    q->would = arena_printf(k->a, "which values %s may have beside the other sizes", e.counted);
}

/* Decides one pair in an arena of its own: what is computed for it is of no use for the next. */
static void ask(checker *k, question *q, const pair *p) {
  if (q->verdict == VERDICT_REFUTED) return;
  arena *outer = symbols_begin(k->s);
  look_for_overlap(k, q, p);
  symbols_end(k->s, outer);
}

static void answer(checker *k, const question *q) {
  finding *f = checker_add(k, q->p.x, q->kind, q->verdict);
  f->why = q->why;
  f->would = q->would;
}

/* ---- launches ------------------------------------------------------------------------------- */

/* The accesses of one memory. */
typedef struct memory_uses {
  const graph_access **at;
  size_t n, cap;
  bool stores;
} memory_uses;

static void note_varying(void *data, graph_node *node) {
  static const enum node_kind fixed[] = {NODE_INTEGER, NODE_FLOAT, NODE_PARAM};
  bool cast = node->op == AG_OP_CAST;
  bool known = cast;
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) known = known || node->kind == fixed[i];
  if (!known) *(bool *)data = true;
}

/* True if both store the same value in each iteration. */
static bool is_same_value(const graph *g, const graph_access *x, const graph_access *y) {
  bool varies = false;
  if (x->value != y->value || !x->value) return false;
  graph_each(g, x->value, note_varying, &varies);
  return !varies;
}

/* The load of "p[i] += x", also written as a vector's "(x + load(p + i)).store(p + i)": the store
 * adds to what the element holds, which another iteration may have stored. NULL for another store.
 * A kernel that works in place loads into a variable. */
static const graph_access *find_added_to(const graph *g, const graph_access *x) {
  const graph_node *sum = x->kind == ACCESS_STORE ? x->value : NULL;
  while (sum && sum->op == AG_OP_CAST && sum->n == 1) sum = sum->args[0];
  if (!sum || sum->op != AG_OP_ADD) return NULL;
  for (int i = 0; i < sum->n; i++) {
    const graph_node *node = sum->args[i];
    while (node->op == AG_OP_CAST && node->n == 1) node = node->args[0];
    if (node->kind != NODE_LOAD || node->name) continue;
    const graph_access *from = &g->accesses.at[node->index];
    if (from->memory == x->memory && from->index == x->index) return from;
  }
  return NULL;
}

/* Returns, by access, whether it is the load or the store of an accumulation. */
static const bool *find_accumulations(const graph *g, arena *a) {
  bool *found = arena_alloc(a, g->accesses.n + 1);
  for (size_t i = 0; i < g->accesses.n; i++) {
    const graph_access *from = find_added_to(g, &g->accesses.at[i]);
    if (from) found[i] = found[from - g->accesses.at] = true;
  }
  return found;
}

/* The limits for a launch. */
enum { ASKED_MAX = 4096, COMPARED_MAX = 1 << 18, MEMORIES_MAX = 1 << 22 };

typedef struct budget {
  unsigned asked, compared, memories; /* pairs: of accesses, of accesses, of memories */
} budget;

static bool is_spent(const budget *b) {
  return b->asked >= ASKED_MAX || b->compared >= COMPARED_MAX || b->memories >= MEMORIES_MAX;
}

/* Asks whether x, a store, overlaps y, which reads or stores. */
static void ask_pair(checker *k, question *q, const graph_access *x, const graph_access *y,
                     budget *b) {
  b->compared++;
  if (x->kind == ACCESS_LOAD || (x->kind == ACCESS_ATOMIC && y->kind == ACCESS_ATOMIC)) return;
  if (y->kind != ACCESS_LOAD && (x->order >= y->order || is_same_value(k->launch.g, x, y))) return;
  pair p = {.x = x, .y = y, .x_offset = k->offsets[x->memory], .y_offset = k->offsets[y->memory]};
  const graph_access *first = k->launch.g->accesses.at;
  choose_loops_of_two(k, &p, k->accumulates[x - first] && k->accumulates[y - first]);
  if (!q->p.x) q->p = p;
  b->asked++;
  ask(k, q, &p);
}

static void check_memories(checker *k, const memory_uses *x, const memory_uses *y, budget *b) {
  question q = {.kind = FINDING_OVERLAP, .verdict = VERDICT_PROVED};
  for (size_t i = 0; i < x->n && !is_spent(b); i++)
    for (size_t j = 0; j < y->n && !is_spent(b); j++) {
      ask_pair(k, &q, x->at[i], y->at[j], b);
      if (x != y) ask_pair(k, &q, y->at[j], x->at[i], b);
    }
  if (q.p.x) answer(k, &q);
}

static void answer_spent(checker *k, const graph_access *access) {
  const question q = {.kind = FINDING_OVERLAP,
                      .verdict = VERDICT_UNDECIDED,
                      .p.x = access,
                      .why = "the kernel has more pairs of accesses than are compared: the "
                             "comparison ended here"};
  answer(k, &q);
}

/* True if the two share memory. Offsets count elements, so those of both must have the same
 * size. */
static bool is_shared(const checker *k, int a, int b) {
  const graph_memory *m = k->launch.g->memories.at;
  return k->roots[a] >= 0 && k->roots[a] == k->roots[b] && k->offsets[a] && k->offsets[b] &&
         (a == b || ag_graph_type_bytes(m[a].type) == ag_graph_type_bytes(m[b].type));
}

void overlaps_check(checker *k) {
  const graph *g = k->launch.g;
  memory_uses *all = arena_alloc(k->s->a, (g->memories.n + 1) * sizeof *all);
  budget spent = {0};
  k->accumulates = find_accumulations(g, k->s->a);
  for (size_t i = 0; i < g->accesses.n; i++) {
    const graph_access *x = &g->accesses.at[i];
    *arena_push(k->s->a, &all[x->memory]) = x;
    all[x->memory].stores |= x->kind != ACCESS_LOAD;
  }
  for (int a = 0; a < (int)g->memories.n && !is_spent(&spent); a++)
    for (int b = a; b < (int)g->memories.n && all[a].n && !is_spent(&spent); b++) {
      spent.memories++;
      if (all[b].n && (all[a].stores || all[b].stores) && is_shared(k, a, b))
        check_memories(k, &all[a], &all[b], &spent);
      if (is_spent(&spent)) answer_spent(k, all[a].at[0]);
    }
}

/* Asks whether iterations may store different values. Fewer iterations can be examples than a
 * proof has to exclude. */
static void ask_value(checker *k, question *q, const graph_access *access) {
  const poly *zero = poly_number(k->s, 0);
  pair p = {.x = access, .y = access, .x_offset = zero, .y_offset = zero};
  bool same = !access->value || is_same_value(k->launch.g, access, access);
  if (q->verdict != VERDICT_PROVED || !k->launch.g->python || same) return;
  arena *outer = symbols_begin(k->s);
  choose_loops_of_value(k, &p);
  if (find_overlap(k, &p) == OVERLAP_MAYBE) {
    q->verdict = VERDICT_UNDECIDED;
    explain_undecided(k, q);
  }
  symbols_end(k->s, outer);
}

/* Two iterations that store to the same element: the later one determines its value. */
void stores_check(checker *k) {
  const graph *g = k->launch.g;
  for (size_t i = 0; i < g->accesses.n; i++) {
    const graph_access *x = &g->accesses.at[i];
    if (x->kind != ACCESS_STORE || g->memories.at[x->memory].param < 0) continue;
    const poly *zero = poly_number(k->s, 0);
    pair p = {.x = x, .y = x, .x_offset = zero, .y_offset = zero};
    question q = {.kind = FINDING_TWICE, .verdict = VERDICT_PROVED, .p = p};
    choose_loops_of_one(k, &p, find_added_to(g, x));
    ask(k, &q, &p);
    ask_value(k, &q, x);
    answer(k, &q);
  }
}
