/* cover.c - see cover.h. A parameter is covered only where each use of it in the text
 * is one of the accesses that were followed. */
#include "kernel/cover.h"

#include <string.h>

#include "kernel/bad.h"
#include "kernel/extent.h"
#include "kernel/index.h"

/* Each value takes 2 kB; what is computed after the first ones is not known. */
enum { ACCESSES_MAX = 16, CONDITIONS_MAX = 4, VALUES_MAX = 20000 };

/* The accesses of one parameter of one kind: each covers something of its own. */
typedef struct cover {
  index_form *at[ACCESSES_MAX];
  int n;
} cover;

typedef struct param_cover {
  cover loads, stores;
  size_t uses; /* in the text, that were not followed */
  bool lost;
} param_cover;

typedef struct reader {
  const kernel_tree *t;
  arena *a;
  const index_form **values; /* by variable; NULL: not known */
  int *params;               /* by variable: the parameter whose pointer it is, -1 */
  param_cover *covers;       /* by parameter */
  string_map *numels;        /* to the last variable of a name */
  unsigned computed;         /* values so far */
  bool stopped;              /* the kernel may have been left */
} reader;

static void walk_block(reader *r, const tree_block *b);

/* ---- values --------------------------------------------------------------------------------- */

static const index_form *compute(reader *r, const tree_expr *e);

static const index_form *compute_call(reader *r, const tree_expr *e) {
  static const char *const same[] = {"static_cast", "convert", "broadcast_to", NULL};
  static const struct {
    const char *name;
    char op;
  } functions[] = {{"div_floor_integer", '/'}, {"remainder_integer", '%'}};
  const char *name = kernel_tree_name(e->first);
  const tree_expr *x = kernel_tree_argument(e, 0), *y = kernel_tree_argument(e, 1);
  if (!x) return NULL;
  if (kernel_tree_is_one_of(name, same)) return compute(r, x);
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (y && strcmp(functions[i].name, name) == 0)
      return index_combine(functions[i].op, compute(r, x), compute(r, y), r->a);
  return NULL;
}

static const index_form *compute_binary(reader *r, const tree_expr *e) {
  bool floor = r->t->python ? strcmp(e->text, "//") == 0 : strcmp(e->text, "/") == 0;
  if (!floor && (e->text[1] || !strchr("+-*%", *e->text))) return NULL;
  const index_form *x = compute(r, e->first);
  return x ? index_combine(floor ? '/' : *e->text, x, compute(r, e->first->next), r->a) : NULL;
}

static const index_form *compute(reader *r, const tree_expr *e) {
  if (r->computed++ >= VALUES_MAX) return NULL;
  switch (e->is) {
    case TREE_INTEGER: return index_constant(index_number(e->value), r->a);
    case TREE_NAME: return e->variable >= 0 ? r->values[e->variable] : NULL;
    case TREE_CALL: return compute_call(r, e);
    case TREE_BINARY: return compute_binary(r, e);
    case TREE_INDEX: return r->t->python ? compute(r, e->first) : NULL; /* x[:, None] */
    default: return NULL;
  }
}

/* ---- accesses ------------------------------------------------------------------------------- */

/* The other term of one factor that goes over the steps of term `i`, in a loop of its own; -1 where
 * there is none. */
static int find_inner(const index_form *f, int i) {
  const index_term *t = &f->terms[i];
  int64_t span;
  for (int k = 0; k < f->n; k++) {
    const index_term *u = &f->terms[k];
    if (k == i || !index_is_same(&u->factor, &t->factor) || !index_is_number(&u->from, 0) ||
        !index_is_number(&u->step, 1) || u->to.n || u->to.number <= 0 || t->from.n || t->to.n ||
        __builtin_sub_overflow(t->to.number, t->from.number, &span))
      continue;
    if (u->to.number == span || (index_is_same(&u->to, &t->step) && span % u->to.number == 0))
      return k;
  }
  return -1;
}

/* Each loop steps by one element from here on: a loop that steps by more has the elements between
 * in a vector, or in a loop of their own. vectors: how many dimensions the access goes over. */
