/* points.c - see points.h. */
#include "bounds/points.h"

enum { DEPTH_MAX = 200, WORK_MAX = 4000, ASSERT_TRIED = 64 /* nodes, to read one */ };

/* ---- what the index depends on -------------------------------------------------------------- */

static int64_t number(const poly *x, int64_t otherwise) {
  int64_t value;
  return poly_is_number(x, &value) ? value : otherwise;
}

typedef struct seek {
  const graph_node *x;
  bool found;
  int64_t largest; /* the largest integer that stands beside it */
} seek;

static bool note_node(void *data, const graph_node *node) {
  seek *s = data;
  s->found = s->found || s->x == node;
  if (node->kind == NODE_INTEGER && node->value > s->largest) s->largest = node->value;
  return node->kind == NODE_LOAD; /* what its index is computed from is not tested */
}

/* Looks through the asserts of the access: they say which values are good. */
static seek seek_asserted(points *p, const graph_node *node) {
  const graph *g = p->l->g;
  seek s = {.x = node};
  for (int i = 0; i < p->x->nasserts; i++)
    graph_each_but(g, g->asserts.at[p->x->asserts[i]].holds, note_node, NULL, &s);
  p->s->tried += ASSERT_TRIED * (uint64_t)p->x->nasserts;
  return s;
}

/* True if the value may be any of a narrow type: the content of its tensor is not known. */
static bool is_whole_type(const graph_node *node, int64_t low, int64_t high) {
  switch (node->type) {
    case GRAPH_U8: return low == 0 && high == UINT8_MAX;
    case GRAPH_I8: return low == INT8_MIN && high == INT8_MAX;
    case GRAPH_U16: return low == 0 && high == UINT16_MAX;
    case GRAPH_I16: return low == INT16_MIN && high == INT16_MAX;
    default: return false;
  }
}

/* A term that asserts bound: each value that they let pass may be loaded. */
static void add_asserted(points *p, point_unknown *u) {
  const seek s = seek_asserted(p, u->node);
  if (!s.found) p->incomplete = true;
  p->asks = true;
  u->low = -1;
  if (s.largest > u->high) u->high = s.largest;
}

static void add_load(points *p, point_unknown *u, bool wide) {
  if (wide && p->bounded) {
    add_asserted(p, u);
    return;
  }
  if (!wide && !is_whole_type(u->node, u->low, u->high)) return;
  bool small = p->elements > 0 && p->elements < INT32_MAX / 4;
  if (!small || !seek_asserted(p, u->node).found) p->incomplete = true;
  p->asks = true;
  if (wide) u->low = -2 * p->elements - 2, u->high = 2 * p->elements + 2;
}

static void add_unknown(points *p, const graph_node *node) {
  for (int i = 0; i < p->n; i++)
    if (p->at[i].node == node) return;
  range b = node->kind == NODE_STEP ? range_of_loop(p->r, node->index) : range_of(p->r, node);
  if (p->n == POINTS_UNKNOWNS_MAX) {
    p->incomplete = true;
    return;
  }
  int64_t low = number(b.low, INT64_MIN), high = number(b.high, INT64_MAX);
  bool wide = low == INT64_MIN || high == INT64_MAX;
  point_unknown *u = &p->at[p->n++];
  *u = (point_unknown){.node = node, .low = wide ? 0 : low, .high = wide ? 0 : high};
  if (node->kind == NODE_LOAD) add_load(p, u, wide);
  p->unbounded = p->unbounded || (wide && node->kind != NODE_LOAD);
}

static void collect(points *p, const graph_node *node, int depth);

/* A condition on a loaded float, for instance, leaves the other parts as they are. */
static void collect_op(points *p, const graph_node *node, int depth) {
  if (graph_is_program(node)) {
    add_unknown(p, node);
    return;
  }
  for (int i = 0; i < node->n; i++) collect(p, node->args[i], depth + 1);
}

