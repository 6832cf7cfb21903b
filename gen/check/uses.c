/* uses.c - see uses.h.
 *
 * The elements are followed from launch to launch, at sizes that are set. A store whose value comes
 * from such an element, as its where() choose, makes another one; a store of any other value makes
 * it a good one again. A result depends on it where an operator is passed it, where it is in memory
 * that the caller has, and where it is handed over.
 */
#include "check/uses.h"
#include "check/depends.h"
#include "check/points.h"
#include "check/shadow.h"
#include "check/site_launch.h"
#include "check/views.h"
#include "model/storage.h"
#include <stdlib.h>
#include <string.h>

enum { BUFFERS_MAX = 16, POINTS_MAX = 1 << 14, ELEMENTS_MAX = 1 << 22 };

/* By element: 0, or 1 + the number of the element that nothing wrote and it comes from; negative
 * where that is not certain. */
typedef struct buffer {
  int root;
  int64_t n;
  int64_t *from, *next; /* before and after the launch that is followed */
} buffer;

typedef struct uses {
  checker *k;
  arena *a;
  buffer list[BUFFERS_MAX];
  int n;
  bool certain; /* the site that is followed is executed whenever the first one is */
  bool unknown;
  int64_t found; /* as of a buffer; 0: none */
} uses;

/* ---- buffers -------------------------------------------------------------------------------- */

static buffer *find_buffer(uses *u, int root) {
  for (int i = 0; i < u->n; i++)
    if (u->list[i].root == root) return &u->list[i];
  return NULL;
}

static buffer *add_buffer(uses *u, int root, int64_t n) {
  if (u->n == BUFFERS_MAX || n < 1 || n > ELEMENTS_MAX) return NULL;
  buffer *b = &u->list[u->n++];
  *b = (buffer){.root = root, .n = n};
  b->from = arena_alloc(u->a, (size_t)n * sizeof *b->from);
  b->next = arena_alloc(u->a, (size_t)n * sizeof *b->next);
  return b;
}

static bool is_clean(const buffer *b) {
  for (int64_t i = 0; i < b->n; i++)
    if (b->from[i]) return false;
  return true;
}

static void note_result(uses *u, int64_t from) {
  if (from > 0 && u->certain) {
    if (!u->found) u->found = from;
  } else if (from) {
    u->unknown = true;
  }
}

/* Nothing certain is known of its elements any more. */
static void doubt(buffer *b) {
  for (int64_t i = 0; i < b->n; i++) b->next[i] = -llabs(b->next[i]);
}

/* ---- stores --------------------------------------------------------------------------------- */

/* Memory that the caller sees: what is stored there is a result. */
static bool is_callers(const uses *u, int root) {
  enum made made = u->k->m->facts->vars.at[root].made;
  return made == MADE_INPUT || made == MADE_WEIGHT;
}

static buffer *find_target(uses *u, const site_launch *w, const graph_access *y, int root) {
  buffer *b = find_buffer(u, root);
  if (b || !storage_at(u->k->m->storage, root)->allocated) return b;
  const char *why;
  const argument *x = w->by_param[w->g->memories.at[y->memory].param];
  const poly *rest = sizes_of_argument(u->k->sizes, x, w->s->call->at, &why);
  const poly *offset = site_launch_offset(w, u->k, y, &root);
  int64_t n;
  return poly_evaluate(u->k->s, poly_add(u->k->s, rest, offset), &n) ? add_buffer(u, root, n)
                                                                     : NULL;
}

static void set_element(uses *u, buffer *b, int64_t element, int64_t from) {
  if (!b || element < 0 || element >= b->n)
    u->unknown = true;
  else if (b->next[element] <= 0)
    b->next[element] = from;
}

/* What the launch stores is good, but for what is set later. */
static void clean_stored(uses *u, const site_launch *w, const range_launch *l,
                         const graph_access *y) {
  int root;
  const poly *offset = site_launch_offset(w, u->k, y, &root);
  buffer *b = root < 0 ? NULL : find_buffer(u, root);
  if (!b) return;
  shadow m = {.n = b->n, .most = POINTS_MAX, .work = &u->k->work};
  m.at = arena_alloc(u->a, (size_t)b->n);
  bool known = y->is == ACCESS_STORE && u->certain && shadow_add_access(&m, u->k->s, l, y, offset);
  if (!known) doubt(b);
  for (int64_t i = 0; known && i < b->n; i++)
    if (m.at[i]) b->next[i] = 0;
}

/* ---- from a load to a store ----------------------------------------------------------------- */

typedef struct way {
  const site_launch *w;
  const graph_access *x, *y;
  buffer *from, *to;
  int64_t from_offset, to_offset;
  int root; /* of what it stores to */
  depends d;
} way;

