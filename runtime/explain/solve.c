/* solve.c - see solve.h. The index is a sum of loop variables, or of digits of them such as x //
 * 128 % 6, times constants. The variable with the greatest factor is tried first, and only with
 * values for which the others can reach the rest. */
#define _GNU_SOURCE
#include "explain/solve.h"

#include <stdlib.h>
#include <string.h>

#include "explain/lanes.h"
#include "explain/threads.h"

enum {
  VARIABLES_MOST = 16,
  TRIES_MOST = 100000,
  LINEAR_DEEP = 200,
  LANES_MOST = 256,
  NESTED_MOST = 6,
  OPEN_LOOPS = 3,
  OPEN_MOST = 4096, /* iterations of one loop */
  OPEN_NODES = 1000
};
#define ELEMENTS_MOST (INT64_C(1) << 48) /* the elements of a grid whose size is not known */

/* A loop's variable, or a digit of it: value = variable / unit % radix. */
typedef struct variable {
  int32_t loop; /* for lanes: any of their loops */
  bool lane;
  int64_t unit, radix;             /* radix 0: the whole quotient */
  int64_t factor, low, last, step; /* last: the greatest value */
  int64_t value;
} variable;

typedef struct solver {
  ag_interpreter *m;
  const ag_graph_access *x;
  variable list[VARIABLES_MOST];
  int n, tries;
  int64_t constant, index;
  bool undecided, within; /* within: loops that are bound stay so */
} solver;

/* ---- the index as a sum --------------------------------------------------------------------- */

static bool add_term(solver *s, int32_t loop, int64_t unit, int64_t radix, int64_t factor) {
  bool lane = s->m->g->loops[loop].kind == LOOP_LANES;
  for (int i = 0; i < s->n; i++) {
    variable *v = &s->list[i];
    bool same = v->lane == lane && (lane || v->loop == loop);
    if (same && v->unit == unit && v->radix == radix)
      return !__builtin_add_overflow(v->factor, factor, &v->factor);
  }
  if (s->n == VARIABLES_MOST) return false;
  s->list[s->n++] =
      (variable){.loop = loop, .lane = lane, .unit = unit, .radix = radix, .factor = factor};
  return true;
}

/* x, x // c, x % c and combinations of these, for a variable x that begins at 0. */
static bool find_digit(const solver *s, int32_t node, int32_t *loop, int64_t *unit,
                       int64_t *radix) {
  const ag_graph_node *x = &s->m->g->nodes[node], *by;
  for (int depth = 0; x->kind == NODE_OP && x->n == 1 && depth < 8; depth++) {
    if (x->op != AG_OP_CAST || ag_graph_type_is_float((graph_type)x->type)) return false;
    x = &s->m->g->nodes[node = x->args[0]];
  }
  *unit = 1;
  *radix = 0;
  *loop = x->index;
  if (x->kind == NODE_STEP) return s->m->g->loops[x->index].kind != LOOP_LANES;
  bool divides = x->op == AG_OP_FLOOR_DIVIDE;
  bool rest = x->op == AG_OP_MODULO;
  by = divides || rest ? &s->m->g->nodes[x->args[1]] : NULL;
  if (!by || by->kind != NODE_INTEGER || by->value <= 0 ||
      !find_digit(s, x->args[0], loop, unit, radix))
    return false;
  if (rest) {
    bool whole = !*radix || *radix % by->value == 0;
    *radix = by->value;
    return whole;
  }
  if (*radix && *radix % by->value) return false;
  *radix /= by->value;
  return !__builtin_mul_overflow(*unit, by->value, unit);
}

/* Computes a value that no loop changes but those that are bound. */
static bool get_constant(solver *s, int32_t node, int64_t *value) {
  ag_number x;
  if (!ag_interpret_quietly(s->m, node, &x) || ag_graph_type_is_float(x.type)) return false;
  *value = x.whole;
  return true;
}

static bool add_node(solver *s, int32_t node, int64_t factor, int depth);

static bool add_product(solver *s, const ag_graph_node *node, int64_t factor, int depth) {
  int64_t by;
  for (int i = 0; i < 2; i++)
    if (get_constant(s, node->args[i], &by))
      return !__builtin_mul_overflow(by, factor, &by) && add_node(s, node->args[1 - i], by, depth);
  return false;
}

