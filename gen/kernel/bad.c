/* bad.c - see bad.h. The functions are those that Inductor writes. */
#include "kernel/bad.h"

#include <string.h>

static const kernel_bad lost = {.computed = true};

kernel_bad kernel_bad_join(kernel_bad x, kernel_bad y) {
  return (kernel_bad){.nan = x.nan | y.nan,
                      .plus = x.plus | y.plus,
                      .minus = x.minus | y.minus,
                      .up = x.up | y.up,
                      .down = x.down | y.down,
                      .gated = x.gated | y.gated,
                      .computed = x.computed || y.computed};
}

kernel_bad kernel_bad_load(uint64_t members) {
  return (kernel_bad){
      .nan = members, .plus = members, .minus = members, .up = members, .down = members};
}

kernel_bad kernel_bad_select(kernel_bad x, kernel_bad y, bool by_place) {
  kernel_bad b = kernel_bad_join(x, y);
  uint64_t stays = by_place ? b.gated : 0;
  b.nan &= stays;
  b.plus &= stays;
  b.minus &= stays;
  b.up &= stays;
  b.down &= stays;
  return b;
}

static kernel_bad drop_signs(kernel_bad x) {
  x.up = x.down = 0;
  return x;
}

static kernel_bad drop_infinities(kernel_bad x) {
  x.plus = x.minus = x.up = x.down = 0;
  return x;
}

kernel_bad kernel_bad_unary(const char *text, kernel_bad x) {
  if (strchr("+*&", *text)) return x;
  return strcmp(text, "-") == 0 ? drop_signs(x) : lost;
}

kernel_bad kernel_bad_binary(const char *text, kernel_bad x, kernel_bad y) {
  bool known = text[0] && !text[1] && strchr("+-*/%", *text);
  if (!known) return lost;
  if (*text != '+') y = drop_signs(y);
  if (strchr("*/%", *text)) x = drop_signs(x);
  if (strchr("/%", *text)) y = drop_infinities(y);
  x = kernel_bad_join(x, y);
  x.computed = true;
  return x;
}

kernel_bad kernel_bad_assign(const char *op, kernel_bad x) {
  kernel_bad none = {0};
  if (strcmp(op, "=") == 0) return x;
  char text[] = {op[0], op[1] == '=' ? 0 : op[1], 0};
  return kernel_bad_binary(text, none, x);
}

bool kernel_bad_is_same(kernel_bad x, kernel_bad y) {
  return x.nan == y.nan && x.plus == y.plus && x.minus == y.minus && x.up == y.up &&
         x.down == y.down && x.gated == y.gated && x.computed == y.computed;
}

bool kernel_bad_is_grid(const kernel_tree *t, const tree_expr *e) {
  if (!t->python || t->by_hand) return false;
  if (e->is == TREE_BINARY && strcmp(e->text, "&") == 0)
    return kernel_bad_is_grid(t, e->first) && kernel_bad_is_grid(t, e->first->next);
  if (e->is == TREE_CONSTANT) return strcmp(e->text, "None") == 0;
  size_t n = strlen(e->text);
  return e->is == TREE_NAME && n >= 4 && strcmp(e->text + n - 4, "mask") == 0;
}

/* ---- functions ------------------------------------------------------------------------------ */

enum effect {
  LOSES,
  LOADS,    /* the elements that the first argument points to */
  MOVES,    /* the same elements */
  CONVERTS, /* to a type that may be narrower, or an integer */
  ADDS,     /* keeps the sign of an Inf, or makes it NaN */
  COMPUTES, /* makes it NaN or an Inf of any sign */
  ABSOLUTE,
  EXPONENTIAL,
  BOUNDED, /* finite of Inf */
  POWER,
  MAXIMUM,
  MINIMUM,
  REDUCES /* by a lambda */
};

