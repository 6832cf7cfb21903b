/* fold.c - see fold.h. */
#define _GNU_SOURCE
#include "explain/fold.h"

#include <math.h>
#include <string.h>

/* The type in which tl.sum() and tl.prod() accumulate; other operators keep the type. */
static graph_type find_sum_type(graph_type t) {
  if (t == GRAPH_BF16) return GRAPH_F32;
  if (ag_graph_type_is_float(t) || t >= GRAPH_U32 || t < GRAPH_BOOL) return t;
  return GRAPH_I32;
}

static bool fold_two(ag_op op, ag_folding *f, const ag_number *x) {
  const ag_number args[] = {f->state[0], x[0]};
  return ag_operator_apply(op, GRAPH_ANY, args, 2, &f->state[0]);
}

/* Folds a value and its index. A NaN precedes all values; of equal values the lower index
 * counts. */
static void fold_index(bool most, ag_folding *f, const ag_number *x) {
  double old = ag_number_real(f->state[0]), new = ag_number_real(x[0]);
  bool better = most ? new > old : new < old, equal = new == old || (old != old && new != new);
  if ((new != new &&old == old) || (better && old == old) ||
      (equal && x[1].whole < f->state[1].whole))
    memcpy(f->state, x, 2 * sizeof *x);
}

/* Follows triton_helpers.welford_combine(). */
static void fold_welford(ag_folding *f, const ag_number *x) {
  ag_number *s = f->state;
  graph_type t = x[0].type;
  double by = ag_number_of_real(x[0].real - s[0].real, t).real;
  double weight = ag_number_of_real(s[2].real + x[2].real, t).real;
  double share = weight == 0 ? 0 : ag_number_of_real(x[2].real / weight, t).real;
  double square = ag_number_of_real(by * by, t).real;
  square = ag_number_of_real(square * s[2].real, t).real;
  square = ag_number_of_real(square * share, t).real;
  s[0] = ag_number_of_real(s[0].real + ag_number_of_real(by * share, t).real, t);
  s[1] = ag_number_of_real(ag_number_of_real(s[1].real + x[1].real, t).real + square, t);
  s[2] = ag_number_of_real(weight, t);
}

/* ---- operators of several results ------------------------------------------------------------ */

static ag_number reduce_welford(const ag_number *args, int part) {
  ag_number value = args[0];
  const ag_number *before = args + 1;
  graph_type t = value.type;
  bool first = ag_number_is_true(args[4]);
  double by = ag_number_of_real(value.real - before[0].real, t).real;
  double weight = first ? 1 : ag_number_of_real(before[2].real + 1, t).real;
  double mean = first ? value.real : before[0].real + ag_number_of_real(by / weight, t).real;
  if (part == 0) return ag_number_of_real(mean, t);
  if (part == 2) return ag_number_of_real(weight, t);
  double left = ag_number_of_real(value.real - ag_number_of_real(mean, t).real, t).real;
  double square = ag_number_of_real(by * left, t).real;
  return ag_number_of_real(first ? 0 : before[1].real + square, t);
}

/* Combines two maxima with their sums of exponentials. */
static void combine_softmax(ag_number state[2], const ag_number x[2]) {
  graph_type t = x[0].type;
  double a = state[0].real, b = x[0].real, most = isnan(a) || a > b ? a : b;
  double p = most == -INFINITY ? 1 : ag_number_of_real(exp(a - most), t).real;
  double q = most == -INFINITY ? 1 : ag_number_of_real(exp(b - most), t).real;
  double left = ag_number_of_real(state[1].real * p, t).real;
  double right = ag_number_of_real(x[1].real * q, t).real;
  state[0] = ag_number_of_real(most, t);
  state[1] = ag_number_of_real(left + right, t);
}

static ag_number combine_element(const ag_number *args, int part) {
  ag_number state[2] = {args[0], args[1]};
  const ag_number x[2] = {args[2], ag_number_of_real(1, args[2].type)};
  combine_softmax(state, x);
  return state[part];
}

static ag_number combine_index(const ag_number *args, bool most, int part) {
  ag_folding f = {.state = {args[0], args[1]}, .begun = true};
  fold_index(most, &f, args + 2);
  return f.state[part];
}

bool ag_fold_is_several(ag_op op) {
  return op == AG_OP_WELFORD_REDUCE || op == AG_OP_SOFTMAX_COMBINE ||
         op == AG_OP_MAXIMUM_WITH_INDEX || op == AG_OP_MINIMUM_WITH_INDEX;
}

bool ag_fold_several(ag_op op, const ag_number *args, int64_t part, ag_number *value) {
  bool welford = op == AG_OP_WELFORD_REDUCE, softmax = op == AG_OP_SOFTMAX_COMBINE;
  if (part < 0 || part > (welford ? 2 : 1)) return false;
  if (!ag_graph_type_is_float(args[0].type) && (welford || softmax)) return false;
  if (welford)
    *value = reduce_welford(args, (int)part);
  else if (softmax)
    *value = combine_element(args, (int)part);
  else
    *value = combine_index(args, op == AG_OP_MAXIMUM_WITH_INDEX, (int)part);
  return true;
}

/* ---- a reduction ------------------------------------------------------------------------------
 */

bool ag_fold_add(ag_folding *f, const ag_reduction *reduction, ag_number *x) {
  static const ag_op ops[] = {[AG_FOLD_SUM] = AG_OP_ADD,
                              [AG_FOLD_PRODUCT] = AG_OP_MULTIPLY,
                              [AG_FOLD_MAX] = AG_OP_FMAX,
                              [AG_FOLD_MIN] = AG_OP_FMIN,
                              [AG_FOLD_MAX_OR_NAN] = AG_OP_MAXIMUM,
                              [AG_FOLD_MIN_OR_NAN] = AG_OP_MINIMUM,
                              [AG_FOLD_ANY] = AG_OP_OR};
  bool sums = reduction->fold == AG_FOLD_SUM || reduction->fold == AG_FOLD_PRODUCT;
  if (sums && !reduction->scan) x[0] = ag_number_cast(x[0], find_sum_type(x[0].type));
  bool first = !f->begun;
  f->begun = true;
  if (first) {
    memcpy(f->state, x, sizeof f->state);
    if (reduction->fold == AG_FOLD_SOFTMAX && !isfinite(x[0].real) && x[0].real != -INFINITY)
      f->state[1].real = NAN;
  } else if (reduction->fold <= AG_FOLD_ANY)
    return fold_two(ops[reduction->fold], f, x);
  else if (reduction->fold == AG_FOLD_WELFORD)
    fold_welford(f, x);
  else if (reduction->fold == AG_FOLD_SOFTMAX)
    combine_softmax(f->state, x);
  else
    fold_index(reduction->fold == AG_FOLD_MAX_INDEX, f, x);
  return true;
}