static void collect(points *p, const graph_node *node, int depth) {
  if (!node || depth > DEPTH_MAX || p->incomplete) return;
  if (++p->work > WORK_MAX) p->incomplete = true;
  if (node->kind == NODE_STEP) {
    const graph_loop *l = &p->l->g->loops.at[node->index];
    add_unknown(p, node);
    if (l->kind == LOOP_FOR && l->low) collect(p, l->low, depth + 1);
    if (l->kind == LOOP_FOR && l->high) collect(p, l->high, depth + 1);
  }
  if (node->kind == NODE_LOAD) add_unknown(p, node);
  if (node->kind == NODE_OP) collect_op(p, node, depth);
}

/* ---- evaluation ----------------------------------------------------------------------------- */

static bool divide(ag_rule rule, int64_t x, int64_t y, int64_t *z) {
  if (x < 0 || y == 0) return false; /* Python, C and Triton do not agree */
  *z = rule == AG_RULE_MODULO ? x % y : x / y;
  return true;
}

static bool compute(ag_rule rule, int64_t x, int64_t y, int64_t *z) {
  switch (rule) {
    case AG_RULE_ADD: return !__builtin_add_overflow(x, y, z);
    case AG_RULE_SUBTRACT: return !__builtin_sub_overflow(x, y, z);
    case AG_RULE_MULTIPLY: return !__builtin_mul_overflow(x, y, z);
    case AG_RULE_FLOOR_DIVIDE:
    case AG_RULE_MODULO: return divide(rule, x, y, z);
    case AG_RULE_MIN: *z = x < y ? x : y; break;
    case AG_RULE_MAX: *z = x > y ? x : y; break;
    case AG_RULE_LESS: *z = x < y; break;
    case AG_RULE_LESS_EQUAL: *z = x <= y; break;
    case AG_RULE_GREATER: *z = x > y; break;
    case AG_RULE_GREATER_EQUAL: *z = x >= y; break;
    case AG_RULE_EQUAL: *z = x == y; break;
    case AG_RULE_NOT_EQUAL: *z = x != y; break;
    case AG_RULE_AND: *z = x & y; break;
    case AG_RULE_OR: *z = x | y; break;
    default: return false;
  }
  return true;
}

/* `false & y` and `true | y` need no y. */
static bool evaluate_logic(points *p, const graph_node *node, int64_t *z) {
  int64_t a, b;
  bool both = node->op == AG_OP_AND;
  bool first = points_evaluate(p, node->args[0], &a);
  if (first && (a != 0) != both) return *z = a, true;
  if (!points_evaluate(p, node->args[1], &b)) return false;
  if (first) return compute(ag_op_get(node->op)->rule, a, b, z);
  return (b != 0) != both && (*z = b, true);
}

static bool evaluate_op(points *p, const graph_node *node, int64_t *z) {
  int64_t a, b;
  bool logic = node->op == AG_OP_AND || node->op == AG_OP_OR;
  if (logic && node->type == GRAPH_BOOL) return evaluate_logic(p, node, z);
  if (node->op == AG_OP_WHERE)
    return points_evaluate(p, node->args[0], &a) && points_evaluate(p, node->args[a ? 1 : 2], z);
  if (node->op == AG_OP_SET) { /* true in any lane: both hold */
    if (!points_evaluate(p, node->args[0], &a) || !points_evaluate(p, node->args[1], &b))
      return false;
    *z = a && b;
    return true;
  }
  if (node->n < 1 || !points_evaluate(p, node->args[0], &a)) return false;
  if (node->op == AG_OP_NUM_PROGRAMS) return a >= 0 && a < 3 && poly_is_number(p->l->grid[a], z);
  if (node->op == AG_OP_NOT) return *z = !a, true;
  if (node->op == AG_OP_NEGATE) return compute(AG_RULE_SUBTRACT, 0, a, z);
  if (node->op == AG_OP_ALL_MASKED) return *z = a, true;
  if (node->op == AG_OP_CAST) {
    *z = a;
    return graph_is_integer(node->args[0]->type) &&
           (node->type == GRAPH_I64 || (node->type == GRAPH_I32 && a == (int32_t)a));
  }
  if (node->op == AG_OP_ABS && a != INT64_MIN) return *z = a < 0 ? -a : a, true;
  return node->n == 2 && points_evaluate(p, node->args[1], &b) &&
         compute(ag_op_get(node->op)->rule, a, b, z);
}

