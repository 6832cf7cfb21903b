/* effects.c - what a Triton kernel's source says that it writes, compared with what it stores: see
 * checker.h.
 *
 * The wrapper's memory planning trusts the names of parameters: it reuses the memory of an output,
 * and keeps that of an input.
 */
#include "check/checker.h"
#include "model/storage.h"
#include <string.h>

/* The first access of a parameter's memory; a store where `stores`. */
static const graph_access *find_access(const graph *g, int param, bool stores) {
  for (size_t i = 0; i < g->accesses.n; i++) {
    const graph_access *x = &g->accesses.at[i];
    if (g->memories.at[x->memory].param == param && (!stores || x->kind != ACCESS_LOAD)) return x;
  }
  return NULL;
}

/* False for a kernel of a user, which may be said to write all of its arguments: that only costs
 * a copy. */
static bool is_inductors(const triton *k) {
  static const char *const makers[] = {"triton_heuristics.pointwise(",
                                       "triton_heuristics.reduction(",
                                       "triton_heuristics.persistent_reduction("};
  for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
    if (strstr(k->source, makers[i])) return true;
  return false;
}

static void report(checker *k, int param, const graph_access *access, const char *why) {
  finding *f = checker_add(k, access, FINDING_EFFECT, VERDICT_REFUTED);
  f->why = why;
  if (!access && k->by_param[param]) f->argument = k->by_param[param]->name;
}

/* True if the launch passes the same memory for another parameter that the kernel stores to. */
static bool is_stored_by_another(const checker *k, int i) {
  const argument *x = k->by_param[i];
  for (size_t p = 0; x && x->root >= 0 && p < k->launch.g->nparams; p++)
    if (k->by_param[p] && k->by_param[p]->root == x->root && find_access(k->launch.g, (int)p, true))
      return true;
  return false;
}

static bool is_handed_over(const model *m, size_t from, int root) {
  handed_over out = {.offset = from};
  for (; storage_next_output(m->facts, &out, m->facts->n); out.offset = out.name.end) {
    const char *name = m->facts->text + out.name.begin;
    int var = storage_find(m->storage, name, out.name.end - out.name.begin, out.offset);
    if (var >= 0 && storage_root(m->storage, var) == root) return true;
  }
  return false;
}

/* True if the value that the launch should have written is needed later. Inductor omits the store
 * where the buffer is given up after the launch. */
static bool is_needed(const checker *k, const argument *arg) {
  const model *m = k->m;
  const fact_call *c = m->sites.at[k->site].call;
  const fact_var *v = arg->root >= 0 ? &m->facts->vars.at[arg->root] : NULL;
  if (!v || v->made == MADE_INPUT || v->made == MADE_WEIGHT || v->loop != c->loop) return true;
  for (size_t i = k->site + 1; i < m->sites.n; i++)
    for (size_t j = 0; j < m->sites.at[i].args.n; j++)
      if (m->sites.at[i].args.at[j].root == arg->root) return true;
  return is_handed_over(m, c->close, arg->root);
}

/* What the kernel's source says of the kernel. */
typedef struct source {
  const triton *kernel;
  bool lists; /* it lists the parameters that it writes */
  bool inductors;
} source;

static void check_param(checker *k, const source *of, int i) {
  const graph *g = k->launch.g;
  const char *name = g->params[i].name;
  const triton_param *said = triton_find_param(of->kernel, name);
  const graph_access *store = find_access(g, i, true);
  bool writes = said && said->mutated;
  bool output = text_begins(name, "out_ptr") || text_begins(name, "in_out_ptr");
  bool input = text_begins(name, "in_ptr") || (k->by_user && !of->inductors);
  if (!store && (writes || output) && of->inductors && !is_stored_by_another(k, i) &&
      is_needed(k, k->by_param[i]))
    report(k, i, find_access(g, i, false),
           arena_printf(k->a,
                        writes ? "mutated_arg_names has %s, and the kernel never stores there"
                               : "%s is an output, and the kernel never stores there",
                        name));
  else if (store && of->lists && input && !writes)
    report(k, i, store,
           arena_printf(k->a, "the kernel stores to %s, which mutated_arg_names leaves out", name));
}

void effects_check(checker *k, const site *s) {
  const graph *g = k->launch.g;
  if (!s->triton || g->not_understood.n) return;
  const source of = {.kernel = s->triton,
                     .lists = strstr(s->triton->source, "mutated_arg_names") != NULL,
                     .inductors = is_inductors(s->triton)};
  for (size_t i = 0; i < g->nparams; i++)
    if (g->params[i].pointer && k->by_param[i]) check_param(k, &of, (int)i);
}