static bool add_operator(solver *s, const ag_graph_node *node, int64_t factor, int depth) {
  int64_t unit, radix;
  int32_t loop;
  if (node->n == 2 && find_digit(s, (int32_t)(node - s->m->g->nodes), &loop, &unit, &radix))
    return add_term(s, loop, unit, radix, factor);
  bool minus = node->op == AG_OP_SUBTRACT;
  if (node->op == AG_OP_CAST && !ag_graph_type_is_float((graph_type)node->type))
    return add_node(s, node->args[0], factor, depth);
  if (node->op == AG_OP_NEGATE) return add_node(s, node->args[0], -factor, depth);
  if (node->op == AG_OP_ADD || minus)
    return add_node(s, node->args[0], factor, depth) &&
           add_node(s, node->args[1], minus ? -factor : factor, depth);
  return node->op == AG_OP_MULTIPLY && add_product(s, node, factor, depth);
}

static bool is_bound(const ag_interpreter *m, int32_t loop) {
  return m->g->loops[loop].kind == LOOP_LANES ? m->loops.lane >= 0 : m->loops.bound[loop];
}

static bool add_node(solver *s, int32_t node, int64_t factor, int depth) {
  const ag_graph_node *x = &s->m->g->nodes[node];
  int64_t value;
  if (depth > LINEAR_DEEP || ++s->tries > TRIES_MOST) return false;
  if (x->kind == NODE_STEP && !(s->within && is_bound(s->m, x->index)))
    return add_term(s, x->index, 1, 0, factor);
  if (x->kind != NODE_OP || get_constant(s, node, &value))
    return get_constant(s, node, &value) && !__builtin_mul_overflow(value, factor, &value) &&
           !__builtin_add_overflow(s->constant, value, &s->constant);
  return add_operator(s, x, factor, depth + 1);
}

/* ---- ranges --------------------------------------------------------------------------------- */

/* Lowers *high by the access's condition on a loop's variable: "x < 128", alone or in a
 * conjunction. */
static void narrow(solver *s, int32_t node, const variable *v, int64_t *high) {
  const ag_graph_node *x = node >= 0 ? &s->m->g->nodes[node] : NULL;
  int64_t most;
  if (!x || x->kind != NODE_OP || x->n != 2 || ++s->tries > TRIES_MOST) return;
  if (x->op == AG_OP_AND) {
    narrow(s, x->args[0], v, high);
    narrow(s, x->args[1], v, high);
    return;
  }
  const ag_graph_node *left = &s->m->g->nodes[x->args[0]];
  bool less = x->op == AG_OP_LESS && left->kind == NODE_STEP && left->index == v->loop;
  if (less && get_constant(s, x->args[1], &most) && most < *high) *high = most;
}

/* The elements, programs or iterations of a loop: from *low to *high - 1. */
static bool find_span(solver *s, const variable *v, int64_t *low, int64_t *high) {
  const ag_graph_loop *l = &s->m->g->loops[v->loop];
  *low = 0;
  *high = ELEMENTS_MOST;
  if (l->kind != LOOP_GRID && (l->low < 0 || l->high < 0)) return false;
  if (l->low >= 0 && !get_constant(s, l->low, low)) return false;
  if (l->high >= 0 && !get_constant(s, l->high, high)) return false;
  if (s->m->g->triton) narrow(s, s->x->when, v, high);
  return true;
}

static bool find_range(solver *s, variable *v) {
  const ag_graph_loop *l = &s->m->g->loops[v->loop];
  int64_t high;
  int64_t width = v->lane ? ag_lanes_of_loop(s->m->g, v->loop) : 0;
  v->step = 1;
  if (v->lane) {
    v->last = (width ? width : LANES_MOST) - 1;
    return true;
  }
  if (!find_span(s, v, &v->low, &high) ||
      (l->kind == LOOP_FOR && (l->step < 0 || !get_constant(s, l->step, &v->step))))
    return false;
  if (v->step <= 0) return false;
  v->last = high - 1;
  if (v->unit == 1 && !v->radix) return true;
  if (v->low || v->step != 1) return false;
  v->last /= v->unit;
  if (v->radix && v->radix - 1 < v->last) v->last = v->radix - 1;
  return true;
}

/* True if the digits of each variable determine all of it. */
static bool is_complete(const solver *s) {
  for (int i = 0; i < s->n; i++) {
    const variable *v = &s->list[i];
    int64_t low, high, most = 0;
    bool whole = v->unit == 1 && !v->radix;
    if (v->lane || whole) continue;
    for (int k = 0; k < s->n; k++)
      if (!s->list[k].lane && s->list[k].loop == v->loop) most += s->list[k].unit * s->list[k].last;
    if (!find_span((solver *)(uintptr_t)s, v, &low, &high) || most < high - 1) return false;
  }
  return true;
}

