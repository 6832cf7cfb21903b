/* reals.c - see range_reader.h. Each operation rounds to the nearest, which keeps the order: the
 * bounds of the result are the operation on the bounds. */
#include "bounds/range_reader.h"
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 40, WORK_MAX = 2000 };

#define LARGEST 1e15

static double lesser(double x, double y) { return x < y ? x : y; }
static double greater(double x, double y) { return x > y ? x : y; }
static double size_of(double x) { return x < 0 ? -x : x; }

typedef struct reader {
  reals_integer *of;
  void *data;
  int depth;
  unsigned work;
} reader;

static bool bound(reader *r, const graph_node *node, reals *to);

static double round_to(graph_type type, double x) { return type == GRAPH_F32 ? (float)x : x; }

static bool keep(const graph_node *node, double low, double high, reals *to) {
  *to = (reals){round_to(node->type, low), round_to(node->type, high)};
  return low <= high && size_of(low) < LARGEST && size_of(high) < LARGEST;
}

/* The bounds of a sum with a term that may be a product that is not rounded. */
static bool keep_sum(const graph_node *node, double low, double high, double size, reals *to) {
  double slack = size * (node->type == GRAPH_F32 ? 0x1p-22 : 0x1p-51);
  return keep(node, low - slack, high + slack, to);
}

static double larger(reals x) { return greater(size_of(x.low), size_of(x.high)); }

static bool keep_product(const graph_node *node, reals a, reals b, reals *to) {
  double p = a.low * b.low, q = a.low * b.high, s = a.high * b.low, t = a.high * b.high;
  return keep(node, lesser(lesser(p, q), lesser(s, t)), greater(greater(p, q), greater(s, t)), to);
}

/* The least magnitude. */
static double smaller(reals x) {
  return x.low <= 0 && x.high >= 0 ? 0 : lesser(size_of(x.low), size_of(x.high));
}

/* The bounds of a function that rises with the magnitudes of its arguments, and that devices may
 * round differently. */
static bool keep_rising(const graph_node *node, const reals *args, reals *to) {
  const ag_operator *f = ag_op_get(node->op);
  double low = f->two ? f->two(smaller(args[0]), smaller(args[1])) : f->one(smaller(args[0])),
         high = f->two ? f->two(larger(args[0]), larger(args[1])) : f->one(larger(args[0]));
  double slack = size_of(high) * 0x1p-20;
  return keep(node, low - slack, high + slack, to);
}

static bool bound_binary(reader *r, const graph_node *node, reals *to) {
  reals a, b;
  if (!bound(r, node->args[0], &a) || !bound(r, node->args[1], &b)) return false;
  a = (reals){round_to(node->type, a.low), round_to(node->type, a.high)};
  b = (reals){round_to(node->type, b.low), round_to(node->type, b.high)};
  switch (ag_op_get(node->op)->rule) {
    case AG_RULE_ADD:
      return keep_sum(node, a.low + b.low, a.high + b.high, larger(a) + larger(b), to);
    case AG_RULE_SUBTRACT:
      return keep_sum(node, a.low - b.high, a.high - b.low, larger(a) + larger(b), to);
    case AG_RULE_MULTIPLY: return keep_product(node, a, b, to);
    case AG_RULE_MAX: return keep(node, greater(a.low, b.low), greater(a.high, b.high), to);
    case AG_RULE_MIN: return keep(node, lesser(a.low, b.low), lesser(a.high, b.high), to);
    case AG_RULE_RISES_IN_SIZE: return keep_rising(node, (reals[]){a, b}, to);
    default: return false;
  }
}

static bool bound_unary(reader *r, const graph_node *node, reals *to) {
  reals a;
  const ag_operator *f = ag_op_get(node->op);
  if (!bound(r, node->args[0], &a)) return false;
  switch (f->rule) {
    case AG_RULE_CAST: return keep(node, a.low, a.high, to);
    case AG_RULE_RISES: return keep(node, f->one(a.low), f->one(a.high), to);
    case AG_RULE_RISES_IN_SIZE: return keep_rising(node, &a, to);
    case AG_RULE_NEGATE: return keep(node, -a.high, -a.low, to);
    default: return false;
  }
}

static bool bound_integer(reader *r, const graph_node *node, reals *to) {
  int64_t low, high;
  if (!r->of(r->data, node, &low, &high)) return false;
  *to = (reals){(double)low, (double)high};
  return size_of(to->low) < LARGEST && size_of(to->high) < LARGEST;
}

static bool bound_constant(const graph_node *node, reals *to) {
  char *end;
  double value = strtod(node->text, &end);
  bool plain = end > node->text && (!*end || strcmp(end, "f") == 0) && size_of(value) < LARGEST;
  *to = (reals){value, value};
  return plain;
}

static bool bound(reader *r, const graph_node *node, reals *to) {
  bool known = false;
  if (r->depth == DEPTH_MAX || ++r->work > WORK_MAX) return false;
  r->depth++;
  bool wide = node->type == GRAPH_F32 || node->type == GRAPH_F64 || node->type == GRAPH_WEAK_FLOAT;
  if (graph_is_integer(node->type))
    known = bound_integer(r, node, to);
  else if (node->kind == NODE_FLOAT)
    known = bound_constant(node, to);
  else if (node->kind == NODE_OP && wide)
    known = node->n == 2 ? bound_binary(r, node, to) : node->n == 1 && bound_unary(r, node, to);
  r->depth--;
  return known;
}

bool reals_bound(const graph_node *node, reals_integer *of, void *data, reals *to) {
  reader r = {.of = of, .data = data};
  return bound(&r, node, to);
}
