/* depends.c - see depends.h. */
#define _GNU_SOURCE
#include "explain/depends.h"

#include <stdlib.h>

#include "explain/lanes.h"

enum { LOOPS_MOST = 62, PASSES = 3 };

static uint64_t bit_of(int32_t i) { return UINT64_C(1) << i; }

/* ---- one node ------------------------------------------------------------------------------- */

/* The loops that decide a variable. One that is composed of two others depends on them, and they
 * depend on it. */
static uint64_t find_step(const ag_graph *g, int32_t loop) {
  const ag_graph_loop *l = &g->loops[loop];
  uint64_t bits = bit_of(loop);
  if (l->tile >= 0) bits |= bit_of(l->tile);
  if (l->over >= 0) bits |= bit_of(l->over);
  for (int32_t i = 0; i < g->nloops; i++) {
    const ag_graph_loop *k = &g->loops[i];
    bool joined = k->tile == loop || k->over == loop;
    bool same_axis = l->kind == LOOP_GRID && k->kind == LOOP_GRID && k->axis == l->axis;
    if (joined || same_axis) bits |= bit_of(i);
  }
  return bits;
}

/* True if the kernel later overwrites what it loads here. */
static bool is_lost(const ag_graph *g, const ag_graph_access *load) {
  for (int32_t i = 0; i < g->naccesses; i++) {
    const ag_graph_access *x = &g->accesses[i];
    if (x->kind != ACCESS_LOAD && x->memory == load->memory && x->order > load->order) return true;
  }
  return false;
}

static void add(ag_depends *d, int32_t to, int32_t from) {
  if (from < 0) return;
  d->loops[to] |= d->loops[from];
  d->open[to] |= d->open[from];
  d->lost[to] = d->lost[to] || d->lost[from];
}

static void add_load(ag_depends *d, const ag_graph *g, int32_t node) {
  const ag_graph_access *a = &g->accesses[g->nodes[node].index];
  add(d, node, a->index);
  add(d, node, a->when);
  add(d, node, a->other);
  d->lost[node] = d->lost[node] || is_lost(g, a);
  if (g->memories[a->memory].param < 0) d->loops[node] |= AG_DEPENDS_ALL;
}

static uint64_t list_carried(const ag_graph *g, int32_t loop) {
  uint64_t bits = 0;
  for (int32_t i = 0; i < g->ncarried; i++)
    if (g->carried[i].loop == loop) bits |= bit_of(i % 64);
  return bits;
}

static void add_after(ag_depends *d, const ag_graph *g, int32_t node) {
  const ag_graph_carried *c = &g->carried[g->nodes[node].index];
  const ag_graph_loop *l = &g->loops[c->loop];
  add(d, node, c->next);
  d->loops[node] |= d->carried[g->nodes[node].index];
  d->loops[node] &= ~bit_of(c->loop);
  d->open[node] &= ~list_carried(g, c->loop);
  for (int32_t i = 0; i < g->nloops; i++)
    if (g->loops[i].over == c->loop) d->loops[node] &= ~bit_of(i);
  add(d, node, c->first);
  add(d, node, l->low);
  add(d, node, l->high);
  add(d, node, l->step);
}

static void add_node(ag_depends *d, const ag_graph *g, int32_t node) {
  const ag_graph_node *x = &g->nodes[node];
  d->loops[node] = d->open[node] = 0;
  switch (x->kind) {
    case NODE_STEP: d->loops[node] = find_step(g, x->index); break;
    case NODE_LOAD: add_load(d, g, node); break;
    case NODE_CARRIED:
      d->loops[node] = d->carried[x->index];
      d->open[node] = bit_of(x->index % 64);
      break;
    case NODE_AFTER: add_after(d, g, node); break;
    default:
      for (int32_t i = 0; i < x->n; i++) add(d, node, x->args[i]);
      d->reductions[node].n = 0;
      if (x->kind == NODE_OP && ag_reduction_read(g, d->loops, node, &d->reductions[node])) {
        ag_reduction *r = &d->reductions[node];
        d->loops[node] = 0;
        for (int i = 0; i < r->n; i++) add(d, node, r->args[i]);
        d->loops[node] &= ~r->closed;
      }
  }
}

