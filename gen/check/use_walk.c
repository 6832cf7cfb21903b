/* use_walk.c - see written_parts.h.
 *
 * The elements are followed from launch to launch, at sizes that are set. A store whose value comes
 * from such an element, as its where() select, makes the stored element another one; a store of any
 * other value makes it good again. A result depends on it if an operator is passed it, or if it
 * remains in memory that the caller has or receives.
 */
#include "check/written_parts.h"
#include "bounds/load_flow.h"
#include "bounds/points.h"
#include "sizes/sizes.h"
#include "model/storage.h"
#include <string.h>

enum { BUFFERS_MAX = 16, SITES_MAX = 64, POINTS_MAX = 1 << 14, ELEMENTS_MAX = 1 << 20 };

/* A view that is passed to an operator, or to a kernel that is not understood. */
typedef struct passed_view {
  int root;
  bool known;
  view v;
  const poly *offset;
} passed_view;

typedef struct followed_site {
  size_t number;
  site_launch w;
  site_memory *memories; /* by memory of the kernel's graph */
  passed_view *views;    /* by argument, for a site without a graph */
} followed_site;

/* The unwritten element that the value of a buffer's element comes from. */
typedef struct origin {
  int64_t element; /* 1 + its number; 0: the element of the buffer is good */
  bool certain;
} origin;

typedef struct buffer {
  int root;
  int64_t n;
  origin *now, *next; /* before and after the launch that is followed */
  unsigned char *marks;
} buffer;

struct use_walk {
  checker *k;
  const graph_access *x;
  int roots[BUFFERS_MAX];
  int nroots;
  arena_list(followed_site) sites;
  bool incomplete; /* there are more sites or buffers than can be followed */
  /* for one use_walk_find(): */
  arena *a;
  buffer list[BUFFERS_MAX];
  int n;
  bool certain; /* the site that is followed is executed whenever the first one is */
  bool unknown;
  int64_t found; /* 1 + an element; 0: none */
};

/* ---- which sites ---------------------------------------------------------------------------- */

static bool is_followed(const use_walk *u, int root) {
  for (int i = 0; i < u->nroots; i++)
    if (u->roots[i] == root) return true;
  return false;
}

static void follow_root(use_walk *u, int root) {
  if (root < 0 || u->nroots == BUFFERS_MAX)
    u->incomplete = true;
  else if (!is_followed(u, root))
    u->roots[u->nroots++] = root;
}

static bool is_passed_any(const use_walk *u, const site *s) {
  for (size_t i = 0; i < s->args.n; i++)
    if (s->args.at[i].root >= 0 && is_followed(u, s->args.at[i].root)) return true;
  return false;
}

static void read_kernel(use_walk *u, followed_site *f) {
  const graph *g = f->w.g;
  f->memories = arena_alloc(u->k->s->a, (g->memories.n + 1) * sizeof *f->memories);
  for (size_t i = 0; i < g->memories.n; i++)
    f->memories[i] = site_launch_memory(&f->w, u->k, (int)i);
  for (size_t i = 0; i < g->accesses.n; i++)
    if (g->accesses.at[i].kind != ACCESS_LOAD)
      follow_root(u, f->memories[g->accesses.at[i].memory].root);
}

static void read_views(use_walk *u, followed_site *f) {
  const site *s = f->w.s;
  f->views = arena_alloc(u->k->s->a, (s->args.n + 1) * sizeof *f->views);
  for (size_t i = 0; i < s->args.n; i++) {
    const argument *x = &s->args.at[i];
    passed_view *v = &f->views[i];
    v->offset = sizes_offset_of_argument(u->k->sizes, x, s->call->offset, &v->root);
    v->known = !(s->flags & AOTIGEN_KERNEL) && x->role == AOTIGEN_IN && v->offset &&
               view_read(&v->v, u->k->sizes, u->k->m, x, s->call->offset);
  }
}

static void read_site(use_walk *u, size_t number) {
  followed_site *f = arena_push(u->k->s->a, &u->sites);
  *f = (followed_site){.number = number};
  site_launch_read(&f->w, u->k, number);
  if (f->w.g && f->w.g->not_understood.n) f->w.g = NULL;
  if (f->w.g)
    read_kernel(u, f);
  else
    read_views(u, f);
}

