/* endpoints.c - see endpoints.h. */
#include "bounds/endpoints.h"
#include "bounds/endpoint_loops.h"
#include "bounds/express.h"
#include <string.h>

enum { ALL_ENDPOINTS_MAX = 64, LANES_MAX = 64 };

/* The step that a loop has at an endpoint. DIGITS: the step at which its quotients and remainders
 * are the largest, or the least, that the conditions allow. */
enum step { STEP_LAST, STEP_DIGITS_MOST, STEP_FIRST, STEP_DIGITS_LEAST };

typedef struct reader {
  const endpoints_launch *in;
  const graph *g;
  const graph_access *x;
  endpoint_loops loops;
  /* The current endpoint, an entry for each of `loops`: */
  enum step steps[ENDPOINT_LOOPS_MAX];
  postfix values[ENDPOINT_LOOPS_MAX];       /* unknown: not computed yet */
  const graph_node *at[ENDPOINT_LOOPS_MAX]; /* the last step is one below it; or NULL */
  bool busy[ENDPOINT_LOOPS_MAX];
  const char *path; /* conditions: "@3 0 > ? " */
  unsigned axes;    /* a bit for each axis of the grid that is known to have a program */
  bool limited;     /* a condition determines the last step that was computed */
  bool impossible;
  express_state e;
  arena *a;
} reader;

static const postfix unknown = {0};

static postfix express(reader *r, const graph_node *node) { return express_node(&r->e, node); }

static postfix combine(reader *r, char op, postfix x, postfix y) {
  return postfix_combine(op, x, y, r->a);
}

/* Requires the condition: without it the endpoint is none. */
static void require(reader *r, postfix condition) {
  r->impossible = !express_require(&r->path, condition, r->a) || r->impossible;
}

/* ---- sizes ---------------------------------------------------------------------------------- */

/* The argument whose value is the size, or a linear function of it. */
static postfix find_argument(reader *r, int number) {
  for (size_t i = 0; i < r->g->nparams; i++) {
    const poly *value = r->in->args[i] >= 0 ? r->in->l->params[i] : NULL;
    const poly *rest = value ? poly_without(r->in->s, value, number) : NULL;
    int64_t more, times;
    if (!rest || !poly_is_number(rest, &more)) continue;
    const poly *part = poly_subtract(r->in->s, value, rest);
    bool single = part && part->n == 1 && part->at[0].n == 1 && part->at[0].factor > 0 &&
                  part->at[0].factor <= INT32_MAX;
    if (!single) continue;
    times = (int64_t)part->at[0].factor;
    postfix arg = {.kind = POSTFIX_TEXT, .text = arena_printf(r->a, "@%d", r->in->args[i])};
    return combine(r, '/', combine(r, '-', arg, postfix_number(more)), postfix_number(times));
  }
  return unknown;
}

static postfix express_poly(reader *r, const poly *x) {
  postfix sum = postfix_number(0);
  if (!x || r->e.depth >= EXPRESS_DEPTH_MAX || ++r->e.work > EXPRESS_WORK_MAX) return unknown;
  r->e.depth++;
  for (int i = 0; i < x->n; i++) {
    bool fits = x->at[i].factor <= INT64_MAX && x->at[i].factor >= INT64_MIN;
    postfix term = fits ? postfix_number((int64_t)x->at[i].factor) : unknown;
    for (int k = 0; k < x->at[i].n; k++) {
      const symbol *s = &r->in->s->list.at[x->at[i].symbols[k]];
      postfix of = s->kind == SYMBOL_SIZE ? find_argument(r, x->at[i].symbols[k])
                                          : express_poly(r, s->of);
      if (s->kind != SYMBOL_SIZE) of = combine(r, '/', of, express_poly(r, s->by));
      term = combine(r, '*', of, term);
    }
    sum = combine(r, '+', sum, term);
  }
  r->e.depth--;
  return sum;
}

static postfix express_param(reader *r, int param) {
  int64_t n;
  if (poly_is_number(r->in->l->params[param], &n)) return postfix_number(n);
  if (r->in->args[param] < 0) return express_poly(r, r->in->l->params[param]);
  return (postfix){.kind = POSTFIX_TEXT, .text = arena_printf(r->a, "@%d", r->in->args[param])};
}

/* ---- loops ---------------------------------------------------------------------------------- */

/* The first and the last step of a loop; `low` is within it where it is below `end`. */
typedef struct ends {
  postfix low, end, step;
} ends;