static void follow_point(uses *u, way *t, points *p) {
  int64_t at, to, holds = 1;
  p->unsure = false;
  if (!points_is_reached(p)) {
    u->unknown = u->unknown || p->unsure;
    return;
  }
  if (!points_evaluate(p, t->x->index, &at)) {
    u->unknown = true;
    return;
  }
  at += t->from_offset;
  if (at < 0 || at >= t->from->n || !t->from->from[at]) return;
  bool known = !t->y->when || points_evaluate(p, t->y->when, &holds);
  if (known && !holds) return;
  enum depends_is is = depends_on_load(&t->d, p, t->y->value);
  u->k->work += t->d.work / 16;
  if (is == DEPENDS_NOT) return;
  bool certain = known && is == DEPENDS && u->certain && !t->y->partly;
  int64_t from = certain ? t->from->from[at] : -llabs(t->from->from[at]);
  if (is_callers(u, t->root))
    note_result(u, from);
  else if (points_evaluate(p, t->y->index, &to))
    set_element(u, t->to, to + t->to_offset, from);
  else
    u->unknown = true;
}

static bool follow_points(uses *u, way *t, const range_launch *l) {
  points p = {.s = u->k->s, .l = l, .x = t->x};
  if (!points_collect(&p, t->x->index) || !points_collect_also(&p, t->y->index) ||
      !points_collect_also(&p, t->y->when))
    return false;
  for (int i = 0; i < p.n; i++)
    if (p.at[i].node->is == NODE_LOAD) return false;
  int64_t count = points_count(&p);
  if (p.unbounded || count > POINTS_MAX) return false;
  if (count == 0) return true;
  points_first(&p);
  do {
    u->k->work++;
    follow_point(u, t, &p);
  } while (u->k->work < CHECKER_WORK_MAX && points_next(&p));
  return u->k->work < CHECKER_WORK_MAX;
}

/* A value that one access loads and another one stores. */
static void follow(uses *u, const site_launch *w, const range_launch *l, const graph_access *x,
                   const graph_access *y) {
  int root;
  way t = {.w = w, .x = x, .y = y};
  const poly *offset = site_launch_offset(w, u->k, x, &root);
  if (!depends_begin(&t.d, w->g, x, y->value, u->a)) return;
  t.from = find_buffer(u, root);
  bool known = poly_evaluate(u->k->s, offset, &t.from_offset);
  offset = site_launch_offset(w, u->k, y, &t.root);
  known = known && t.root >= 0 && poly_evaluate(u->k->s, offset, &t.to_offset);
  if (known && !is_callers(u, t.root)) t.to = find_target(u, w, y, t.root);
  if (!known || !follow_points(u, &t, l)) u->unknown = true;
}

/* What a kernel stores to the memory before it loads is not told apart. */
static bool is_stored_before(uses *u, const site_launch *w, const graph_access *x, int root) {
  for (size_t i = 0; i < w->g->accesses.n; i++) {
    const graph_access *y = &w->g->accesses.at[i];
    int of;
    site_launch_offset(w, u->k, y, &of);
    if (y->is != ACCESS_LOAD && y->order < x->order && of == root) return true;
  }
  return false;
}

/* ---- sites ---------------------------------------------------------------------------------- */

static bool counts_other_bytes(const uses *u, const site_launch *w, const graph_access *x) {
  const graph_memory *m = &w->g->memories.at[x->memory];
  int bytes = sizes_bytes_of_argument(u->k->sizes, w->by_param[m->param]);
  return bytes != SIZES_BYTES_ANY && bytes != graph_type_bytes(m->type);
}

static void follow_load(uses *u, const site_launch *w, const range_launch *l,
                        const graph_access *x) {
  int root;
  site_launch_offset(w, u->k, x, &root);
  const buffer *b = root < 0 ? NULL : find_buffer(u, root);
  if (!b || is_clean(b)) return;
  bool first = w->s == &u->k->m->sites.at[u->k->site];
  if (counts_other_bytes(u, w, x) || x->partly || (!first && is_stored_before(u, w, x, root))) {
    u->unknown = true;
    return;
  }
  for (size_t i = 0; i < w->g->accesses.n; i++)
    if (w->g->accesses.at[i].is != ACCESS_LOAD) follow(u, w, l, x, &w->g->accesses.at[i]);
}

/* x: the only load that is followed, or NULL. */
static void follow_launch(uses *u, const site_launch *w, const graph_access *x) {
  const range_launch l = site_launch_evaluate(w, u->k);
  for (int i = 0; i < u->n; i++)
    memcpy(u->list[i].next, u->list[i].from, (size_t)u->list[i].n * sizeof *u->list[i].from);
  for (size_t i = 0; i < w->g->accesses.n; i++)
    if (w->g->accesses.at[i].is != ACCESS_LOAD) clean_stored(u, w, &l, &w->g->accesses.at[i]);
  for (size_t i = 0; i < w->g->accesses.n; i++) {
    const graph_access *y = &w->g->accesses.at[i];
    if (y->is == ACCESS_LOAD && (!x || x == y)) follow_load(u, w, &l, y);
  }
  for (int i = 0; i < u->n; i++)
    memcpy(u->list[i].from, u->list[i].next, (size_t)u->list[i].n * sizeof *u->list[i].from);
}