use_walk *use_walk_read(checker *k, const graph_access *access, int root) {
  use_walk *u = arena_alloc(k->s->a, sizeof *u);
  const fact_call *first = k->m->sites.at[k->site].call;
  *u = (use_walk){.k = k, .x = access, .incomplete = first->loop != 0};
  follow_root(u, root);
  for (size_t i = k->site; i < k->m->sites.n && !u->incomplete; i++) {
    const site *s = &k->m->sites.at[i];
    if (s->call->function != first->function || !is_passed_any(u, s)) continue;
    u->incomplete = u->sites.n == SITES_MAX;
    if (!u->incomplete) read_site(u, i);
  }
  return u;
}

/* ---- buffers -------------------------------------------------------------------------------- */

static buffer *find_bad(use_walk *u, int root) {
  for (int i = 0; i < u->n && root >= 0; i++)
    if (u->list[i].root == root) return &u->list[i];
  return NULL;
}

static buffer *add_buffer(use_walk *u, int root, int64_t n) {
  if (u->n == BUFFERS_MAX || n < 1 || n > ELEMENTS_MAX) return NULL;
  buffer *b = &u->list[u->n++];
  *b = (buffer){.root = root, .n = n};
  b->now = arena_alloc(u->a, (size_t)n * sizeof *b->now);
  b->next = arena_alloc(u->a, (size_t)n * sizeof *b->next);
  b->marks = arena_alloc(u->a, (size_t)n);
  return b;
}

static void work(use_walk *u, int64_t n) {
  u->k->work += 1 + n / 64;
  u->unknown = u->unknown || u->k->work > CHECKER_WORK_MAX;
}

static bool is_good(use_walk *u, const buffer *b) {
  work(u, b->n);
  for (int64_t i = 0; i < b->n; i++)
    if (b->now[i].element) return false;
  return true;
}

static void note_result(use_walk *u, origin from, bool certain) {
  if (!from.element) return;
  if (from.certain && certain && u->certain) {
    if (!u->found) u->found = from.element;
  } else {
    u->unknown = true;
  }
}

/* Marks each element of the buffer as uncertain. */
static void mark_uncertain(buffer *b) {
  for (int64_t i = 0; i < b->n; i++) b->next[i].certain = false;
}

/* ---- stores --------------------------------------------------------------------------------- */

/* Makes the elements that the launch stores to good. Bad ones are set afterwards. */
static void clean_stored(use_walk *u, const followed_site *f, const range_launch *l,
                         const graph_access *y) {
  const site_memory *m = &f->memories[y->memory];
  buffer *b = find_bad(u, m->root);
  if (!b) return;
  shadow marks = {.at = b->marks, .n = b->n, .most = POINTS_MAX};
  memset(b->marks, 0, (size_t)b->n);
  work(u, b->n);
  bool known = y->kind == ACCESS_STORE && u->certain && !m->recast &&
               shadow_add_access(&marks, u->k, l, y, m->offset);
  if (!known) mark_uncertain(b);
  for (int64_t i = 0; known && i < b->n; i++)
    if (b->marks[i]) b->next[i] = (origin){0};
}

/* True if more than one access of the launch stores to the memory: their order is not followed. */
static bool is_stored_twice(const followed_site *f, const graph_access *y) {
  for (size_t i = 0; i < f->w.g->accesses.n; i++) {
    const graph_access *z = &f->w.g->accesses.at[i];
    if (z != y && z->kind != ACCESS_LOAD &&
        f->memories[z->memory].root == f->memories[y->memory].root)
      return true;
  }
  return false;
}

/* True if the launch may load what it stored itself, in this iteration or another one. */
static bool is_stored_before(const followed_site *f, const graph_access *access) {
  for (size_t i = 0; i < f->w.g->accesses.n; i++) {
    const graph_access *y = &f->w.g->accesses.at[i];
    bool own = y->memory == access->memory && y->index == access->index && y->order > access->order;
    if (y->kind != ACCESS_LOAD && !own &&
        f->memories[y->memory].root == f->memories[access->memory].root)
      return true;
  }
  return false;
}

/* ---- from a load to a store ----------------------------------------------------------------- */

typedef struct way {
  const graph_access *x, *y;
  buffer *from, *to;
  int64_t from_offset, to_offset;
  bool certain;
  load_flow flow;
} way;

static bool read_place(points *p, const graph_access *access, int64_t offset, const buffer *b,
                       int64_t *at) {
  return points_evaluate(p, access->index, at) && !__builtin_add_overflow(*at, offset, at) &&
         *at >= 0 && *at < b->n;
}

