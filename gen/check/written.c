/* written.c - see checker.h.
 *
 * A buffer that is written as a whole is noted as ranges without a gap. What that does not decide
 * is marked element by element, for small sizes. A write in a branch counts within that branch, and
 * behind it if each branch writes the range. A launch that may have been made only prevents a
 * refutation, and so does a write that is not followed.
 */
#include "bounds/footprints.h"
#include "check/written_parts.h"
#include "model/storage.h"
#include <string.h>

enum { RANGES_MAX = 16, WRITERS_MAX = 64, ACCESSES_MAX = 64 };
enum { MOST = 1 << 14, MOST_FIXED = 1 << 18, ELEMENTS_MAX = 1 << 22 };

typedef struct written {
  const poly *elements; /* the number of elements of the buffer, or NULL */
  struct written_range {
    range b;    /* the elements that are written, without a gap */
    bool whole; /* they are all of the buffer */
    int block;  /* they are written wherever this block is executed: see blocks.h */
  } at[RANGES_MAX];
  int n;
  size_t writers[WRITERS_MAX]; /* sites */
  int nwriters;
  bool uncertain; /* other elements may be written too */
  bool told;      /* an unwritten element was reported: once for each buffer */
} written;

struct written *written_begin(const model *m, arena *a) {
  return arena_alloc(a, (m->facts->vars.n + 1) * sizeof(written *));
}

/* ---- buffers -------------------------------------------------------------------------------- */

static bool is_followed(checker *k, const site *s, int root) {
  const fact_var *v = &k->m->facts->vars.at[root];
  const storage_entry *e = storage_at(k->m->storage, root);
  return e->allocated && !e->empty && e->sizes && v->function == s->call->function &&
         v->loop == s->call->loop && !sizes_is_assigned(k->sizes, root);
}

static written *get_buffer(checker *k, int root) {
  written **all = (written **)(void *)k->written;
  if (!all[root]) all[root] = arena_alloc(k->s->lasting, sizeof **all);
  return all[root];
}

/* The record of the buffer behind an argument; NULL if the buffer cannot be followed. */
static written *find_buffer(checker *k, const site *s, int root, const poly *elements) {
  if (root < 0 || !is_followed(k, s, root)) return NULL;
  written *w = get_buffer(k, root);
  if (!w->elements) w->elements = symbols_keep(k->s, elements);
  return w;
}

static bool is_at_most(checker *k, const poly *x, const poly *y) {
  return x && y && poly_is_at_most(k->s, x, y);
}

static int block_of(const checker *k, const site *s) {
  return blocks_find_branching(k->blocks, s->call->offset);
}

static bool covers(checker *k, const struct written_range *x, range b) {
  return x->whole || (is_at_most(k, x->b.low, b.low) && is_at_most(k, b.high, x->b.high));
}

/* True if writes in the block cover the range wherever the block is executed. */
static bool is_covered_within(checker *k, const written *w, range b, int where);

/* True if each arm of the `if` of `arm` writes the range, and one of the arms is always taken. */
static bool is_covered_by_arms(checker *k, const written *w, range b, int arm) {
  const block *list = k->blocks->list.at;
  if (arm < 0 || list[arm].kind != BLOCK_BRANCH || !list[list[arm].first].complete) return false;
  for (int i = list[arm].first; i >= 0; i = list[i].after)
    if (!is_covered_within(k, w, b, i)) return false;
  return true;
}

static bool is_covered_within(checker *k, const written *w, range b, int where) {
  for (int i = 0; i < w->n; i++) {
    const struct written_range *x = &w->at[i];
    if (!blocks_is_within(k->blocks, x->block, where) || !covers(k, x, b)) continue;
    if (x->block == where) return true;
    if (is_covered_by_arms(k, w, b, blocks_find_arm(k->blocks, x->block, where))) return true;
  }
  return false;
}

/* True if the range is written by the time the block is executed, behind all writes noted so
 * far. */
static bool is_covered(checker *k, const written *w, range b, int where) {
  for (int i = 0; i < w->n; i++) {
    const struct written_range *x = &w->at[i];
    if (!covers(k, x, b)) continue;
    if (blocks_is_within(k->blocks, where, x->block)) return true;
    if (is_covered_by_arms(k, w, b, blocks_find_arm(k->blocks, x->block, where))) return true;
  }
  return false;
}

