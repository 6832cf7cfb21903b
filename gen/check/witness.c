/* witness.c - see witness.h. Tries the ends of the ranges of the loops, then points between. */
#include "check/witness.h"
#include <stdlib.h>
#include <string.h>

enum { TRIES = 3000, FREE_MAX = 24, DEPTH_MAX = 200 };

/* A loop's variable, a program's number, or a value that is loaded. */
typedef struct unknown {
  const graph_node *node; /* NODE_STEP, NODE_LOAD, or "program_id" */
  int64_t low, high, value;
} unknown;

typedef struct search {
  symbols *s;
  const range_launch *l;
  const graph_access *x;
  unknown at[FREE_MAX];
  int n;
  bool lost;        /* more than FREE_MAX, or one without bounds */
  bool asks;        /* a loaded value is bounded by nothing but asserts: each of these must hold */
  int64_t elements; /* that there are */
  bool bounded;     /* of a term: both its bounds are known */
  range_reader *r;
  int depth;
} search;

/* ---- what the index depends on -------------------------------------------------------------- */

static int64_t number(const search *w, const poly *x, int64_t otherwise) {
  int64_t value;
  return x && poly_evaluate(w->s, x, &value) ? value : otherwise;
}

typedef struct seek {
  const graph_node *x;
  bool found;
} seek;

static void note_node(void *data, graph_node *x) {
  seek *s = data;
  s->found = s->found || s->x == x;
}

/* An assert before the access speaks of the loaded value: the kernel itself says which are good. */
static bool is_asserted(search *w, const graph_node *x) {
  const graph *g = w->l->g;
  seek s = {.x = x};
  for (size_t i = 0; i < g->asserts.n && !s.found; i++)
    if (g->asserts.at[i].order < w->x->order) graph_each(g, g->asserts.at[i].holds, note_node, &s);
  return s.found;
}

/* It has any value of a narrow type: what its tensor holds is not known. */
static bool is_whole_type(const graph_node *x, int64_t low, int64_t high) {
  switch (x->type) {
    case GRAPH_U8: return low == 0 && high == UINT8_MAX;
    case GRAPH_I8: return low == INT8_MIN && high == INT8_MAX;
    case GRAPH_U16: return low == 0 && high == UINT16_MAX;
    case GRAPH_I16: return low == INT16_MIN && high == INT16_MAX;
    default: return false;
  }
}

static void note_largest(void *data, graph_node *x) {
  int64_t *most = data;
  if (x->is == NODE_INTEGER && x->value > *most) *most = x->value;
}

/* A term is bounded by asserts: each value that these let pass may be loaded. */
static void add_asserted(search *w, unknown *u) {
  const graph *g = w->l->g;
  if (!is_asserted(w, u->node)) w->lost = true;
  w->asks = true;
  u->low = -1;
  for (size_t i = 0; i < g->asserts.n; i++)
    if (g->asserts.at[i].order < w->x->order)
      graph_each(g, g->asserts.at[i].holds, note_largest, &u->high);
}

static void add_load(search *w, unknown *u, bool wide) {
  if (wide && w->bounded) {
    add_asserted(w, u);
    return;
  }
  if (!wide && !is_whole_type(u->node, u->low, u->high)) return;
  bool small = w->elements > 0 && w->elements < INT32_MAX / 4;
  if (!small || !is_asserted(w, u->node)) w->lost = true;
  w->asks = true;
  if (wide) u->low = -2 * w->elements - 2, u->high = 2 * w->elements + 2;
}

static void add_unknown(search *w, const graph_node *x) {
  for (int i = 0; i < w->n; i++)
    if (w->at[i].node == x) return;
  range b = x->is == NODE_STEP ? range_of_loop(w->r, x->index) : range_of(w->r, x);
  if (w->n == FREE_MAX) {
    w->lost = true;
    return;
  }
  int64_t low = number(w, b.low, INT64_MIN), high = number(w, b.high, INT64_MAX);
  bool wide = low == INT64_MIN || high == INT64_MAX;
  unknown *u = &w->at[w->n++];
  *u = (unknown){.node = x, .low = wide ? 0 : low, .high = wide ? 0 : high};
  if (x->is == NODE_LOAD) add_load(w, u, wide);
}

static void collect(search *w, const graph_node *x, int depth);

static bool is_program(const graph_node *x) {
  return x->is == NODE_OP && strcmp(x->text, "program_id") == 0;
}

