/* graph_nodes.c - see node_flow.h. */
#include "model/node_flow.h"
#include <string.h>

enum { STEPS_MAX = 20000000 };
static const size_t none = EXPORTED_NONE, many = EXPORTED_NONE - 1;

typedef struct guesser {
  const model *m;
  const exported *x;
  node_list *lists;
  bool *guessed;
  bool *open;      /* by site: a kernel with guessed names, of which nothing is known */
  size_t *graph;   /* by site: its graph; `none` is the program's own, `many` not known */
  size_t *reader;  /* by node: the node that takes its value to the host; `none`, `many` */
  size_t *written; /* by site of an item: the site that wrote what it reads, or `none` */
  size_t steps;
  arena *a;
} guesser;

static size_t *alloc_indices(size_t n, size_t value, arena *a) {
  size_t *at = arena_alloc(a, (n + 1) * sizeof *at);
  for (size_t i = 0; i < n; i++) at[i] = value;
  return at;
}

/* Two different claims leave the entry to neither. */
static void claim(size_t *at, size_t by) { *at = *at == none || *at == by ? by : many; }

static void give(guesser *g, size_t row, size_t node) {
  *arena_push(g->a, &g->lists[row]) = node;
  g->guessed[row] = true;
}

static bool is_named(const site *s) { return s->flags & AOTIGEN_NAMES_GUESSED; }

/* ---- what is known --------------------------------------------------------------------------- */

static size_t find_graph(const guesser *g, const site *s) {
  const exported_graph *x = s->graph ? exported_find_graph(g->x, s->graph) : NULL;
  if (x) return (size_t)(x - g->x->graphs.at);
  return s->graph || s->scope >= 0 ? many : none;
}

static bool reads_out(const exported_node *node) {
  return !strcmp(node->op, "item") || !strcmp(node->op, "_local_scalar_dense");
}

static void find_readers(guesser *g) {
  const exported *x = g->x;
  bool *owns = arena_alloc(g->a, x->nodes.n + 1);
  g->reader = alloc_indices(x->nodes.n, none, g->a);
  for (size_t i = 0; i < x->graphs.n; i++) owns[x->graphs.at[i].owner] = true;
  for (size_t i = 0; i < x->nodes.n; i++) {
    const exported_node *node = &x->nodes.at[i];
    for (size_t k = 0; (owns[i] || reads_out(node)) && k < node->ninputs; k++)
      claim(&g->reader[x->inputs.at[node->first_input + k]], i);
  }
}

