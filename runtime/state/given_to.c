/* given_to.c - see given_to.h. */
#define _GNU_SOURCE
#include "state/given_to.h"

static bool is_torchs(const aotigen_model *m, uint32_t site) {
  return m->sites[site].form == AOTIGEN_EXTERN;
}

void ag_given_to_note(ag_given_to *g, const aotigen_run *run) {
  const aotigen_model *m = run->model;
  unsigned i = 0, known = g->n < AG_GIVEN_TO_MOST ? g->n : AG_GIVEN_TO_MOST;
  if (g->n && is_torchs(m, run->site)) return;
  if (g->n && is_torchs(m, g->at[0].site)) g->n = known = 0;
  while (i < known && g->at[i].site != run->site) i++;
  if (i == known) g->n++;
  if (i == AG_GIVEN_TO_MOST) return;
  g->at[i].launch = run->launch;
  g->at[i].site = run->site;
}