static void follow_point(use_walk *u, way *t, points *p) {
  int64_t at, to, holds = 1;
  p->unsure = false;
  bool reached = points_is_reached(p);
  u->unknown = u->unknown || p->unsure;
  if (!reached) return;
  if (!read_place(p, t->x, t->from_offset, t->from, &at)) {
    u->unknown = true;
    return;
  }
  origin from = t->from->now[at];
  bool known = !t->y->when || points_evaluate(p, t->y->when, &holds);
  if (!from.element || (known && !holds)) return;
  enum load_flow_kind kind = load_flow_find(&t->flow, p, t->y->value);
  u->k->work += t->flow.work / 16;
  if (kind == FLOWS_NOT) return;
  from.certain = from.certain && known && kind == FLOWS && t->certain;
  if (!read_place(p, t->y, t->to_offset, t->to, &to))
    u->unknown = true;
  else if (!t->to->next[to].certain)
    t->to->next[to] = from;
}

/* Each loop around the store has a step at the point: the loop is around the load as well, or the
 * point has a step for it. */
static bool are_loops_known(const points *p, const graph_access *y) {
  const graph_loop *loops = p->l->g->loops.at;
  for (int i = y->loop; i >= 0; i = loops[i].outer) {
    bool known = loops[i].kind == LOOP_LANES;
    for (int k = p->x->loop; k >= 0; k = loops[k].outer) known = known || k == i;
    for (int k = 0; k < p->n; k++)
      known = known || (p->at[k].node->kind == NODE_STEP && p->at[k].node->index == i);
    if (!known) return false;
  }
  return true;
}

static bool follow_points(use_walk *u, way *t, const range_launch *l) {
  points p = {.s = u->k->s, .l = l, .x = t->x};
  if (!points_collect(&p, t->x->index) || !points_collect_also(&p, t->y->index) ||
      !points_collect_also(&p, t->y->when) || !are_loops_known(&p, t->y))
    return false;
  for (int i = 0; i < p.n; i++)
    if (p.at[i].node->kind == NODE_LOAD) return false;
  int64_t count = points_count(&p);
  if (p.unbounded || count > POINTS_MAX) return false;
  if (count == 0) return true;
  points_first(&p);
  do {
    work(u, 0);
    follow_point(u, t, &p);
  } while (!u->unknown && points_next(&p));
  return true;
}

/* Follows a value that one access loads and another one stores. */
static void follow(use_walk *u, const followed_site *f, const range_launch *l,
                   const graph_access *x, const graph_access *y) {
  way t = {.x = x, .y = y, .certain = u->certain && !y->partly && !is_stored_twice(f, y)};
  const site_memory *from = &f->memories[x->memory], *to = &f->memories[y->memory];
  int64_t n;
  if (!load_flow_begin(&t.flow, f->w.g, x, y->value, u->a)) return;
  t.from = find_bad(u, from->root);
  t.to = find_bad(u, to->root);
  if (!t.to && to->root >= 0 && checker_value(u->k, to->elements, &n))
    t.to = add_buffer(u, to->root, n);
  bool known = t.from && t.to && !from->recast && !to->recast && y->kind == ACCESS_STORE &&
               checker_value(u->k, from->offset, &t.from_offset) &&
               checker_value(u->k, to->offset, &t.to_offset);
  if (!known || !follow_points(u, &t, l)) u->unknown = true;
}

/* ---- sites ---------------------------------------------------------------------------------- */

static void follow_load(use_walk *u, const followed_site *f, const range_launch *l,
                        const graph_access *access) {
  const buffer *b = find_bad(u, f->memories[access->memory].root);
  if (!b || is_good(u, b)) return;
  if (access->partly || is_stored_before(f, access)) {
    u->unknown = true;
    return;
  }
  for (size_t i = 0; i < f->w.g->accesses.n && !u->unknown; i++)
    if (f->w.g->accesses.at[i].kind != ACCESS_LOAD)
      follow(u, f, l, access, &f->w.g->accesses.at[i]);
}

static void copy_all(use_walk *u, bool back) {
  for (int i = 0; i < u->n; i++) {
    buffer *b = &u->list[i];
    memcpy(back ? b->now : b->next, back ? b->next : b->now, (size_t)b->n * sizeof *b->now);
    work(u, b->n);
  }
}

