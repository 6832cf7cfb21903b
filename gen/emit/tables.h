/* tables.h - the model as the static tables at the top of the output. Reads the model, and makes
 * strings in the arena. */
#ifndef GEN_TABLES_H
#define GEN_TABLES_H

#include "base/template.h"
#include "model/kernel_graphs.h"

/* ---- the accesses of each launch as tables that the runtime evaluates: see
 * runtime/checks/bounds.h. */

typedef struct bound_tables bound_tables;

/* graphs: of the model. Free the result. */
bound_tables *bound_tables_begin(const model *m, arena *a);
void bound_tables_free(bound_tables *t);

typedef struct bound_table {
  const char *name; /* the expression for it: a table's name, or nullptr */
  size_t n, nopen;  /* all entries, and those that each launch computes */
} bound_table;

/* A site with more accesses than its table has room for. */
typedef struct bounds_unchecked {
  const site *site;
  size_t n; /* bounds without an entry, and accesses that were not analysed; some may be proved */
} bounds_unchecked;

typedef arena_list(bounds_unchecked) bounds_unchecked_list;

/* The list of all sites that were added; lives in the arena. */
const bounds_unchecked_list *bound_tables_unchecked(const bound_tables *t);

/* The table of one site. It is added if no earlier site had the same entries. */
bound_table bound_tables_add(bound_tables *t, strbuf *to, const site *s);

/* ---- the graph of each kernel that a site launches, as the text that the runtime
 * reads when a report explains a value. Its form is in runtime/explain/graph_read.h. */

typedef struct graph_tables graph_tables;

/* graphs: of the model. */
graph_tables *graph_tables_begin(kernel_graphs *graphs, arena *a);

/* Adds the tables of one site, and that of its kernel if no earlier site had it. Returns the
 * expression for its graph: a table's name, or nullptr. `number` makes the site's names unique. */
const char *graph_tables_add(graph_tables *t, strbuf *to, const site *s, const char *number,
                             arena *a);

/* ---- a kernel's graph as that text */

enum { GRAPH_TEXT_NODES_MAX = 4000 };

/* The nodes that reach a store or an assert, with their loads, loops and carried variables. NULL if
 * the graph is not understood, stores nothing, or is larger than a report needs. constants: by
 * parameter, the value that the kernel was compiled with, or NULL. Block sizes that do not change
 * the result are added as 1. places, if not NULL, is set to 1 + the place of each node in the text,
 * by its number; 0: it is not written. */
const char *graph_text_write(const graph *g, const int64_t **constants, const unsigned **places,
                             arena *a);

/* ---- the model as the static tables at the top of the output. Reads the model, and
 * makes strings in the arena. */

typedef struct site_tables {
  const char *text; /* the definitions, in order */
  /* The expressions in the model's object: a literal, a table's name, or nullptr. */
  const char *source, *device, *sites, *inputs, *weights, *cubins, *buffers, *promises;
} site_tables;

/* The tables of the kernels: both as begun, not used before. */
typedef struct kernel_tables {
  graph_tables *graphs;
  bound_tables *bounds;
} kernel_tables;

void site_tables_make(site_tables *t, const model *m, const kernel_tables *kernels, arena *a);

/* ---- the parts of the output's static tables: literals, rows, definitions */

/* The C name of a constant, for each row of a list of shared/wrapper/aotigen_tables.h. */
#define TABLE_NAME(name, ...) #name,

/* And its value with it. */
#define TABLE_FLAG(name, value, ...) {value, #name},

/* "s" as a C string literal, escaped as reports show it; "nullptr" for NULL. */
const char *table_quote(const char *s, arena *a);

/* Adds a template's text on a line of its own: a row to rows, a definition to the output. */
#define TABLE_ADD(to, name, slots) table_add(to, name, slots, sizeof(slots) / sizeof *(slots))
void table_add(strbuf *to, const char *template_name, const slot *slots, size_t n);

/* The same behind ", ", on the line of the row before. */
#define TABLE_ADD_INLINE(to, name, slots)                                                          \
  table_add_inline(to, name, slots, sizeof(slots) / sizeof *(slots))
void table_add_inline(strbuf *to, const char *template_name, const slot *slots, size_t n);

/* Adds the definition of a table of rows, which it frees. Returns the expression for it: its name,
 * or nullptr if there are no rows. */
const char *table_define(strbuf *to, const char *type, const char *name, strbuf *rows);

#endif