/* What an operator, or a kernel that is not understood, is passed. */
static void follow_argument(uses *u, const site *s, const argument *x) {
  buffer *b = x->root < 0 ? NULL : find_buffer(u, x->root);
  if (!b || is_clean(b)) return;
  int root;
  view v;
  const poly *offset = sizes_offset_of_argument(u->k->sizes, x, s->call->at, &root);
  bool known = !(s->flags & SITE_KERNEL) && x->role == ROLE_IN && offset &&
               view_read(&v, u->k->sizes, u->k->m, x, s->call->at);
  shadow m = {.n = b->n, .most = POINTS_MAX, .work = &u->k->work};
  m.at = arena_alloc(u->a, (size_t)b->n);
  if (!known || !shadow_add_view(&m, u->k->s, &v, offset)) {
    memcpy(b->next, b->from, (size_t)b->n * sizeof *b->from);
    doubt(b);
    memcpy(b->from, b->next, (size_t)b->n * sizeof *b->from);
    u->unknown = true;
    return;
  }
  for (int64_t i = 0; i < b->n; i++)
    if (m.at[i]) note_result(u, b->from[i]);
}

static bool is_passed_any(uses *u, const site *s) {
  for (size_t i = 0; i < s->args.n; i++) {
    const buffer *b = s->args.at[i].root < 0 ? NULL : find_buffer(u, s->args.at[i].root);
    if (b && !is_clean(b)) return true;
  }
  return false;
}

static void follow_site(uses *u, size_t i, const graph_access *x) {
  site_launch w;
  const checker *k = u->k;
  const site *first = &k->m->sites.at[k->site], *s = &k->m->sites.at[i];
  if (s->call->function != first->call->function || !is_passed_any(u, s)) return;
  int around = blocks_find_branching(k->blocks, s->call->at);
  u->certain =
      blocks_is_within(k->blocks, blocks_find_branching(k->blocks, first->call->at), around);
  site_launch_read(&w, u->k, i);
  if (w.g && !w.g->not_understood)
    follow_launch(u, &w, x);
  else
    for (size_t j = 0; j < s->args.n; j++) follow_argument(u, s, &s->args.at[j]);
}

/* ---- what is handed over -------------------------------------------------------------------- */

/* Is the whole memory the variable's: no view is on the way. */
static bool is_whole(const uses *u, int var) {
  storage_walk w = storage_walk_from(u->k->m->storage, var);
  bool whole = true;
  for (; w.var >= 0; storage_walk_on(&w)) {
    const fact_var *v = &u->k->m->facts->vars.at[w.var];
    whole = whole && v->made != MADE_VIEW && !storage_at(u->k->m->storage, w.var)->via;
  }
  return whole && !w.cut;
}

static void note_outputs(uses *u, const site *s) {
  const facts *f = u->k->m->facts;
  const fact_function *run = &f->functions.at[s->call->function];
  u->certain = run->is == FUNCTION_RUN;
  u->unknown = u->unknown || !u->certain;
  handed_over out = {.at = s->call->close};
  for (; storage_next_output(f, &out, run->body.end); out.at = out.name.end) {
    int var = storage_find(u->k->m->storage, f->text + out.name.begin,
                           out.name.end - out.name.begin, out.at);
    const buffer *b = var < 0 ? NULL : find_buffer(u, storage_root(u->k->m->storage, var));
    bool whole = b && is_whole(u, var);
    for (int64_t i = 0; b && i < b->n; i++) note_result(u, whole ? b->from[i] : -b->from[i]);
  }
}

enum uses_found uses_find(checker *k, const graph_access *x, int root, const unsigned char *written,
                          int64_t n, int64_t *element) {
  const model *m = k->m;
  const site *first = &m->sites.at[k->site];
  uses u = {.k = k, .a = arena_new(), .unknown = first->call->loop != 0};
  buffer *b = add_buffer(&u, root, n);
  u.unknown = u.unknown || !b;
  for (int64_t i = 0; b && i < n; i++) b->from[i] = written[i] ? 0 : i + 1;
  arena *outer = k->s->a;
  k->s->a = u.a;
  for (size_t i = k->site; i < m->sites.n && !u.unknown && !u.found; i++)
    follow_site(&u, i, i == k->site ? x : NULL);
  if (!u.unknown && !u.found) note_outputs(&u, first);
  k->s->a = outer;
  arena_free(u.a);
  if (u.found) *element = u.found - 1;
  return u.found ? USES_CERTAIN : u.unknown ? USES_UNKNOWN : USES_NONE;
}