/* access: the only load that is followed, or NULL. */
static void follow_launch(use_walk *u, const followed_site *f, const graph_access *access) {
  const graph *g = f->w.g;
  const range_launch l = site_launch_evaluate(&f->w, u->k);
  copy_all(u, false);
  for (size_t i = 0; i < g->accesses.n; i++)
    if (g->accesses.at[i].kind != ACCESS_LOAD) clean_stored(u, f, &l, &g->accesses.at[i]);
  for (size_t i = 0; i < g->accesses.n && !u->unknown; i++) {
    const graph_access *y = &g->accesses.at[i];
    if (y->kind == ACCESS_LOAD && (!access || access == y)) follow_load(u, f, &l, y);
  }
  copy_all(u, true);
}

static void follow_view(use_walk *u, const passed_view *v) {
  buffer *b = find_bad(u, v->root);
  if (!b || is_good(u, b)) return;
  shadow marks = {.at = b->marks, .n = b->n, .most = POINTS_MAX};
  memset(b->marks, 0, (size_t)b->n);
  if (!v->known || !shadow_add_view(&marks, u->k, &v->v, v->offset)) {
    u->unknown = true;
    return;
  }
  for (int64_t i = 0; i < b->n; i++)
    if (b->marks[i]) note_result(u, b->now[i], true);
}

static void follow_site(use_walk *u, const followed_site *f, bool first) {
  const blocks *b = u->k->blocks;
  const site *from = &u->k->m->sites.at[u->k->site];
  u->certain = blocks_is_within(b, blocks_find_branching(b, from->call->offset),
                                blocks_find_branching(b, f->w.s->call->offset));
  if (f->w.g)
    follow_launch(u, f, first ? u->x : NULL);
  else
    for (size_t i = 0; i < f->w.s->args.n; i++) follow_view(u, &f->views[i]);
}

/* ---- what is left at the end ---------------------------------------------------------------- */

/* True if the variable has the whole memory: there is no view on the way. */
static bool is_whole(const use_walk *u, int var) {
  storage_walk w = storage_walk_from(u->k->m->storage, var);
  bool whole = true;
  for (; w.var >= 0; storage_walk_on(&w)) {
    const fact_var *v = &u->k->m->facts->vars.at[w.var];
    whole = whole && v->made != MADE_VIEW && !storage_at(u->k->m->storage, w.var)->via;
  }
  return whole && !w.cut;
}

static void note_all(use_walk *u, const buffer *b, bool certain) {
  for (int64_t i = 0; b && i < b->n; i++) note_result(u, b->now[i], certain);
}

static void note_left(use_walk *u) {
  const facts *f = u->k->m->facts;
  const fact_call *first = u->k->m->sites.at[u->k->site].call;
  const fact_function *run = &f->functions.at[first->function];
  u->certain = run->kind == FUNCTION_RUN;
  u->unknown = u->unknown || !u->certain;
  for (int i = 0; i < u->n; i++) {
    enum made made = f->vars.at[u->list[i].root].made;
    if (made == MADE_INPUT || made == MADE_WEIGHT) note_all(u, &u->list[i], true);
  }
  handed_over out = {.offset = first->close};
  for (; storage_next_output(f, &out, run->body.end); out.offset = out.name.end) {
    int var = storage_find(u->k->m->storage, f->text + out.name.begin,
                           out.name.end - out.name.begin, out.offset);
    if (var >= 0) note_all(u, find_bad(u, storage_root(u->k->m->storage, var)), is_whole(u, var));
  }
}

enum use_found use_walk_find(use_walk *u, const unsigned char *bad, int64_t n, int64_t *element) {
  u->unknown = u->incomplete;
  u->found = u->n = 0;
  if (u->unknown) return USE_UNKNOWN;
  arena *outer = u->k->s->a;
  u->a = u->k->s->a = arena_new();
  buffer *b = add_buffer(u, u->roots[0], n);
  u->unknown = !b;
  for (int64_t i = 0; b && i < n; i++) b->now[i] = (origin){bad[i] ? i + 1 : 0, bad[i] != 0};
  for (size_t i = 0; i < u->sites.n && !u->unknown && !u->found; i++)
    follow_site(u, &u->sites.at[i], i == 0);
  if (!u->unknown && !u->found) note_left(u);
  u->k->s->a = outer;
  arena_free(u->a);
  if (u->found) *element = u->found - 1;
  return u->found ? USE_CERTAIN : u->unknown ? USE_UNKNOWN : USE_NONE;
}
