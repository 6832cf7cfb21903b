/* op_nodes.c - see op_nodes.h. */
#include "model/op_nodes.h"
#include "model/op_match.h"
#include <stdlib.h>

enum { STEPS_MAX = 50000000 };

/* ---- results --------------------------------------------------------------------------------- */

static bool computes(const graph_node *node, const flow_state *x) {
  if (!x->live || x->carried || !ag_graph_type_is_float(node->type)) return false;
  return node->kind == NODE_OP && op_parts_word(node, false);
}

/* The nodes of an operation, in order: of those that compute the same, or that it surely is a part
 * of, the first. */
static void take_nodes(const matcher *f, const flow_state *x, node_list *to) {
  node_list all = {0};
  for (unsigned i = 0; i < x->nparts; i++) *arena_push(f->a, &all) = x->parts[i].node;
  if (all.n) qsort(all.at, all.n, sizeof *all.at, node_list_compare);
  for (size_t i = 0; i < all.n; i++) {
    bool same = false;
    for (size_t k = 0; k < to->n && !same; k++)
      same = op_program_is_same(&f->p, (uint32_t)to->at[k], (uint32_t)all.at[i]);
    if (!same && !(x->all && to->n)) *arena_push(f->a, to) = all.at[i];
  }
}

static void take_all(matcher *f, site_match *to) {
  bool *of = arena_alloc(f->scratch, f->p.x->nodes.n + 1);
  to->all = true;
  for (size_t i = 0; i < f->g->nodes.n; i++) {
    const flow_state *x = &f->states[i];
    const graph_node *node = f->g->nodes.at[i];
    if (computes(node, x) && !x->nparts) to->all = false;
    if (!x->live || !x->nparts || node->kind == NODE_LOAD) continue;
    op_match match = {.number = (unsigned)i};
    take_nodes(f, x, &match.nodes);
    for (size_t k = 0; k < match.nodes.n && computes(node, x); k++) of[match.nodes.at[k]] = true;
    *arena_push(f->a, &to->ops) = match;
  }
  for (size_t i = 0; i < f->p.x->nodes.n; i++)
    if (of[i]) *arena_push(f->a, &to->nodes) = i;
  to->all &= to->nodes.n > 0;
}

/* ---- what decides a stored argument ---------------------------------------------------------- */

typedef struct reached {
  const matcher *f;
  bool *nodes, *memories; /* of the graph: what was reached */
  bool *of;               /* of the program */
  bool grew;
} reached;

/* What the kernel stored where it loads again counts, too. */
static void reach_node(reached *r, const graph_node *node) {
  const graph *g = r->f->g;
  const flow_state *x = op_match_state(r->f, node);
  if (r->nodes[node->number]) return;
  r->nodes[node->number] = r->grew = true;
  for (unsigned i = 0; computes(node, x) && i < (x->all ? 1 : x->nparts); i++)
    r->of[x->parts[i].node] = true;
  for (int i = 0; i < node->n; i++) reach_node(r, node->args[i]);
  if (node->kind == NODE_LOAD) r->memories[g->accesses.at[node->index].memory] = true;
  if (node->kind != NODE_AFTER && node->kind != NODE_CARRIED) return;
  if (g->carried.at[node->index].first) reach_node(r, g->carried.at[node->index].first);
  if (g->carried.at[node->index].next) reach_node(r, g->carried.at[node->index].next);
}

static void reach_stores(reached *r) {
  const graph *g = r->f->g;
  do {
    r->grew = false;
    for (size_t i = 0; i < g->accesses.n; i++) {
      const graph_access *x = &g->accesses.at[i];
      if (x->kind != ACCESS_LOAD && x->value && r->memories[x->memory]) reach_node(r, x->value);
    }
  } while (r->grew);
}

/* The nodes that decide what is stored in each argument. */
static void take_arguments(matcher *f, site_match *to) {
  const size_t n = f->p.x->nodes.n;
  for (size_t i = 0; i < f->g->memories.n; i++) {
    int param = f->g->memories.at[i].param;
    const argument *arg = param >= 0 ? f->args[param] : NULL;
    if (!arg || !f->stored[i]) continue;
    reached r = {.f = f};
    r.nodes = arena_alloc(f->scratch, f->g->nodes.n + 1);
    r.memories = arena_alloc(f->scratch, f->g->memories.n + 1);
    r.of = arena_alloc(f->scratch, n + 1);
    r.memories[i] = true;
    reach_stores(&r);
    op_match match = {.number = (unsigned)(arg - f->s->args.at)};
    for (size_t k = 0; k < n; k++)
      if (r.of[k]) *arena_push(f->a, &match.nodes) = k;
    *arena_push(f->a, &to->stored) = match;
  }
}

