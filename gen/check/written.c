/* written.c - see written.h.
 *
 * A buffer that is written as a whole is noted as ranges without a gap; what that does not decide
 * is marked element by element, for small sizes. A buffer of which a part is written in a way that
 * is not followed is taken for written.
 */
#include "check/written.h"
#include "check/images.h"
#include "check/marks.h"
#include "model/storage.h"
#include <string.h>

enum { RANGES_MAX = 16, WRITERS_MAX = 64, ACCESSES_MAX = 64 };
enum { MOST = 1 << 14, MOST_FIXED = 1 << 18, ELEMENTS_MAX = 1 << 22 };

typedef struct written {
  bool all;             /* written, or taken for it */
  const poly *elements; /* that the buffer has, or NULL */
  range at[RANGES_MAX]; /* written without a gap */
  int n;
  size_t writers[WRITERS_MAX]; /* sites */
  int nwriters;
} written;

struct written *written_begin(const model *m, arena *a) {
  return arena_alloc(a, (m->facts->vars.n + 1) * sizeof(written *));
}

/* ---- buffers -------------------------------------------------------------------------------- */

/* The buffer behind an argument; NULL where it is none that can be followed. */
static written *find_buffer(checker *k, const site *s, int root, const poly *elements) {
  written **all = (written **)(void *)k->written;
  if (root < 0) return NULL;
  const fact_var *v = &k->m->facts->vars.at[root];
  const storage_entry *e = storage_at(k->m->storage, root);
  bool followed = e->allocated && !e->empty && e->sizes && v->function == s->call->function &&
                  v->loop == s->call->loop;
  if (!followed) return NULL;
  written *w = all[root];
  if (!w) w = all[root] = arena_alloc(k->s->lasting, sizeof *w);
  if (!w->elements) w->elements = poly_copy(elements, k->s->lasting);
  return w;
}

static bool is_below(checker *k, const poly *x, const poly *y) {
  return x && y && poly_is_at_most(k->s, x, y);
}

static bool is_covered(checker *k, const written *w, range b) {
  if (w->all) return true;
  for (int i = 0; i < w->n; i++)
    if (is_below(k, w->at[i].low, b.low) && is_below(k, b.high, w->at[i].high)) return true;
  return false;
}

/* Joins ranges of which one begins where the other ends. */
static bool join_range(checker *k, written *w, range *b) {
  const poly *one = poly_number(k->s, 1);
  for (int i = 0; i < w->n; i++) {
    range *x = &w->at[i];
    bool above = is_below(k, b->low, poly_add(k->s, x->high, one)) && is_below(k, x->low, b->low);
    bool below = is_below(k, x->low, poly_add(k->s, b->high, one)) && is_below(k, b->low, x->low);
    if (!above && !below) continue;
    if (above) b->low = x->low;
    if (above && is_below(k, b->high, x->high)) b->high = x->high;
    if (below && is_below(k, b->high, x->high)) b->high = x->high;
    *x = w->at[--w->n];
    return true;
  }
  return false;
}

static void add_range(checker *k, written *w, range b) {
  if (w->all) return;
  while (join_range(k, w, &b)) {
  }
  const poly *last = poly_less_one(k->s, w->elements);
  if (poly_is_at_most(k->s, b.low, poly_number(k->s, 0)) && poly_is_at_most(k->s, last, b.high))
    w->all = true;
  if (w->n == RANGES_MAX) w->all = true;
  if (!w->all)
    w->at[w->n++] = (range){poly_copy(b.low, k->s->lasting), poly_copy(b.high, k->s->lasting)};
}

/* ---- writers -------------------------------------------------------------------------------- */

static void add_writer(checker *k, written *w) {
  if (w->all || (w->nwriters && w->writers[w->nwriters - 1] == k->site)) return;
  if (w->nwriters == WRITERS_MAX)
    w->all = true;
  else
    w->writers[w->nwriters++] = k->site;
}