static bool is_whole(checker *k, const written *w, int where) {
  const poly *last = poly_less_one(k->s, w->elements);
  return last && is_covered(k, w, (range){poly_number(k->s, 0), last}, where);
}

/* Joins the range with one that it touches or overlaps. True if there was one. */
static bool join_range(checker *k, written *w, struct written_range *to) {
  const poly *one = poly_number(k->s, 1);
  range *b = &to->b;
  for (int i = 0; i < w->n; i++) {
    const range *x = &w->at[i].b;
    if (w->at[i].whole || w->at[i].block != to->block) continue;
    bool above = is_at_most(k, b->low, poly_add(k->s, x->high, one)) &&
                 is_at_most(k, x->low, b->low);
    bool below = is_at_most(k, x->low, poly_add(k->s, b->high, one)) &&
                 is_at_most(k, b->low, x->low);
    if (!above && !below) continue;
    if (above) b->low = x->low;
    if (is_at_most(k, b->high, x->high)) b->high = x->high;
    w->at[i] = w->at[--w->n];
    return true;
  }
  return false;
}

static void add_range(checker *k, written *w, range b, int where) {
  struct written_range x = {.b = b, .block = where};
  while (join_range(k, w, &x)) {
  }
  const poly *last = poly_less_one(k->s, w->elements);
  x.whole = is_at_most(k, x.b.low, poly_number(k->s, 0)) && is_at_most(k, last, x.b.high);
  x.b = (range){symbols_keep(k->s, x.b.low), symbols_keep(k->s, x.b.high)};
  if (w->n < RANGES_MAX) w->at[w->n++] = x;
}

/* ---- writers -------------------------------------------------------------------------------- */

static void add_writer(checker *k, written *w) {
  if (w->nwriters && w->writers[w->nwriters - 1] == k->site) return;
  if (w->nwriters == WRITERS_MAX)
    w->uncertain = true;
  else
    w->writers[w->nwriters++] = k->site;
}

/* Lists the launch's stores to the buffer, only those before `before` if that is not NULL. */
static int list_stores(const checker *k, int root, const graph_access *before,
                       const graph_access **list) {
  const graph *g = k->launch.g;
  int n = 0;
  for (size_t i = 0; i < g->accesses.n; i++) {
    const graph_access *x = &g->accesses.at[i];
    if (x->kind != ACCESS_STORE || k->roots[x->memory] != root) continue;
    if (before && x->order >= before->order) continue;
    if (n == ACCESSES_MAX) return -1;
    list[n++] = x;
  }
  return n;
}

/* Keeps the accesses of one memory: another argument may have another offset. */
static int keep_memory(const graph_access **list, int n, int memory) {
  int kept = 0;
  for (int i = 0; i < n; i++)
    if (list[i]->memory == memory) list[kept++] = list[i];
  return kept;
}

static bool find_stored(checker *k, int root, int memory, const graph_access *before, range *b) {
  const graph_access *list[ACCESSES_MAX];
  int n = keep_memory(list, list_stores(k, root, before, list), memory);
  if (n < 1 || !k->offsets[memory] || !footprint_join(k->s, &k->launch, list, n, b)) return false;
  b->low = poly_add(k->s, b->low, k->offsets[memory]);
  b->high = poly_add(k->s, b->high, k->offsets[memory]);
  return b->low && b->high;
}

/* Notes that an unknown part of the memory may be written. */
static void note_uncertain(checker *k, int root) {
  if (root >= 0 && storage_at(k->m->storage, root)->allocated)
    get_buffer(k, root)->uncertain = true;
}

/* True if an atomic operation accesses the memory. Some need the value that is there, others
 * write an element that was not written before. */
static bool has_atomic(const checker *k, int root) {
  const graph *g = k->launch.g;
  for (size_t i = 0; i < g->accesses.n; i++)
    if (g->accesses.at[i].kind == ACCESS_ATOMIC && k->roots[g->accesses.at[i].memory] == root)
      return true;
  return false;
}

static void note_memory(checker *k, const site *s, int memory) {
  int root = k->roots[memory], where = block_of(k, s);
  const graph_access *list[ACCESSES_MAX];
  if (has_atomic(k, root)) note_uncertain(k, root);
  if (list_stores(k, root, NULL, list) == 0) return;
  const poly *elements = poly_add(k->s, k->elements[memory], k->offsets[memory]);
  written *w = k->recast[memory] ? NULL : find_buffer(k, s, root, elements);
  if (!w) {
    note_uncertain(k, root);
    return;
  }
  range b;
  if (is_whole(k, w, where)) return;
  /* What a user's kernel goes over is no promise that its programs do: they are looked at one by
   * one. */
  if (!k->by_user && find_stored(k, root, memory, NULL, &b)) add_range(k, w, b, where);
  add_writer(k, w);
}

