/* bound_tables.h - the accesses of each launch as tables that the runtime evaluates: see
 * runtime/checks/bounds.h.
 */
#ifndef GEN_BOUND_TABLES_H
#define GEN_BOUND_TABLES_H

#include "model/kernel_graphs.h"

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

typedef struct bounds_unchecked_list {
  bounds_unchecked *at;
  size_t n, cap;
} bounds_unchecked_list;

/* The list of all sites that were added; lives in the arena. */
const bounds_unchecked_list *bound_tables_unchecked(const bound_tables *t);

/* The table of one site. It is added if no earlier site had the same entries. */
bound_table bound_tables_add(bound_tables *t, strbuf *to, const site *s);

#endif
