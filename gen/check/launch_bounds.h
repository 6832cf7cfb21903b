/* launch_bounds.h - what a run can still find out of the accesses of a launch: the endpoints of
 * each (endpoints.h), which it computes from the arguments before it launches the kernel.
 */
#ifndef GEN_LAUNCH_BOUNDS_H
#define GEN_LAUNCH_BOUNDS_H

#include "bounds/endpoints.h"
#include "model/kernel_graphs.h"

/* TERM: a part of an index that is computed in 32 bits. */

typedef struct bound {
  enum aotigen_bound_kind kind;
  int arg;          /* whose memory it is, -1 of a term */
  unsigned line;    /* of the kernel's text; 0: not known */
  bool proved;      /* it holds if its memory is as long as the wrapper says */
  const char *term; /* AOTIGEN_TERM: "131072 * x" */
  int n;            /* at least 1 */
  endpoint endpoints[ENDPOINTS_MAX];
} bound;

typedef struct bounds {
  bound *at;
  size_t n, cap;
  size_t unread; /* accesses that were not looked at, since there are too many */
} bounds;

typedef struct launch_bounds launch_bounds;

/* Lives as long as the model and the graphs; free it. */
launch_bounds *launch_bounds_begin(const model *m);
void launch_bounds_free(launch_bounds *l);

/* Of one site: appends to `to` what lives in `a`. */
void launch_bounds_read(launch_bounds *l, const site *s, bounds *to, arena *a);

#endif
