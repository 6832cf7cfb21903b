/* given_to.c - see given_to.h. */
#define _GNU_SOURCE
#include "state/given_to.h"

static bool is_torchs(const aotigen_model *m, uint32_t site) {
  return !(m->sites[site].flags & AOTIGEN_OF_LIBRARY);
}

bool ag_given_to_has_suspect(const ag_given_to *g, const aotigen_model *m) {
  return g->n && !is_torchs(m, g->at[0].site);
}

void ag_given_to_note(ag_given_to *g, const aotigen_run *run) {
  const aotigen_model *m = run->model;
  unsigned i = 0;
  if (g->n && is_torchs(m, run->site)) return;
  if (g->n && is_torchs(m, g->at[0].site)) g->n = 0;
  while (i < g->n && g->at[i].site != run->site) i++;
  g->more = g->more || i == AG_GIVEN_TO_MOST;
  if (i == AG_GIVEN_TO_MOST) return;
  if (i == g->n) g->n++;
  g->at[i].launch = run->launch;
  g->at[i].site = run->site;
}
