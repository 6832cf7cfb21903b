/* threads.c - see threads.h. */
#define _GNU_SOURCE
#include "explain/threads.h"

enum { DEEP = 16 };

static bool is_number(const ag_graph_node *node) {
  return node->kind == NODE_OP && node->op == AG_OP_THREAD;
}

static bool has_number(const ag_graph *g, int32_t node, int depth) {
  const ag_graph_node *x = &g->nodes[node];
  if (is_number(x)) return true;
  for (int32_t i = 0; i < x->n && x->n <= 2 && depth < DEEP; i++)
    if (has_number(g, x->args[i], depth + 1)) return true;
  return false;
}

bool ag_threads_have_part(const ag_graph *g, int32_t index) { return has_number(g, index, 0); }

static const ag_graph_access *find_store(const ag_graph *g, int32_t memory) {
  for (int32_t i = g->memories[memory].param < 0 ? g->naccesses : 0; i-- > 0;) {
    const ag_graph_access *x = &g->accesses[i];
    if (x->kind == ACCESS_STORE && x->memory == memory && is_number(&g->nodes[x->index])) return x;
  }
  return NULL;
}

bool ag_threads_is_array(const ag_graph *g, int32_t memory) { return find_store(g, memory); }

/* The store by which a thread wrote the element that iteration `loop` loads, or NULL. */
static const ag_graph_access *find_loaded(const ag_graph *g, const ag_graph_access *load,
                                          int32_t loop) {
  const ag_graph_node *at = load->kind == ACCESS_LOAD ? &g->nodes[load->index] : NULL;
  bool each = at && at->kind == NODE_STEP && at->index == loop;
  return each ? find_store(g, load->memory) : NULL;
}

bool ag_threads_is_loop(const ag_graph *g, int32_t loop) {
  for (int32_t i = 0; i < g->naccesses; i++)
    if (find_loaded(g, &g->accesses[i], loop)) return true;
  return false;
}

int32_t ag_threads_find_stored(const ag_graph *g, int32_t node) {
  const ag_graph_node *x = &g->nodes[node];
  const ag_graph_carried *c = x->kind == NODE_AFTER ? &g->carried[x->index] : NULL;
  const ag_graph_node *next = c && c->next >= 0 ? &g->nodes[c->next] : NULL;
  for (int32_t i = 0; next && next->kind == NODE_OP && i < next->n; i++) {
    const ag_graph_node *y = &g->nodes[next->args[i]];
    const ag_graph_access *load = y->kind == NODE_LOAD ? &g->accesses[y->index] : NULL;
    const ag_graph_access *store = load ? find_loaded(g, load, c->loop) : NULL;
    if (store) return store->value;
  }
  return -1;
}
