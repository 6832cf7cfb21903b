/* kernel_facts.h - what the text of a kernel says, for units: tree, graph and facts in one call. */
#ifndef T_KERNEL_FACTS_H
#define T_KERNEL_FACTS_H

#include "bounds/kernel_facts.h"
#include <string.h>

/* NULL where it has no such parameter. */
static inline const kernel_param *kernel_facts_find(const kernel_facts *f, const char *name) {
  for (size_t i = 0; i < f->nparams; i++)
    if (strcmp(f->params[i].name, name) == 0) return &f->params[i];
  return NULL;
}

static inline void read_facts(kernel_facts *f, kernel_tree *t, const char *name,
                              graph_signature *signature, void *data, arena *a) {
  graph *g = arena_alloc(a, sizeof *g);
  graph_build(g, t, name, signature, data, a);
  kernel_facts_read(f, g, a);
}

/* The C++ function `name` defined in the n bytes at `text`. */
static inline void read_cpp_facts(kernel_facts *f, const char *text, size_t n, const char *name,
                                  arena *a) {
  kernel_tree t;
  kernel_tree_read_cpp(&t, text, n, name, a);
  read_facts(f, &t, name, NULL, NULL, a);
}

/* The Triton function `name`, whose parameters have no types but those that the text gives. */
static inline void read_triton_facts(kernel_facts *f, const char *text, size_t n, const char *name,
                                     arena *a) {
  kernel_tree t;
  kernel_tree_read_triton(&t, text, n, name, a);
  read_facts(f, &t, name, NULL, NULL, a);
}

#endif