/* A condition on what is loaded as a float, say, leaves the rest as it is. */
static void collect_op(search *w, const graph_node *x, int depth) {
  if (is_program(x)) {
    add_unknown(w, x);
    return;
  }
  for (int i = 0; i < x->n; i++) collect(w, x->args[i], depth + 1);
}

static void collect(search *w, const graph_node *x, int depth) {
  if (!x || depth > DEPTH_MAX || w->lost) return;
  if (x->is == NODE_STEP) {
    const graph_loop *l = &w->l->g->loops.at[x->index];
    add_unknown(w, x);
    if (l->is == LOOP_FOR && l->low) collect(w, l->low, depth + 1);
    if (l->is == LOOP_FOR && l->high) collect(w, l->high, depth + 1);
  }
  if (x->is == NODE_LOAD) add_unknown(w, x);
  if (x->is == NODE_OP) collect_op(w, x, depth);
}

/* ---- evaluation ----------------------------------------------------------------------------- */

static bool evaluate(search *w, const graph_node *x, int64_t *z);

static bool compute(const char *op, int64_t x, int64_t y, int64_t *z) {
  bool divides = strcmp(op, "//") == 0 || strcmp(op, "%") == 0;
  if (divides && (y == 0 || (x == INT64_MIN && y == -1))) return false;
  if (strcmp(op, "+") == 0) return !__builtin_add_overflow(x, y, z);
  if (strcmp(op, "-") == 0) return !__builtin_sub_overflow(x, y, z);
  if (strcmp(op, "*") == 0) return !__builtin_mul_overflow(x, y, z);
  if (divides && x < 0) return false; /* Python, C and Triton do not agree */
  if (divides) return *z = *op == '%' ? x % y : x / y, true;
  if (strcmp(op, "min") == 0) return *z = x < y ? x : y, true;
  if (strcmp(op, "max") == 0) return *z = x > y ? x : y, true;
  if (strcmp(op, "<") == 0) return *z = x < y, true;
  if (strcmp(op, "<=") == 0) return *z = x <= y, true;
  if (strcmp(op, ">") == 0) return *z = x > y, true;
  if (strcmp(op, ">=") == 0) return *z = x >= y, true;
  if (strcmp(op, "==") == 0) return *z = x == y, true;
  if (strcmp(op, "!=") == 0) return *z = x != y, true;
  if (strcmp(op, "&") == 0) return *z = x & y, true;
  if (strcmp(op, "|") == 0) return *z = x | y, true;
  return false;
}

/* `false & y` and `true | y` need no y. */
static bool evaluate_logic(search *w, const graph_node *x, int64_t *z) {
  int64_t a, b;
  bool and = *x->text == '&';
  bool first = evaluate(w, x->args[0], &a), second = evaluate(w, x->args[1], &b);
  if (first && second) return compute(x->text, a, b, z);
  if (first && (a != 0) != and) return *z = a, true;
  if (second && (b != 0) != and) return *z = b, true;
  return false;
}

static bool evaluate_op(search *w, const graph_node *x, int64_t *z) {
  int64_t a, b;
  bool logic = x->n == 2 && x->type == GRAPH_BOOL && x->text[1] == '\0' && strchr("&|", *x->text);
  if (logic) return evaluate_logic(w, x, z);
  if (x->n == 3 && strcmp(x->text, "where") == 0)
    return evaluate(w, x->args[0], &a) && evaluate(w, x->args[a ? 1 : 2], z);
  if (x->n == 3 && strcmp(x->text, "set") == 0) return evaluate(w, x->args[1], z);
  if (x->n < 1 || !evaluate(w, x->args[0], &a)) return false;
  if (strcmp(x->text, "num_programs") == 0)
    return a >= 0 && a < 3 && poly_evaluate(w->s, w->l->grid[a], z);
  if (strcmp(x->text, "!") == 0) return *z = !a, true;
  if (x->n == 1 && strcmp(x->text, "-") == 0) return compute("-", 0, a, z);
  if (strcmp(x->text, "all_masked") == 0) return *z = a, true;
  if (strcmp(x->text, "cast") == 0) {
    *z = a;
    return graph_is_integer(x->args[0]->type) &&
           (x->type == GRAPH_I64 || (x->type == GRAPH_I32 && a == (int32_t)a));
  }
  if (strcmp(x->text, "abs") == 0 && a != INT64_MIN) return *z = a < 0 ? -a : a, true;
  return x->n == 2 && evaluate(w, x->args[1], &b) && compute(x->text, a, b, z);
}

