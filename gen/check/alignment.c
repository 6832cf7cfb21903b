/* alignment.c - whether each value that a Triton kernel assumes to be a multiple of 16 is one:
 * addresses in bytes, and integers. See checker.h.
 *
 * The kernel was compiled under that assumption: its loads and stores are as wide. torch allocates
 * at multiples of 64.
 */
#include "check/checker.h"

enum { ALIGNED = 16 };

/* True if the value, times `by`, is a multiple for all sizes. */
static bool is_multiple(const poly *x, int by) {
  for (int i = 0; i < x->n; i++)
    if (x->at[i].factor % ALIGNED * by % ALIGNED) return false;
  return true;
}

typedef struct assumption {
  const poly *value;
  int by; /* the bytes of an element; 1 for an integer */
  bool pointer;
} assumption;

static bool try_value(checker *k, const void *data, violation *w) {
  const assumption *x = data;
  *w = (violation){.text = ""};
  return checker_value(k, x->value, &w->index) && w->index % ALIGNED * x->by % ALIGNED;
}

/* True if the memory's owner begins at a multiple. False where nothing in the wrapper says so. */
static bool is_base_aligned(const checker *k, int root) {
  const model *m = k->m;
  const fact_var *v = &m->facts->vars.at[root];
  if (v->made == MADE_INPUT && v->from >= 0 && (size_t)v->from < m->inputs.n)
    return m->inputs.at[v->from].aligned;
  return true;
}

static void report(checker *k, size_t param, const assumption *x) {
  checker_example e;
  bool found = checker_find_example(k, try_value, x, &e);
  bool refuted = found && !e.counted;
  finding *f =
      checker_add(k, NULL, FINDING_ALIGNMENT, refuted ? VERDICT_REFUTED : VERDICT_UNDECIDED);
  f->argument = k->by_param[param]->name;
  const char *name = k->launch.g->params[param].name;
  if (found && !x->pointer)
    f->why = arena_printf(k->a, "%s%s is %lld, and the kernel takes it for a multiple of 16",
                          e.text, name, (long long)e.w.index);
  else if (found)
    f->why = arena_printf(k->a,
                          "%s%s points to byte %lld of its memory, and the kernel takes its "
                          "address for a multiple of 16",
                          e.text, name, (long long)((poly_int)e.w.index * x->by));
  else
    f->why = "it is not shown that it is a multiple of 16, which the kernel takes it for";
  if (found && e.counted)
    f->would = arena_printf(k->a, "which values %s may have beside the other sizes", e.counted);
}

static void add_proof(checker *k, size_t param) {
  checker_add(k, NULL, FINDING_ALIGNMENT, VERDICT_PROVED)->argument = k->by_param[param]->name;
}

static void check_pointer(checker *k, size_t param, int memory) {
  const graph *g = k->launch.g;
  const assumption x = {k->offsets[memory], ag_graph_type_bytes(g->params[param].type), true};
  if (k->roots[memory] < 0 || !x.value || !x.by) return;
  if (!is_multiple(x.value, x.by)) {
    report(k, param, &x);
  } else if (is_base_aligned(k, k->roots[memory])) {
    add_proof(k, param);
  } else {
    finding *f = checker_add(k, NULL, FINDING_ALIGNMENT, VERDICT_UNDECIDED);
    f->argument = k->by_param[param]->name;
    f->why =
        "the kernel takes its address for a multiple of 16, and the wrapper does not see to it";
  }
}

static void check_integer(checker *k, size_t param) {
  const assumption x = {k->launch.params[param], 1, false};
  if (!x.value) return;
  if (is_multiple(x.value, 1))
    add_proof(k, param);
  else
    report(k, param, &x);
}

void alignment_check(checker *k, const site *s) {
  const graph *g = k->launch.g;
  for (size_t i = 0; s->triton && i < g->nparams; i++) {
    const triton_param *said = triton_find_param(s->triton, g->params[i].name);
    if (!said || !said->divisible16 || !k->by_param[i]) continue;
    if (!g->params[i].pointer) check_integer(k, i);
    for (size_t m = 0; m < g->memories.n && g->params[i].pointer; m++)
      if (g->memories.at[m].param == (int)i) check_pointer(k, i, (int)m);
  }
}