/* Once a few values took too long, the launch gets no more. */
static void begin_value(points *p) {
  p->work = 0;
  p->costly = p->costly || symbols_is_spent(p->s) || symbols_search_ends(p->s);
}

bool points_evaluate(points *p, const graph_node *node, int64_t *z) {
  bool known = false;
  if (p->depth == 0) begin_value(p);
  p->s->tried++;
  if (++p->work == WORK_MAX) {
    p->costly = true;
    p->s->costly += WORK_MAX / 8;
  }
  if (p->depth > DEPTH_MAX || p->costly) return false;
  p->depth++;
  if (node->kind == NODE_INTEGER) known = (*z = node->value, true);
  if (node->kind == NODE_PARAM) known = poly_is_number(p->l->params[node->index], z);
  for (int i = 0; i < p->n && !known; i++)
    if (p->at[i].node == node) known = (*z = p->at[i].value, true);
  if (node->kind == NODE_STEP && p->takes_first && !known) known = (*z = 0, true);
  if (node->kind == NODE_OP && !known) known = evaluate_op(p, node, z);
  p->depth--;
  return known;
}

/* ---- variables that are parts of another ---------------------------------------------------- */

/* The block that a joined variable is in, and the element within that block. */
typedef struct joined {
  const graph_loop *loop;
  int64_t element, block; /* by number; for LOOP_BLOCKS `block` is the value of the loop `over` */
} joined;

static bool read_joined(points *p, const point_unknown *u, joined *j) {
  int64_t step, low = 0;
  if (u->node->kind != NODE_STEP) return false;
  j->loop = &p->l->g->loops.at[u->node->index];
  bool blocks = j->loop->kind == LOOP_BLOCKS;
  if (!blocks && j->loop->kind != LOOP_GRID) return false;
  if (!points_evaluate(p, j->loop->step, &step) || step < 1) return false;
  if (blocks && !points_evaluate(p, j->loop->low, &low)) return false;
  j->element = (u->value - low) % step;
  j->block = blocks ? u->value - j->element : u->value / step;
  return true;
}

/* The value of `u` that follows from `j`; false where neither determines the other. */
static bool read_part(const point_unknown *u, const joined *j, int64_t *value) {
  const graph_node *x = u->node;
  bool grid = j->loop->kind == LOOP_GRID;
  if (grid && graph_is_program(x) && graph_program_axis(x) == j->loop->axis)
    return *value = j->block, true;
  if (x->kind != NODE_STEP) return false;
  if (x->index == j->loop->tile) return *value = j->element, true;
  return !grid && x->index == j->loop->over && (*value = j->block, true);
}

static void derive(points *p, point_unknown *u) {
  joined j;
  for (int i = 0; i < p->n; i++)
    if (read_joined(p, &p->at[i], &j) && read_part(u, &j, &u->value)) return;
}

/* False if two joined variables of one axis are at different blocks, or at different elements of
 * one tile; also, with `unsure`, where one axis is a part of the other. */
static bool agree(points *p, const joined *x, const joined *y) {
  bool grid = x->loop->kind == LOOP_GRID;
  if (x->loop->tile == y->loop->tile && x->element != y->element) return false;
  if (x->loop->kind != y->loop->kind) return true;
  bool same = grid ? x->loop->axis == y->loop->axis : x->loop->over == y->loop->over;
  int axes = 1 << x->loop->axis | 1 << y->loop->axis;
  bool crossed = grid && !same && axes & 1 << GRAPH_AXIS_YZ && axes & (1 << 1 | 1 << 2);
  p->unsure = p->unsure || crossed;
  return !crossed && (!same || x->block == y->block);
}

