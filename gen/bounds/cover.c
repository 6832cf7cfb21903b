/* cover.c - which parameters a kernel loads and stores without a gap: see kernel_facts.h. A
 * parameter is covered only where each of its accesses was followed. Sizes that are parameters
 * count as positive, and as multiples of what divides them. */
#include "bounds/kernel_facts.h"
#include "bounds/range_reader.h"
#include "kernel/postfix.h"
#include <string.h>

enum { ACCESSES_MAX = 16 };

/* factor * (variable // divisor); the quotient goes from `from` by `step` to below `to`. */
typedef struct term {
  int loop;
  const poly *divisor, *from, *to, *step, *factor;
} term;

typedef struct footprint {
  int n;
  term at[FORM_ATOMS];
} footprint;

/* The accesses of one kind to one parameter. Each covers a part of its own. */
typedef struct cover {
  footprint at[ACCESSES_MAX];
  int n;
  bool lost;
} cover;

typedef struct reader {
  const graph *g;
  symbols s;
  range_launch l;
  range_reader *r;
  const graph_access *x;
  arena *a;
} reader;

/* ---- loops ---------------------------------------------------------------------------------- */

/* NULL where it depends on a loop. */
static const poly *read_constant(reader *r, const graph_node *node) {
  const form *f = node ? form_read(r->r, node) : NULL;
  return f && !f->n ? f->constant : NULL;
}

static const graph_iteration *find_iteration(const graph *g, int loop) {
  const graph_iteration *found = NULL;
  for (size_t i = 0; i < g->iterations.n; i++) {
    const graph_node *of = g->iterations.at[i].of;
    if (of->kind == NODE_STEP && of->index == loop) found = &g->iterations.at[i];
  }
  return found;
}

/* The loop's variable itself. False where its ends are not known. */
static bool read_loop(reader *r, int loop, term *t) {
  const graph_loop *l = &r->g->loops.at[loop];
  const graph_iteration *i = find_iteration(r->g, loop);
  const poly *one = poly_number(&r->s, 1), *zero = poly_number(&r->s, 0);
  *t = (term){.loop = loop, .divisor = one, .from = zero, .step = one, .factor = one};
  if (r->g->python) {
    t->to = i ? read_constant(r, i->end) : NULL;
  } else if (l->kind != LOOP_LANES) {
    t->from = read_constant(r, l->low);
    t->to = read_constant(r, l->high);
    if (l->kind == LOOP_FOR) t->step = read_constant(r, l->step);
  }
  return t->from && t->step && (t->to || l->kind == LOOP_LANES);
}

/* ---- conditions ----------------------------------------------------------------------------- */

/* True if it is known which of the two lies within the loop. Where neither is a number, the bound
 * of the condition is taken. */
static bool is_comparable(const poly *end, const poly *bound, bool least) {
  int64_t n;
  bool number = poly_is_number(end, &n), other = poly_is_number(bound, &n);
  return number == other || (least && poly_is(end, 0));
}

/* node >= y, or node < y. Such a condition selects the parts of a loop whose last elements do not
 * fill a vector, or lanes of a vector. False for another condition. */
static bool narrow_term(reader *r, const graph_node *node, term *t) {
  bool least = node->op == AG_OP_GREATER_EQUAL;
  const poly *bound = read_constant(r, node->args[1]), **end = least ? &t->from : &t->to;
  if (!bound || (*end && !is_comparable(*end, bound, least))) return false;
  int64_t now, then;
  bool wider = *end && poly_is_number(*end, &now) && poly_is_number(bound, &then) &&
               (least ? then < now : then > now);
  if (!wider) *end = bound;
  return true;
}

/* Narrows the term of a loop to where the condition holds. False for another condition. */
static bool narrow(reader *r, const graph_node *node, int loop, term *t) {
  if (!node || (node->kind == NODE_INTEGER && node->value)) return true;
  if (node->op == AG_OP_AND)
    return narrow(r, node->args[0], loop, t) && narrow(r, node->args[1], loop, t);
  bool bounds = (node->op == AG_OP_GREATER_EQUAL || node->op == AG_OP_LESS) &&
                node->args[0]->kind == NODE_STEP;
  if (!bounds) return false;
  const graph_iteration *i = r->g->python ? find_iteration(r->g, node->args[0]->index) : NULL;
  if (r->g->python) return i && i->end == node->args[1] && node->op == AG_OP_LESS;
  return node->args[0]->index == loop ? narrow_term(r, node, t)
                                      : read_constant(r, node->args[1]) != NULL;
}

/* ---- accesses ------------------------------------------------------------------------------- */

