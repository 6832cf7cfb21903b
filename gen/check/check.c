/* check.c - see check.h. */
#include "check/checker.h"
#include <string.h>

/* ---- accesses ------------------------------------------------------------------------------- */

/* For a view that begins before its memory, w counts from where the memory begins. */
static bool try_access(checker *k, const void *data, violation *w) {
  const graph_access *x = data;
  int64_t elements, offset;
  range_launch l = checker_evaluate(k);
  if (!checker_value(k, k->elements[x->memory], &elements) || elements <= 0) return false;
  bool known = checker_value(k, k->offsets[x->memory], &offset);
  int64_t before = known && offset < 0 && offset != INT64_MIN ? -offset : 0;
  if (!violation_of_access(w, k->s, &l, x, before, elements)) return false;
  w->elements -= before;
  return !__builtin_sub_overflow(w->index, before, &w->index);
}

/* For an access that is made where a loaded value says so. False for another one. */
static bool explain_condition(checker *k, finding *f, const graph_access *access) {
  const graph *g = k->launch.g;
  const graph_node *found = checker_find_load(k, access->when);
  if (!found) return false;
  f->why = arena_printf(
      k->a, "a condition on values decides whether it is made outside of its memory: %s",
      graph_format(g, found, k->a));
  f->would = arena_printf(k->a, "the elements of %s for which the condition holds",
                          checker_memory_name(k, &g->accesses.at[found->index]));
  return true;
}

/* Says why an index is not bounded. */
static void explain_undecided(checker *k, finding *f, const graph_access *access,
                              const graph_node *unbounded) {
  const graph *g = k->launch.g;
  const char *unknown = graph_find_unknown(g, access->index);
  if (k->elements[access->memory] && (symbols_is_spent(k->s) || symbols_search_ends(k->s))) {
    f->why = checker_spent;
  } else if (!k->elements[access->memory]) {
    f->why =
        arena_printf(k->a, "the length of its memory is not known: %s", k->why[access->memory]);
  } else if (unknown) {
    f->why = arena_printf(k->a, "the index depends on %s", unknown);
  } else if (unbounded && unbounded->kind == NODE_LOAD) {
    f->why = arena_printf(k->a, "the index is loaded, as %s", graph_format(g, unbounded, k->a));
    f->would = arena_printf(k->a, "a range of the values of %s",
                            checker_memory_name(k, &g->accesses.at[unbounded->index]));
  } else if (unbounded) {
    f->why = arena_printf(k->a, "nothing bounds %s", graph_format(g, unbounded, k->a));
  } else if (!explain_condition(k, f, access)) {
    f->why = "the bounds that were found are wider than its memory";
  }
}

static void explain_example(checker *k, finding *f, const graph_access *access,
                            const checker_example *e) {
  f->why = arena_printf(k->a, "%s%s[%lld] of %lld%s%s%s", e->text,
                        f->argument ? f->argument : k->launch.g->memories.at[access->memory].name,
                        (long long)e->w.index, (long long)e->w.elements,
                        *e->w.text ? ", with " : "", e->w.text,
                        f->verdict == VERDICT_REFUTED ? "" : ", if a run gives these sizes");
  if (f->verdict == VERDICT_UNDECIDED)
    f->would = arena_printf(k->a, "which values %s may have beside the other sizes", e->counted);
}

static bool is_inside(checker *k, const graph_access *access, range *b,
                      const graph_node **unbounded) {
  range_reader *r = range_begin(k->s, &k->launch, access);
  const poly *last = poly_subtract(k->s, k->elements[access->memory], poly_number(k->s, 1));
  *b = range_of(r, access->index);
  *unbounded = range_unbounded(r);
  const poly *offset = k->offsets[access->memory], *first = b->low;
  if (offset && !poly_is_natural(k->s, offset)) first = poly_add(k->s, b->low, offset);
  return range_is_empty(r) ||
         (b->low && b->high && last && poly_is_natural(k->s, b->low) &&
          poly_is_natural(k->s, first) && poly_is_at_most(k->s, b->high, last));
}

