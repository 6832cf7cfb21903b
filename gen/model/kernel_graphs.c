/* kernel_graphs.c - see kernel_graphs.h. */
#include "model/kernel_graphs.h"
#include "base/string_map.h"
#include "model/kernel_sources.h"
#include <string.h>

struct kernel_graphs {
  const kernel_sources *sources;
  string_map *known;
  arena *a;
};

kernel_graphs *kernel_graphs_begin(const model *m, arena *a) {
  kernel_graphs *k = arena_alloc(a, sizeof *k);
  *k = (kernel_graphs){.sources = m->sources, .known = string_map_create(a), .a = a};
  return k;
}

static const char *find_type(void *data, const char *param) {
  const triton_param *x = triton_find_param(data, param);
  return x ? x->type : NULL;
}

/* The tree takes a hundred times the memory of its text, so it lives in an arena of its own;
 * only the graph is kept. */
static void read_kernel(const kernel_source *source, const triton *said, graph *to, arena *a) {
  kernel_tree t;
  arena *own = arena_new();
  if (source->python)
    kernel_tree_read_triton(&t, source->text, source->n, source->name, own);
  else
    kernel_tree_read_cpp(&t, source->text, source->n, source->name, own);
  graph_build(to, &t, source->name, said ? find_type : NULL, (void *)(uintptr_t)said, a);
  arena_free(own);
}

/* The kernel's facts, copied without the unused entries of `params`. */
static const kernel_facts *read_facts(const graph *g, arena *a) {
  kernel_facts all;
  kernel_facts_read(&all, g, a);
  size_t size = offsetof(kernel_facts, params) + all.nparams * sizeof *all.params;
  return memcpy(arena_alloc(a, size), &all, size);
}

const kernel_graph *kernel_graphs_find(kernel_graphs *k, const site *s) {
  kernel_source x;
  kernel_graph *known = string_map_get(k->known, s->kernel);
  if (known || !kernel_sources_find(k->sources, s, &x)) return known;
  known = arena_alloc(k->a, sizeof *known);
  string_map_put(k->known, s->kernel, known);
  read_kernel(&x, s->triton, &known->graph, k->a);
  known->facts = read_facts(&known->graph, k->a);
  return known;
}

static int find_param(const graph *g, const site *s, const argument *arg) {
  if (arg->param < 0) return -1;
  if (s->form == AOTIGEN_CPU) return s->call->params.n == g->nparams ? arg->param : -1;
  return graph_find_param(g, s->call->params.at[arg->param].name);
}

const argument *const *kernel_graphs_arguments(const graph *g, const site *s, arena *a) {
  const argument **by_param = arena_alloc(a, (g->nparams + 1) * sizeof *by_param);
  for (size_t i = 0; i < s->args.n; i++) {
    int p = find_param(g, s, &s->args.at[i]);
    if (p >= 0) by_param[p] = &s->args.at[i];
  }
  return by_param;
}
