/* extent.c - the number of elements of each parameter's memory that a kernel touches at least: see
 * kernel_facts.h.
 *
 * The kernel's integers are computed for the last and for the first iteration of its loops. An
 * access whose index and condition are known there is certain to be made.
 */
#include "bounds/express.h"
#include "bounds/kernel_facts.h"
#include <string.h>

enum { TEXTS_MAX = 4 };

typedef struct reader {
  const graph *g;
  const graph_access *x;
  const graph_node *lanes; /* the condition of x on its lanes, "lane < 16", or NULL */
  bool last;               /* the last iteration of each loop, else the first */
  bool lost;               /* a condition is not known, or too long to be kept */
  const char *path;        /* conditions so far: "@3 0 > ? " */
  express_state e;
  arena *a;
} reader;

static const postfix unknown = {0};

static postfix combine(reader *r, char op, postfix x, postfix y) {
  return postfix_combine(op, x, y, r->a);
}

static postfix compute(reader *r, const graph_node *node) {
  return node ? express_node(&r->e, node) : unknown;
}

/* ---- loops ---------------------------------------------------------------------------------- */

static postfix compute_step(reader *r, const graph_loop *l) {
  postfix one = postfix_number(1), low = l->low ? compute(r, l->low) : postfix_number(0),
          high = compute(r, l->high), step = l->kind == LOOP_FOR ? compute(r, l->step) : one;
  if (l->kind == LOOP_GRID || (l->kind == LOOP_TILE && high.kind != POSTFIX_NUMBER)) return unknown;
  if (!r->last) return low;
  postfix span = combine(r, '-', combine(r, '-', high, one), low);
  return combine(r, '+', low, combine(r, '*', combine(r, '/', span, step), step));
}

/* The last lane, or the first. The condition of the access says how many lanes there are; of a
 * vector that has no count, all but the first may lie past the end. */
static postfix compute_lane(reader *r, const graph_node *lane) {
  if (!r->lanes || r->lanes->args[0] != lane) return unknown;
  if (!r->last || r->x->uncounted) return postfix_number(0);
  return combine(r, '-', compute(r, r->lanes->args[1]), postfix_number(1));
}

static const graph_iteration *find_iteration(const graph *g, const graph_node *node) {
  return node->iteration ? &g->iterations.at[node->iteration - 1] : NULL;
}

static bool know(void *data, const graph_node *x, postfix *value) {
  reader *r = data;
  const graph_iteration *i = find_iteration(r->g, x);
  if (i) {
    postfix end = compute(r, i->end);
    *value = r->last ? combine(r, '-', end, postfix_number(1)) : postfix_number(0);
    if (end.kind == POSTFIX_UNKNOWN) *value = unknown;
    return true;
  }
  if (x == r->lanes) *value = postfix_number(1);
  if (x->kind == NODE_PARAM)
    *value = (postfix){.kind = POSTFIX_TEXT, .text = arena_printf(r->a, "@%d", x->index)};
  if (x->kind == NODE_STEP) {
    const graph_loop *l = &r->g->loops.at[x->index];
    *value = l->kind == LOOP_LANES ? compute_lane(r, x) : compute_step(r, l);
  }
  return x == r->lanes || x->kind == NODE_PARAM || x->kind == NODE_STEP;
}

/* ---- conditions ----------------------------------------------------------------------------- */

static void require(reader *r, postfix condition) {
  r->lost = !express_require(&r->path, condition, r->a) || r->lost;
}

/* Requires the condition `node`, where `outer` holds already. */
static void require_when(reader *r, const graph_node *node, const graph_node *outer) {
  if (!node || node == outer || r->lost) return;
  bool both = node->op == AG_OP_AND;
  if (both && (node->args[1] == r->lanes || node->args[0] == outer)) {
    require_when(r, node->args[0], outer);
    node = node->args[1];
  }
  require(r, compute(r, node));
}