static ends express_ends(reader *r, const graph_loop *l) {
  ends e = {postfix_number(0), unknown, postfix_number(1)};
  switch (l->kind) {
    case LOOP_GRID: {
      const poly *const *grid = r->in->l->grid;
      const poly *programs = l->axis != GRAPH_AXIS_YZ ? grid[l->axis]
                                                      : poly_multiply(r->in->s, grid[1], grid[2]);
      e.end = express_poly(r, programs);
      if (l->step) e.end = combine(r, '*', e.end, express(r, l->step));
      return e;
    }
    case LOOP_LANES: e.end = postfix_number(LANES_MAX); return e; /* a condition limits them */
    case LOOP_FOR:
      if (l->step) e.step = express(r, l->step);
      break;
    case LOOP_BLOCKS: /* the elements of the last block beyond the end are skipped */
    case LOOP_TILE: break;
  }
  e.low = l->low ? express(r, l->low) : postfix_number(0);
  e.end = l->high ? express(r, l->high) : unknown;
  return e;
}

/* The greatest x with x + plus < end, or the least x with x + plus >= end. */
static postfix express_bound(reader *r, const endpoint_limit *l, bool most) {
  postfix one = postfix_number(1), end = l->end ? express(r, l->end) : unknown;
  if (l->plus) end = combine(r, '-', end, express(r, l->plus));
  if (l->inclusive) return end;
  return combine(r, most ? '-' : '+', end, one);
}

/* The end of the loop by the first condition of the access that limits it. */
static postfix express_limit(reader *r, int loop, const graph_node **at) {
  for (int i = 0; i < r->loops.nmost; i++) {
    const endpoint_limit *l = &r->loops.most[i].limit;
    if (r->loops.most[i].loop != loop) continue;
    postfix most = combine(r, '+', express_bound(r, l, true), postfix_number(1));
    *at = l->inclusive || l->plus ? NULL : l->end;
    if (*at) most = express(r, *at);
    if (most.kind != POSTFIX_UNKNOWN) return most;
  }
  return unknown;
}

static bool is_one(postfix x) { return x.kind == POSTFIX_NUMBER && x.number == 1; }

/* The last step that the conditions allow. */
static postfix express_last(reader *r, int loop, const ends *e, const graph_node **at) {
  postfix one = postfix_number(1), most = express_limit(r, loop, at), end = e->end;
  bool both = most.kind == POSTFIX_NUMBER && end.kind == POSTFIX_NUMBER,
       any = most.kind != POSTFIX_UNKNOWN;
  r->limited = any && is_one(e->step);
  if (any && (both || !is_one(e->step)))
    end = combine(r, 'm', most, end);
  else if (any)
    end = most;
  postfix last = combine(r, '-', end, one);
  if (is_one(e->step)) return last;
  postfix steps = combine(r, '/', combine(r, '-', last, e->low), e->step);
  return combine(r, '+', e->low, combine(r, '*', steps, e->step));
}

/* True if a program of the grid goes over the element: that is proved, or the launch tests it. */
static bool is_in_grid(reader *r, int loop, const graph_node *most) {
  const graph_loop *l = endpoint_loops_get(&r->loops, loop);
  if (l->kind != LOOP_GRID || !most) return false;
  range end = range_of_loop(range_begin(r->in->s, r->in->l, NULL), loop);
  range b = range_of(range_begin(r->in->s, r->in->l, NULL), most);
  return end.high && b.high &&
         poly_is_at_most(r->in->s, b.high, poly_add(r->in->s, end.high, poly_number(r->in->s, 1)));
}

/* ---- digits --------------------------------------------------------------------------------- */

static postfix express_or(reader *r, const graph_node *node, int64_t otherwise) {
  return node ? express(r, node) : postfix_number(otherwise);
}

static postfix express_digit(reader *r, const endpoint_digit *d, bool most) {
  postfix value = unknown;
  if (most && d->most.end) value = express_bound(r, &d->most, true);
  if (!most && d->least.end) value = express_bound(r, &d->least, false);
  if (value.kind != POSTFIX_UNKNOWN) return value;
  if (!most) return postfix_number(0);
  return d->modulus ? combine(r, '-', express(r, d->modulus), postfix_number(1)) : unknown;
}

/* Adds the digits up, from the finest. Where `most`, the part below the finest digit is as large as
 * it can be, too. */
static postfix express_digits(reader *r, int loop, postfix last, bool most) {
  postfix sum = postfix_number(0), block = sum, finest = unknown, one = postfix_number(1);
  bool whole = false; /* a quotient: nothing else is to be added */
  for (int i = 0; i < r->loops.ndigits; i++) {
    const endpoint_digit *d = &r->loops.digits[i];
    if (d->loop != loop) continue;
    postfix divisor = express_or(r, d->divisor, 1), digit = express_digit(r, d, most);
    if (digit.kind == POSTFIX_UNKNOWN) continue;
    sum = combine(r, '+', sum, combine(r, '*', digit, divisor));
    if (finest.kind == POSTFIX_UNKNOWN || divisor.kind == POSTFIX_NUMBER) finest = divisor;
    if (d->modulus)
      block = combine(r, 'M', block, combine(r, '*', express(r, d->modulus), divisor));
    else
      whole = true;
  }
  if (!most || finest.kind == POSTFIX_UNKNOWN) return most ? unknown : sum;
  sum = combine(r, '+', sum, combine(r, '-', finest, one));
  if (whole) return sum;
  postfix blocks = combine(r, '/', combine(r, '-', last, sum), block);
  return combine(r, '+', combine(r, '*', blocks, block), sum);
}