/* A program number of axes 1 and 2 together is not taken apart. */
static bool is_consistent(points *p) {
  joined x, y;
  int64_t part;
  for (int i = 0; i < p->n; i++) {
    if (!read_joined(p, &p->at[i], &x)) continue;
    for (int k = 0; k < p->n; k++) {
      if (k == i) continue;
      if (read_joined(p, &p->at[k], &y) && !agree(p, &x, &y)) return false;
      if (read_part(&p->at[k], &x, &part) && part != p->at[k].value) return false;
      bool both = x.loop->kind == LOOP_GRID && x.loop->axis == GRAPH_AXIS_YZ;
      p->unsure = p->unsure || (both && graph_is_program(p->at[k].node));
      if (both && graph_is_program(p->at[k].node)) return false;
    }
  }
  return true;
}

/* ---- points --------------------------------------------------------------------------------- */

/* As points_evaluate(), for what determines whether the access is made. */
static bool decide(points *p, const graph_node *node, int64_t *z) {
  bool known = points_evaluate(p, node, z);
  p->unsure = p->unsure || !known;
  return known;
}

/* True if the loop takes this value, where the other loops have theirs. */
static bool is_step(points *p, const point_unknown *u) {
  const graph_loop *l = &p->l->g->loops.at[u->node->index];
  int64_t low = 0, high, step = 1;
  if (l->kind == LOOP_GRID || l->kind == LOOP_LANES)
    return u->value >= u->low && u->value <= u->high;
  p->unsure = p->unsure || !l->low;
  if (!l->low || !decide(p, l->low, &low) || u->value < low) return false;
  if (l->kind == LOOP_BLOCKS) return u->value <= u->high;
  p->unsure = p->unsure || !l->high;
  if (!l->high || !decide(p, l->high, &high) || u->value >= high) return false;
  if (l->kind != LOOP_FOR || !l->step) return true;
  bool known = decide(p, l->step, &step) && step > 0, taken = known && (u->value - low) % step == 0;
  p->unsure = p->unsure || !taken; /* the values that are tried are not those of the loop */
  return taken;
}

/* True if each loop around the access has a first step, and there is a program. */
static bool is_entered(points *p) {
  int64_t low, high;
  for (int i = 0; i < 3; i++)
    if (poly_is_number(p->l->grid[i], &high) && high < 1) return false;
  const graph_loop *l;
  for (int i = p->x->loop; i >= 0; i = l->outer) {
    l = &p->l->g->loops.at[i];
    if (l->kind != LOOP_FOR || !l->low) continue;
    if (!decide(p, l->low, &low) || !decide(p, l->high, &high) || low >= high) return false;
  }
  return true;
}

bool points_is_reached(points *p) {
  int64_t holds;
  if (!is_entered(p)) return false;
  for (int i = 0; i < p->n; i++)
    if (p->at[i].node->kind == NODE_STEP && !is_step(p, &p->at[i])) return false;
  if (!is_consistent(p)) return false;
  if (p->x->when && (!decide(p, p->x->when, &holds) || !holds)) return false;
  for (size_t i = 0; i < p->l->g->asserts.n; i++) {
    const graph_assert *a = &p->l->g->asserts.at[i];
    if (a->order >= p->x->order) continue;
    bool known = points_evaluate(p, a->holds, &holds);
    p->unsure = p->unsure || (!known && p->asks);
    if (known ? !holds : p->asks) return false;
  }
  return true;
}

int64_t points_align(points *p, const point_unknown *u, int64_t at) {
  if (u->node->kind != NODE_STEP) return at;
  const graph_loop *l = &p->l->g->loops.at[u->node->index];
  int64_t step, low;
  if (l->kind != LOOP_FOR || !l->step || !points_evaluate(p, l->step, &step) || step < 2) return at;
  if (!points_evaluate(p, l->low, &low) || at < low) return at;
  at -= (int64_t)(((uint64_t)at - (uint64_t)low) % (uint64_t)step);
  return at < u->low && at <= INT64_MAX - step ? at + step : at;
}

