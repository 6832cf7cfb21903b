/* check.c - see check.h. */
#include "check/check.h"
#include "base/string_map.h"
#include "check/kernel_graphs.h"
#include "check/sizes.h"
#include "check/witness.h"
#include <string.h>

enum { VALUES_MAX = 16, ROUNDS = 24 };

typedef struct checker {
  check *c;
  const model *m;
  symbols *s;
  sizes *sizes;
  kernel_graphs *graphs;
  arena *a; /* of what is found */
  size_t site;
  range_launch launch;
  const argument *const *by_param;
  const poly **elements; /* by memory of the graph; NULL: not known */
  const char **why;      /* by memory */
} checker;

/* ---- counter-examples ----------------------------------------------------------------------- */

/* A violation is looked for with the sizes given. True: found. */
typedef bool attempt(checker *k, const void *data, witness *w);

/* Values that a size may have, the ends first. */
static int list_values(const symbol *x, int64_t *to) {
  int n = 0;
  int64_t high = x->high == INT64_MAX ? (int64_t)1 << 33 : x->high;
  int64_t low = x->low == INT64_MIN ? 0 : x->low;
  const int64_t near[] = {low,     high,    low + 1,          high - 1,
                          low + 2, low + 3, (low + high) / 2, low + 7};
  for (size_t i = 0; i < sizeof near / sizeof *near && n < VALUES_MAX; i++)
    if (near[i] >= low && near[i] <= high) to[n++] = near[i];
  return n;
}

static const char *format_values(checker *k, const int64_t *values, size_t n) {
  strbuf out = {0};
  for (size_t i = 0; i < n; i++)
    if (k->s->list.at[i].is == SYMBOL_SIZE)
      strbuf_printf(&out, "%s%s = %lld", out.n ? ", " : "", k->s->list.at[i].name,
                    (long long)values[i]);
  const char *text = out.n ? arena_strndup(k->a, out.at, out.n) : "";
  strbuf_free(&out);
  return text;
}

/* Sizes for round number t: all at one end, then one of them apart, then mixed. */
static void choose_values(checker *k, unsigned t, int64_t *values, size_t n) {
  for (size_t i = 0; i < n; i++) {
    int64_t list[VALUES_MAX];
    int count = list_values(&k->s->list.at[i], list);
    unsigned pick = t < 4 ? t : t < 4 + n ? (i == t - 4 ? 1 : 0) : t * 7 + (unsigned)i * 3;
    values[i] = count ? list[pick % (unsigned)count] : 0;
  }
}

/* The size x, between values[x] where there is no violation and `bad` where there is one, at which
 * the first one is found: a small counter-example says more. */