static int compare_factors(const void *a, const void *b) {
  const variable *x = a, *y = b;
  uint64_t p = (uint64_t)llabs(x->factor), q = (uint64_t)llabs(y->factor);
  return p == q ? (x->lane > y->lane) - (x->lane < y->lane) : p < q ? 1 : -1;
}

/* The least and the greatest sum of the variables from number i on. */
static void bound_rest(const solver *s, int i, int64_t *least, int64_t *most) {
  *least = *most = 0;
  for (; i < s->n; i++) {
    const variable *v = &s->list[i];
    int64_t a = v->factor * v->low, b = v->factor * v->last;
    *least += a < b ? a : b;
    *most += a < b ? b : a;
  }
}

/* ---- the search ----------------------------------------------------------------------------- */

static int64_t divide_down(int64_t x, int64_t y) {
  return x / y - (x % y != 0 && (x < 0) != (y < 0));
}

static bool search(solver *s, int i, int64_t left);

/* Binds each loop to the values chosen for its digits. */
static void bind_chosen(solver *s) {
  for (int i = 0; i < s->n; i++) {
    const variable *v = &s->list[i];
    int64_t value = 0;
    bool first = true;
    for (int k = 0; k < s->n && !v->lane; k++) {
      const variable *w = &s->list[k];
      if (w->lane || w->loop != v->loop) continue;
      first = first && k >= i;
      value += w->value * w->unit;
    }
    if (v->lane)
      ag_interpreter_bind_lane(s->m, v->value);
    else if (first)
      ag_interpreter_bind(s->m, v->loop, value);
  }
}

/* The first unbound loop that the node is computed from, -1 if there is none. */
static int32_t find_open_loop(const ag_interpreter *m, int32_t node, int *left) {
  const ag_graph_node *x = &m->g->nodes[node];
  if (x->kind == NODE_STEP && m->g->loops[x->index].kind == LOOP_FOR && !m->loops.bound[x->index])
    return x->index;
  for (int32_t i = 0; i < x->n && --*left > 0; i++) {
    int32_t loop = find_open_loop(m, x->args[i], left);
    if (loop >= 0) return loop;
  }
  return -1;
}

/* Finds whether the access is made. If the index leaves a loop open on which its condition depends,
 * as in torch's `if (x1 < 1) for (x1_tail ...)`, the last iteration in which it is made counts. */
static bool find_when(solver *s, ag_number *when, int depth) {
  ag_interpreter *m = s->m;
  ag_span all;
  if (ag_interpret_quietly(m, s->x->when, when)) return true;
  int left = OPEN_NODES;
  int32_t loop = depth < OPEN_LOOPS ? find_open_loop(m, s->x->when, &left) : -1;
  if (loop < 0 || !ag_interpreter_find_span(m, loop, &all)) return false;
  if (all.high <= all.low || (all.high - all.low) / all.step > OPEN_MOST) return false;
  for (int64_t v = all.low + (all.high - 1 - all.low) / all.step * all.step; v >= all.low;
       v -= all.step) {
    ag_interpreter_bind(m, loop, v);
    bool known = find_when(s, when, depth + 1);
    if (known && ag_number_is_true(*when)) return true;
    ag_interpreter_unbind(m, loop);
    if (!known) return false;
  }
  return true;
}

/* True if the chosen values are a solution. The sum was taken for linear, so the index is computed,
 * too. */
static bool is_chosen(solver *s) {
  ag_number when;
  int64_t index;
  bind_chosen(s);
  if (s->m->g->triton && (!ag_interpret_whole(s->m, s->x->index, &index) || index != s->index)) {
    s->undecided = true;
    return false;
  }
  if (s->x->when < 0) return true;
  if (find_when(s, &when, 0)) return ag_number_is_true(when);
  s->undecided = true;
  return false;
}

static bool try_value(solver *s, int i, int64_t value, int64_t left) {
  variable *v = &s->list[i];
  if (++s->tries > TRIES_MOST) {
    s->undecided = true;
    return false;
  }
  v->value = value;
  return search(s, i + 1, left - v->factor * value);
}

/* Tries the values of variable i for which the others can reach the rest of the sum. */
static bool search(solver *s, int i, int64_t left) {
  if (i == s->n) return !left && is_chosen(s);
  const variable *v = &s->list[i];
  int64_t least, most;
  bound_rest(s, i + 1, &least, &most);
  int64_t f = llabs(v->factor), low, high;
  if (v->factor > 0) {
    low = -divide_down(most - left, f);
    high = divide_down(left - least, f);
  } else {
    low = -divide_down(left - least, f);
    high = divide_down(most - left, f);
  }
  if (low < v->low) low = v->low;
  if (high > v->last) high = v->last;
  low += (v->step - (low - v->low) % v->step) % v->step;
  for (int64_t x = low; x <= high && !s->undecided; x += v->step)
    if (try_value(s, i, x, left)) return true;
  return false;
}