/* ---- launches -------------------------------------------------------------------------------- */

static bool writes(const argument *x) {
  return x->root >= 0 && x->kind != AOTIGEN_SCALAR && x->role != AOTIGEN_IN;
}

/* A view may be a part of the memory: the rest keeps what it holds. */
static void put(matcher *f, const argument *to, const flow_state *value) {
  flow_state *old = f->contents[to->root];
  flow_state *now = arena_alloc(f->a, sizeof *now);
  *now = *value;
  bool whole = to->role == AOTIGEN_OUT || (to->text && to->text->fills);
  if (old && (to->kind == AOTIGEN_VIEW || !whole)) flow_join(now, old);
  f->contents[to->root] = now;
}

/* Its results are those of its last node, as far as that is known. */
static void follow_operator(matcher *f, const site *s, const node_list *list) {
  flow_state value = flow_unknown();
  if (list->n) {
    uint32_t node = (uint32_t)list->at[list->n - 1];
    value = (flow_state){.live = true, .values = f->p.sources[node]};
    for (unsigned i = 0; i < value.values.n; i++)
      if (value.values.at[i] < f->p.x->nodes.n)
        flow_add_part(&value, value.values.at[i], op_program_tensors(&f->p, value.values.at[i]));
  }
  for (size_t i = 0; i < s->args.n; i++)
    if (writes(&s->args.at[i])) put(f, &s->args.at[i], &value);
}

static void keep_stored(matcher *f) {
  flow_state unknown = flow_unknown();
  bool *done = arena_alloc(f->scratch, f->m->facts->vars.n + 1);
  for (size_t i = 0; i < f->g->memories.n; i++) {
    int param = f->g->memories.at[i].param;
    const argument *arg = param >= 0 ? f->args[param] : NULL;
    if (!arg || !writes(arg)) continue;
    const flow_state *value = f->stored[i] ? f->stored[i] : &unknown;
    if (done[arg->root])
      flow_join(f->contents[arg->root], value);
    else
      put(f, arg, value);
    done[arg->root] = true;
  }
}

static void match_kernel(matcher *f, const graph *g, site_match *to) {
  f->g = g;
  f->args = kernel_graphs_arguments(g, f->s, f->scratch);
  f->states = arena_alloc(f->scratch, (g->nodes.n + 1) * sizeof *f->states);
  f->stored = arena_alloc(f->scratch, (g->memories.n + 1) * sizeof *f->stored);
  for (size_t i = 0; f->exact && i < f->list->n; i++) f->region[f->list->at[i]] = true;
  op_match_read(f);
  take_all(f, to);
  take_arguments(f, to);
  keep_stored(f);
  for (size_t i = 0; f->exact && i < f->list->n; i++) f->region[f->list->at[i]] = false;
}

static void match_site(matcher *f, const site *s, site_match *to) {
  const kernel_graph *k = s->flags & AOTIGEN_KERNEL ? kernel_graphs_find(f->m->graphs, s) : NULL;
  f->s = s;
  if (k && !k->graph.why && s->scope < 0 && f->steps < STEPS_MAX)
    match_kernel(f, &k->graph, to);
  else
    follow_operator(f, s, k ? &(node_list){0} : f->list);
}

const site_match *op_nodes_find(const model *m, const exported *x, const node_list *lists,
                                const bool *exact, arena *a) {
  site_match *found = arena_alloc(a, (m->sites.n + 1) * sizeof *found);
  matcher f = {.m = m, .a = a};
  if (!op_program_read(&f.p, x, a)) return found;
  f.contents = arena_alloc(a, (m->facts->vars.n + 1) * sizeof *f.contents);
  f.region = arena_alloc(a, x->nodes.n + 1);
  f.seen = arena_alloc(a, (x->nodes.n + 1) * sizeof *f.seen);
  for (size_t i = 0; i < m->sites.n; i++) {
    f.scratch = arena_new();
    f.list = &lists[i];
    f.exact = exact[i];
    match_site(&f, &m->sites.at[i], &found[i]);
    arena_free(f.scratch);
  }
  return found;
}