/* ---- vectors -------------------------------------------------------------------------------- */

static bool node_of_lanes(const ag_depends *d, const ag_graph *g, const bool *of, int32_t node) {
  const ag_graph_node *x = &g->nodes[node];
  const ag_graph_access *a = x->kind == NODE_LOAD ? &g->accesses[x->index] : NULL;
  if (x->kind == NODE_STEP) return g->loops[x->index].kind == LOOP_LANES;
  if (x->kind == NODE_CARRIED || x->kind == NODE_AFTER) return d->of_lanes[x->index];
  if (a) return of[a->index] || (a->when >= 0 && of[a->when]);
  bool joins = x->kind == NODE_OP && ag_lanes_find_vector(g, x) >= 0;
  for (int32_t i = 0; i < x->n && !joins; i++)
    if (of[x->args[i]]) return true;
  return false;
}

/* False where memory ran out. */
static bool note_lanes(ag_depends *d, const ag_graph *g) {
  bool *of = calloc((size_t)g->nnodes + 1, sizeof *of);
  if (!of) return false;
  for (int pass = 0; pass < PASSES && !g->triton; pass++) {
    for (int32_t i = 0; i < g->nnodes; i++) of[i] = node_of_lanes(d, g, of, i);
    for (int32_t i = 0; i < g->ncarried; i++)
      if (g->carried[i].next >= 0) d->of_lanes[i] = of[g->carried[i].next];
  }
  free(of);
  return true;
}

/* ---- all ------------------------------------------------------------------------------------ */

static void note_stores(ag_depends *d, const ag_graph *g) {
  for (int32_t i = 0; i < g->nnodes; i++) d->stored[i] = -1;
  for (int32_t i = 0; i < g->naccesses && g->triton; i++) {
    const ag_graph_access *x = &g->accesses[i];
    if (x->kind == ACCESS_STORE && !x->partly && g->memories[x->memory].param >= 0)
      d->stored[x->value] = i;
  }
}

static void add_carried(ag_depends *d, const ag_graph *g) {
  for (int32_t i = 0; i < g->ncarried; i++) {
    const ag_graph_carried *c = &g->carried[i];
    d->carried[i] |= bit_of(c->loop) | d->loops[c->first];
    if (c->next >= 0) d->carried[i] |= d->loops[c->next];
  }
}

bool ag_depends_begin(ag_depends *d, const ag_graph *g) {
  size_t n = (size_t)g->nnodes + 1;
  *d = (ag_depends){.loops = calloc(n, sizeof *d->loops),
                    .open = calloc(n, sizeof *d->open),
                    .carried = calloc((size_t)g->ncarried + 1, sizeof *d->carried),
                    .reductions = calloc(n, sizeof *d->reductions),
                    .lost = calloc(n, sizeof *d->lost),
                    .stored = calloc(n, sizeof *d->stored),
                    .of_lanes = calloc((size_t)g->ncarried + 1, sizeof *d->of_lanes)};
  if (!d->loops || !d->open || !d->carried || !d->reductions || !d->lost || !d->stored ||
      !d->of_lanes || !note_lanes(d, g)) {
    ag_depends_end(d);
    return false;
  }
  note_stores(d, g);
  bool known = g->triton && g->nloops <= LOOPS_MOST;
  for (int pass = 0; pass < PASSES && known; pass++) {
    for (int32_t i = 0; i < g->nnodes; i++) add_node(d, g, i);
    add_carried(d, g);
  }
  for (int32_t i = 0; i < g->nnodes && !known; i++) d->loops[i] = AG_DEPENDS_ALL;
  return true;
}

void ag_depends_end(ag_depends *d) {
  free(d->loops);
  free(d->open);
  free(d->carried);
  free(d->reductions);
  free(d->lost);
  free(d->stored);
  free(d->of_lanes);
}