static const struct {
  const char *name;
  enum effect effect;
} functions[] = {
    {"Vectorized", CONVERTS},
    {"VectorizedN", CONVERTS},
    {"static_cast", CONVERTS},
    {"convert", CONVERTS},
    {"to", CONVERTS},
    {"cast", CONVERTS},
    {"float", MOVES},
    {"double", MOVES},
    {"loadu", LOADS},
    {"load", LOADS},
    {"masked_load", LOADS},
    {"loadu_one_fourth", LOADS},
    {"transpose_mxn", MOVES},
    {"set", MOVES},
    {"get", MOVES},
    {"data", MOVES},
    {"broadcast_to", MOVES},
    {"broadcast", MOVES},
    {"full", MOVES},
    {"reshape", MOVES},
    {"view", MOVES},
    {"trans", MOVES},
    {"expand", MOVES},
    {"expand_dims", MOVES},
    {"promote_to_tensor", MOVES},
    {"sum", ADDS},
    {"sum_masked_reduce", ADDS},
    {"cascade_sum_combine", ADDS},
    {"cascade_sum_final", ADDS},
    {"atomic_add", ADDS},
    {"atomic_add_vec", ADDS},
    {"sqrt", ADDS},
    {"sqrt_rn", ADDS},
    {"log", ADDS},
    {"log1p", ADDS},
    {"log2", ADDS},
    {"log10", ADDS},
    {"floor", ADDS},
    {"ceil", ADDS},
    {"trunc", ADDS},
    {"round", ADDS},
    {"rint", ADDS},
    {"nearbyint", ADDS},
    {"neg", COMPUTES},
    {"sin", COMPUTES},
    {"cos", COMPUTES},
    {"tan", COMPUTES},
    {"fma", COMPUTES},
    {"fmadd", COMPUTES},
    {"prod", COMPUTES},
    {"dot", COMPUTES},
    {"welford", COMPUTES},
    {"welford_reduce", COMPUTES},
    {"welford_combine", COMPUTES},
    {"welford_vec_reduce_all", COMPUTES},
    {"abs", ABSOLUTE},
    {"fabs", ABSOLUTE},
    {"exp", EXPONENTIAL},
    {"exp2", EXPONENTIAL},
    {"expm1", EXPONENTIAL},
    {"exp_u20", BOUNDED},
    {"tanh", BOUNDED},
    {"sigmoid", BOUNDED},
    {"erf", BOUNDED},
    {"erfc", BOUNDED},
    {"atan", BOUNDED},
    {"asin", BOUNDED},
    {"acos", BOUNDED},
    {"sinh", BOUNDED},
    {"cosh", BOUNDED},
    {"asinh", BOUNDED},
    {"acosh", BOUNDED},
    {"atanh", BOUNDED},
    {"reciprocal", BOUNDED},
    {"rsqrt", BOUNDED},
    {"fmod", BOUNDED},
    {"mod", BOUNDED},
    {"atan2", BOUNDED},
    {"div_rn", BOUNDED},
    {"pow", POWER},
    {"maximum", MAXIMUM},
    {"max_propagate_nan", MAXIMUM},
    {"max_masked_reduce", MAXIMUM},
    {"clamp_min", MAXIMUM},
    {"max", MAXIMUM},
    {"max2", MAXIMUM},
    {"fmax2", MAXIMUM},
    {"minimum", MINIMUM},
    {"min_propagate_nan", MINIMUM},
    {"min_masked_reduce", MINIMUM},
    {"clamp_max", MINIMUM},
    {"min", MINIMUM},
    {"min2", MINIMUM},
    {"fmin2", MINIMUM},
    {"vec_reduce_all", REDUCES},
};

static enum effect find_effect(const char *name) {
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (strcmp(functions[i].name, name) == 0) return functions[i].effect;
  return strstr(name, "micro_gemm") ? COMPUTES : LOSES;
}

enum { HAS_MAXIMUM = 1, HAS_MINIMUM = 2 };

/* Which of these the expression, a lambda's body too, calls: it keeps the answer, since reductions
 * are nested. */
static int find_extremes(tree_expr *e);

static int find_block_extremes(const tree_block *b) {
  int found = 0;
  for (const tree_statement *s = b ? b->first : NULL; s; s = s->next)
    found |= (s->value ? find_extremes(s->value) : 0) | find_block_extremes(s->body);
  return found;
}

static int find_extremes(tree_expr *e) {
  if (e->extremes != TREE_UNREAD) return e->extremes;
  enum effect effect = e->is == TREE_CALL ? find_effect(kernel_tree_name(e->first)) : LOSES;
  int found = effect == MAXIMUM ? HAS_MAXIMUM : effect == MINIMUM ? HAS_MINIMUM : 0;
  if (e->is == TREE_LAMBDA) found |= find_block_extremes(e->body);
  for (tree_expr *c = e->first; c; c = c->next) found |= find_extremes(c);
  e->extremes = (signed char)found;
  return found;
}

