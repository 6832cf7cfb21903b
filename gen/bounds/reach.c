/* reach.c - which loads of a kernel reach which store: by value, index, mask, condition or loop
 * bound; see kernel_facts.h. Each node, each variable that a loop carries and each memory has the
 * set of parameters whose elements may determine it. The sets are recomputed until none grows. */
#include "bounds/bad.h"
#include "bounds/kernel_facts.h"
#include <string.h>

enum { PASSES_MAX = 24 };

typedef struct flow {
  uint64_t from; /* the parameters whose elements may decide it */
  bad_value value;
} flow;

typedef struct reader {
  const graph *g;
  flow *nodes, *carried, *memories; /* memories: what is stored in each */
  const graph_access **stored;      /* by memory: the first store to it, or NULL */
  bool *gathers;     /* by memory: an array that variables carried by a loop are put into */
  uint64_t any;      /* the parameters that are read, for what is not understood */
  uint64_t left;     /* the parameters that determined whether an earlier loop was left */
  uint8_t constants; /* the bad constants of the kernel */
  bool changed;
} reader;

static flow join(flow x, flow y) {
  x.from |= y.from;
  x.value.bad = bad_join(x.value.bad, y.value.bad);
  x.value.constants |= y.value.constants;
  return x;
}

static uint64_t from_node(const reader *r, const graph_node *node) {
  return node ? r->nodes[node->number].from : 0;
}

static uint64_t from_loop(const reader *r, int loop) {
  uint64_t from = 0;
  for (; loop >= 0; loop = r->g->loops.at[loop].outer) {
    const graph_loop *l = &r->g->loops.at[loop];
    from |= from_node(r, l->low) | from_node(r, l->high) | from_node(r, l->step) |
            from_node(r, l->when);
  }
  return from;
}

static uint64_t bit_of(const reader *r, int memory) {
  int param = r->g->memories.at[memory].param;
  return param < 0 ? 0 : (uint64_t)1 << param;
}

/* ---- conditions ----------------------------------------------------------------------------- */

/* True for a condition of Triton that only limits an access to the tensor's places, as `r0_mask
 * & xmask`. */
static bool is_grid(const graph *g, const graph_node *node) {
  if (!g->python || g->by_hand) return false;
  if (node->kind == NODE_INTEGER) return node->value != 0;
  if (node->op == AG_OP_AND) return is_grid(g, node->args[0]) && is_grid(g, node->args[1]);
  for (size_t i = node->op == AG_OP_LESS ? node->args[0]->iteration : 0; i > 0; i--)
    if (g->iterations.at[i - 1].of == node->args[0] && g->iterations.at[i - 1].end == node->args[1])
      return true;
  return false;
}

static bad lose_all(bad x) { return bad_select(x, x, false); }

/* ---- nodes ---------------------------------------------------------------------------------- */

static flow read_load(reader *r, const graph_access *access) {
  flow v = r->memories[access->memory];
  const graph_access *stored = r->stored[access->memory];
  uint64_t bit = bit_of(r, access->memory), when = from_node(r, access->when);
  v.from |= bit | when | from_node(r, access->index) | from_node(r, access->other);
  if (access->other) v.value.constants |= r->nodes[access->other->number].value.constants;
  if (!stored || stored->order > access->order) v.value.bad = bad_join(v.value.bad, bad_load(bit));
  if (when)
    v.value.bad = lose_all(v.value.bad);
  else if (access->selected && !(access->when && is_grid(r->g, access->when)))
    v.value.bad.gated |= v.value.bad.nan | v.value.bad.plus | v.value.bad.minus;
  return v;
}

static flow read_where(reader *r, const graph_node *node) {
  const flow *test = &r->nodes[node->args[0]->number], *yes = &r->nodes[node->args[1]->number],
             *no = &r->nodes[node->args[2]->number];
  flow v = join(*yes, *no);
  bool grid = is_grid(r->g, node->args[0]);
  v.from |= test->from;
  if (grid) v.value.constants = yes->value.constants;
  if (!grid && (test->from || !node->joins))
    v.value.bad = bad_select(yes->value.bad, no->value.bad, !test->from);
  return v;
}

/* The number of elements of a variance, for a node that is a part of one, else NULL: over all
 * lanes, no element determines that number. */
static const graph_node *find_count(const graph_node *node) {
  enum { WEIGHT = 2 };
  if (node->op != AG_OP_ITEM || node->args[1]->kind != NODE_INTEGER) return NULL;
  const graph_node *of = node->args[0];
  int64_t i = node->args[1]->value;
  bool variance = of->op == AG_OP_WELFORD_VEC_REDUCE_ALL;
  return variance && i >= WEIGHT && i < of->n ? of->args[i] : NULL;
}

