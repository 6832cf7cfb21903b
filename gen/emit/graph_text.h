/* graph_text.h - a kernel's graph as the text that the runtime reads. */
#ifndef GEN_GRAPH_TEXT_H
#define GEN_GRAPH_TEXT_H

#include "kernel/graph.h"

enum { GRAPH_TEXT_NODES_MAX = 4000 };

/* The nodes that reach a store or an assert, with their loads, loops and carried variables. NULL if
 * the graph is not understood, stores nothing, or is larger than a report needs. constants: by
 * parameter, the value that the kernel was compiled with, or NULL. Block sizes that do not change
 * the result are added as 1. */
const char *graph_text_write(const graph *g, const int64_t **constants, arena *a);

#endif
