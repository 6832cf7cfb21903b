/* site_launch.h - the launch of a site other than the one that is checked: its kernel's graph, and
 * its sizes. */
#ifndef GEN_CHECK_SITE_LAUNCH_H
#define GEN_CHECK_SITE_LAUNCH_H

#include "check/checker.h"

typedef struct site_launch {
  const site *s;
  const graph *g; /* NULL: it launches no kernel that is understood */
  range_launch l;
  const argument *const *by_param;
} site_launch;

void site_launch_read(site_launch *w, checker *k, size_t site_number);

/* With numbers in place of symbols, while k->s->values is set. */
range_launch site_launch_evaluate(const site_launch *w, const checker *k);

/* Where the access's memory begins in the one that variable *root owns, -1 where none is known.
 * NULL where it is not known. */
const poly *site_launch_offset(const site_launch *w, checker *k, const graph_access *x, int *root);

#endif