static bool join_steps(index_form *f, int vectors) {
  index_product one = index_number(1);
  for (int i = 0; i < f->n; i++) {
    index_term *t = &f->terms[i];
    if (index_is_same(&t->step, &one)) continue;
    int inner = find_inner(f, i);
    t->step = one;
    if (inner >= 0) {
      f->terms[inner] = f->terms[--f->n];
      i = -1;
    } else if (vectors == 2) {
      continue;
    } else if (vectors == 1 && index_is_same(&t->factor, &one)) {
      vectors = 0;
    } else {
      return false;
    }
  }
  return true;
}

static int compare_terms(const index_term *x, const index_term *y) {
  const index_product *p = &x->factor, *q = &y->factor;
  if (p->n != q->n) return p->n - q->n;
  if (p->number != q->number) return p->number < q->number ? -1 : 1;
  for (int i = 0; i < p->n; i++)
    if (strcmp(p->atoms[i], q->atoms[i])) return strcmp(p->atoms[i], q->atoms[i]);
  return 0;
}

static void sort_terms(index_form *f) {
  for (int i = 1; i < f->n; i++) {
    index_term t = f->terms[i];
    int at = i;
    for (; at && compare_terms(&f->terms[at - 1], &t) > 0; at--) f->terms[at] = f->terms[at - 1];
    f->terms[at] = t;
  }
}

static bool is_same_range(const index_term *x, const index_term *y) {
  return index_is_same(&x->from, &y->from) && index_is_same(&x->to, &y->to);
}

/* Makes `x` cover what `y` does as well, where they differ in one range and the one begins where
 * the other ends. */
static bool merge_forms(index_form *x, const index_form *y) {
  int other = -1;
  if (x->n != y->n || !index_is_same(&x->constant, &y->constant)) return false;
  for (int i = 0; i < x->n; i++) {
    if (compare_terms(&x->terms[i], &y->terms[i])) return false;
    if (is_same_range(&x->terms[i], &y->terms[i])) continue;
    if (other >= 0) return false;
    other = i;
  }
  if (other < 0) return true;
  index_term *t = &x->terms[other];
  const index_term *u = &y->terms[other];
  if (index_is_same(&t->to, &u->from))
    t->to = u->to;
  else if (index_is_same(&u->to, &t->from))
    t->from = u->from;
  else
    return false;
  return true;
}

static bool add_access(cover *c, index_form *f) {
  for (int i = 0; i < c->n;) {
    if (merge_forms(c->at[i], f)) {
      f = c->at[i];
      c->at[i] = c->at[--c->n];
      i = 0;
    } else {
      i++;
    }
  }
  if (c->n == ACCESSES_MAX) return false;
  c->at[c->n++] = f;
  return true;
}

/* The parameter whose pointer the variable is; -1 of another expression. */
static int find_param(const reader *r, const tree_expr *e) {
  return e->is == TREE_NAME && e->variable >= 0 ? r->params[e->variable] : -1;
}

/* What `base[index]` touches; the elements of a vector too. */
static void touch(reader *r, const tree_expr *base, const tree_expr *index, int vectors,
                  bool store) {
  int param = find_param(r, base);
  if (r->stopped || param < 0 || r->computed++ >= VALUES_MAX) return;
  param_cover *p = &r->covers[param];
  const index_form *x = index ? compute(r, index) : index_constant(index_number(0), r->a);
  if (!x || p->lost) return;
  index_form *f = arena_alloc(r->a, sizeof *f);
  *f = *x;
  if (!join_steps(f, vectors)) return;
  sort_terms(f);
  if (!add_access(store ? &p->stores : &p->loads, f)) p->lost = true;
  if (p->uses) p->uses--;
}

static void touch_pointer(reader *r, const tree_expr *e, int vectors, bool store) {
  if (!e) return;
  if (e->is == TREE_NAME) touch(r, e, NULL, vectors, store);
  if (e->is == TREE_BINARY && strcmp(e->text, "+") == 0)
    touch(r, e->first, e->first->next, vectors, store);
}

