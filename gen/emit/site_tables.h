/* site_tables.h - the model as the static tables at the top of the output. Reads the model, and
 * makes strings in the arena. */
#ifndef GEN_SITE_TABLES_H
#define GEN_SITE_TABLES_H

#include "emit/bound_tables.h"
#include "emit/graph_tables.h"
#include "model/model.h"

typedef struct site_tables {
  const char *text; /* the definitions, in order */
  /* The expressions in the model's object: a literal, a table's name, or nullptr. */
  const char *source, *device, *sites, *inputs, *weights, *cubins, *buffers;
} site_tables;

/* The tables of the kernels: both as begun, not used before. */
typedef struct kernel_tables {
  graph_tables *graphs;
  bound_tables *bounds;
} kernel_tables;

void site_tables_make(site_tables *t, const model *m, const kernel_tables *kernels, arena *a);

#endif