static bool has_digits(const reader *r, int loop) {
  for (int i = 0; i < r->loops.ndigits; i++)
    if (r->loops.digits[i].loop == loop) return true;
  return false;
}

/* ---- the value of a loop's variable at the endpoint -------------------------------------------
 */

static postfix express_step(reader *r, int at, const ends *e, const graph_node *most,
                            postfix last) {
  int loop = r->loops.at[at];
  bool inside = is_in_grid(r, loop, most), limited = r->limited;
  bool lane = r->in->first_lane && r->x->kind == ACCESS_LOAD &&
              endpoint_loops_get(&r->loops, loop)->kind == LOOP_LANES;
  bool is_first = lane || r->steps[at] == STEP_FIRST, is_last = !lane && r->steps[at] == STEP_LAST;
  postfix value = is_first ? e->low : last;
  if (!is_last && !is_first) {
    bool plain = e->low.kind == POSTFIX_NUMBER && !e->low.number && is_one(e->step);
    value = plain ? express_digits(r, loop, last, r->steps[at] == STEP_DIGITS_MOST) : unknown;
    require(r, combine(r, 'l', value, last));
  }
  if (value.kind == POSTFIX_UNKNOWN) r->impossible = true;
  if (!is_first) require(r, combine(r, 'g', value, e->low));
  if (is_first && inside) require(r, combine(r, '>', express(r, most), e->low));
  if (!inside && (is_first || limited)) require(r, combine(r, '<', value, e->end));
  r->at[at] = is_last ? most : NULL;
  return value;
}

static postfix express_loop(reader *r, int loop) {
  int at = endpoint_loops_find(&r->loops, loop);
  if (at < 0 || r->busy[at]) return unknown;
  if (r->values[at].kind != POSTFIX_UNKNOWN) return r->values[at];
  r->busy[at] = true;
  const graph_node *most = NULL;
  const graph_loop *l = endpoint_loops_get(&r->loops, loop);
  ends e = express_ends(r, l);
  postfix last = express_last(r, loop, &e, &most);
  r->values[at] = express_step(r, at, &e, most, last);
  if (l->kind == LOOP_GRID) r->axes |= endpoint_loops_axes(l);
  r->busy[at] = false;
  return r->values[at];
}

/* ---- nodes ---------------------------------------------------------------------------------- */

/* `node < most`, where node is the last below it. */
static bool is_at_limit(const reader *r, const graph_node *node) {
  int at = node->args[0]->kind == NODE_STEP ? endpoint_loops_find(&r->loops, node->args[0]->index)
                                            : -1;
  return at >= 0 && r->at[at] == node->args[1];
}

/* Sets the value of a leaf, or of a node that the endpoint determines. False for an operator
 * whose operands have to be evaluated. */
static bool know(void *data, const graph_node *node, postfix *value) {
  reader *r = data;
  int program = node->kind == NODE_OP && node->n == 1 ? endpoint_loops_program(&r->loops, node)
                                                      : -1;
  if (!*r->in->left) return true;
  --*r->in->left;
  if (node->kind == NODE_PARAM) *value = express_param(r, node->index);
  if (node->kind == NODE_STEP) *value = express_loop(r, node->index);
  if (program >= 0) *value = express_loop(r, program);
  if (node->op == AG_OP_LESS && is_at_limit(r, node)) {
    bool known = express(r, node->args[0]).kind != POSTFIX_UNKNOWN;
    *value = known ? postfix_number(1) : unknown;
    return known;
  }
  return node->kind == NODE_PARAM || node->kind == NODE_STEP || program >= 0;
}

/* ---- endpoints --------------------------------------------------------------------------------
 */

/* A launch with a 0 in its grid executes no program. */
static void require_programs(reader *r) {
  for (int i = 0; i < 3 && r->g->python; i++) {
    const poly *programs = r->in->l->grid[i];
    if (r->axes >> i & 1 || poly_is_positive(r->in->s, programs)) continue;
    require(r, combine(r, '>', express_poly(r, programs), postfix_number(0)));
  }
}

static void require_node(reader *r, const graph_node *node) {
  bool both = node->op == AG_OP_AND && node->type == GRAPH_BOOL;
  if (r->impossible) return;
  if (!both) {
    require(r, express(r, node));
    return;
  }
  require_node(r, node->args[0]);
  require_node(r, node->args[1]);
}

