/* graph_tables.h - the graph of each kernel that a site launches, as the text that the runtime
 * reads when a report explains a value. Its form is in runtime/explain/graph_read.h.
 */
#ifndef GEN_GRAPH_TABLES_H
#define GEN_GRAPH_TABLES_H

#include "model/kernel_graphs.h"

typedef struct graph_tables graph_tables;

/* graphs: of the model. */
graph_tables *graph_tables_begin(kernel_graphs *graphs, arena *a);

/* Adds the tables of one site, and that of its kernel if no earlier site had it. Returns the
 * expression for its graph: a table's name, or nullptr. `number` makes the site's names unique. */
const char *graph_tables_add(graph_tables *t, strbuf *to, const site *s, const char *number,
                             arena *a);

#endif
