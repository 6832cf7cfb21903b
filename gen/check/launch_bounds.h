/* launch_bounds.h - what a run can still check of the accesses of a launch: the endpoints of each
 * (endpoints.h), which it computes from the arguments before it launches the kernel.
 */
#ifndef GEN_LAUNCH_BOUNDS_H
#define GEN_LAUNCH_BOUNDS_H

#include "bounds/endpoints.h"
#include "model/kernel_graphs.h"

/* TERM: a part of an index that is computed in 32 bits. */

typedef struct bound {
  enum aotigen_bound_kind kind;
  int arg;       /* the argument whose memory is accessed, -1 for a term */
  unsigned line; /* in the kernel's text; 0: not known */
  bool proved; /* the access is proved to be inside, if its memory is as long as the wrapper says */
  const char *term; /* AOTIGEN_TERM: "131072 * x" */
  int n;            /* at least 1 */
  endpoint endpoints[ENDPOINTS_MAX];
} bound;

typedef struct bounds {
  bound *at;
  size_t n, cap;
  size_t unread; /* the number of accesses that were not analysed, since there are too many */
} bounds;

typedef struct launch_bounds launch_bounds;

/* Lives as long as the model and the graphs; free it. */
launch_bounds *launch_bounds_begin(const model *m);
void launch_bounds_free(launch_bounds *l);

/* Appends the bounds of one site to `to`. Their texts live in `a`. */
void launch_bounds_read(launch_bounds *l, const site *s, bounds *to, arena *a);

#endif