/* Requires each assert before the access that can be computed. */
static void require_asserts(reader *r) {
  for (size_t i = 0; i < r->g->asserts.n && !r->impossible; i++) {
    const graph_assert *x = &r->g->asserts.at[i];
    postfix holds = x->order < r->x->order ? express(r, x->holds) : unknown;
    if (holds.kind != POSTFIX_UNKNOWN) require(r, holds);
  }
}

/* "x @3 1 -,r0 11" */
static const char *describe(reader *r, const graph_node *term) {
  const char *text = "";
  endpoint_loops of;
  endpoint_loops_read_term(&of, r->g, term);
  for (int i = 0; i < of.n; i++) {
    postfix value = r->values[endpoint_loops_find(&r->loops, of.at[i])];
    text = arena_printf(r->a, "%s%s%s %s", text, *text ? "," : "",
                        endpoint_loops_get(&of, of.at[i])->name, postfix_format(value, r->a));
  }
  return text;
}

static bool make_endpoint(reader *r, const graph_node *term, endpoint *to) {
  memset(r->values, 0, sizeof r->values);
  memset(r->at, 0, sizeof r->at);
  r->path = "";
  r->impossible = false;
  r->axes = 0;
  r->e.work = 0;
  for (int i = 0; i < r->loops.n && !r->impossible; i++) express_loop(r, r->loops.at[i]);
  if (!r->impossible) require_programs(r);
  if (r->x->when) require_node(r, r->x->when);
  if (!r->impossible) require_asserts(r);
  postfix index = r->impossible ? unknown : express(r, term);
  if (r->impossible || index.kind == POSTFIX_UNKNOWN) return false;
  bool certain = !*r->path && index.kind == POSTFIX_NUMBER;
  *to = (endpoint){.index = arena_printf(r->a, "%s%s", r->path, postfix_format(index, r->a)),
                   .at = describe(r, term),
                   .is_number = certain,
                   .number = certain ? index.number : 0};
  return true;
}

static endpoint copy_endpoint(const endpoint *x, arena *a) {
  endpoint c = *x;
  c.index = arena_strdup(a, x->index);
  c.at = arena_strdup(a, x->at);
  return c;
}

/* Adds an endpoint. Of numbers only the greatest is kept, and the least where they are negative. */
static int keep_endpoint(endpoint *to, int n, const endpoint *x, arena *a) {
  for (int i = 0; i < n; i++) {
    if (strcmp(to[i].index, x->index) == 0) return n;
    bool both = to[i].is_number && x->is_number && (to[i].number < 0) == (x->number < 0);
    if (!both) continue;
    bool farther = x->number < 0 ? x->number < to[i].number : x->number > to[i].number;
    if (farther) to[i] = copy_endpoint(x, a);
    return n;
  }
  if (n < ENDPOINTS_MAX) to[n++] = copy_endpoint(x, a);
  return n;
}

/* Drops element 0, which lies inside wherever any element does, unless it is the only endpoint. */
static int drop_zeros(endpoint *to, int n) {
  int kept = 0;
  for (int i = 0; i < n; i++) {
    size_t length = strlen(to[i].index);
    bool zero = strcmp(to[i].index, "0") == 0 ||
                (length > 4 && strcmp(to[i].index + length - 4, " ? 0") == 0);
    if (!zero || (i == n - 1 && !kept)) to[kept++] = to[i];
  }
  return kept;
}

/* The next choice of steps, counted like the digits of a number; false behind the last. */
static bool choose_steps(reader *r) {
  for (int i = 0; i < r->loops.n; i++) {
    int by = has_digits(r, r->loops.at[i]) ? 1 : 2; /* the odd steps are those of digits */
    if ((int)r->steps[i] + by <= STEP_DIGITS_LEAST) {
      r->steps[i] += by;
      return true;
    }
    r->steps[i] = STEP_LAST;
  }
  return false;
}

int endpoints_of_term(const endpoints_launch *in, const graph_access *access,
                      const graph_node *term, endpoint *to, arena *a) {
  reader r = {.in = in, .g = in->l->g, .x = access, .e = {.know = know}};
  int n = 0;
  if (access->partly) return 0;
  endpoint_loops_read(&r.loops, r.g, access, term);
  for (int i = 0; i < ALL_ENDPOINTS_MAX && !r.loops.incomplete && (i == 0 || choose_steps(&r));
       i++) {
    endpoint found;
    r.a = r.e.a = arena_new();
    r.e.data = &r;
    if (make_endpoint(&r, term, &found)) n = keep_endpoint(to, n, &found, a);
    arena_free(r.a);
  }
  return drop_zeros(to, n);
}
