/* reals.c - see reals.h. Each operation rounds to the nearest, which keeps the order: the bounds
 * are those of the operation on the bounds. */
#include "bounds/reals.h"
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 40, WORK_MAX = 2000 };

#define LARGEST 1e15

static double lesser(double x, double y) { return x < y ? x : y; }
static double greater(double x, double y) { return x > y ? x : y; }
static double size_of(double x) { return x < 0 ? -x : x; }

/* Of what is smaller than LARGEST. */
static double round_down(double x) {
  double whole = (double)(int64_t)x;
  return whole > x ? whole - 1 : whole;
}

typedef struct reader {
  reals_integer *of;
  void *data;
  int depth;
  unsigned work;
} reader;

static bool bound(reader *r, const graph_node *x, reals *to);

static double round_to(graph_type type, double x) { return type == GRAPH_F32 ? (float)x : x; }

static bool keep(const graph_node *x, double low, double high, reals *to) {
  *to = (reals){round_to(x->type, low), round_to(x->type, high)};
  return low <= high && size_of(low) < LARGEST && size_of(high) < LARGEST;
}

/* A sum of which a term may be a product that is not rounded. */
static bool keep_sum(const graph_node *x, double low, double high, double size, reals *to) {
  double slack = size * (x->type == GRAPH_F32 ? 0x1p-22 : 0x1p-51);
  return keep(x, low - slack, high + slack, to);
}

static double larger(reals x) { return greater(size_of(x.low), size_of(x.high)); }

static bool bound_binary(reader *r, const graph_node *x, reals *to) {
  reals a, b;
  const char *op = x->text;
  if (!bound(r, x->args[0], &a) || !bound(r, x->args[1], &b)) return false;
  a = (reals){round_to(x->type, a.low), round_to(x->type, a.high)};
  b = (reals){round_to(x->type, b.low), round_to(x->type, b.high)};
  if (strcmp(op, "+") == 0)
    return keep_sum(x, a.low + b.low, a.high + b.high, larger(a) + larger(b), to);
  if (strcmp(op, "-") == 0)
    return keep_sum(x, a.low - b.high, a.high - b.low, larger(a) + larger(b), to);
  if (strcmp(op, "*") == 0) {
    double p = a.low * b.low, q = a.low * b.high, s = a.high * b.low, t = a.high * b.high;
    return keep(x, lesser(lesser(p, q), lesser(s, t)), greater(greater(p, q), greater(s, t)), to);
  }
  if (strcmp(op, "max") == 0 || strcmp(op, "fmax") == 0 || strcmp(op, "max_propagate_nan") == 0)
    return keep(x, greater(a.low, b.low), greater(a.high, b.high), to);
  if (strcmp(op, "min") == 0 || strcmp(op, "fmin") == 0 || strcmp(op, "min_propagate_nan") == 0)
    return keep(x, lesser(a.low, b.low), lesser(a.high, b.high), to);
  return false;
}

static bool bound_unary(reader *r, const graph_node *x, reals *to) {
  reals a;
  const char *op = x->text;
  if (!bound(r, x->args[0], &a)) return false;
  if (strcmp(op, "cast") == 0) return keep(x, a.low, a.high, to);
  if (strcmp(op, "floor") == 0) return keep(x, round_down(a.low), round_down(a.high), to);
  if (strcmp(op, "ceil") == 0) return keep(x, -round_down(-a.low), -round_down(-a.high), to);
  if (strcmp(op, "trunc") == 0) return keep(x, (double)(int64_t)a.low, (double)(int64_t)a.high, to);
  return strcmp(op, "-") == 0 && keep(x, -a.high, -a.low, to);
}

static bool bound_integer(reader *r, const graph_node *x, reals *to) {
  int64_t low, high;
  if (!r->of(r->data, x, &low, &high)) return false;
  *to = (reals){(double)low, (double)high};
  return size_of(to->low) < LARGEST && size_of(to->high) < LARGEST;
}

static bool bound_constant(const graph_node *x, reals *to) {
  char *end;
  double value = strtod(x->text, &end);
  bool plain = end > x->text && (!*end || strcmp(end, "f") == 0) && size_of(value) < LARGEST;
  *to = (reals){value, value};
  return plain;
}

static bool bound(reader *r, const graph_node *x, reals *to) {
  bool known = false;
  if (r->depth == DEPTH_MAX || ++r->work > WORK_MAX) return false;
  r->depth++;
  bool wide = x->type == GRAPH_F32 || x->type == GRAPH_F64 || x->type == GRAPH_WEAK_FLOAT;
  if (graph_is_integer(x->type))
    known = bound_integer(r, x, to);
  else if (x->is == NODE_FLOAT)
    known = bound_constant(x, to);
  else if (x->is == NODE_OP && wide)
    known = x->n == 2 ? bound_binary(r, x, to) : x->n == 1 && bound_unary(r, x, to);
  r->depth--;
  return known;
}

bool reals_bound(const graph_node *x, reals_integer *of, void *data, reals *to) {
  reader r = {.of = of, .data = data};
  return bound(&r, x, to);
}