/* Tries again, with those sizes taken to be more than 0 that are so where the access is made. */
static bool is_inside_at_all(checker *k, const graph_access *access, range *b) {
  short list[SYMBOLS_POSITIVE_MAX];
  int n = range_list_positive(range_begin(k->s, &k->launch, access), list, SYMBOLS_POSITIVE_MAX);
  if (!n) return false;
  unsigned before = symbols_assume_positive(k->s, list, n);
  const graph_node *unbounded;
  range narrow;
  bool inside = is_inside(k, access, &narrow, &unbounded);
  if (inside) *b = narrow;
  symbols_release_positive(k->s, list, n, before);
  return inside;
}

typedef struct lane_search {
  const graph *g;
  bool found;
} lane_search;

static bool is_lane(const graph *g, const graph_node *x) {
  return x->kind == NODE_STEP && g->loops.at[x->index].kind == LOOP_LANES;
}

/* "lane < 16": how many lanes the vector has. */
static bool is_width(void *data, const graph_node *x) {
  const lane_search *s = data;
  return x->op == AG_OP_LESS && is_lane(s->g, x->args[0]) && x->args[1]->kind == NODE_INTEGER;
}

static void note_lane(void *data, graph_node *x) {
  lane_search *s = data;
  s->found = s->found || is_lane(s->g, x);
}

/* The access, as far as it is checked: of a vector without a count, under one condition for all of
 * its lanes, the first element. Inductor loads whole vectors there, and uses none past the end. */
static graph_access as_checked(const graph *g, const graph_access *access) {
  graph_access x = *access;
  lane_search s = {.g = g};
  if (!x.uncounted || x.index->op != AG_OP_ADD || !is_lane(g, x.index->args[1])) return x;
  graph_each_but(g, x.when, is_width, note_lane, &s);
  if (!s.found) x.index = x.index->args[0];
  return x;
}

bool checker_is_inside(checker *k, const graph_access *access) {
  const graph_access checked = as_checked(k->launch.g, access);
  range b;
  const graph_node *unbounded;
  return is_inside(k, &checked, &b, &unbounded) || is_inside_at_all(k, &checked, &b);
}

static void check_access(checker *k, const graph_access *of) {
  const graph_access checked = as_checked(k->launch.g, of), *access = &checked;
  range b;
  const graph_node *unbounded;
  const poly *elements = k->elements[access->memory];
  bool inside = is_inside(k, access, &b, &unbounded) || is_inside_at_all(k, access, &b);
  checker_example e;
  finding *f;
  if (inside) {
    f = checker_add(k, of, FINDING_ACCESS, VERDICT_PROVED);
  } else if (elements && checker_find_example(k, try_access, access, &e)) {
    f = checker_add(k, of, FINDING_ACCESS, e.counted ? VERDICT_UNDECIDED : VERDICT_REFUTED);
    explain_example(k, f, access, &e);
  } else {
    f = checker_add(k, of, FINDING_ACCESS, VERDICT_UNDECIDED);
    explain_undecided(k, f, access, unbounded);
  }
  f->low = b.low ? poly_format(k->s, b.low, k->a) : NULL;
  f->high = b.high ? poly_format(k->s, b.high, k->a) : NULL;
  f->elements = elements ? poly_format(k->s, elements, k->a) : NULL;
}

/* For a launch: of the searches for examples in its kernel, and then in what was written before it.
 * Of the corpus of torch 2.11, the dearest launches need 2.9 million and 12 million. */
enum { KERNEL_TRIED_MAX = 8000000, WRITTEN_TRIED_MAX = 64000000 };

/* ---- launches ------------------------------------------------------------------------------- */

static void begin_memories(checker *k) {
  size_t n = k->launch.g->memories.n;
  k->elements = arena_alloc(k->s->a, (n + 1) * sizeof *k->elements);
  k->why = arena_alloc(k->s->a, (n + 1) * sizeof *k->why);
  k->roots = arena_alloc(k->s->a, (n + 1) * sizeof *k->roots);
  k->offsets = arena_alloc(k->s->a, (n + 1) * sizeof *k->offsets);
  k->recast = arena_alloc(k->s->a, n + 1);
  for (size_t i = 0; i < n; i++) {
    k->why[i] = "nothing is passed there";
    k->roots[i] = -1;
  }
}

