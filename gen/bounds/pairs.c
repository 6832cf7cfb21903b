/* pairs.c - see pairs.h. */
#include "bounds/pairs.h"
#include "bounds/range_reader.h"

enum { SPLIT_DEPTH = 12, EQUAL_MAX = 32 };

/* x - y = 0: a form for either side, and the difference of the constants. */
typedef struct equation {
  form x, y;
  const poly *constant;
} equation;

typedef struct solver {
  symbols *s;
  const range_launch *l;
  const pair *p;
  range_reader *rx, *ry;
  struct {
    atom x, y;
  } equal[EQUAL_MAX]; /* the parts that are equal wherever the two overlap */
  int n;
  int depth;
} solver;

/* ---- forms ---------------------------------------------------------------------------------- */

/* Writes the variable of a loop with a step as step * number, where the loop's first value is a
 * multiple of the step. True if there was one. */
static bool split_steps(range_reader *reader, form *f) {
  bool any = false;
  for (int i = 0; i < f->n; i++) {
    atom *a = &f->at[i].of;
    const graph_loop *loop = a->node ? NULL : &reader->g->loops.at[a->loop];
    if (!loop || loop->kind != LOOP_FOR || !loop->step || !loop->low) continue;
    if (!poly_is(a->divisor, 1) || a->modulus) continue;
    form *step = form_read(reader, loop->step), *low = form_read(reader, loop->low);
    int64_t by;
    if (!step || step->n || !low || low->n || !poly_is_number(step->constant, &by) || by < 2)
      continue;
    if (!poly_divide_exactly(reader->s, low->constant, step->constant)) continue;
    a->divisor = step->constant;
    f->at[i].factor = poly_multiply(reader->s, f->at[i].factor, step->constant);
    any = true;
  }
  return any;
}

/* Moves each term that has a single value into the constant. */
static void fold_constants(range_reader *reader, form *f) {
  for (int i = f->n; i-- > 0;) {
    const form one = {.constant = poly_number(reader->s, 0), .n = 1, .at = {f->at[i]}};
    range b = range_of_form(reader, &one);
    if (!b.low || !poly_is_same(b.low, b.high)) continue;
    f->constant = poly_add(reader->s, f->constant, b.low);
    f->at[i] = f->at[--f->n];
  }
}

/* NULL for an index that is not understood: it may differ in each iteration. */
static form *read_index(range_reader *reader, const graph_access *access) {
  form *f = graph_find_unknown(reader->g, access->index) ? NULL : form_read(reader, access->index);
  if (!f) return NULL;
  while (form_join_parts(reader, f)) {
  }
  fold_constants(reader, f);
  return f->constant ? f : NULL;
}

/* ---- the equation --------------------------------------------------------------------------- */

static range bound_equation(solver *v, const equation *e) {
  form x = e->x, y = e->y;
  x.constant = y.constant = poly_number(v->s, 0);
  range a = range_of_form(v->rx, &x), b = range_of_form(v->ry, &y);
  return (range){poly_add(v->s, poly_subtract(v->s, a.low, b.high), e->constant),
                 poly_add(v->s, poly_subtract(v->s, a.high, b.low), e->constant)};
}

static bool is_never_zero(solver *v, const equation *e) {
  range b = bound_equation(v, e);
  const poly *zero = poly_number(v->s, 0);
  return poly_is_positive(v->s, b.low) || poly_is_positive(v->s, poly_subtract(v->s, zero, b.high));
}

/* Splits a form: the terms that are multiples of `by`, divided by it, and the rest. */
static void split_side(solver *v, const form *f, const poly *by, form *whole, form *rest) {
  *whole = *rest = (form){.constant = poly_number(v->s, 0)};
  for (int i = 0; i < f->n; i++) {
    const poly *q = poly_divide_exactly(v->s, f->at[i].factor, by);
    form *to = q ? whole : rest;
    to->at[to->n] = f->at[i];
    if (q) to->at[to->n].factor = q;
    to->n++;
  }
}