/* What is converted to: "float, 1", "tl.float32"; "" where the text does not say. */
static const char *find_type(const kernel_tree *t, const tree_expr *call) {
  const tree_expr *arg = kernel_tree_argument(call, 0);
  if (!t->python) return call->type ? call->type : "";
  return arg ? kernel_tree_name(arg) : "";
}

static bool begins_with(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

static kernel_bad convert(const char *type, kernel_bad x) {
  bool wide = begins_with(type, "double") || begins_with(type, "float64") || !*type ||
              strcmp(type, "float32") == 0 ||
              (begins_with(type, "float") && !(type[5] >= '0' && type[5] <= '9'));
  bool narrow = begins_with(type, "half") || begins_with(type, "bfloat16") ||
                begins_with(type, "float16") || begins_with(type, "at::Half") ||
                begins_with(type, "at::BFloat16") || begins_with(type, "c10::Half") ||
                begins_with(type, "c10::BFloat16");
  if (!wide && !narrow) return lost;
  x.computed |= narrow;
  return x;
}

static kernel_bad take_extreme(kernel_bad x, bool greatest) {
  x.plus = x.up = greatest ? x.up : 0;
  x.minus = x.down = greatest ? 0 : x.down;
  return x;
}

/* std::max(a, b) gives a where it is NaN, not b. tl.maximum() gives the number, unless its third
 * argument is PropagateNan.ALL; triton_helpers.max2() gives the NaN, fmax2() the number. */
static bool propagates_nan(const kernel_tree *t, const tree_expr *call) {
  const char *name = kernel_tree_name(call->first);
  bool helper = call->first->is == TREE_MEMBER && call->first->first->is == TREE_NAME &&
                strcmp(call->first->first->text, "triton_helpers") == 0;
  const tree_expr *how = kernel_tree_argument(call, 2);
  if (t->python && !helper) return how && strcmp(kernel_tree_name(how), "ALL") == 0;
  if (t->python) return name[0] != 'f';
  return strcmp(name, "max") != 0 && strcmp(name, "min") != 0;
}

static kernel_bad read_extreme(const kernel_tree *t, const tree_expr *call, kernel_bad all,
                               kernel_bad first, bool greatest) {
  if (!propagates_nan(t, call)) all.nan = t->python ? 0 : first.nan;
  return take_extreme(all, greatest);
}

static kernel_bad reduce(tree_expr *call, kernel_bad x) {
  int extremes = find_extremes(call);
  if (extremes & HAS_MAXIMUM) return take_extreme(x, true);
  if (extremes & HAS_MINIMUM) return take_extreme(x, false);
  x.computed = true;
  return drop_signs(x);
}

kernel_bad kernel_bad_call(const kernel_tree *t, tree_expr *call, kernel_bad all,
                           kernel_bad first) {
  const char *name = kernel_tree_name(call->first);
  bool computed = all.computed;
  kernel_bad x = all;
  x.computed = true;
  switch (find_effect(name)) {
    case LOSES: return lost;
    case LOADS: return first;
    case MOVES: return all;
    case CONVERTS: return convert(find_type(t, call), all);
    case ADDS: return x;
    case COMPUTES: return drop_signs(x);
    case ABSOLUTE:
      x.computed = computed;
      x.up = x.plus;
      x.down = 0;
      return x;
    case EXPONENTIAL:
      x.plus = x.up;
      x.minus = x.down = 0;
      return x;
    case BOUNDED: return drop_infinities(x);
    case POWER:
      if (all.nan & ~first.nan) x.nan = 0;
      return drop_infinities(x);
    case MAXIMUM: return read_extreme(t, call, all, first, true);
    case MINIMUM: return read_extreme(t, call, all, first, false);
    case REDUCES: return reduce(call, all);
  }
  return lost;
}

bool kernel_bad_keeps_infinity(const char *name) {
  switch (find_effect(name)) {
    case MOVES:
    case CONVERTS:
    case ADDS:
    case MAXIMUM:
    case MINIMUM:
    case REDUCES: return true;
    default: return false;
  }
}