/* whole: a number is rounded down. */
static const poly *convert_count(symbols *s, const poly *n, int from, int to, bool whole) {
  int64_t number;
  const poly *bytes = poly_multiply(s, n, poly_number(s, from));
  if (whole && bytes && poly_is_number(bytes, &number) && number >= 0)
    return poly_number(s, number / to);
  return bytes ? poly_divide_exactly(s, bytes, poly_number(s, to)) : NULL;
}

/* The kernel counts elements of its pointer's type, the wrapper elements of the dtype. */
static void convert_elements(checker *k, const argument *arg, size_t i) {
  int from = sizes_bytes_of_argument(k->sizes, arg);
  int to = ag_graph_type_bytes(k->launch.g->memories.at[i].type);
  if (from == to || from == SIZES_BYTES_ANY) return;
  bool known = from > 0 && to > 0;
  k->recast[i] = true;
  if (k->elements[i]) k->why[i] = "its dtype is not that of the kernel's pointer";
  k->elements[i] = known ? convert_count(k->s, k->elements[i], from, to, true) : NULL;
  k->offsets[i] = known ? convert_count(k->s, k->offsets[i], from, to, false) : NULL;
}

static void measure_memories(checker *k, const site *s) {
  const graph *g = k->launch.g;
  begin_memories(k);
  for (size_t i = 0; i < g->memories.n; i++) {
    const graph_memory *m = &g->memories.at[i];
    const argument *x = m->param >= 0 ? k->by_param[m->param] : NULL;
    if (!x) continue;
    k->elements[i] = sizes_of_argument(k->sizes, x, s->call->offset, &k->why[i]);
    k->offsets[i] = sizes_offset_of_argument(k->sizes, x, s->call->offset, &k->roots[i]);
    convert_elements(k, x, i);
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
      (finding){.kind = FINDING_KERNEL, .verdict = VERDICT_UNDECIDED, .site = k->site, .why = why};
}

/* Checks one access in an arena of its own: what is computed for it is of no use for the next. */
static void check_apart(checker *k, const graph_access *access) {
  arena *outer = symbols_begin(k->s);
  size_t at = k->c->findings.n;
  check_access(k, access);
  bool proved = k->c->findings.at[at].verdict == VERDICT_PROVED;
  if (k->launch.g->python) terms_check(k, access, proved);
  symbols_end(k->s, outer);
}

/* Says which scalar makes the launch's accesses leave their memory. */
static void explain_refuted(checker *k, size_t first, const bool *undecided) {
  const char *scalar = scalars_find_wrong(k, undecided);
  for (size_t i = first; i < k->c->findings.n; i++) {
    finding *f = &k->c->findings.at[i];
    if (f->kind == FINDING_ACCESS && f->verdict == VERDICT_REFUTED) f->scalar = scalar;
  }
}

static void check_accesses(checker *k) {
  const graph *g = k->launch.g;
  const size_t first = k->c->findings.n;
  bool *undecided = arena_alloc(k->s->a, g->accesses.n + 1), refuted = false;
  k->terms = terms_begin(g, k->s->a);
  for (size_t i = 0; i < g->accesses.n; i++) {
    size_t at = k->c->findings.n;
    check_apart(k, &g->accesses.at[i]);
    undecided[i] = k->c->findings.at[at].verdict == VERDICT_UNDECIDED;
    refuted = refuted || k->c->findings.at[at].verdict == VERDICT_REFUTED;
  }
  if (refuted && k->m) explain_refuted(k, first, undecided);
  terms_check_scalars(k);
  if (!g->not_understood.n) return;
  k->c->counts[VERDICT_UNDECIDED] += g->not_understood.n;
  refuse_kernel(k, arena_printf(k->a, "%u of its accesses not understood: %s", g->not_understood.n,
                                g->not_understood.why));
}

bool checker_begin_launch(checker *k, const site *s, const char **why) {
  const kernel_graph *g = kernel_graphs_find(k->m->graphs, s);
  *why = g ? g->graph.why : NULL;
  if (!g || *why) return false;
  k->launch = (range_launch){.g = &g->graph};
  k->by_param = kernel_graphs_arguments(&g->graph, s, k->s->lasting);
  sizes_of_launch(k->sizes, &k->launch, s, k->by_param);
  k->limit = (struct checker_limit){0};
  measure_memories(k, s);
  measure_arrays(k);
  return true;
}

/* Checks the launch's kernel. Returns its graph, or NULL if the kernel is not understood. */
static const graph *check_kernel(checker *k, const site *s) {
  const char *why;
  bool begun = checker_begin_launch(k, s, &why);
  k->c->kernels += begun || why;
  if (why) refuse_kernel(k, why);
  if (!begun) return NULL;
  check_accesses(k);
  k->by_user = s->by_user;
  effects_check(k, s);
  grids_check(k, s);
  overlaps_check(k);
  stores_check(k);
  alignment_check(k, s);
  return k->launch.g;
}

/* Withdraws refutations: at the sizes of the example, the branch around the site may not be
 * taken. */
static void withdraw_refuted(checker *k) {
  unsigned line, column;
  facts_position(k->m->facts, k->path.unfollowed, &line, &column);
  for (size_t i = 0; i < k->c->findings.n; i++) {
    finding *f = &k->c->findings.at[i];
    if (f->verdict != VERDICT_REFUTED || f->kind == FINDING_EFFECT) continue;
    checker_set(k, f, VERDICT_UNDECIDED);
    f->why = arena_printf(k->a, "%s, if the branch of line %u of the wrapper is taken then", f->why,
                          line);
    f->would = arena_printf(k->a, "at which sizes the condition of line %u holds", line);
  }
}

/* Checks one launch in arenas of its own: what is computed for it is of no use for the next. */
static void check_site(checker *k, const site *s, check_visit *visit, void *data) {
  arena *outer = symbols_begin_launch(k->s);
  symbols_begin_search(k->s, KERNEL_TRIED_MAX);
  k->a = arena_new();
  path_condition_read(&k->path, k->sizes, s->call->offset);
  lifetimes_check(k, s);
  completion_check(k, s);
  order_check(k, s);
  passed_check(k, s);
  const graph *g = check_kernel(k, s);
  symbols_begin_search(k->s, WRITTEN_TRIED_MAX);
  written_check(k, s, g);
  if (k->path.unfollowed) withdraw_refuted(k);
  visit(data, k->c->findings.at, k->c->findings.n);
  memset(&k->c->findings, 0, sizeof k->c->findings);
  arena_free(k->a);
  symbols_end(k->s, outer);
}

void check_launch(check *c, symbols *s, const range_launch *l, const poly *const *elements,
                  arena *a) {
  *c = (check){.kernels = 1};
  if (!s->lasting) s->lasting = s->a;
  s->costly = 0;
  symbols_begin_search(s, KERNEL_TRIED_MAX);
  const graph *g = l->g;
  const argument **by_param = arena_alloc(s->a, (g->nparams + 1) * sizeof *by_param);
  checker k = {.c = c, .s = s, .a = a, .launch = *l, .by_param = by_param};
  begin_memories(&k);
  for (size_t i = 0; i < g->memories.n; i++) {
    int param = g->memories.at[i].param;
    if (param < 0) continue;
    k.elements[i] = elements[param];
    k.roots[i] = param;
    k.offsets[i] = poly_number(s, 0);
  }
  measure_arrays(&k);
  check_accesses(&k);
  overlaps_check(&k);
  stores_check(&k);
}

void check_model(check *c, const model *m, check_visit *visit, void *data) {
  *c = (check){0};
  arena *own = arena_new(); /* symbols and sizes live until the model is checked */
  symbols s = {.a = own, .lasting = own};
  checker k = {.c = c,
               .m = m,
               .s = &s,
               .blocks = blocks_read(m->facts, own),
               .changes = changes_read(m->facts, own),
               .written = written_begin(m, own),
               .order = order_begin(m, own)};
  k.sizes = sizes_begin(m, &s, k.blocks, k.changes);
  for (k.site = 0; k.site < m->sites.n; k.site++) check_site(&k, &m->sites.at[k.site], visit, data);
  arena_free(own);
}

void check_dump_kernels(const model *m, FILE *to) {
  arena *a = arena_new();
  string_map *seen = string_map_create(a);
  for (size_t i = 0; i < m->sites.n; i++) {
    const kernel_graph *g = kernel_graphs_find(m->graphs, &m->sites.at[i]);
    if (g && string_map_put(seen, m->sites.at[i].kernel, g)) graph_print(&g->graph, to);
  }
  arena_free(a);
}
