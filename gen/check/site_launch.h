/* site_launch.h - the launch of a site other than the one that is checked: its kernel's graph, its
 * sizes, and where its memories lie. */
#ifndef GEN_CHECK_SITE_LAUNCH_H
#define GEN_CHECK_SITE_LAUNCH_H

#include "check/checker.h"

/* The memory that is passed for one of the kernel's memories. */
typedef struct site_memory {
  int root;                      /* the variable that owns it, -1: not known */
  const poly *offset, *elements; /* of its first element; the number of all; NULL: not known */
  bool recast;                   /* the size of its elements is not that of the kernel's */
} site_memory;

typedef struct site_launch {
  const site *s;
  const graph *g; /* NULL: the site launches no kernel, or one that is not understood */
  range_launch l;
  const argument *const *by_param;
} site_launch;

/* Call these at least once for each site before k->s->values is set: they remember sizes, and make
 * symbols. */
void site_launch_read(site_launch *w, checker *k, size_t site_number);
/* Only the root and the offset of site_memory. */
const poly *site_launch_offset(const site_launch *w, checker *k, int memory, int *root);
site_memory site_launch_memory(const site_launch *w, checker *k, int memory);

/* The launch with numbers in place of symbols, while k->s->values is set. */
range_launch site_launch_evaluate(const site_launch *w, const checker *k);

#endif
