/* argument.c - see argument.h. */
#define _GNU_SOURCE
#include "explain/argument.h"

#include <string.h>

void ag_argument_add_name(ag_text *t, const aotigen_param *p) {
  ag_text_add(t, p->name);
  if (p->python_name) ag_text_addf(t, " (%s)", p->python_name);
}

void ag_argument_add_place(ag_text *t, const char *what, const aotigen_model *m, uint32_t row) {
  const aotigen_site *site = &m->sites[row - 1];
  ag_text_addf(t, "%s %s (%s:%d)", what, ag_site_name(site), m->source, site->line);
}

static bool is_input(const aotigen_model *m, const char *name) {
  for (uint32_t i = 0; i < m->ninputs; i++)
    if (m->inputs[i].name && strcmp(m->inputs[i].name, name) == 0) return true;
  return false;
}

void ag_argument_add_writer(ag_text *t, const aotigen_model *m, const aotigen_param *p) {
  bool written = p->writer && p->writer <= m->nsites;
  if (written)
    ag_argument_add_place(t, "written by", m, p->writer);
  else if (p->maker && p->maker <= m->nsites)
    ag_argument_add_place(t, "made by", m, p->maker);
  else if (p->kind == AOTIGEN_INPUT || is_input(m, p->name))
    ag_text_add(t, "an input of the model");
  else if (p->kind == AOTIGEN_WEIGHT)
    ag_text_add(t, "a weight of the model");
  else
    ag_text_add(t, "which launch wrote it is not known");
  if (!written && p->writer == AOTIGEN_UNKNOWN_WRITER) ag_text_add(t, ", perhaps written since");
}