/* -by < e < by */
static bool is_less_than(solver *v, const equation *e, const poly *by) {
  range b = bound_equation(v, e);
  const poly *most = poly_less_one(v->s, by);
  return b.low && b.high && poly_is_at_most(v->s, b.high, most) &&
         poly_is_at_most(v->s, poly_subtract(v->s, poly_number(v->s, 0), most), b.low);
}

/* Splits the constant into by * *whole + *rest; `way` numbers the attempts. */
static bool split_constant(solver *v, const poly *c, const poly *by, int way, const poly **whole,
                           const poly **rest) {
  int64_t n, m;
  const poly *zero = poly_number(v->s, 0);
  *whole = poly_divide_exactly(v->s, c, by);
  *rest = zero;
  if (*whole) return way == 0;
  *whole = zero;
  *rest = c;
  if (way == 0) return true;
  if (!poly_is_number(c, &n) || !poly_is_number(by, &m) || m < 1) return false;
  int64_t left = n % m;
  if (left < 0) left += m;
  if (way == 2) left -= m;
  *rest = poly_number(v->s, left);
  *whole = poly_number(v->s, (n - left) / m);
  return true;
}

static bool solve(solver *v, const equation *e);

/* e = by * whole + rest, where rest is less than `by`: both are 0. True if e is never 0. */
static bool solve_split(solver *v, const equation *e, const poly *by, bool *is_split) {
  equation whole, rest;
  split_side(v, &e->x, by, &whole.x, &rest.x);
  split_side(v, &e->y, by, &whole.y, &rest.y);
  for (int way = 0; way < 3 && !*is_split; way++) {
    if (!split_constant(v, e->constant, by, way, &whole.constant, &rest.constant)) continue;
    bool any = rest.x.n || rest.y.n || !poly_is(rest.constant, 0);
    if (!any && poly_is(by, 1)) return false;
    *is_split = is_less_than(v, &rest, by);
  }
  return *is_split && (solve(v, &rest) || solve(v, &whole));
}

static bool is_factor_of(const form *f, int before, const poly *factor) {
  for (int i = 0; i < before; i++)
    if (poly_is_same(f->at[i].factor, factor)) return true;
  return false;
}

static bool solve_by_factors(solver *v, const equation *e, const form *of, bool *is_split) {
  const poly *zero = poly_number(v->s, 0);
  for (int i = 0; i < of->n && !*is_split; i++) {
    const poly *by = of->at[i].factor;
    if (!poly_is_positive(v->s, by)) by = poly_subtract(v->s, zero, by);
    if (is_factor_of(of, i, of->at[i].factor) || !poly_is_positive(v->s, by)) continue;
    if (solve_split(v, e, by, is_split)) return true;
  }
  return false;
}

/* Notes which parts of loop variables are the same where e is 0. True if e is never 0. */
static bool solve(solver *v, const equation *e) {
  if (v->depth == SPLIT_DEPTH) return false;
  if (is_never_zero(v, e)) return true;
  bool one = e->x.n == 1 && e->y.n == 1 && poly_is(e->constant, 0);
  if (one && poly_is_same(e->x.at[0].factor, e->y.at[0].factor)) {
    if (v->n < EQUAL_MAX) {
      v->equal[v->n].x = e->x.at[0].of;
      v->equal[v->n++].y = e->y.at[0].of;
    }
    return false;
  }
  if (e->x.n + e->y.n < 2) return false;
  bool is_split = false;
  v->depth++;
  bool never = solve_by_factors(v, e, &e->x, &is_split) ||
               (!is_split && solve_by_factors(v, e, &e->y, &is_split));
  equation steps = *e; /* done late, since a condition may name the variable itself */
  if (!is_split) {
    bool x = split_steps(v->rx, &steps.x), y = split_steps(v->ry, &steps.y);
    if (x || y) never = solve(v, &steps);
  }
  v->depth--;
  return never;
}

/* ---- loops that are the same ---------------------------------------------------------------- */

static bool has_one_value(solver *v, int loop) {
  range x = range_of_loop(v->rx, loop), y = range_of_loop(v->ry, loop);
  return x.low && poly_is_same(x.low, x.high) && poly_is_same(x.low, y.low) &&
         poly_is_same(y.low, y.high);
}