static bool evaluate(search *w, const graph_node *x, int64_t *z) {
  bool known = false;
  if (w->depth > DEPTH_MAX) return false;
  w->depth++;
  if (x->is == NODE_INTEGER) known = (*z = x->value, true);
  if (x->is == NODE_PARAM) known = poly_evaluate(w->s, w->l->params[x->index], z);
  for (int i = 0; i < w->n && !known; i++)
    if (w->at[i].node == x) known = (*z = w->at[i].value, true);
  if (x->is == NODE_OP && !known) known = evaluate_op(w, x, z);
  w->depth--;
  return known;
}

/* ---- variables that are parts of another ---------------------------------------------------- */

/* What block, and what lane of it, a joined variable stands at. */
typedef struct joined {
  const graph_loop *loop;
  int64_t lane, block; /* the number of a program; of LOOP_BLOCKS what the loop `over` has */
} joined;

static bool read_joined(search *w, const unknown *u, joined *j) {
  int64_t step, low = 0;
  if (u->node->is != NODE_STEP) return false;
  j->loop = &w->l->g->loops.at[u->node->index];
  bool blocks = j->loop->is == LOOP_BLOCKS;
  if (!blocks && j->loop->is != LOOP_GRID) return false;
  if (!evaluate(w, j->loop->step, &step) || step < 1) return false;
  if (blocks && !evaluate(w, j->loop->low, &low)) return false;
  j->lane = (u->value - low) % step;
  j->block = blocks ? u->value - j->lane : u->value / step;
  return true;
}

/* The value of `u` that `j` leaves; false where they have nothing to do with each other. */
static bool read_part(const unknown *u, const joined *j, int64_t *value) {
  const graph_node *x = u->node;
  bool grid = j->loop->is == LOOP_GRID;
  if (is_program(x) && grid && x->args[0]->is == NODE_INTEGER && x->args[0]->value == j->loop->axis)
    return *value = j->block, true;
  if (x->is != NODE_STEP) return false;
  if (x->index == j->loop->tile) return *value = j->lane, true;
  return !grid && x->index == j->loop->over && (*value = j->block, true);
}

static void derive(search *w, unknown *u) {
  joined j;
  for (int i = 0; i < w->n; i++)
    if (read_joined(w, &w->at[i], &j) && read_part(u, &j, &u->value)) return;
}

/* Two variables that stand at the same block, or lane, of one axis, do. */
static bool agree(const joined *x, const joined *y) {
  bool grid = x->loop->is == LOOP_GRID;
  if (x->loop->tile == y->loop->tile && x->lane != y->lane) return false;
  if (x->loop->is != y->loop->is) return true;
  bool same = grid ? x->loop->axis == y->loop->axis : x->loop->over == y->loop->over;
  int axes = 1 << x->loop->axis | 1 << y->loop->axis;
  bool crossed = grid && !same && axes & 1 << 3 && axes & (1 << 1 | 1 << 2);
  return !crossed && (!same || x->block == y->block);
}

/* A program of axes 1 and 2 together is not taken apart. */
static bool is_consistent(search *w) {
  joined x, y;
  int64_t part;
  for (int i = 0; i < w->n; i++) {
    if (!read_joined(w, &w->at[i], &x)) continue;
    for (int k = 0; k < w->n; k++) {
      if (k == i) continue;
      if (read_joined(w, &w->at[k], &y) && !agree(&x, &y)) return false;
      if (read_part(&w->at[k], &x, &part) && part != w->at[k].value) return false;
      bool both = x.loop->is == LOOP_GRID && x.loop->axis == 3;
      if (both && is_program(w->at[k].node)) return false;
    }
  }
  return true;
}

/* ---- points --------------------------------------------------------------------------------- */

/* Does the loop take this value, where the others have theirs. */
static bool is_step(search *w, const unknown *u) {
  const graph_loop *l = &w->l->g->loops.at[u->node->index];
  int64_t low = 0, high, step = 1;
  if (l->is == LOOP_GRID || l->is == LOOP_LANES) return u->value >= u->low && u->value <= u->high;
  if (!l->low || !evaluate(w, l->low, &low) || u->value < low) return false;
  if (l->is == LOOP_BLOCKS) return u->value <= u->high;
  if (!l->high || !evaluate(w, l->high, &high) || u->value >= high) return false;
  if (l->is != LOOP_FOR || !l->step) return true;
  return evaluate(w, l->step, &step) && step > 0 && (u->value - low) % step == 0;
}

