/* loop_run.c - see loop_run.h. */
#define _GNU_SOURCE
#include "explain/loop_run.h"

/* The variables of the loop that `wanted` is computed from: bit i % 64 for variable i. In C++, all
 * of the loop's. */
static uint64_t find_needed(const ag_graph *g, const ag_depends *d, int32_t wanted, int32_t loop) {
  uint64_t needed = UINT64_C(1) << wanted % 64, before = 0;
  if (!g->triton) return UINT64_MAX;
  while (needed != before) {
    before = needed;
    for (int32_t i = 0; i < g->ncarried; i++) {
      const ag_graph_carried *c = &g->carried[i];
      if (c->loop == loop && c->next >= 0 && needed >> i % 64 & 1) needed |= d->open[c->next];
    }
  }
  return needed;
}

bool ag_loop_run_list(ag_loop_run *run, const ag_graph *g, const ag_depends *d, int32_t after,
                      int32_t wanted) {
  int32_t loop = g->carried[wanted].loop;
  uint64_t needed = find_needed(g, d, wanted, loop);
  run->n = 0;
  for (int32_t i = 0; i < g->ncarried; i++) {
    const ag_graph_carried *c = &g->carried[i];
    if (c->loop != loop || !(needed >> i % 64 & 1) || c->next < 0 || c->next >= after ||
        c->first >= after || (d->of_lanes[i] && !d->of_lanes[wanted]))
      continue;
    if (run->n == LOOP_CARRIED) return false;
    run->list[run->n++] = i;
  }
  return true;
}