static flow read_op(reader *r, const graph_node *node) {
  bad_value args[GRAPH_ARGS_MAX];
  flow v = {0};
  if (node->op == AG_OP_WHERE) return read_where(r, node);
  const graph_node *count = find_count(node);
  if (count) return r->nodes[count->number];
  for (int i = 0; i < node->n; i++) {
    const flow *arg = &r->nodes[node->args[i]->number];
    args[i] = arg->value;
    args[i].read = arg->from != 0;
    v.from |= arg->from;
  }
  v.value = bad_of_op(node, args);
  if (!node->n) r->constants |= v.value.constants;
  return v;
}

static flow read_unknown(const reader *r, const graph_node *node) {
  flow v = {0};
  if (!node->value)
    return (flow){.from = r->any, .value = {.bad = bad_lost, .constants = r->constants}};
  for (int i = 0; i < node->value; i++) v = join(v, r->nodes[node->args[i]->number]);
  v.value.bad = bad_computed(v.value.bad);
  v.value.constants = 0;
  return v;
}

static flow read_node(reader *r, const graph_node *node) {
  flow v = {0};
  switch (node->kind) {
    case NODE_LOAD: return read_load(r, &r->g->accesses.at[node->index]);
    case NODE_OP: return read_op(r, node);
    case NODE_CARRIED:
    case NODE_AFTER: return r->carried[node->index];
    case NODE_STEP: v.from = from_loop(r, node->index); return v;
    case NODE_UNKNOWN: return read_unknown(r, node);
    default: return v;
  }
}

/* ---- what is stored ------------------------------------------------------------------------- */

static void put(reader *r, flow *to, flow x) {
  flow v = join(*to, x);
  r->changed |= v.from != to->from || v.value.constants != to->value.constants ||
                !bad_is_same(v.value.bad, to->value.bad);
  *to = v;
}

/* The parameters whose elements determine whether an access is made. */
static uint64_t from_conditions(const reader *r, const graph_access *access) {
  return from_node(r, access->when) | from_loop(r, access->loop) | (access->partly ? r->left : 0);
}

static void put_access(reader *r, const graph_access *access) {
  flow v = access->value ? r->nodes[access->value->number] : (flow){0};
  uint64_t conditions = from_conditions(r, access), bit = bit_of(r, access->memory);
  if (access->kind == ACCESS_LOAD) return;
  if (r->gathers[access->memory] && !v.from) v.value.constants = 0;
  v.from |= from_node(r, access->index) | conditions;
  if (conditions) v.value.bad = lose_all(v.value.bad);
  if (access->kind == ACCESS_ATOMIC) {
    v.from |= bit;
    v.value.bad = bad_join(v.value.bad, bad_load(bit));
    v.value.bad.computed = true;
  }
  put(r, &r->memories[access->memory], v);
}

/* An unknown function may store anything that is read in the memory that it is passed. */
static void put_escape(reader *r, const graph_escape *escape) {
  flow v = {.from = r->any};
  for (size_t i = 0; i < r->g->escapes.n; i++) {
    const graph_escape *y = &r->g->escapes.at[i];
    if (y->order != escape->order || strcmp(y->to, escape->to) != 0) continue;
    v.value.bad = bad_join(v.value.bad, r->memories[y->memory].value.bad);
    v.value.bad = bad_join(v.value.bad, bad_load(bit_of(r, y->memory)));
  }
  v.value.bad = strstr(escape->to, "micro_gemm") ? bad_computed(v.value.bad) : bad_lost;
  put(r, &r->memories[escape->memory], v);
}

/* The infinity that a variable begins with, as -Inf of a maximum, is not intended for the
 * result. */
static void put_carried(reader *r, const graph_carried *c, flow *to) {
  flow first = r->nodes[c->first->number], v = {.from = from_loop(r, c->loop) | r->left};
  if (!first.from) first.value.constants &= AG_NAN;
  put(r, to, join(first, v));
  if (c->next) put(r, to, r->nodes[c->next->number]);
}

static bool only_reads(const reader *r, const graph_escape *escape) {
  int param = r->g->memories.at[escape->memory].param;
  return escape->reads || (param >= 0 && r->g->params[param].constant);
}

static void read_once(reader *r) {
  const graph *g = r->g;
  r->changed = false;
  for (size_t i = 0; i < g->nodes.n; i++) r->nodes[i] = read_node(r, g->nodes.at[i]);
  for (size_t i = 0; i < g->accesses.n; i++) put_access(r, &g->accesses.at[i]);
  for (size_t i = 0; i < g->escapes.n; i++)
    if (!only_reads(r, &g->escapes.at[i])) put_escape(r, &g->escapes.at[i]);
  for (size_t i = 0; i < g->carried.n; i++) put_carried(r, &g->carried.at[i], &r->carried[i]);
}