/* The range of elements that a view stays in; *whole: it covers each of them. */
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

static bool may_write(const argument *arg) { return arg->root >= 0 && arg->role != AOTIGEN_IN; }

/* True for an output of a call, which the call fills. What else a call may write is not known. */
static bool fills(const site *s, const argument *arg) {
  size_t n = strlen(s->call->callee);
  bool out = s->form == AOTIGEN_EXTERN && arg->param >= 0 && n > 4 &&
             strcmp(s->call->callee + n - 4, "_out") == 0 &&
             strncmp(s->call->params.at[arg->param].name, "out", 3) == 0;
  return arg->root >= 0 && !(s->flags & AOTIGEN_KERNEL) &&
         (arg->role == AOTIGEN_OUT || (arg->role == AOTIGEN_INOUT && out));
}

static void note_argument(checker *k, const site *s, const argument *arg) {
  int root, where = block_of(k, s);
  const char *why;
  const poly *offset = sizes_offset_of_argument(k->sizes, arg, s->call->offset, &root);
  const poly *rest = sizes_of_argument(k->sizes, arg, s->call->offset, &why);
  written *w = find_buffer(k, s, root, poly_add(k->s, rest, offset));
  view v;
  if (!w || !offset || !fills(s, arg) || !view_read(&v, k->sizes, k->m, arg, s->call->offset)) {
    note_uncertain(k, root);
    return;
  }
  if (is_whole(k, w, where)) return;
  add_writer(k, w);
  bool whole;
  range b = bound_view(k, &v, offset, &whole);
  if (whole) add_range(k, w, b, where);
}

static void note_writes(checker *k, const site *s, const graph *g) {
  if (g && !g->not_understood.n) {
    for (size_t i = 0; i < g->memories.n; i++)
      if (k->roots[i] >= 0) note_memory(k, s, (int)i);
    return;
  }
  for (size_t i = 0; i < s->args.n; i++)
    if (may_write(&s->args.at[i])) note_argument(k, s, &s->args.at[i]);
}

/* ---- shadow --------------------------------------------------------------------------------- */

typedef struct reading {
  written *w;
  int root;
  const graph_access *x; /* NULL: the reading is by `v` and `offset` */
  const view *v;
  const poly *offset;
  bool all;       /* in the last attempt each element was written */
  use_walk *uses; /* NULL: any use counts */
} reading;

/* True where the programs of the launch are known, or surely go over all that the kernel's
 * conditions let through, as those of Inductor's kernels do. */
static bool has_known_programs(const site_launch *w, const range_launch *l) {
  int64_t n;
  for (int axis = 0; axis < 3; axis++)
    if (w->s->by_user && !poly_is_number(l->grid[axis], &n)) return false;
  return true;
}

static bool mark_launch(checker *k, shadow *m, const site_launch *w, int root, unsigned before) {
  const range_launch l = site_launch_evaluate(w, k);
  if (!has_known_programs(w, &l)) return false;
  for (size_t i = 0; i < w->g->accesses.n; i++) {
    const graph_access *x = &w->g->accesses.at[i];
    if (x->kind == ACCESS_LOAD || x->order >= before) continue;
    int of;
    const poly *offset = site_launch_offset(w, k, x->memory, &of);
    if (of != root) continue;
    if (x->kind == ACCESS_ATOMIC || !shadow_add_access(m, k, &l, x, offset)) return false;
  }
  return true;
}

static bool mark_call(checker *k, shadow *m, const site_launch *w, int root) {
  for (size_t i = 0; i < w->s->args.n; i++) {
    const argument *x = &w->s->args.at[i];
    view v;
    int of;
    if (!fills(w->s, x) || x->root != root) continue;
    const poly *offset = sizes_offset_of_argument(k->sizes, x, w->s->call->offset, &of);
    if (of != root || !view_read(&v, k->sizes, k->m, x, w->s->call->offset) ||
        !shadow_add_view(m, k, &v, offset))
      return false;
  }
  return true;
}

