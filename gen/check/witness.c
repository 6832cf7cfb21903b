/* witness.c - see witness.h. Tries the ends of the ranges of the loops, then points between. */
#include "check/witness.h"
#include <stdlib.h>
#include <string.h>

enum { TRIES = 3000, FREE_MAX = 24, DEPTH_MAX = 200, GUESSES_MAX = 32 };

/* A loop's variable, or a value that is loaded. */
typedef struct unknown {
  const graph_node *node; /* NODE_STEP or NODE_LOAD */
  int64_t low, high, value;
  bool guessed; /* loaded, and bounded by asserts alone */
} unknown;

typedef struct search {
  symbols *s;
  const range_launch *l;
  const graph_access *x;
  unknown at[FREE_MAX];
  int n;
  bool lost; /* more than FREE_MAX, or one without bounds */
  range_reader *r;
  int depth;
  bool guesses; /* what is loaded takes any value that the asserts let pass */
  int64_t guess[GUESSES_MAX];
  int nguess;
} search;

/* ---- what the index depends on -------------------------------------------------------------- */

static int64_t number(const search *w, const poly *x, int64_t otherwise) {
  int64_t value;
  return x && poly_evaluate(w->s, x, &value) ? value : otherwise;
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
  bool guessed = wide && x->is == NODE_LOAD;
  if (guessed && !w->guesses) w->lost = true;
  w->at[w->n++] =
      (unknown){.node = x, .low = wide ? 0 : low, .high = wide ? 0 : high, .guessed = guessed};
}

static void collect(search *w, const graph_node *x, int depth);

/* A condition on what is loaded as a float, say, leaves the rest as it is. */
static void collect_op(search *w, const graph_node *x, int depth) {
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
  if (strcmp(x->text, "!") == 0) return *z = !a, true;
  if (x->n == 1 && strcmp(x->text, "-") == 0) return compute("-", 0, a, z);
  if (strcmp(x->text, "all_masked") == 0) return *z = a, true;
  if (strcmp(x->text, "cast") == 0)
    return graph_is_integer(x->type) && graph_is_integer(x->args[0]->type) &&
           x->type >= GRAPH_I32 && (*z = a, true);
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
  if (x->is == NODE_OP) known = evaluate_op(w, x, z);
  w->depth--;
  return known;
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

static bool is_reached(search *w) {
  int64_t holds;
  for (int i = 0; i < w->n; i++)
    if (w->at[i].node->is == NODE_STEP && !is_step(w, &w->at[i])) return false;
  if (w->x->when && (!evaluate(w, w->x->when, &holds) || !holds)) return false;
  for (size_t i = 0; i < w->l->g->asserts.n; i++) {
    const graph_assert *a = &w->l->g->asserts.at[i];
    bool known = a->order >= w->x->order || evaluate(w, a->holds, &holds);
    if (a->order < w->x->order && (known ? !holds : w->guesses)) return false;
  }
  return true;
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
    const graph_loop *l = u->node->is == NODE_STEP ? &w->l->g->loops.at[u->node->index] : NULL;
    int64_t step, at;
    if (u->guessed && w->nguess)
      at = w->guess[next_random(state) % (unsigned)w->nguess];
    else if (u->high <= u->low)
      at = u->low;
    else if (t < ends)
      at = t >> (i % 8) & 1 ? u->low : u->high;
    else
      at = (int64_t)((uint64_t)u->low + next_random(state) % (span + (span != UINT64_MAX)));
    if (l && l->is == LOOP_FOR && l->step && evaluate(w, l->step, &step) && step > 1)
      at -= (at - u->low) % step;
    u->value = at;
  }
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

static void guess_near(void *data, graph_node *x) {
  search *w = data;
  for (int i = -1; x->is == NODE_INTEGER && i <= 1 && w->nguess < GUESSES_MAX; i++)
    w->guess[w->nguess++] = x->value + i;
}

/* The numbers in the asserts before the access, and those beside them. */
static void collect_guesses(search *w) {
  for (size_t i = 0; i < w->l->g->asserts.n; i++)
    if (w->l->g->asserts.at[i].order < w->x->order)
      graph_each(w->l->g, w->l->g->asserts.at[i].holds, guess_near, w);
}

static bool run_search(search *w, witness *found, const graph_node *x, int64_t low, int64_t high) {
  uint64_t state = 1;
  if (w->x->partly) return false;
  w->r = range_begin(w->s, w->l, w->x);
  collect(w, x, 0);
  collect(w, w->x->when, 0);
  if (w->lost) return false;
  bool guessed = false;
  for (int i = 0; i < w->n; i++) guessed = guessed || w->at[i].guessed;
  w->guesses = guessed;
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
  search w = {.s = s, .l = l, .x = x};
  found->elements = elements;
  return run_search(&w, found, x->index, 0, elements - 1);
}

bool witness_of_term(witness *found, symbols *s, const range_launch *l, const graph_access *x,
                     const graph_node *term, int64_t low, int64_t high) {
  search w = {.s = s, .l = l, .x = x};
  range b = range_of(range_begin(s, l, x), term);
  w.guesses = b.low && b.high; /* its bounds do not come from what is loaded as it is */
  if (w.guesses) collect_guesses(&w);
  return run_search(&w, found, term, low, high);
}
