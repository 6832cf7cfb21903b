/* site_launch.c - see written_parts.h. */
#include "check/written_parts.h"

void site_launch_read(site_launch *w, checker *k, size_t site_number) {
  *w = (site_launch){.s = &k->m->sites.at[site_number]};
  const kernel_graph *g = kernel_graphs_find(k->m->graphs, w->s);
  if (!g || g->graph.why) return;
  w->g = &g->graph;
  w->by_param = kernel_graphs_arguments(w->g, w->s, k->s->lasting);
  w->l = (range_launch){.g = w->g};
  sizes_of_launch(k->sizes, &w->l, w->s, w->by_param);
}

static const argument *find_argument(const site_launch *w, int memory) {
  int param = w->g->memories.at[memory].param;
  return param < 0 ? NULL : w->by_param[param];
}

const poly *site_launch_offset(const site_launch *w, checker *k, int memory, int *root) {
  const argument *x = find_argument(w, memory);
  *root = -1;
  return x ? sizes_offset_of_argument(k->sizes, x, w->s->call->offset, root) : NULL;
}

site_memory site_launch_memory(const site_launch *w, checker *k, int memory) {
  const graph_memory *m = &w->g->memories.at[memory];
  const argument *x = find_argument(w, memory);
  site_memory to = {.root = -1};
  const char *why;
  if (!x) return to;
  int bytes = sizes_bytes_of_argument(k->sizes, x);
  to.offset = site_launch_offset(w, k, memory, &to.root);
  to.elements = poly_add(k->s, sizes_of_argument(k->sizes, x, w->s->call->offset, &why), to.offset);
  to.recast = bytes != SIZES_BYTES_ANY && bytes != ag_graph_type_bytes(m->type);
  return to;
}

range_launch site_launch_evaluate(const site_launch *w, const checker *k) {
  checker at = *k;
  at.launch = w->l;
  return checker_evaluate(&at);
}
