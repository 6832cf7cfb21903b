/* bad.c - see bad.h. */
#include "bounds/bad.h"
#include "shared/bad.h"

const bad bad_lost = {.computed = true};

bad bad_join(bad x, bad y) {
  return (bad){.nan = x.nan | y.nan,
               .plus = x.plus | y.plus,
               .minus = x.minus | y.minus,
               .up = x.up | y.up,
               .down = x.down | y.down,
               .gated = x.gated | y.gated,
               .computed = x.computed || y.computed};
}

bad bad_load(uint64_t members) {
  return (bad){.nan = members, .plus = members, .minus = members, .up = members, .down = members};
}

bad bad_select(bad x, bad y, bool by_place) {
  bad b = bad_join(x, y);
  uint64_t stays = by_place ? b.gated : 0;
  b.nan &= stays;
  b.plus &= stays;
  b.minus &= stays;
  b.up &= stays;
  b.down &= stays;
  return b;
}

bool bad_is_same(bad x, bad y) {
  return x.nan == y.nan && x.plus == y.plus && x.minus == y.minus && x.up == y.up &&
         x.down == y.down && x.gated == y.gated && x.computed == y.computed;
}

static bad drop_signs(bad x) {
  x.up = x.down = 0;
  return x;
}

static bad drop_infinities(bad x) {
  x.plus = x.minus = x.up = x.down = 0;
  return x;
}

bad bad_computed(bad x) {
  x.computed = true;
  return drop_signs(x);
}

static bad convert(graph_type to, bad x) {
  bool wide = to == GRAPH_F32 || to == GRAPH_F64 || to == GRAPH_ANY || to == GRAPH_WEAK_FLOAT;
  bool narrow = to == GRAPH_F16 || to == GRAPH_BF16;
  if (!wide && !narrow) return bad_lost;
  x.computed |= narrow;
  return x;
}

static bool is_maximum(ag_effect effect) {
  return effect == AG_EFFECT_MAXIMUM || effect == AG_EFFECT_MAXIMUM_OF_FIRST ||
         effect == AG_EFFECT_MAXIMUM_OF_NUMBERS;
}

static bool is_minimum(ag_effect effect) {
  return effect == AG_EFFECT_MINIMUM || effect == AG_EFFECT_MINIMUM_OF_FIRST ||
         effect == AG_EFFECT_MINIMUM_OF_NUMBERS;
}

static bad take_extreme(ag_effect effect, bad x, bad first) {
  bool greatest = is_maximum(effect);
  if (effect == AG_EFFECT_MAXIMUM_OF_FIRST || effect == AG_EFFECT_MINIMUM_OF_FIRST)
    x.nan = first.nan;
  if (effect == AG_EFFECT_MAXIMUM_OF_NUMBERS || effect == AG_EFFECT_MINIMUM_OF_NUMBERS) x.nan = 0;
  x.plus = x.up = greatest ? x.up : 0;
  x.minus = x.down = greatest ? 0 : x.down;
  return x;
}

static bad combine(ag_effect effect, bad left, bad right) {
  right = drop_signs(right);
  if (effect != AG_EFFECT_SUBTRACTS) left = drop_signs(left);
  if (effect == AG_EFFECT_DIVIDES) right = drop_infinities(right);
  left = bad_join(left, right);
  left.computed = true;
  return left;
}

/* x: the parameters of one operand, or of all of them. */
static bad apply(ag_effect effect, bad x, bad first) {
  bool computed = x.computed;
  x.computed = true;
  switch (effect) {
    case AG_EFFECT_ADDS: return x;
    case AG_EFFECT_COMPUTES: return drop_signs(x);
    case AG_EFFECT_MOVES: x.computed = computed; return x;
    case AG_EFFECT_NEGATES: x.computed = computed; return drop_signs(x);
    case AG_EFFECT_ABSOLUTE:
      x.computed = computed;
      x.up = x.plus;
      x.down = 0;
      return x;
    case AG_EFFECT_EXPONENTIAL:
      x.plus = x.up;
      x.minus = x.down = 0;
      return x;
    case AG_EFFECT_BOUNDED: return drop_infinities(x);
    case AG_EFFECT_POWER:
      if (x.nan & ~first.nan) x.nan = 0;
      return drop_infinities(x);
    default: return bad_lost;
  }
}