/* Elements of the launch's buffer that its stores go over, if `before` those before it. */
static int list_stores(const checker *k, int root, const graph_access *before,
                       const graph_access **list) {
  const graph *g = k->launch.g;
  int n = 0;
  for (size_t i = 0; i < g->accesses.n; i++) {
    const graph_access *x = &g->accesses.at[i];
    if (x->is != ACCESS_STORE || k->roots[x->memory] != root) continue;
    if (before && x->order >= before->order) continue;
    if (n == ACCESSES_MAX) return -1;
    list[n++] = x;
  }
  return n;
}

/* Of one memory: another argument may have another offset. */
static int keep_memory(const graph_access **list, int n, int memory) {
  int kept = 0;
  for (int i = 0; i < n; i++)
    if (list[i]->memory == memory) list[kept++] = list[i];
  return kept;
}

static bool find_stored(checker *k, int root, int memory, const graph_access *before, range *b) {
  const graph_access *list[ACCESSES_MAX];
  int n = keep_memory(list, list_stores(k, root, before, list), memory);
  if (n < 1 || !k->offsets[memory] || !image_join(k->s, &k->launch, list, n, b)) return false;
  b->low = poly_add(k->s, b->low, k->offsets[memory]);
  b->high = poly_add(k->s, b->high, k->offsets[memory]);
  return b->low && b->high;
}

static void note_memory(checker *k, const site *s, int memory) {
  int root = k->roots[memory];
  if (k->recast[memory]) {
    written *whole = find_buffer(k, s, root, NULL);
    if (whole) whole->all = true;
    return;
  }
  written *w = find_buffer(k, s, root, poly_add(k->s, k->elements[memory], k->offsets[memory]));
  const graph_access *list[ACCESSES_MAX];
  range b;
  if (!w || w->all || list_stores(k, root, NULL, list) == 0) return;
  if (find_stored(k, root, memory, NULL, &b)) add_range(k, w, b);
  add_writer(k, w);
}

/* The elements between which a view stays; *whole: it goes over each of them. */
static range bound_view(checker *k, const view *v, const poly *offset, bool *whole) {
  const poly *count = poly_number(k->s, 1), *last = offset;
  for (int i = 0; i < v->n; i++) {
    const poly *more = poly_less_one(k->s, v->sizes[i]);
    count = poly_multiply(k->s, count, v->sizes[i]);
    last = poly_add(k->s, last, poly_multiply(k->s, more, v->strides[i]));
  }
  const poly *length = poly_subtract(k->s, last, poly_less_one(k->s, offset));
  *whole = count && length && poly_is_same(count, length);
  return (range){offset, last};
}

/* A call fills what it is passed to write. */
static void note_argument(checker *k, const site *s, const argument *x) {
  int root;
  const char *why;
  const poly *offset = sizes_offset_of_argument(k->sizes, x, s->call->at, &root);
  const poly *rest = sizes_of_argument(k->sizes, x, s->call->at, &why);
  written *w = find_buffer(k, s, root, poly_add(k->s, rest, offset));
  view v;
  if (!w || w->all) return;
  add_writer(k, w);
  if (!offset || s->triton || !view_read(&v, k->sizes, k->m, x, s->call->at)) {
    w->all = true;
    return;
  }
  bool whole;
  range b = bound_view(k, &v, offset, &whole);
  if (whole) add_range(k, w, b);
}

static bool writes(const argument *x) { return x->root >= 0 && x->role != ROLE_IN; }

static void note_writes(checker *k, const site *s, const graph *g) {
  if (g && !g->lost) {
    for (size_t i = 0; i < g->memories.n; i++)
      if (k->roots[i] >= 0) note_memory(k, s, (int)i);
    return;
  }
  bool kernel = s->flags & SITE_KERNEL;
  for (size_t i = 0; i < s->args.n; i++) {
    const argument *x = &s->args.at[i];
    if (!writes(x)) continue;
    written *w = kernel ? find_buffer(k, s, x->root, NULL) : NULL;
    if (w) w->all = true;
    if (!kernel) note_argument(k, s, x);
  }
}

