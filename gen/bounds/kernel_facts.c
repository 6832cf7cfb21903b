/* kernel_facts.c - see kernel_facts.h. */
#include "bounds/kernel_facts.h"
#include <string.h>

/* c10::convert<int32_t>(ks0). The metadata of Triton's kernels has their types. */
static void find_narrow(kernel_facts *f, const graph *g) {
  if (g->python) return;
  for (size_t i = 0; i < g->nparams; i++)
    f->params[i].takes32 = !g->params[i].pointer && g->params[i].type == GRAPH_I32;
  for (size_t i = 0; i < g->nodes.n; i++) {
    const graph_node *x = g->nodes.at[i];
    const graph_node *of = x->kind == NODE_OP && x->op == AG_OP_CAST ? x->args[0] : NULL;
    if (of && of->kind == NODE_PARAM && x->type == GRAPH_I32 && of->type == GRAPH_I64)
      f->params[of->index].converts32 = true;
  }
}

void kernel_facts_read(kernel_facts *f, const graph *g, arena *a) {
  *f = (kernel_facts){.why = g->why, .by_user = g->by_user};
  if (!f->why && g->nparams > KERNEL_PARAMS_MAX) f->why = "more parameters than 64";
  if (f->why) return;
  f->nparams = g->nparams;
  for (size_t i = 0; i < g->nparams; i++) f->params[i].name = g->params[i].name;
  find_narrow(f, g);
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