/* ---- constants ------------------------------------------------------------------------------ */

static uint8_t negate(unsigned constants) {
  return (uint8_t)((constants & AG_NAN) | (constants & AG_POS_INF ? AG_NEG_INF : 0) |
                   (constants & AG_NEG_INF ? AG_POS_INF : 0));
}

/* The maximum of -Inf and elements: its -Inf is not intended. */
static unsigned join_constants(ag_effect effect, int n, const bad_value *args, bool read) {
  unsigned none = is_maximum(effect) ? AG_NEG_INF : is_minimum(effect) ? AG_POS_INF : 0;
  unsigned constants = 0;
  for (int i = 0; i < n; i++)
    constants |= args[i].constants & (read && !args[i].read ? ~none : ~0u);
  return constants;
}

/* The constants that an operand may pass on to the result: an Inf stays one. */
static unsigned keep_constants(ag_effect effect, int n, const bad_value *args, bool read) {
  unsigned all = join_constants(effect, n, args, read);
  switch (effect) {
    case AG_EFFECT_IS_NAN: return AG_NAN;
    case AG_EFFECT_IS_INFINITY: return AG_POS_INF;
    case AG_EFFECT_IS_MINUS_INFINITY: return AG_NEG_INF;
    case AG_EFFECT_MOVES:
    case AG_EFFECT_CONVERTS:
    case AG_EFFECT_REINTERPRETS: return all;
    case AG_EFFECT_NEGATES: return negate(all);
    case AG_EFFECT_SUBTRACTS: return (args[0].constants | negate(args[1].constants)) & AG_INF;
    case AG_EFFECT_MULTIPLIES: return all & AG_INF ? AG_INF : 0;
    case AG_EFFECT_DIVIDES: return args[0].constants & AG_INF ? AG_INF : 0;
    case AG_EFFECT_ADDS:
    case AG_EFFECT_REDUCES: return all & AG_INF;
    default: return is_maximum(effect) || is_minimum(effect) ? all & AG_INF : 0;
  }
}

/* ---- operators ------------------------------------------------------------------------------ */

/* vec_reduce_all(function:maximum, node) does what the function does. */
static ag_effect find_effect(const graph_node *node) {
  ag_effect effect = ag_op_get(node->op)->effect;
  if (effect != AG_EFFECT_REDUCES) return effect;
  effect = ag_op_get(ag_op_find_function(node->args[0]->text))->effect;
  return is_maximum(effect) || is_minimum(effect) ? effect : AG_EFFECT_COMPUTES;
}

static bad of_operands(const graph_node *node, const bad_value *args, bad all) {
  ag_effect effect = find_effect(node);
  bad first = args[0].bad;
  if (is_maximum(effect) || is_minimum(effect)) return take_extreme(effect, all, first);
  switch (effect) {
    case AG_EFFECT_SUBTRACTS:
    case AG_EFFECT_MULTIPLIES:
    case AG_EFFECT_DIVIDES: return combine(effect, first, args[1].bad);
    case AG_EFFECT_CONVERTS: return node->op == AG_OP_CAST ? convert(node->type, all) : bad_lost;
    default: return apply(effect, all, first);
  }
}

bad_value bad_of_op(const graph_node *node, const bad_value *args) {
  bad_value all = {0};
  for (int i = 0; i < node->n; i++) {
    all.bad = bad_join(all.bad, args[i].bad);
    all.read |= args[i].read;
  }
  ag_effect effect = ag_op_get(node->op)->effect;
  all.constants = (uint8_t)keep_constants(effect, node->n, args, all.read);
  if (node->n) all.bad = of_operands(node, args, all.bad);
  return all;
}
