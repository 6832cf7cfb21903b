/* kernel_graphs.h - the graph of each kernel of a model and its facts, read once, and the site's
 * argument for each of its parameters. Part of the model stage.
 */
#ifndef GEN_MODEL_KERNEL_GRAPHS_H
#define GEN_MODEL_KERNEL_GRAPHS_H

#include "bounds/kernel_facts.h"
#include "model/model.h"

typedef struct kernel_graphs kernel_graphs;

typedef struct kernel_graph {
  graph graph;
  const kernel_facts *facts;
} kernel_graph;

/* The result is for m->graphs. The sites and m->sources are complete. */
kernel_graphs *kernel_graphs_begin(const model *m, arena *a);

/* NULL if the site launches no kernel with a known text. */
const kernel_graph *kernel_graphs_find(kernel_graphs *k, const site *s);

/* By parameter: the site's argument, NULL where none is passed. */
const argument *const *kernel_graphs_arguments(const graph *g, const site *s, arena *a);

#endif