/* tl.load(pointer, mask), tl.store(pointer, value, mask) */
static void touch_triton(reader *r, const tree_expr *call, bool store) {
  const tree_expr *mask = kernel_tree_keyword(call, "mask");
  if (!mask) mask = kernel_tree_argument(call, store ? 2 : 1);
  if (!mask || kernel_bad_is_grid(r->t, mask))
    touch_pointer(r, kernel_tree_argument(call, 0), 0, store);
}

/* at::vec::Vectorized<T>::loadu(pointer, count), value.store(pointer, count),
 * at::vec::transpose_mxn<...>(from, stride, to, stride) */
static void touch_cpp(reader *r, const tree_expr *call, const char *name) {
  bool member = call->first->is == TREE_MEMBER;
  if (strcmp(name, "transpose_mxn") == 0) {
    touch_pointer(r, kernel_tree_argument(call, 0), 2, false);
    touch_pointer(r, kernel_tree_argument(call, 2), 2, true);
  } else if (member && strcmp(name, "store") == 0) {
    touch_pointer(r, kernel_tree_argument(call, 0), 1, true);
  } else if (call->first->is == TREE_NAME && strstr(call->first->text, "Vectorized") &&
             strcmp(name, "loadu") == 0) {
    touch_pointer(r, kernel_tree_argument(call, 0), 1, false);
  }
}

static void touch_call(reader *r, const tree_expr *e) {
  const char *name = kernel_tree_name(e->first);
  bool load = strcmp(name, "load") == 0, store = strcmp(name, "store") == 0;
  if (!r->t->python)
    touch_cpp(r, e, name);
  else if (kernel_tree_is_module(e, "tl") && (load || store))
    touch_triton(r, e, store);
}

static void visit_expr(void *data, const tree_expr *e) {
  reader *r = data;
  if (e->is == TREE_CALL) touch_call(r, e);
  if (e->is == TREE_INDEX && !r->t->python && e->first->next && !e->first->next->next)
    touch(r, e->first, e->first->next, 0, false);
}

/* Every access that an expression is certain to make. */
static void walk_expr(reader *r, const tree_expr *e) { kernel_tree_each_certain(e, visit_expr, r); }

/* ---- statements ----------------------------------------------------------------------------- */

static void forget_variable(void *data, int variable) { ((reader *)data)->values[variable] = NULL; }

static void forget_target(reader *r, const tree_expr *e) {
  kernel_tree_each_target(e, forget_variable, r);
}

/* What a block assigns is not known. True where the block may leave the kernel or a loop. */
static bool forget_assigned(reader *r, const tree_block *b) {
  return kernel_tree_each_assigned(b, forget_variable, r);
}

/* Loops whose range a condition narrows, with what they had before. */
typedef struct narrowed {
  int variables[CONDITIONS_MAX];
  const index_form *before[CONDITIONS_MAX];
  int n;
} narrowed;

/* Is it known which of the two lies within the loop. Of sizes that are no numbers the condition's
 * is taken to. */
static bool is_comparable(const index_product *end, const index_product *bound, bool least) {
  if (!end->n && !bound->n) return true;
  if (least) return index_is_number(end, 0) || (end->n && bound->n);
  return end->n && bound->n;
}

/* The loop's variable itself. */
static bool is_loop(const index_form *f, int variable) {
  return f->n == 1 && f->terms[0].loop == variable && index_is_number(&f->constant, 0) &&
         index_is_number(&f->terms[0].factor, 1) && index_is_number(&f->terms[0].divisor, 1);
}

/* x >= y, or x < y. False where it is another condition, or too many. */
static bool narrow_range(reader *r, const tree_expr *e, narrowed *to) {
  const tree_expr *x = e->first;
  bool least = strcmp(e->text, ">=") == 0;
  const index_form *f = x->is == TREE_NAME && x->variable >= 0 ? r->values[x->variable] : NULL;
  const index_product *bound = index_get_constant(compute(r, x->next));
  if ((!least && strcmp(e->text, "<")) || !f || !is_loop(f, x->variable) || !bound ||
      to->n == CONDITIONS_MAX)
    return false;
  index_form *g = arena_alloc(r->a, sizeof *g);
  *g = *f;
  index_product *end = least ? &g->terms[0].from : &g->terms[0].to;
  if (!is_comparable(end, bound, least)) return false;
  bool wider = !end->n && !bound->n &&
               (least ? bound->number < end->number : bound->number > end->number);
  if (!wider) *end = *bound;
  to->variables[to->n] = x->variable;
  to->before[to->n++] = f;
  r->values[x->variable] = g;
  return true;
}

