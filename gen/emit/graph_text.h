/* graph_text.h - a kernel's graph as the text that the runtime reads. */
#ifndef GEN_GRAPH_TEXT_H
#define GEN_GRAPH_TEXT_H

#include "kernel/graph.h"

enum { GRAPH_TEXT_NODES_MAX = 4000 };

/* What reaches a store, with its loads, loops and carried variables. NULL where the graph is not
 * understood, stores nothing, or is larger than a report needs. */
const char *graph_text_write(const graph *g, arena *a);

#endif