/* ---- marks ---------------------------------------------------------------------------------- */

typedef struct reading {
  written *w;
  int root;
  const graph_access *x; /* or else: */
  const view *v;
  const poly *offset;
  bool all; /* of the last attempt: each element was written */
} reading;

typedef struct writer {
  const site *s;
  const graph *g;
  range_launch l;
  const argument *const *by_param;
} writer;

static void restore_launch(checker *k, size_t site_index, writer *w) {
  *w = (writer){.s = &k->m->sites.at[site_index]};
  const kernel_graph *g = kernel_graphs_find(k->graphs, w->s);
  if (!g || g->graph.why) return;
  w->g = &g->graph;
  w->by_param = kernel_graphs_arguments(k->graphs, w->g, w->s);
  w->l = (range_launch){.g = w->g};
  sizes_of_launch(k->sizes, &w->l, w->s, w->by_param);
}

static bool mark_launch(checker *k, marks *m, const writer *w, int root, unsigned before) {
  const graph_access *x;
  checker at = *k;
  at.launch = w->l;
  const range_launch l = checker_evaluate(&at);
  for (size_t i = 0; i < w->g->accesses.n; i++) {
    x = &w->g->accesses.at[i];
    int param = w->g->memories.at[x->memory].param, of;
    if (x->is != ACCESS_STORE || param < 0 || !w->by_param[param] || x->order >= before) continue;
    const poly *offset =
        sizes_offset_of_argument(k->sizes, w->by_param[param], w->s->call->at, &of);
    if (of == root && !marks_add_access(m, k->s, &l, x, offset)) return false;
  }
  return true;
}

static bool mark_call(checker *k, marks *m, const writer *w, int root) {
  for (size_t i = 0; i < w->s->args.n; i++) {
    const argument *x = &w->s->args.at[i];
    view v;
    int of;
    if (!writes(x) || x->root != root) continue;
    const poly *offset = sizes_offset_of_argument(k->sizes, x, w->s->call->at, &of);
    if (of != root || !view_read(&v, k->sizes, k->m, x, w->s->call->at) ||
        !marks_add_view(m, k->s, &v, offset))
      return false;
  }
  return true;
}

/* What was written before; of the launch itself what it stores before it reads. */
static bool mark_writers(checker *k, marks *m, const reading *r) {
  writer w;
  for (int i = 0; i < r->w->nwriters; i++) {
    restore_launch(k, r->w->writers[i], &w);
    bool known = w.g ? !w.g->lost && mark_launch(k, m, &w, r->root, UINT32_MAX)
                     : mark_call(k, m, &w, r->root);
    if (!known) return false;
  }
  if (!r->x) return true;
  restore_launch(k, k->site, &w);
  return mark_launch(k, m, &w, r->root, r->x->order);
}

static bool try_reading(checker *k, const void *data, violation *found) {
  reading *r = (void *)(uintptr_t)data;
  int64_t n;
  r->all = false;
  if (k->work > CHECKER_WORK_MAX || !poly_evaluate(k->s, r->w->elements, &n) || n < 1 ||
      n > ELEMENTS_MAX)
    return false;
  arena *own = arena_new();
  marks m = {.n = n, .work = &k->work, .most = k->s->list.n ? MOST : MOST_FIXED};
  m.at = arena_alloc(own, (size_t)n);
  enum marks_found is = MARKS_UNKNOWN;
  if (mark_writers(k, &m, r)) {
    const range_launch l = r->x ? checker_evaluate(k) : (range_launch){0};
    is = r->x ? marks_find_access(&m, k->s, &l, r->x, r->offset, &found->index)
              : marks_find_view(&m, k->s, r->v, r->offset, &found->index);
  }
  arena_free(own);
  *found =
      (violation){.index = found->index, .elements = n, .text = is == MARKS_MISSING ? m.text : ""};
  r->all = is == MARKS_ALL;
  return is == MARKS_MISSING;
}