/* Narrows loops to where `e` holds, "x0 >= 0 && x0 < 16": the two parts of a loop whose last
 * elements do not fill a vector. False where it is another condition. */
static bool narrow(reader *r, const tree_expr *e, narrowed *to) {
  const char *name = e->is == TREE_CALL ? kernel_tree_name(e->first) : "";
  if (strcmp(name, "C10_LIKELY") == 0 || strcmp(name, "C10_UNLIKELY") == 0)
    return kernel_tree_argument(e, 0) && narrow(r, kernel_tree_argument(e, 0), to);
  if (e->is != TREE_BINARY) return false;
  if (strcmp(e->text, "&&") == 0) return narrow(r, e->first, to) && narrow(r, e->first->next, to);
  return narrow_range(r, e, to);
}

static void walk_if(reader *r, const tree_statement *s) {
  narrowed n = {0};
  walk_expr(r, s->value);
  if (!r->t->python && !s->otherwise && s->body && narrow(r, s->value, &n)) walk_block(r, s->body);
  while (n.n--) r->values[n.variables[n.n]] = n.before[n.n];
  bool leaves = forget_assigned(r, s->body);
  if (forget_assigned(r, s->otherwise) || leaves) r->stopped = true;
}

static void walk_for(reader *r, const tree_statement *s) {
  if (s->value) walk_expr(r, s->value);
  if (forget_assigned(r, s->body)) r->stopped = true;
  if (!s->low || !s->target || s->target->variable < 0) return;
  index_product one = index_number(1);
  const index_product *low = index_get_constant(compute(r, s->low)),
                      *high = index_get_constant(compute(r, s->high)),
                      *step = s->step ? index_get_constant(compute(r, s->step)) : &one;
  bool known = !r->t->python && low && high && step;
  r->values[s->target->variable] = known ? index_loop(s->target->variable, *low, *high, *step, r->a)
                                         : NULL;
  if (s->body) walk_block(r, s->body);
  forget_assigned(r, s->body);
  r->values[s->target->variable] = NULL;
}

/* ---- Triton's indices ----------------------------------------------------------------------- */

/* xindex = xoffset + tl.arange(0, XBLOCK): takes each value below xnumel. */
static bool set_iteration(reader *r, const tree_statement *s) {
  const char *numel = kernel_extent_numel(r->t, s, r->a);
  const index_product *n = NULL;
  if (!numel) return false;
  size_t found = string_map_index(r->numels, numel);
  if (found != STRING_MAP_NONE) n = index_get_constant(r->values[found]);
  int v = s->target->variable;
  r->values[v] = n ? index_loop(v, index_number(0), *n, index_number(1), r->a) : NULL;
  return true;
}

static void walk_assign(reader *r, const tree_statement *s) {
  if (s->value) walk_expr(r, s->value);
  bool plain = s->value && strcmp(s->op, "=") == 0;
  const tree_expr *to = s->target;
  if (to->is == TREE_INDEX && !r->t->python && plain && to->first->next) {
    touch(r, to->first, to->first->next, 0, true);
    for (const tree_expr *c = to->first->next; c; c = c->next) walk_expr(r, c);
    return;
  }
  if (to->is != TREE_NAME) {
    walk_expr(r, to);
    forget_target(r, to);
    return;
  }
  if (to->variable < 0 || (s->value && set_iteration(r, s))) return;
  r->values[to->variable] = plain ? compute(r, s->value) : NULL;
}

static void walk_statement(reader *r, const tree_statement *s) {
  switch (s->is) {
    case STATEMENT_EXPR:
      walk_expr(r, s->value);
      if (s->value->is == TREE_UNARY) forget_target(r, s->value->first);
      return;
    case STATEMENT_ASSIGN: walk_assign(r, s); return;
    case STATEMENT_BLOCK: walk_block(r, s->body); return;
    case STATEMENT_FOR: walk_for(r, s); return;
    case STATEMENT_IF: walk_if(r, s); return;
    case STATEMENT_WHILE:
      if (forget_assigned(r, s->body)) r->stopped = true;
      return;
    case STATEMENT_RETURN:
    case STATEMENT_JUMP: r->stopped = true; return;
  }
}