/* ---- parameters ----------------------------------------------------------------------------- */

static void note_access(reader *r, kernel_facts *f, const graph_access *access) {
  int param = r->g->memories.at[access->memory].param;
  bool stores = access->kind != ACCESS_LOAD;
  f->loads += !stores;
  f->stores += stores;
  if (stores && !r->stored[access->memory]) r->stored[access->memory] = access;
  if (stores && param < 0)
    r->gathers[access->memory] |= access->value->kind == NODE_CARRIED ||
                                  access->value->kind == NODE_AFTER;
  if (param < 0) return;
  kernel_param *p = &f->params[param];
  p->stored |= stores;
  p->loaded |= access->kind != ACCESS_STORE;
  p->vectors |= access->uncounted;
  if (access->kind != ACCESS_STORE) r->any |= bit_of(r, access->memory);
}

static void note_escape(reader *r, kernel_facts *f, const graph_escape *escape) {
  int param = r->g->memories.at[escape->memory].param;
  r->any |= bit_of(r, escape->memory);
  if (param < 0) return;
  f->params[param].loaded = true;
  f->params[param].stored |= !only_reads(r, escape);
}

/* Notes the parameters that are stored to at places and on conditions that no element determines:
 * the loops around such a store, or the grid, go over all places. */
static void note_places(const reader *r, kernel_facts *f) {
  for (size_t i = 0; i < r->g->accesses.n; i++) {
    const graph_access *x = &r->g->accesses.at[i];
    int param = r->g->memories.at[x->memory].param;
    bool fills = x->kind == ACCESS_STORE && !x->updates && !from_node(r, x->index) &&
                 !from_conditions(r, x);
    if (param >= 0) f->params[param].fills |= fills;
  }
  for (size_t i = 0; i < r->g->escapes.n; i++) {
    const graph_escape *x = &r->g->escapes.at[i];
    int param = r->g->memories.at[x->memory].param;
    bool fills = !only_reads(r, x) && !from_node(r, x->when) && !from_loop(r, x->loop);
    if (param >= 0) f->params[param].fills |= fills;
  }
}

static void fill_param(kernel_param *p, const flow *x) {
  if (!p->stored) return;
  p->reached_by = x->from;
  p->constants = x->value.constants;
  p->selected_by[0] = x->from & ~x->value.bad.nan;
  p->selected_by[1] = x->from & ~x->value.bad.plus;
  p->selected_by[2] = x->from & ~x->value.bad.minus;
  p->moves = !x->value.bad.computed;
}

static void settle(reader *r, kernel_facts *f) {
  int pass = 0;
  do read_once(r);
  while (r->changed && ++pass < PASSES_MAX);
  if (r->changed) f->why = "dependences that do not settle";
}

static void read_all(reader *r, kernel_facts *f) {
  const graph *g = r->g;
  for (size_t i = 0; i < g->escapes.n; i++) note_escape(r, f, &g->escapes.at[i]);
  bool partly = false;
  for (size_t i = 0; i < g->accesses.n; i++) {
    note_access(r, f, &g->accesses.at[i]);
    partly |= g->accesses.at[i].partly;
  }
  r->left = partly ? r->any : 0;
  settle(r, f);
  for (size_t i = 0; i < g->carried.n; i++) r->carried[i].value = (bad_value){0};
  for (size_t i = 0; i < g->memories.n; i++) r->memories[i].value = (bad_value){0};
  settle(r, f); /* the effect of a constant depends on the other operands */
  note_places(r, f);
  for (size_t i = 0; i < g->memories.n; i++)
    if (g->memories.at[i].param >= 0)
      fill_param(&f->params[g->memories.at[i].param], &r->memories[i]);
}

void reach_read(kernel_facts *f, const graph *g) {
  arena *a = arena_new();
  reader r = {.g = g};
  r.nodes = arena_alloc(a, (g->nodes.n + 1) * sizeof *r.nodes);
  r.carried = arena_alloc(a, (g->carried.n + 1) * sizeof *r.carried);
  r.memories = arena_alloc(a, (g->memories.n + 1) * sizeof *r.memories);
  r.stored = arena_alloc(a, (g->memories.n + 1) * sizeof *r.stored);
  r.gathers = arena_alloc(a, (g->memories.n + 1) * sizeof *r.gathers);
  if (g->not_understood.n > g->escapes.n)
    f->why = g->not_understood.why;
  else
    read_all(&r, f);
  arena_free(a);
}