/* ---- readings ------------------------------------------------------------------------------- */

static void report(checker *k, const reading *r, const char *name) {
  checker_example e;
  bool found = checker_find_example(k, try_reading, r, &e);
  bool refuted = found && !e.counted, fixed = !found && k->s->list.n == 0 && r->all;
  finding *f = checker_add(k, r->x, FINDING_UNWRITTEN,
                           refuted ? VERDICT_REFUTED
                           : fixed ? VERDICT_PROVED
                                   : VERDICT_UNDECIDED);
  f->argument = name;
  if (found)
    f->why = arena_printf(k->a,
                          "%selement %lld of the %lld of the memory of %s is read, and nothing "
                          "has written it%s%s",
                          e.text, (long long)e.w.index, (long long)e.w.elements, name,
                          *e.w.text ? ", with " : "", e.w.text);
  else if (!fixed)
    f->why = "it is not shown that each element that is read was written before";
  if (found && e.counted)
    f->would = arena_printf(k->a, "which values %s may have beside the other sizes", e.counted);
  if (refuted) r->w->all = true; /* once for each buffer */
}

static void check_load(checker *k, const site *s, const graph_access *x) {
  int root = k->roots[x->memory];
  const poly *offset = k->recast[x->memory] ? NULL : k->offsets[x->memory];
  written *w = find_buffer(k, s, root, poly_add(k->s, k->elements[x->memory], offset));
  if (!w || !offset) return;
  range b = {0}, own;
  if (!w->all) b = range_of(range_begin(k->s, &k->launch, x), x->index);
  b = (range){poly_add(k->s, b.low, offset), poly_add(k->s, b.high, offset)};
  bool covered = is_covered(k, w, b);
  for (size_t i = 0; i < k->launch.g->memories.n && !covered; i++)
    covered = k->roots[i] == root && !k->recast[i] && find_stored(k, root, (int)i, x, &own) &&
              is_below(k, own.low, b.low) && is_below(k, b.high, own.high);
  if (covered) {
    checker_add(k, x, FINDING_UNWRITTEN, VERDICT_PROVED);
    return;
  }
  const reading r = {.w = w, .root = root, .x = x, .offset = offset};
  report(k, &r, checker_argument(k, x)->name);
}

static void check_argument(checker *k, const site *s, const argument *x) {
  int root;
  view v;
  const char *why;
  const poly *offset = sizes_offset_of_argument(k->sizes, x, s->call->at, &root);
  const poly *rest = sizes_of_argument(k->sizes, x, s->call->at, &why);
  written *w = find_buffer(k, s, root, poly_add(k->s, rest, offset));
  if (!w || !offset || !view_read(&v, k->sizes, k->m, x, s->call->at)) return;
  bool whole;
  const reading r = {.w = w, .root = root, .v = &v, .offset = offset};
  if (is_covered(k, w, bound_view(k, &v, offset, &whole)))
    checker_add(k, NULL, FINDING_UNWRITTEN, VERDICT_PROVED)->argument = x->name;
  else
    report(k, &r, x->name);
}

void written_check(checker *k, const site *s, const graph *g) {
  if (g) {
    for (size_t i = 0; i < g->accesses.n; i++) {
      const graph_access *x = &g->accesses.at[i];
      if (x->is != ACCESS_STORE && k->roots[x->memory] >= 0) check_load(k, s, x);
    }
  } else if (!(s->flags & SITE_KERNEL)) {
    for (size_t i = 0; i < s->args.n; i++)
      if (s->args.at[i].root >= 0 && s->args.at[i].role == ROLE_IN)
        check_argument(k, s, &s->args.at[i]);
  }
  note_writes(k, s, g);
}