/* True if two parts of one loop's variable do not overlap, the first one below. */
static bool is_below(reader *r, const term *t, const term *u) {
  const poly *end = poly_multiply(&r->s, t->divisor, t->to);
  int64_t n, m;
  return poly_is_same(end, u->divisor) ||
         (poly_is_number(end, &n) && poly_is_number(u->divisor, &m) && n <= m);
}

/* The digits of a loop's variable, from 0 on. Where all are numbers, each must divide the next. */
static bool cut_term(reader *r, const atom *of, term *t) {
  int64_t to, by;
  if (poly_is(of->divisor, 1) && !of->modulus) return true;
  if (!poly_is(t->from, 0) || !poly_is(t->step, 1)) return false;
  const poly *span = t->to;
  const poly *whole = poly_divide_exactly(&r->s, span, of->divisor);
  if (!whole && poly_is_number(span, &to) && poly_is_number(of->divisor, &by)) return false;
  t->divisor = of->divisor;
  t->to = whole ? whole : poly_divide(&r->s, span, of->divisor);
  if (!t->to || !of->modulus) return t->to;
  bool numbers = poly_is_number(t->to, &to) && poly_is_number(of->modulus, &by);
  if (numbers && to > by && to % by) return false;
  if (!numbers || to > by) t->to = of->modulus;
  return true;
}

static bool add_term(reader *r, footprint *f, const term *t) {
  for (int i = 0; i < f->n; i++)
    if (f->at[i].loop == t->loop && !is_below(r, &f->at[i], t) && !is_below(r, t, &f->at[i]))
      return false;
  f->at[f->n++] = *t;
  return true;
}

static bool read_footprint(reader *r, footprint *to) {
  const form *f = form_read(r->r, r->x->index);
  to->n = 0;
  if (!f || r->x->partly || !poly_is(f->constant, 0) || !narrow(r, r->x->when, -1, NULL))
    return false;
  for (int i = 0; i < f->n; i++) {
    term t;
    bool known = !f->at[i].of.node && read_loop(r, f->at[i].of.loop, &t) &&
                 narrow(r, r->x->when, t.loop, &t) && t.to && cut_term(r, &f->at[i].of, &t);
    t.factor = f->at[i].factor;
    if (!known || !add_term(r, to, &t)) return false;
  }
  return true;
}

/* The term with the same factor that goes over the elements between the steps of term `i`, by a
 * loop of its own or by lanes; -1 where there is none. */
static int find_inner(reader *r, const footprint *f, int i) {
  const term *t = &f->at[i];
  const poly *span = poly_subtract(&r->s, t->to, t->from);
  int64_t all, part;
  for (int k = 0; k < f->n; k++) {
    const term *u = &f->at[k];
    if (k == i || !poly_is_same(u->factor, t->factor) || !poly_is(u->from, 0) ||
        !poly_is(u->step, 1))
      continue;
    bool numbers = poly_is_number(span, &all) && poly_is_number(u->to, &part) && part > 0;
    bool divides = numbers ? all % part == 0 : poly_divide_exactly(&r->s, span, u->to) != NULL;
    if (poly_is_same(u->to, span) || (poly_is_same(u->to, t->step) && divides)) return k;
  }
  return -1;
}

/* Makes each loop step by one element. A loop with a larger step has the elements between in a
 * vector, or in a loop of their own. */
static bool join_steps(reader *r, footprint *f) {
  for (int i = 0; i < f->n; i++) {
    if (poly_is(f->at[i].step, 1)) continue;
    int inner = find_inner(r, f, i);
    if (inner < 0) return false;
    f->at[i].step = poly_number(&r->s, 1);
    f->at[inner] = f->at[--f->n];
    i = -1;
  }
  return true;
}

/* Makes `x` cover what `y` covers too, where they differ in one range, and one range begins where
 * the other ends. */
static bool merge(footprint *x, const footprint *y) {
  term *t = NULL;
  const term *u = NULL;
  bool taken[FORM_ATOMS] = {0};
  if (x->n != y->n) return false;
  for (int i = 0; i < x->n; i++) {
    int k = 0;
    while (k < y->n && (taken[k] || !poly_is_same(x->at[i].factor, y->at[k].factor))) k++;
    if (k == y->n) return false;
    taken[k] = true;
    bool same = poly_is_same(x->at[i].from, y->at[k].from) &&
                poly_is_same(x->at[i].to, y->at[k].to);
    if (same) continue;
    if (t) return false;
    t = &x->at[i];
    u = &y->at[k];
  }
  if (!t) return true;
  if (poly_is_same(t->to, u->from))
    t->to = u->to;
  else if (poly_is_same(u->to, t->from))
    t->from = u->from;
  else
    return false;
  return true;
}