static bool is_small(const solver *s, int64_t index) {
  double sum = (double)llabs(index);
  for (int i = 0; i < s->n; i++) {
    const variable *v = &s->list[i];
    if (v->low < -(INT64_C(1) << 53) || v->last > INT64_C(1) << 53) return false;
    sum += (double)llabs(v->factor) * ((double)llabs(v->low) + (double)llabs(v->last));
  }
  return sum < 0x1p60;
}

/* False if a grid's size is not known and another element of it may give the same sum. */
static bool is_unique(const solver *s) {
  double rest = 0;
  bool open = false;
  for (int i = s->n; i-- > 0;) {
    const variable *v = &s->list[i];
    open = open || v->last >= ELEMENTS_MOST / v->unit / 2;
    if (open && (double)llabs(v->factor) <= rest) return false;
    rest += (double)llabs(v->factor) * (double)(v->last - v->low);
  }
  return true;
}

/* any: several iterations may be solutions. within: the loops that are bound stay so. */
static enum ag_solved solve(ag_interpreter *m, const ag_graph_access *access, int64_t index,
                            bool any, bool within) {
  solver s = {.m = m, .x = access, .index = index, .within = within};
  memset(m->carried.running, 0, (size_t)m->g->ncarried + 1);
  bool own = m->g->memories[access->memory].param < 0; /* filled anew within the loops around it */
  int64_t lane = m->loops.lane;                        /* an element may be a vector */
  if (!own && ag_threads_have_part(m->g, access->index)) return AG_SOLVED_UNDECIDED;
  if (own)
    ag_interpreter_bind_lane(m, -1);
  else if (!within)
    ag_interpreter_unbind_all(m);
  if (!add_node(&s, access->index, 1, 0)) return AG_SOLVED_UNDECIDED;
  int kept = 0;
  for (int i = 0; i < s.n; i++)
    if (s.list[i].factor) s.list[kept++] = s.list[i];
  s.n = kept;
  for (int i = 0; i < s.n; i++)
    if (!find_range(&s, &s.list[i])) return AG_SOLVED_UNDECIDED;
  for (int i = 0; i < s.n; i++)
    if (s.list[i].last < s.list[i].low) return AG_SOLVED_NOT;
  if (!is_small(&s, index) || (!any && !is_complete(&s))) return AG_SOLVED_UNDECIDED;
  qsort(s.list, (size_t)s.n, sizeof *s.list, compare_factors);
  if (!any && !is_unique(&s)) return AG_SOLVED_UNDECIDED;
  s.tries = 0;
  if (search(&s, 0, index - s.constant)) {
    if (own && m->loops.lane < 0) ag_interpreter_bind_lane(m, lane);
    return access->partly ? AG_SOLVED_UNDECIDED : AG_SOLVED;
  }
  return s.undecided || access->partly ? AG_SOLVED_UNDECIDED : AG_SOLVED_NOT;
}

static enum ag_solved solve_nested(ag_interpreter *m, const ag_graph_access *access, int64_t index,
                                   bool any, bool within) {
  if (m->solving >= NESTED_MOST)
    return AG_SOLVED_UNDECIDED; /* the index is one that the kernel stored */
  m->solving++;
  enum ag_solved solved = solve(m, access, index, any, within);
  m->solving--;
  return solved;
}

enum ag_solved ag_solve(ag_interpreter *m, const ag_graph_access *x, int64_t index) {
  return solve_nested(m, x, index, false, false);
}

bool ag_solve_any(ag_interpreter *m, const ag_graph_access *access, int64_t index) {
  return solve_nested(m, access, index, true, false) == AG_SOLVED;
}

enum ag_solved ag_solve_within(ag_interpreter *m, const ag_graph_access *x, int64_t index) {
  return solve_nested(m, x, index, false, true);
}

bool ag_solve_find_span(ag_interpreter *m, const ag_graph_access *x, int32_t loop, ag_span *all) {
  if (m->g->loops[loop].kind == LOOP_FOR) return ag_interpreter_find_span(m, loop, all);
  solver s = {.m = m, .x = x};
  const variable v = {.loop = loop};
  all->step = 1;
  if (m->g->loops[loop].kind != LOOP_LANES) return find_span(&s, &v, &all->low, &all->high);
  all->low = 0;
  all->high = ag_lanes_of_loop(m->g, loop);
  return all->high > 0;
}