/* True if a user's loop may read in one step what it stored in the step before, behind the
 * access. */
static bool may_carry(const checker *k, const reading *r) {
  const graph *g = k->launch.g;
  for (size_t i = 0; r->x && r->x->loop >= 0 && k->by_user && i < g->accesses.n; i++) {
    const graph_access *x = &g->accesses.at[i];
    if (x->kind != ACCESS_LOAD && x->loop >= 0 && k->roots[x->memory] == r->root) return true;
  }
  return false;
}

/* Marks what was written before, and what the launch itself stores before it reads. uncertain: also
 * what a branch may have written. */
static bool mark_writers(checker *k, shadow *m, const reading *r, bool uncertain) {
  site_launch w;
  size_t at = k->m->sites.at[k->site].call->offset;
  for (int i = 0; i < r->w->nwriters; i++) {
    site_launch_read(&w, k, r->w->writers[i]);
    bool counts = uncertain
                      ? !blocks_exclude(k->blocks, block_of(k, w.s), blocks_find(k->blocks, at))
                      : blocks_is_certain(k->blocks, w.s->call->offset, at);
    if (!counts) continue;
    bool known = w.g ? !w.g->not_understood.n && mark_launch(k, m, &w, r->root, UINT32_MAX)
                     : mark_call(k, m, &w, r->root);
    if (!known) return false;
  }
  if (!r->x) return true;
  if (uncertain && may_carry(k, r)) return false;
  site_launch_read(&w, k, k->site);
  return mark_launch(k, m, &w, r->root, r->x->order);
}

static enum shadow_found find_unwritten(checker *k, reading *r, shadow *m, bool uncertain,
                                        int64_t *element) {
  memset(m->at, 0, (size_t)m->n);
  if (!mark_writers(k, m, r, uncertain)) return SHADOW_UNKNOWN;
  const range_launch l = r->x ? checker_evaluate(k) : (range_launch){0};
  return r->x ? shadow_find_access(m, k, &l, r->x, r->offset, element)
              : shadow_find_view(m, k, r->v, r->offset, element);
}

/* True if a result depends on an element that was read and not written; *element is that one. */
static bool is_used(checker *k, reading *r, shadow *m, int64_t *element) {
  if (!r->uses) return true;
  const range_launch l = checker_evaluate(k);
  shadow loaded = {.at = arena_alloc(k->s->a, (size_t)m->n), .n = m->n, .most = m->most};
  bool known = shadow_add_access(&loaded, k, &l, r->x, r->offset);
  for (int64_t i = 0; i < m->n; i++) loaded.at[i] = loaded.at[i] && !m->at[i];
  enum use_found found = known ? use_walk_find(r->uses, loaded.at, m->n, element) : USE_UNKNOWN;
  if (found != USE_CERTAIN) return false;
  memset(m->at, 1, (size_t)m->n);
  m->at[*element] = 0;
  return shadow_find_access(m, k, &l, r->x, r->offset, element) == SHADOW_UNWRITTEN;
}

static bool try_reading(checker *k, const void *data, violation *found) {
  reading *r = (void *)(uintptr_t)data;
  int64_t n, element = 0;
  r->all = false;
  if (k->work > CHECKER_WORK_MAX || !checker_value(k, r->w->elements, &n) || n < 1 ||
      n > ELEMENTS_MAX)
    return false;
  arena *own = arena_new();
  shadow m = {.n = n, .most = k->s->list.n ? MOST : MOST_FIXED};
  m.at = arena_alloc(own, (size_t)n);
  bool missing = !r->w->uncertain && find_unwritten(k, r, &m, true, &element) == SHADOW_UNWRITTEN &&
                 is_used(k, r, &m, &element);
  *found = (violation){.index = element, .elements = n, .text = missing ? m.text : ""};
  int64_t other;
  r->all = !missing && find_unwritten(k, r, &m, false, &other) == SHADOW_WRITTEN;
  arena_free(own);
  return missing;
}

/* ---- readings ------------------------------------------------------------------------------- */

/* Each element that is read was written before, as far as the text's order goes. */
static finding *add_written(checker *k, const graph_access *access, int root) {
  const char *why = order_find_unordered(k, root);
  finding *f = checker_add(k, access, FINDING_UNWRITTEN, why ? VERDICT_UNDECIDED : VERDICT_PROVED);
  f->why = why;
  return f;
}

