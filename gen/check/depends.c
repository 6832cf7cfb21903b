/* depends.c - see depends.h. */
#include "check/depends.h"
#include <string.h>

typedef struct seek {
  int load;
  bool found;
} seek;

static void note_load(void *data, graph_node *x) {
  seek *s = data;
  s->found = s->found || (x->is == NODE_LOAD && x->index == s->load);
}

bool depends_begin(depends *d, const graph *g, const graph_access *load, graph_node *value,
                   arena *a) {
  seek s = {.load = (int)(load - g->accesses.at)};
  if (value) graph_each(g, value, note_load, &s);
  if (!s.found) return false;
  *d = (depends){.g = g, .load = load, .at = arena_alloc(a, (g->nodes.n + 1) * sizeof *d->at)};
  return true;
}

static enum depends_is greater(enum depends_is x, enum depends_is y) { return x > y ? x : y; }

static enum depends_is find(depends *d, points *p, const graph_node *x);

/* It depends on it where both of what it may be do. */
static enum depends_is either(enum depends_is x, enum depends_is y) {
  return x == y ? x : DEPENDS_PERHAPS;
}

static enum depends_is find_load(depends *d, points *p, const graph_node *x) {
  const graph_access *l = &d->g->accesses.at[x->index];
  if (l == d->load) return DEPENDS;
  enum depends_is is = greater(find(d, p, l->index), find(d, p, l->when));
  enum depends_is other = find(d, p, l->other);
  int64_t holds;
  if (is != DEPENDS_NOT || other == DEPENDS_NOT || !l->when) return is;
  if (!points_evaluate(p, l->when, &holds)) return DEPENDS_PERHAPS;
  return holds ? DEPENDS_NOT : other;
}

static enum depends_is find_where(depends *d, points *p, const graph_node *x) {
  int64_t holds;
  enum depends_is is = find(d, p, x->args[0]);
  if (is != DEPENDS_NOT) return is;
  if (points_evaluate(p, x->args[0], &holds)) return find(d, p, x->args[holds ? 1 : 2]);
  return either(find(d, p, x->args[1]), find(d, p, x->args[2]));
}

static enum depends_is find_op(depends *d, points *p, const graph_node *x) {
  int64_t value;
  enum depends_is is = DEPENDS_NOT;
  if (x->n == 3 && strcmp(x->text, "where") == 0) return find_where(d, p, x);
  if (x->type == GRAPH_BOOL && points_evaluate(p, x, &value)) return DEPENDS_NOT;
  for (int i = 0; i < x->n && is != DEPENDS; i++) is = greater(is, find(d, p, x->args[i]));
  return is;
}

static enum depends_is find_node(depends *d, points *p, const graph_node *x) {
  const graph_carried *c = NULL;
  switch (x->is) {
    case NODE_LOAD: return find_load(d, p, x);
    case NODE_OP: return find_op(d, p, x);
    case NODE_UNKNOWN: return DEPENDS_PERHAPS;
    case NODE_CARRIED:
    case NODE_AFTER:
      c = &d->g->carried.at[x->index];
      return greater(find(d, p, c->first), find(d, p, c->next));
    default: return DEPENDS_NOT;
  }
}

static enum depends_is find(depends *d, points *p, const graph_node *x) {
  if (!x) return DEPENDS_NOT;
  struct depends_node *at = &d->at[x->number];
  if (at->point == d->point) return at->is;
  *at = (struct depends_node){.point = d->point, .is = DEPENDS_NOT}; /* of what a loop carries */
  d->work++;
  enum depends_is is = find_node(d, p, x);
  at->is = is;
  return is;
}

enum depends_is depends_on_load(depends *d, points *p, const graph_node *value) {
  d->point++;
  d->work = 0;
  return find(d, p, value);
}
