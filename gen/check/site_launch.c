/* site_launch.c - see site_launch.h. */
#include "check/site_launch.h"

void site_launch_read(site_launch *w, checker *k, size_t site_number) {
  *w = (site_launch){.s = &k->m->sites.at[site_number]};
  const kernel_graph *g = kernel_graphs_find(k->graphs, w->s);
  if (!g || g->graph.why) return;
  w->g = &g->graph;
  w->by_param = kernel_graphs_arguments(k->graphs, w->g, w->s);
  w->l = (range_launch){.g = w->g};
  sizes_of_launch(k->sizes, &w->l, w->s, w->by_param);
}

range_launch site_launch_evaluate(const site_launch *w, const checker *k) {
  checker at = *k;
  at.launch = w->l;
  return checker_evaluate(&at);
}

const poly *site_launch_offset(const site_launch *w, checker *k, const graph_access *x, int *root) {
  int param = w->g->memories.at[x->memory].param;
  *root = -1;
  if (param < 0 || !w->by_param[param]) return NULL;
  return sizes_offset_of_argument(k->sizes, w->by_param[param], w->s->call->at, root);
}