static void report(checker *k, reading *r, const char *name) {
  arena *outer = symbols_begin(k->s);
  checker_example e;
  bool found = checker_find_example(k, try_reading, r, &e), read = found;
  if (found && r->x) { /* a kernel may read an element and not need it */
    r->uses = use_walk_read(k, r->x, r->root);
    found = checker_find_example(k, try_reading, r, &e);
  }
  bool refuted = found && !e.counted, fixed = !found && k->s->list.n == 0 && r->all;
  finding *f = fixed ? add_written(k, r->x, r->root)
                     : checker_add(k, r->x, FINDING_UNWRITTEN,
                                   refuted ? VERDICT_REFUTED : VERDICT_UNDECIDED);
  f->argument = name;
  if (found)
    f->why = arena_printf(k->a,
                          "%selement %lld of the %lld of the memory of %s is read, and nothing "
                          "has written it%s%s",
                          e.text, (long long)e.w.index, (long long)e.w.elements, name,
                          *e.w.text ? ", with " : "", e.w.text);
  else if (!fixed)
    f->why = read ? "elements are read that nothing has written; it is not shown that a result "
                    "depends on them"
                  : "it is not shown that each element that is read was written before";
  if (found && e.counted)
    f->would = arena_printf(k->a, "which values %s may have beside the other sizes", e.counted);
  if (refuted) r->w->told = true;
  symbols_end(k->s, outer);
}

/* True if the launch itself stores the range before the access. In an arena of its own: each pair
 * of stores is compared. */
static bool is_stored_before(checker *k, int root, const graph_access *access, range b) {
  arena *outer = symbols_begin(k->s);
  bool stored = false;
  range own;
  for (size_t i = 0; i < k->launch.g->memories.n && !stored; i++)
    stored = k->roots[i] == root && !k->recast[i] && find_stored(k, root, (int)i, access, &own) &&
             is_at_most(k, own.low, b.low) && is_at_most(k, b.high, own.high);
  symbols_end(k->s, outer);
  return stored;
}

static void check_load(checker *k, const site *s, const graph_access *access) {
  int root = k->roots[access->memory];
  const poly *offset = k->recast[access->memory] ? NULL : k->offsets[access->memory];
  written *w = find_buffer(k, s, root, poly_add(k->s, k->elements[access->memory], offset));
  if (!w || !offset || w->told) return;
  int where = block_of(k, s);
  range b = {0};
  bool covered = is_whole(k, w, where);
  if (!covered) b = range_of(range_begin(k->s, &k->launch, access), access->index);
  b = (range){poly_add(k->s, b.low, offset), poly_add(k->s, b.high, offset)};
  covered = covered || (b.low && b.high && is_covered(k, w, b, where));
  if (covered || is_stored_before(k, root, access, b)) {
    add_written(k, access, root);
    return;
  }
  reading r = {.w = w, .root = root, .x = access, .offset = offset};
  report(k, &r, checker_argument(k, access)->name);
}

static void check_argument(checker *k, const site *s, const argument *arg) {
  int root;
  view v;
  const char *why;
  const poly *offset = sizes_offset_of_argument(k->sizes, arg, s->call->offset, &root);
  const poly *rest = sizes_of_argument(k->sizes, arg, s->call->offset, &why);
  written *w = find_buffer(k, s, root, poly_add(k->s, rest, offset));
  if (!w || !offset || w->told || !view_read(&v, k->sizes, k->m, arg, s->call->offset)) return;
  bool whole;
  reading r = {.w = w, .root = root, .v = &v, .offset = offset};
  if (is_covered(k, w, bound_view(k, &v, offset, &whole), block_of(k, s)))
    add_written(k, NULL, root)->argument = arg->name;
  else
    report(k, &r, arg->name);
}

void written_check(checker *k, const site *s, const graph *g) {
  if (g) {
    for (size_t i = 0; i < g->accesses.n; i++) {
      const graph_access *x = &g->accesses.at[i];
      if (x->kind != ACCESS_STORE && k->roots[x->memory] >= 0) check_load(k, s, x);
    }
  } else if (!(s->flags & AOTIGEN_KERNEL)) {
    for (size_t i = 0; i < s->args.n; i++)
      if (s->args.at[i].root >= 0 && s->args.at[i].role == AOTIGEN_IN)
        check_argument(k, s, &s->args.at[i]);
  }
  note_writes(k, s, g);
}