/* Requires that the loops around the access are entered, and that their ranges are not empty. */
static void require_loops(reader *r, int loop) {
  const graph *g = r->g;
  if (loop >= 0) {
    const graph_loop *l = &g->loops.at[loop];
    require_loops(r, l->outer);
    require_when(r, l->when, l->outer < 0 ? NULL : g->loops.at[l->outer].when);
    if (!r->lost) require(r, combine(r, '<', compute(r, l->low), compute(r, l->high)));
  }
  for (size_t i = 0; i < g->iterations.n && !r->lost; i++) {
    const graph_iteration *of = &g->iterations.at[i];
    if (of->loop != loop || of->order > r->x->order) continue;
    postfix any = combine(r, '<', postfix_number(0), compute(r, of->end));
    if (any.kind != POSTFIX_UNKNOWN) require(r, any);
  }
}

/* ---- accesses ------------------------------------------------------------------------------- */

static void add_text(reader *r, kernel_param *p, const char *text) {
  size_t texts = 1;
  if (strlen(text) > POSTFIX_TEXT_MAX || kernel_facts_has(p->least_of, text)) return;
  for (const char *s = p->least_of; s && *s; s++) texts += *s == ';';
  if (!p->least_of)
    p->least_of = text;
  else if (texts < TEXTS_MAX)
    p->least_of = arena_printf(r->a, "%s;%s", p->least_of, text);
}

/* "lane < 16" of the condition; NULL where it has none. */
static const graph_node *find_lanes(const graph *g, const graph_node *x) {
  if (!x) return NULL;
  bool lane = x->op == AG_OP_LESS && x->args[0]->kind == NODE_STEP &&
              g->loops.at[x->args[0]->index].kind == LOOP_LANES;
  if (lane) return x;
  if (x->op != AG_OP_AND) return NULL;
  const graph_node *found = find_lanes(g, x->args[1]);
  return found ? found : find_lanes(g, x->args[0]);
}

/* The index of the first element past those that are touched. */
static postfix compute_end(reader *r) {
  const graph_node *index = r->x->index;
  bool vector = r->lanes && index->op == AG_OP_ADD && index->args[1] == r->lanes->args[0];
  if (!vector || r->x->uncounted) return combine(r, '+', compute(r, index), postfix_number(1));
  postfix n = compute(r, r->lanes->args[1]);
  if (n.kind == POSTFIX_NUMBER && n.number < 1) return unknown;
  return combine(r, '+', compute(r, index->args[0]), n);
}

static void touch(reader *r, kernel_param *p) {
  r->path = "";
  r->lost = false;
  r->e.work = 0;
  r->lanes = find_lanes(r->g, r->x->when);
  require_loops(r, r->x->loop);
  require_when(r, r->x->when, r->x->loop < 0 ? NULL : r->g->loops.at[r->x->loop].when);
  postfix end = r->lost ? unknown : compute_end(r);
  if (end.kind == POSTFIX_UNKNOWN) return;
  if (end.kind == POSTFIX_NUMBER && !*r->path) {
    if (end.number > p->least) p->least = end.number;
    return;
  }
  if (!r->last && p->least_of) return; /* the last iteration reaches further */
  add_text(r, p, arena_printf(r->a, "%s%s", r->path, postfix_format(end, r->a)));
}

void extent_read(kernel_facts *f, const graph *g, arena *a) {
  arena *own = arena_new();
  reader r = {.g = g, .a = own, .e = {.know = know, .a = own}};
  r.e.data = &r;
  for (int last = 1; last >= 0; last--)
    for (size_t i = 0; i < g->accesses.n; i++) {
      r.x = &g->accesses.at[i];
      r.last = last;
      int param = g->memories.at[r.x->memory].param;
      if (param >= 0 && !r.x->partly) touch(&r, &f->params[param]);
    }
  for (size_t i = 0; i < f->nparams; i++)
    if (f->params[i].least_of) f->params[i].least_of = arena_strdup(a, f->params[i].least_of);
  arena_free(own);
}
