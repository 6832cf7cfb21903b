/* site_launch.h - the launch of a site other than the one that is checked: its kernel's graph, its
 * sizes, and where its memories lie. */
#ifndef GEN_CHECK_SITE_LAUNCH_H
#define GEN_CHECK_SITE_LAUNCH_H

#include "check/checker.h"

/* Of what is passed for one of the kernel's memories. */
typedef struct site_memory {
  int root;                      /* the variable that owns it, -1: not known */
  const poly *offset, *elements; /* of the first element there, and of all of it; NULL: not known */
  bool recast;                   /* its elements are not as large as the kernel's */
} site_memory;

typedef struct site_launch {
  const site *s;
  const graph *g; /* NULL: it launches no kernel that is understood */
  range_launch l;
  const argument *const *by_param;
} site_launch;

/* Sizes are remembered, and symbols made: call them before k->s->values is set, at least once for
 * each site. */
void site_launch_read(site_launch *w, checker *k, size_t site_number);
/* Of site_memory the root and the offset alone. */
const poly *site_launch_offset(const site_launch *w, checker *k, int memory, int *root);
site_memory site_launch_memory(const site_launch *w, checker *k, int memory);

/* With numbers in place of symbols, while k->s->values is set. */
range_launch site_launch_evaluate(const site_launch *w, const checker *k);

#endif
