/* graph_asserts.c - which asserts tell something of which access: see graph.h. Each assert is read
 * once, not once for each access. */
#include "kernel/graph.h"
#include <stdlib.h>

enum { WALK_MAX = 1000 /* nodes; what is larger depends on anything */ };

typedef arena_list(int) numbers;

/* The loads that an expression depends on directly: not those that only their indices do. */
typedef struct loads {
  numbers found;
  unsigned visited;
  arena *a;
} loads;

typedef struct reader {
  graph *g;
  numbers *of_load; /* by access: the asserts that depend on it, in order */
  numbers general;  /* those that depend on no load, or on too much */
  numbers all;
  arena *a;
} reader;

static bool note_load(void *data, const graph_node *x) {
  loads *l = data;
  if (x->kind == NODE_LOAD) *arena_push(l->a, &l->found) = x->index;
  return x->kind == NODE_LOAD || ++l->visited > WALK_MAX;
}

static void read_assert(reader *r, int i) {
  loads l = {.a = r->a};
  graph_each_but(r->g, r->g->asserts.at[i].holds, note_load, NULL, &l);
  *arena_push(r->a, &r->all) = i;
  bool general = !l.found.n || l.visited > WALK_MAX;
  if (general) *arena_push(r->a, &r->general) = i;
  for (size_t k = 0; k < l.found.n && !general; k++)
    *arena_push(r->a, &r->of_load[l.found.at[k]]) = i;
}

/* ---- accesses ------------------------------------------------------------------------------- */

/* Adds the nearest GRAPH_NEAR_ASSERTS of a list. */
static void add_nearest(reader *r, numbers *to, const numbers *from) {
  size_t first = from->n > GRAPH_NEAR_ASSERTS ? from->n - GRAPH_NEAR_ASSERTS : 0;
  for (size_t i = first; i < from->n; i++) *arena_push(r->a, to) = from->at[i];
}

static int compare(const void *x, const void *y) {
  return (*(const int *)x > *(const int *)y) - (*(const int *)x < *(const int *)y);
}

/* Each once, in order, the last GRAPH_NEAR_ASSERTS. */
static void keep_asserts(reader *r, graph_access *x, numbers *all) {
  size_t n = 0;
  if (all->n) qsort(all->at, all->n, sizeof *all->at, compare);
  for (size_t i = 0; i < all->n; i++)
    if (!n || all->at[n - 1] != all->at[i]) all->at[n++] = all->at[i];
  size_t first = n > GRAPH_NEAR_ASSERTS ? n - GRAPH_NEAR_ASSERTS : 0;
  x->nasserts = (int)(n - first);
  int *kept = arena_alloc(r->g->a, (n - first + 1) * sizeof *kept);
  for (size_t i = first; i < n; i++) kept[i - first] = all->at[i];
  x->asserts = kept;
}

/* Only asserts before the access are listed by now. */
static void read_access(reader *r, graph_access *x) {
  loads l = {.a = r->a};
  numbers all = {0};
  graph_each_but(r->g, x->index, note_load, NULL, &l);
  if (x->when) graph_each_but(r->g, x->when, note_load, NULL, &l);
  add_nearest(r, &all, l.visited > WALK_MAX ? &r->all : &r->general);
  for (size_t i = 0; i < l.found.n && l.visited <= WALK_MAX; i++)
    add_nearest(r, &all, &r->of_load[l.found.at[i]]);
  keep_asserts(r, x, &all);
}

void graph_read_asserts(graph *g) {
  if (!g->asserts.n) return;
  reader r = {.g = g, .a = arena_new()};
  r.of_load = arena_alloc(r.a, (g->accesses.n + 1) * sizeof *r.of_load);
  for (size_t i = 0, k = 0; i < g->accesses.n; i++) { /* both are in order */
    for (; k < g->asserts.n && g->asserts.at[k].order < g->accesses.at[i].order; k++)
      read_assert(&r, (int)k);
    read_access(&r, &g->accesses.at[i]);
  }
  arena_free(r.a);
}