/* Each loop around the access has a first step, and there is a program. */
static bool is_entered(search *w) {
  int64_t low, high;
  for (int i = 0; i < 3; i++)
    if (poly_evaluate(w->s, w->l->grid[i], &high) && high < 1) return false;
  const graph_loop *l;
  for (int i = w->x->loop; i >= 0; i = l->outer) {
    l = &w->l->g->loops.at[i];
    if (l->is != LOOP_FOR || !l->low) continue;
    if (!evaluate(w, l->low, &low) || !evaluate(w, l->high, &high) || low >= high) return false;
  }
  return true;
}

static bool is_reached(search *w) {
  int64_t holds;
  if (!is_entered(w)) return false;
  for (int i = 0; i < w->n; i++)
    if (w->at[i].node->is == NODE_STEP && !is_step(w, &w->at[i])) return false;
  if (!is_consistent(w)) return false;
  if (w->x->when && (!evaluate(w, w->x->when, &holds) || !holds)) return false;
  for (size_t i = 0; i < w->l->g->asserts.n; i++) {
    const graph_assert *a = &w->l->g->asserts.at[i];
    if (a->order >= w->x->order) continue;
    bool known = evaluate(w, a->holds, &holds);
    if (known ? !holds : w->asks) return false;
  }
  return true;
}

/* The loop's step at or before `at`; the one behind it where that is below its range. */
static int64_t align_step(search *w, const unknown *u, int64_t at) {
  if (u->node->is != NODE_STEP) return at;
  const graph_loop *l = &w->l->g->loops.at[u->node->index];
  int64_t step, low;
  if (l->is != LOOP_FOR || !l->step || !evaluate(w, l->step, &step) || step < 2) return at;
  if (!evaluate(w, l->low, &low) || at < low) return at;
  at -= (at - low) % step;
  return at < u->low ? at + step : at;
}

static uint64_t next_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state >> 20;
}

/* Try number t: the ends of all ranges first, in turn, then any points. */
static void choose(search *w, unsigned t, uint64_t *state) {
  for (int i = 0; i < w->n; i++) {
    unknown *u = &w->at[i];
    uint64_t span = (uint64_t)u->high - (uint64_t)u->low;
    unsigned ends = 1u << (w->n < 8 ? w->n : 8);
    int64_t at;
    if (u->high <= u->low)
      at = u->low;
    else if (t < ends)
      at = t >> (i % 8) & 1 ? u->low : u->high;
    else
      at = (int64_t)((uint64_t)u->low + next_random(state) % (span + (span != UINT64_MAX)));
    u->value = align_step(w, u, at);
  }
  for (int i = 0; i < w->n; i++) derive(w, &w->at[i]);
}

static void describe(search *w, witness *found) {
  strbuf out = {0};
  for (int i = 0; i < w->n; i++) {
    const graph_node *x = w->at[i].node;
    strbuf_printf(&out, "%s%s = %lld", out.n ? ", " : "", graph_format(w->l->g, x, w->s->a),
                  (long long)w->at[i].value);
  }
  found->text = out.n ? arena_strndup(w->s->a, out.at, out.n) : "";
  strbuf_free(&out);
}

static bool run_search(search *w, witness *found, const graph_node *x, int64_t low, int64_t high) {
  uint64_t state = 1;
  if (w->x->partly) return false;
  w->r = range_begin(w->s, w->l, w->x);
  collect(w, x, 0);
  collect(w, w->x->when, 0);
  for (int i = w->x->loop; i >= 0; i = w->l->g->loops.at[i].outer) {
    collect(w, w->l->g->loops.at[i].low, 0);
    collect(w, w->l->g->loops.at[i].high, 0);
  }
  for (size_t i = 0; i < w->l->g->asserts.n && w->asks; i++)
    if (w->l->g->asserts.at[i].order < w->x->order) collect(w, w->l->g->asserts.at[i].holds, 0);
  if (w->lost) return false;
  for (unsigned t = 0; t < TRIES; t++) {
    int64_t value;
    choose(w, t, &state);
    if (!evaluate(w, x, &value) || (value >= low && value <= high) || !is_reached(w)) continue;
    found->index = value;
    describe(w, found);
    return true;
  }
  return false;
}

bool witness_of_access(witness *found, symbols *s, const range_launch *l, const graph_access *x,
                       int64_t elements) {
  search w = {.s = s, .l = l, .x = x, .elements = elements};
  found->elements = elements;
  return run_search(&w, found, x->index, 0, elements - 1);
}

bool witness_of_term(witness *found, symbols *s, const range_launch *l, const graph_access *x,
                     const graph_node *term, int64_t low, int64_t high) {
  range b = range_of(range_begin(s, l, x), term);
  search w = {.s = s, .l = l, .x = x, .bounded = b.low && b.high};
  return run_search(&w, found, term, low, high);
}