void points_derive(points *p) {
  for (int i = 0; i < p->n; i++) derive(p, &p->at[i]);
}

/* ---- all points ----------------------------------------------------------------------------- */

/* True if its value follows from that of another variable. */
static bool is_part(points *p, const point_unknown *u) {
  joined j;
  int64_t value;
  for (int i = 0; i < p->n; i++)
    if (read_joined(p, &p->at[i], &j) && read_part(u, &j, &value)) return true;
  return false;
}

static int64_t find_step(points *p, const point_unknown *u) {
  const graph_loop *l = u->node->kind == NODE_STEP ? &p->l->g->loops.at[u->node->index] : NULL;
  int64_t step = 1;
  if (l && l->kind == LOOP_FOR && l->step && !points_evaluate(p, l->step, &step)) step = 1;
  return step < 1 ? 1 : step;
}

int64_t points_count(points *p) {
  int64_t all = 1;
  for (int i = 0; i < p->n; i++) {
    const point_unknown *u = &p->at[i];
    int64_t n;
    if (is_part(p, u)) continue;
    if (u->high < u->low) return 0;
    bool fits = !__builtin_sub_overflow(u->high, u->low, &n);
    n /= find_step(p, u);
    if (!fits || __builtin_add_overflow(n, 1, &n) || __builtin_mul_overflow(all, n, &all))
      return INT64_MAX;
  }
  return all;
}

void points_first(points *p) {
  for (int i = 0; i < p->n; i++) p->at[i].value = p->at[i].low;
  points_derive(p);
}

bool points_next(points *p) {
  for (int i = p->n; i-- > 0;) {
    point_unknown *u = &p->at[i];
    int64_t step = find_step(p, u);
    if (is_part(p, u)) continue;
    if (u->high > u->value && (uint64_t)u->high - (uint64_t)u->value >= (uint64_t)step) {
      u->value += step;
      points_derive(p);
      return true;
    }
    u->value = u->low;
  }
  return false;
}

/* ---- what is asked for ---------------------------------------------------------------------- */

/* If a step depends on the variable of another loop, the number of points is not known. */
static bool are_steps_constant(const points *p) {
  points none = {.s = p->s, .l = p->l, .x = p->x};
  int64_t step;
  for (int i = 0; i < p->n; i++) {
    const graph_node *x = p->at[i].node;
    const graph_loop *l = x->kind == NODE_STEP ? &p->l->g->loops.at[x->index] : NULL;
    if (l && l->kind == LOOP_FOR && l->step && !points_evaluate(&none, l->step, &step))
      return false;
  }
  return true;
}

bool points_collect(points *p, const graph_node *node) {
  const graph *g = p->l->g;
  p->r = range_begin(p->s, p->l, p->x);
  collect(p, node, 0);
  collect(p, p->x->when, 0);
  for (int i = p->x->loop; i >= 0; i = g->loops.at[i].outer) {
    collect(p, g->loops.at[i].low, 0);
    collect(p, g->loops.at[i].high, 0);
  }
  for (size_t i = 0; i < g->asserts.n && p->asks; i++)
    if (g->asserts.at[i].order < p->x->order) collect(p, g->asserts.at[i].holds, 0);
  return !p->incomplete && !p->x->partly && are_steps_constant(p);
}

bool points_collect_also(points *p, const graph_node *node) {
  collect(p, node, 0);
  return !p->incomplete && are_steps_constant(p);
}

const char *points_format(const points *p) {
  strbuf out = {0};
  for (int i = 0; i < p->n; i++)
    strbuf_printf(&out, "%s%s = %lld", out.n ? ", " : "",
                  graph_format(p->l->g, p->at[i].node, p->s->a), (long long)p->at[i].value);
  const char *text = out.n ? arena_strndup(p->s->a, out.at, out.n) : "";
  strbuf_free(&out);
  return text;
}