static void lessen(checker *k, attempt *try, const void *data, int64_t *values, size_t x,
                   witness *w) {
  int64_t low = k->s->list.at[x].low, high = values[x];
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    values[x] = middle;
    witness found;
    if (try(k, data, &found)) {
      *w = found;
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  values[x] = high;
  witness found;
  if (try(k, data, &found)) *w = found;
}

static const char *find_counter_example(checker *k, attempt *try, const void *data, witness *w) {
  size_t n = k->s->list.n;
  int64_t *values = arena_alloc(k->a, (n + 1) * sizeof *values);
  const char *text = NULL;
  unsigned rounds = n ? ROUNDS : 1;
  k->s->values = values;
  for (unsigned t = 0; t < rounds && !text; t++) {
    choose_values(k, t, values, n);
    if (!try(k, data, w)) continue;
    for (size_t i = 0; i < n; i++)
      if (k->s->list.at[i].is == SYMBOL_SIZE && k->s->list.at[i].low >= 0)
        lessen(k, try, data, values, i, w);
    text = format_values(k, values, n);
  }
  k->s->values = NULL;
  return text;
}

/* The launch with numbers in place of symbols. */
static range_launch evaluate_launch(checker *k) {
  range_launch l = {.g = k->launch.g};
  size_t n = l.g->nparams;
  const poly **params = arena_alloc(k->s->a, (n + 1) * sizeof *params);
  int64_t value;
  for (size_t i = 0; i < n; i++)
    if (poly_evaluate(k->s, k->launch.params[i], &value)) params[i] = poly_number(k->s, value);
  for (int i = 0; i < 3; i++)
    if (poly_evaluate(k->s, k->launch.grid[i], &value)) l.grid[i] = poly_number(k->s, value);
  l.params = params;
  return l;
}

static bool try_access(checker *k, const void *data, witness *w) {
  const graph_access *x = data;
  int64_t elements;
  range_launch l = evaluate_launch(k);
  return poly_evaluate(k->s, k->elements[x->memory], &elements) && elements > 0 &&
         witness_of_access(w, k->s, &l, x, elements);
}

typedef struct term {
  const graph_access *x;
  const graph_node *node;
} term;

static bool try_term(checker *k, const void *data, witness *w) {
  const term *t = data;
  int64_t elements;
  range_launch l = evaluate_launch(k);
  if (!poly_evaluate(k->s, k->elements[t->x->memory], &elements)) return false;
  return witness_of_term(w, k->s, &l, t->x, t->node, INT32_MIN, INT32_MAX);
}

/* ---- findings ------------------------------------------------------------------------------- */

static const char *name_access(checker *k, const graph_access *x) {
  static const char *const names[] = {"load", "store", "atomic"};
  const graph *g = k->launch.g;
  return arena_printf(k->a, "%s %s[%s]", names[x->is], g->memories.at[x->memory].name,
                      graph_format(g, x->index, k->a));
}

static const argument *find_argument(const checker *k, const graph_access *x) {
  int param = k->launch.g->memories.at[x->memory].param;
  return param >= 0 ? k->by_param[param] : NULL;
}

static finding *add_finding(checker *k, const graph_access *x, enum finding_is is,
                            enum verdict verdict) {
  const argument *passed = find_argument(k, x);
  finding *f = arena_push(k->a, &k->c->findings);
  *f = (finding){.is = is,
                 .verdict = verdict,
                 .site = k->site,
                 .access = name_access(k, x),
                 .argument = passed ? passed->name : NULL,
                 .line = x->line};
  if (is == FINDING_ACCESS) k->c->counts[verdict]++;
  return f;
}

/* What decides an index that is not bounded. */
static void explain_undecided(checker *k, finding *f, const graph_access *x,
                              const graph_node *unbounded) {
  const graph *g = k->launch.g;
  const char *unknown = graph_find_unknown(g, x->index);
  if (!k->elements[x->memory]) {
    f->why = arena_printf(k->a, "the length of its memory is not known: %s", k->why[x->memory]);
  } else if (unknown) {
    f->why = arena_printf(k->a, "the index depends on %s", unknown);
  } else if (unbounded && unbounded->is == NODE_LOAD) {
    const graph_access *l = &g->accesses.at[unbounded->index];
    const argument *from = find_argument(k, l);
    f->why = arena_printf(k->a, "the index is loaded, as %s", graph_format(g, unbounded, k->a));
    f->would = arena_printf(k->a, "a range of the values of %s",
                            from ? from->name : g->memories.at[l->memory].name);
  } else if (unbounded) {
    f->why = arena_printf(k->a, "nothing bounds %s", graph_format(g, unbounded, k->a));
  } else {
    f->why = "the bounds that were found are wider than its memory";
  }
}

static void check_access(checker *k, const graph_access *x) {
  range_reader *r = range_begin(k->s, &k->launch, x);
  range b = range_of(r, x->index);
  const graph_node *unbounded = range_unbounded(r);
  const poly *elements = k->elements[x->memory];
  const poly *last = poly_subtract(k->s, elements, poly_number(k->s, 1));
  bool inside = b.low && b.high && last && poly_is_natural(k->s, b.low) &&
                poly_is_at_most(k->s, b.high, last);
  witness w;
  finding *f;
  const char *at = NULL;
  if (inside || range_is_empty(r)) {
    f = add_finding(k, x, FINDING_ACCESS, VERDICT_PROVED);
  } else if (elements && (at = find_counter_example(k, try_access, x, &w))) {
    f = add_finding(k, x, FINDING_ACCESS, VERDICT_REFUTED);
    f->why = arena_printf(k->a, "%s%s%s[%lld] of %lld%s%s", at, *at ? ": " : "",
                          f->argument ? f->argument : k->launch.g->memories.at[x->memory].name,
                          (long long)w.index, (long long)w.elements, *w.text ? ", with " : "",
                          w.text);
  } else {
    f = add_finding(k, x, FINDING_ACCESS, VERDICT_UNDECIDED);
    explain_undecided(k, f, x, unbounded);
  }
  f->low = b.low ? poly_format(k->s, b.low, k->a) : NULL;
  f->high = b.high ? poly_format(k->s, b.high, k->a) : NULL;
  f->elements = elements ? poly_format(k->s, elements, k->a) : NULL;
}

/* ---- 32-bit terms --------------------------------------------------------------------------- */

typedef struct term_reader {
  checker *k;
  const graph_access *x;
  range_reader *r;
  bool refuted;
} term_reader;

/* A term of an index that is computed in 32 bits: of several that overflow, the first. */
static void check_term(void *data, graph_node *n) {
  term_reader *t = data;
  bool computes = n->is == NODE_OP && n->n == 2 && n->type == GRAPH_I32 && strchr("+-*", *n->text);
  if (!computes || t->refuted) return;
  checker *k = t->k;
  range b = range_of(t->r, n);
  const poly *most = poly_number(k->s, INT32_MAX), *least = poly_number(k->s, INT32_MIN);
  if (b.high && b.low && poly_is_at_most(k->s, b.high, most) && poly_is_at_most(k->s, least, b.low))
    return;
  const term data_of = {t->x, n};
  witness w;
  const char *at = find_counter_example(k, try_term, &data_of, &w);
  if (!at) return;
  t->refuted = true;
  finding *f = add_finding(k, t->x, FINDING_TERM, VERDICT_REFUTED);
  f->why = arena_printf(k->a, "%s%sthe 32-bit term %s is %lld%s%s", at, *at ? ": " : "",
                        graph_format(k->launch.g, n, k->a), (long long)w.index,
                        *w.text ? ", with " : "", w.text);
}

static void check_terms(checker *k, const graph_access *x) {
  term_reader t = {.k = k, .x = x, .r = range_begin(k->s, &k->launch, x)};
  if (!range_is_empty(t.r)) graph_each(k->launch.g, x->index, check_term, &t);
}

/* ---- launches ------------------------------------------------------------------------------- */

static void measure_memories(checker *k, const site *s) {
  const graph *g = k->launch.g;
  k->elements = arena_alloc(k->s->a, (g->memories.n + 1) * sizeof *k->elements);
  k->why = arena_alloc(k->s->a, (g->memories.n + 1) * sizeof *k->why);
  for (size_t i = 0; i < g->memories.n; i++) {
    const graph_memory *m = &g->memories.at[i];
    const argument *x = m->param >= 0 ? k->by_param[m->param] : NULL;
    if (m->param < 0) continue;
    k->why[i] = "nothing is passed there";
    if (x) k->elements[i] = sizes_of_argument(k->sizes, x, s->call->at, &k->why[i]);
  }
}

static void measure_arrays(checker *k) {
  const graph *g = k->launch.g;
  for (size_t i = 0; i < g->memories.n; i++) {
    const graph_memory *m = &g->memories.at[i];
    if (m->param >= 0) continue;
    k->why[i] = "an array of the kernel's own";
    if (!m->elements) continue;
    range_reader *r = range_begin(k->s, &k->launch, NULL);
    range n = range_of(r, m->elements);
    k->elements[i] = n.low && poly_is_same(n.low, n.high) ? n.low : NULL;
  }
}

static void refuse_kernel(checker *k, const char *why) {
  *arena_push(k->a, &k->c->findings) =
      (finding){.is = FINDING_KERNEL, .verdict = VERDICT_UNDECIDED, .site = k->site, .why = why};
}

static void check_accesses(checker *k) {
  const graph *g = k->launch.g;
  measure_arrays(k);
  for (size_t i = 0; i < g->accesses.n; i++) {
    check_access(k, &g->accesses.at[i]);
    if (g->python) check_terms(k, &g->accesses.at[i]);
  }
  if (g->lost)
    refuse_kernel(
        k, arena_printf(k->a, "%u of its accesses are not understood: %s", g->lost, g->lost_why));
}

static void check_site(checker *k, const site *s) {
  const kernel_graph *g = kernel_graphs_find(k->graphs, s);
  if (!g) return;
  k->c->kernels++;
  if (g->graph.why) {
    refuse_kernel(k, g->graph.why);
    return;
  }
  k->launch = (range_launch){.g = &g->graph};
  k->by_param = kernel_graphs_arguments(k->graphs, &g->graph, s);
  sizes_of_launch(k->sizes, &k->launch, s, k->by_param);
  measure_memories(k, s);
  check_accesses(k);
}

void check_launch(check *c, symbols *s, const range_launch *l, const poly *const *elements,
                  arena *a) {
  *c = (check){.kernels = 1};
  const graph *g = l->g;
  const argument **by_param = arena_alloc(s->a, (g->nparams + 1) * sizeof *by_param);
  checker k = {.c = c, .s = s, .a = a, .launch = *l, .by_param = by_param};
  k.elements = arena_alloc(s->a, (g->memories.n + 1) * sizeof *k.elements);
  k.why = arena_alloc(s->a, (g->memories.n + 1) * sizeof *k.why);
  for (size_t i = 0; i < g->memories.n; i++) {
    int param = g->memories.at[i].param;
    if (param >= 0) k.elements[i] = elements[param];
    k.why[i] = "nothing is passed there";
  }
  check_accesses(&k);
}

void check_model(check *c, const model *m, const companion_texts *beside, arena *a) {
  *c = (check){0};
  arena *own = arena_new(); /* symbols and sizes live as long as the model is checked */
  symbols s = {.a = own};
  checker k = {.c = c,
               .m = m,
               .s = &s,
               .sizes = sizes_begin(m, &s),
               .graphs = kernel_graphs_begin(m, beside, own),
               .a = a};
  for (k.site = 0; k.site < m->sites.n; k.site++) check_site(&k, &m->sites.at[k.site]);
  arena_free(own);
}

void check_dump_kernels(const model *m, const companion_texts *beside, FILE *to) {
  arena *a = arena_new();
  kernel_graphs *graphs = kernel_graphs_begin(m, beside, a);
  string_map *seen = string_map_create(a);
  for (size_t i = 0; i < m->sites.n; i++) {
    const kernel_graph *g = kernel_graphs_find(graphs, &m->sites.at[i]);
    if (g && string_map_put(seen, m->sites.at[i].kernel, g)) graph_print(&g->graph, to);
  }
  arena_free(a);
}
