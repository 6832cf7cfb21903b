/* given_to.c - see given_to.h. */
#define _GNU_SOURCE
#include "state/given_to.h"

bool ag_given_to_has_suspect(const ag_given_to *g, const aotigen_model *m) {
  return g->n && ag_site_is_of_library(&m->sites[g->at[0].site]);
}

void ag_given_to_note(ag_given_to *g, const aotigen_run *run) {
  unsigned i = 0;
  if (g->n && !ag_site_is_of_library(&run->model->sites[run->site])) return;
  if (!ag_given_to_has_suspect(g, run->model)) g->n = 0;
  while (i < g->n && g->at[i].site != run->site) i++;
  g->more = g->more || i == AG_GIVEN_TO_MOST;
  if (i == AG_GIVEN_TO_MOST) return;
  if (i == g->n) g->n++;
  g->at[i].launch = run->launch;
  g->at[i].site = run->site;
}