static void find_written(guesser *g) {
  size_t nvars = g->m->facts->vars.n, *writer = alloc_indices(nvars, none, g->a);
  g->written = alloc_indices(g->m->sites.n, none, g->a);
  for (size_t i = 0; i < g->m->sites.n; i++) {
    const site *s = &g->m->sites.at[i];
    for (size_t k = 0; k < s->args.n; k++) {
      const argument *x = &s->args.at[k];
      if (x->root < 0 || (size_t)x->root >= nvars) continue;
      if (s->form == AOTIGEN_ITEM && x->role == AOTIGEN_IN) g->written[i] = writer[x->root];
      if (x->role != AOTIGEN_IN) writer[x->root] = i;
    }
  }
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* Claims the nodes of the kernel's graph that it may compute. */
static void claim_nodes(guesser *g, size_t row, size_t *taker) {
  const site *s = &g->m->sites.at[row];
  size_t graph = g->graph[row], first = 0, end = g->x->nodes.n;
  if (graph == many) return;
  if (graph != none) first = g->x->graphs.at[graph].first, end = g->x->graphs.at[graph].end;
  for (size_t i = first; i < end && g->steps < STEPS_MAX; i++) {
    const exported_node *node = &g->x->nodes.at[i];
    g->steps += 1 + s->nodes.n;
    if (node->graph == graph && node_flow_computes(s, node->op)) claim(&taker[i], row);
  }
}

static void guess_by_operators(guesser *g) {
  const model *m = g->m;
  size_t *taker = alloc_indices(g->x->nodes.n, none, g->a);
  bool any = false;
  for (size_t i = 0; i < m->sites.n; i++) any |= g->open[i];
  for (size_t i = 0; any && i < m->sites.n; i++)
    if (is_named(&m->sites.at[i])) claim_nodes(g, i, taker);
  for (size_t i = 0; i < m->sites.n; i++)
    for (size_t k = 0; k < g->lists[i].n; k++) taker[g->lists[i].at[k]] = many;
  for (size_t i = 0; g->steps < STEPS_MAX && i < g->x->nodes.n; i++)
    if (taker[i] != none && taker[i] != many && g->open[taker[i]]) give(g, taker[i], i);
}

/* For a kernel that an item reads, guesses the only node with its operator whose value goes to
 * the host. */
static void guess_by_items(guesser *g) {
  const exported *x = g->x;
  size_t *found = alloc_indices(g->m->sites.n, none, g->a),
         *taker = alloc_indices(x->nodes.n, none, g->a);
  node_list read = {0};
  for (size_t i = 0; i < x->nodes.n; i++)
    if (g->reader[i] != none) *arena_push(g->a, &read) = i;
  for (size_t i = 0; i < g->m->sites.n; i++)
    for (size_t k = 0; k < g->lists[i].n; k++) taker[g->lists[i].at[k]] = many;
  for (size_t i = 0; i < g->m->sites.n; i++) {
    size_t row = g->written[i];
    if (row == none || !g->open[row] || g->lists[row].n) continue;
    for (size_t k = 0; k < read.n && g->steps < STEPS_MAX; k++) {
      g->steps += 1 + g->m->sites.at[row].nodes.n;
      if (taker[read.at[k]] == many ||
          !node_flow_computes(&g->m->sites.at[row], x->nodes.at[read.at[k]].op))
        continue;
      claim(&taker[read.at[k]], row);
      claim(&found[row], read.at[k]);
    }
  }
  for (size_t i = 0; g->steps < STEPS_MAX && i < g->m->sites.n; i++)
    if (found[i] < many && taker[found[i]] == i) give(g, i, found[i]);
}

/* ---- items ----------------------------------------------------------------------------------- */

/* The node that takes the value that the site made; `none` if several nodes may. */
static size_t find_reader(const guesser *g, size_t writer) {
  size_t found = none;
  if (writer == none) return none;
  for (size_t i = 0; i < g->lists[writer].n; i++) {
    size_t reader = g->reader[g->lists[writer].at[i]];
    if (reader != none) claim(&found, reader);
  }
  return found == many ? none : found;
}

static void guess_item(guesser *g, size_t row) {
  size_t writer = g->written[row], reader = find_reader(g, writer);
  if (reader == none) return;
  *arena_push(g->a, &g->lists[row]) = reader;
  g->guessed[row] = g->guessed[writer];
}

/* ---- all of them ----------------------------------------------------------------------------- */

void graph_nodes_guess(node_list *lists, bool *guessed, const model *m, const exported *x,
                       arena *a) {
  guesser g = {.m = m, .x = x, .lists = lists, .guessed = guessed, .a = a};
  g.graph = alloc_indices(m->sites.n, many, a);
  g.open = arena_alloc(a, m->sites.n + 1);
  for (size_t i = 0; i < m->sites.n; i++) {
    const site *s = &m->sites.at[i];
    g.graph[i] = find_graph(&g, s);
    g.open[i] = !lists[i].n && is_named(s);
  }
  find_readers(&g);
  find_written(&g);
  guess_by_operators(&g);
  guess_by_items(&g);
  for (size_t i = 0; i < m->sites.n; i++)
    if (!lists[i].n && m->sites.at[i].form == AOTIGEN_ITEM) guess_item(&g, i);
  for (size_t i = 0; i < m->sites.n; i++)
    if (!lists[i].n && g.graph[i] < many && (g.open[i] || m->sites.at[i].form == AOTIGEN_ITEM))
      give(&g, i, x->graphs.at[g.graph[i]].owner);
}