/* The digit of the loop's variable with this divisor, if it is the same on both sides, or NULL. */
static const atom *find_digit(const solver *v, int loop, const poly *divisor) {
  for (int i = 0; i < v->n; i++) {
    const atom *x = &v->equal[i].x;
    if (!x->node && x->loop == loop && poly_is_same(x->divisor, divisor) &&
        form_is_same_atom(x, &v->equal[i].y))
      return x;
  }
  return NULL;
}

static bool is_step_of(range_reader *reader, int loop, const poly **step) {
  const graph_loop *l = &reader->g->loops.at[loop];
  form *f = l->kind == LOOP_FOR && l->step ? form_read(reader, l->step) : NULL;
  *step = f && f->n == 0 ? f->constant : NULL;
  return *step && !poly_is(*step, 1);
}

/* True if all digits of the loop's variable are the same on both sides. */
static bool is_same_loop(solver *v, int loop) {
  const poly *step, *at = poly_number(v->s, 1);
  if (has_one_value(v, loop)) return true;
  if (!find_digit(v, loop, at) && is_step_of(v->rx, loop, &step)) at = step;
  for (int i = 0; i < EQUAL_MAX; i++) {
    const atom *x = find_digit(v, loop, at);
    if (!x) return false;
    if (!x->modulus) return true;
    at = poly_multiply(v->s, at, x->modulus);
    const poly *end = poly_less_one(v->s, at);
    range a = range_of_loop(v->rx, loop), b = range_of_loop(v->ry, loop);
    if (a.high && b.high && poly_is_at_most(v->s, a.high, end) &&
        poly_is_at_most(v->s, b.high, end))
      return true;
  }
  return false;
}

static bool is_program_of(const graph_node *node, int axis) {
  return node && graph_program_axis(node) == axis;
}

/* True if the same program along the axis makes both. */
static bool is_same_program(solver *v, int axis) {
  const graph *g = v->l->g;
  if (poly_is(v->l->grid[axis], 1)) return true;
  for (int i = 0; i < v->n; i++)
    if (is_program_of(v->equal[i].x.node, axis) && v->equal[i].x.node == v->equal[i].y.node)
      return true;
  for (size_t i = 0; i < g->loops.n; i++) {
    const graph_loop *l = &g->loops.at[i];
    bool of = l->kind == LOOP_GRID && (l->axis == axis || (l->axis == GRAPH_AXIS_YZ && axis > 0));
    if (of && is_same_loop(v, (int)i)) return true;
  }
  return false;
}

static bool are_same(solver *v) {
  for (int i = 0; i < v->p->n; i++)
    if (!is_same_loop(v, v->p->loops[i])) return false;
  for (int axis = 0; axis < 3; axis++)
    if (v->p->programs[axis] && !is_same_program(v, axis)) return false;
  return true;
}

enum overlap pair_overlap(symbols *s, const range_launch *l, const pair *p) {
  solver v = {.s = s, .l = l, .p = p};
  v.rx = range_begin(s, l, p->x);
  v.ry = range_begin(s, l, p->y);
  if (range_is_empty(v.rx) || range_is_empty(v.ry)) return OVERLAP_NEVER;
  form *x = read_index(v.rx, p->x), *y = read_index(v.ry, p->y);
  if (!x || !y) return OVERLAP_MAYBE;
  equation e = {.x = *x, .y = *y};
  e.constant = poly_subtract(s, poly_add(s, x->constant, p->x_offset),
                             poly_add(s, y->constant, p->y_offset));
  if (!e.constant) return OVERLAP_MAYBE;
  if (solve(&v, &e)) return OVERLAP_NEVER;
  return are_same(&v) ? OVERLAP_SAME_ITERATION : OVERLAP_MAYBE;
}

int pair_list_positive(symbols *s, const range_launch *l, const pair *p, short *list, int most) {
  int n = range_list_positive(range_begin(s, l, p->x), list, most);
  return n ? n : range_list_positive(range_begin(s, l, p->y), list, most);
}
