/* effects.c - what a Triton kernel is said to write, against what it stores: see checker.h.
 *
 * The wrapper's memory planning goes by the names: it reuses the memory of what is written over,
 * and keeps what is only read.
 */
#include "check/checker.h"
#include <string.h>

/* The first access of a parameter's memory: a store, or any. */
static const graph_access *find_access(const graph *g, int param, bool stores) {
  for (size_t i = 0; i < g->accesses.n; i++) {
    const graph_access *x = &g->accesses.at[i];
    if (g->memories.at[x->memory].param == param && (!stores || x->is != ACCESS_LOAD)) return x;
  }
  return NULL;
}

static bool begins_with(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

/* A kernel of a user may be said to write all that it is given: that only costs a copy. */
static bool is_inductors(const triton *k) {
  static const char *const makers[] = {"triton_heuristics.pointwise(",
                                       "triton_heuristics.reduction(",
                                       "triton_heuristics.persistent_reduction("};
  for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
    if (strstr(k->source, makers[i])) return true;
  return false;
}

static void report(checker *k, int param, const graph_access *x, const char *why) {
  finding *f = checker_add(k, x, FINDING_EFFECT, VERDICT_REFUTED);
  f->why = why;
  if (!x && k->by_param[param]) f->argument = k->by_param[param]->name;
}

/* The launch passes the same memory for another parameter, and the kernel stores there. */
static bool is_stored_by_another(const checker *k, int i) {
  const argument *x = k->by_param[i];
  for (size_t p = 0; x && x->root >= 0 && p < k->launch.g->nparams; p++)
    if (k->by_param[p] && k->by_param[p]->root == x->root && find_access(k->launch.g, (int)p, true))
      return true;
  return false;
}

static void check_param(checker *k, const triton *kernel, int i) {
  const graph *g = k->launch.g;
  const char *name = g->params[i].name;
  const triton_param *said = triton_find_param(kernel, name);
  const graph_access *store = find_access(g, i, true);
  bool writes = said && said->mutated, lists = strstr(kernel->source, "mutated_arg_names") != NULL;
  bool output = begins_with(name, "out_ptr") || begins_with(name, "in_out_ptr");
  bool input = begins_with(name, "in_ptr") || !is_inductors(kernel);
  if (!store && (writes || output) && is_inductors(kernel) && !is_stored_by_another(k, i))
    report(k, i, find_access(g, i, false),
           arena_printf(k->a,
                        writes ? "mutated_arg_names has %s, and the kernel never stores there"
                               : "%s is an output, and the kernel never stores there",
                        name));
  else if (store && lists && input && !writes)
    report(k, i, store,
           arena_printf(k->a, "the kernel stores to %s, which mutated_arg_names leaves out", name));
}

void effects_check(checker *k, const site *s) {
  const graph *g = k->launch.g;
  if (!s->triton || g->lost) return;
  for (size_t i = 0; i < g->nparams; i++)
    if (g->params[i].pointer && k->by_param[i]) check_param(k, s->triton, (int)i);
}