static void walk_block(reader *r, const tree_block *b) {
  for (const tree_statement *s = b->first; s && !r->stopped; s = s->next) walk_statement(r, s);
}

/* ---- uses ----------------------------------------------------------------------------------- */

static void count_block(reader *r, const tree_block *b);

static void count_expr(reader *r, const tree_expr *e) {
  if (!e) return;
  int param = find_param(r, e);
  if (param >= 0) r->covers[param].uses++;
  for (const tree_expr *c = e->first; c; c = c->next) count_expr(r, c);
  count_block(r, e->body);
}

/* auto in_ptr0 = in_out_ptr0; */
static bool is_other_name(reader *r, const tree_statement *s) {
  const tree_expr *to = s->target;
  int param = s->is == STATEMENT_ASSIGN && s->declares && s->value ? find_param(r, s->value) : -1;
  if (param < 0 || !to || to->is != TREE_NAME || to->variable < 0) return false;
  r->params[to->variable] = param;
  return true;
}

static void count_block(reader *r, const tree_block *b) {
  for (const tree_statement *s = b ? b->first : NULL; s; s = s->next) {
    const tree_expr *const all[] = {s->target, s->value, s->low, s->high, s->step};
    if (is_other_name(r, s)) continue;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) count_expr(r, all[i]);
    count_block(r, s->body);
    count_block(r, s->otherwise);
  }
}

/* ---- all ------------------------------------------------------------------------------------ */

/* The number of elements from the first one on that all of it covers; NULL where it has gaps. */
static const char *measure(const index_form *f, arena *a) {
  index_product all = index_number(1);
  bool used[INDEX_TERMS] = {0};
  int left = 0;
  if (!index_is_number(&f->constant, 0)) return NULL;
  for (int i = 0; i < f->n; i++) {
    if (!index_is_number(&f->terms[i].from, 0)) return NULL;
    used[i] = index_is_number(&f->terms[i].to, 1);
    left += !used[i];
  }
  for (int i = 0; left; i++) {
    while (i < f->n && (used[i] || !index_is_same(&f->terms[i].factor, &all))) i++;
    if (i == f->n || !index_multiply(&all, &f->terms[i].to, &all)) return NULL;
    used[i] = true;
    left--;
    i = -1;
  }
  return index_format(&all, a);
}

/* Each access must go over the same elements: a value may be of any of them. */
static const char *measure_cover(const cover *c, arena *a) {
  const char *all = c->n ? measure(c->at[0], a) : NULL;
  for (int i = 1; all && i < c->n; i++) {
    const char *other = measure(c->at[i], a);
    if (!other || strcmp(all, other)) all = NULL;
  }
  return all;
}

void kernel_cover_read(kernel_facts *f, const kernel_tree *t, arena *a) {
  if (t->by_hand) return;
  reader r = {.t = t, .a = a, .numels = kernel_extent_index(t, a)};
  r.values = arena_alloc(a, (t->variables.n + 1) * sizeof *r.values);
  r.covers = arena_alloc(a, (t->nparams + 1) * sizeof *r.covers);
  r.params = arena_alloc(a, (t->variables.n + 1) * sizeof *r.params);
  for (size_t i = 0; i < t->variables.n; i++) r.params[i] = t->variables.at[i].param;
  for (size_t i = 0; i < t->nparams; i++)
    r.values[i] = index_constant(index_atom(arena_printf(a, "@%zu", i)), a);
  count_block(&r, t->body);
  walk_block(&r, t->body);
  for (size_t i = 0; i < t->nparams; i++) {
    const param_cover *p = &r.covers[i];
    if (p->uses || p->lost) continue;
    f->params[i].loads_all = measure_cover(&p->loads, a);
    f->params[i].stores_all = measure_cover(&p->stores, a);
  }
}
