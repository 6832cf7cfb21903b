/* kernel_facts.c - see kernel_facts.h. */
#include "bounds/kernel_facts.h"
#include <string.h>

void kernel_facts_read(kernel_facts *f, const graph *g, arena *a) {
  *f = (kernel_facts){.why = g->why, .by_user = g->by_user};
  if (!f->why && g->nparams > KERNEL_PARAMS_MAX) f->why = "more parameters than 64";
  if (f->why) return;
  f->nparams = g->nparams;
  for (size_t i = 0; i < g->nparams; i++) f->params[i].name = g->params[i].name;
  reach_read(f, g);
  if (f->why || g->by_hand) return;
  extent_read(f, g, a);
  cover_read(f, g, a);
}

bool kernel_facts_has(const char *list, const char *text) {
  size_t n = strlen(text);
  for (const char *s = list; s; s = strchr(s, ';')) {
    if (*s == ';') s++;
    if (strncmp(s, text, n) == 0 && (!s[n] || s[n] == ';')) return true;
  }
  return false;
}