static void add_footprint(cover *c, footprint f) {
  for (int i = 0; i < c->n;) {
    if (merge(&c->at[i], &f)) {
      f = c->at[i];
      c->at[i] = c->at[--c->n];
      i = 0;
    } else {
      i++;
    }
  }
  if (c->n == ACCESSES_MAX)
    c->lost = true;
  else
    c->at[c->n++] = f;
}

/* ---- all ------------------------------------------------------------------------------------ */

static postfix express(reader *r, const poly *x) {
  postfix sum = postfix_number(0);
  for (int i = x->n; i-- > 0;) {
    bool fits = x->at[i].factor >= INT64_MIN && x->at[i].factor <= INT64_MAX;
    postfix part = fits ? postfix_number((int64_t)x->at[i].factor) : (postfix){0};
    for (int k = 0; k < x->at[i].n; k++) {
      const symbol *s = &r->s.list.at[x->at[i].symbols[k]];
      postfix value = s->kind == SYMBOL_SIZE
                          ? (postfix){.kind = POSTFIX_TEXT, .text = s->name}
                          : postfix_combine('/', express(r, s->of), express(r, s->by), r->a);
      part = postfix_combine('*', part, value, r->a);
    }
    sum = postfix_combine('+', sum, part, r->a);
  }
  return sum;
}

/* The number of elements from the first one on that the accesses cover together; NULL where they
 * leave a gap. */
static const poly *measure(reader *r, const footprint *f) {
  const poly *all = poly_number(&r->s, 1);
  bool used[FORM_ATOMS] = {0};
  int left = 0;
  for (int i = 0; i < f->n; i++) {
    if (!poly_is(f->at[i].from, 0)) return NULL;
    used[i] = poly_is(f->at[i].to, 1);
    left += !used[i];
  }
  for (int i = 0; left; i++) {
    while (i < f->n && (used[i] || !poly_is_same(f->at[i].factor, all))) i++;
    if (i == f->n) return NULL;
    all = poly_multiply(&r->s, all, f->at[i].to);
    if (!all) return NULL;
    used[i] = true;
    left--;
    i = -1;
  }
  return all;
}

/* Each access must go over the same elements, since a value may come from any of them. */
static const char *measure_cover(reader *r, const cover *c, arena *a) {
  const poly *all = c->n && !c->lost ? measure(r, &c->at[0]) : NULL;
  for (int i = 1; all && i < c->n; i++)
    if (!poly_is_same(all, measure(r, &c->at[i]))) all = NULL;
  postfix n = all ? express(r, all) : (postfix){0};
  return n.kind == POSTFIX_UNKNOWN ? NULL : arena_strdup(a, postfix_format(n, r->a));
}

static void read_access(reader *r, cover *c) {
  footprint f;
  if (c->lost) return;
  r->r = range_begin(&r->s, &r->l, NULL);
  if (read_footprint(r, &f) && join_steps(r, &f))
    add_footprint(c, f);
  else
    c->lost = true;
}

static void begin_symbols(reader *r) {
  const poly **params = arena_alloc(r->a, (r->g->nparams + 1) * sizeof *params);
  for (size_t i = 0; i < r->g->nparams; i++) {
    if (r->g->params[i].pointer) continue;
    const symbol x = {
        .name = arena_printf(r->a, "@%zu", i), .kind = SYMBOL_SIZE, .low = 1, .high = INT64_MAX};
    params[i] = poly_symbol(&r->s, symbols_add(&r->s, x));
  }
  r->l = (range_launch){.g = r->g, .params = params};
}

/* Neither kind is known where one access is not: that access may touch elements of the other
 * kind. */
static void read_param(reader *r, int memory, kernel_param *p, arena *a) {
  cover *loads = arena_alloc(r->a, sizeof *loads), *stores = arena_alloc(r->a, sizeof *stores);
  for (size_t i = 0; i < r->g->escapes.n; i++)
    if (r->g->escapes.at[i].memory == memory) return;
  for (size_t i = 0; i < r->g->accesses.n && !loads->lost && !stores->lost; i++) {
    r->x = &r->g->accesses.at[i];
    if (r->x->memory != memory) continue;
    if (r->x->kind == ACCESS_ATOMIC) return;
    read_access(r, r->x->kind == ACCESS_LOAD ? loads : stores);
  }
  if (loads->lost || stores->lost) return;
  p->loads_all = measure_cover(r, loads, a);
  p->stores_all = measure_cover(r, stores, a);
}

void cover_read(kernel_facts *f, const graph *g, arena *a) {
  reader r = {.g = g, .a = arena_new()};
  r.s.a = r.a;
  begin_symbols(&r);
  for (size_t i = 0; i < g->memories.n; i++)
    if (g->memories.at[i].param >= 0)
      read_param(&r, (int)i, &f->params[g->memories.at[i].param], a);
  arena_free(r.a);
}
