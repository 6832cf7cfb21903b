/* operators.c - see operators.h. */
#define _GNU_SOURCE
#include "explain/operators.h"

#include <float.h>
#include <math.h>

/* ---- numbers -------------------------------------------------------------------------------- */

/* Rounds to the nearest number of `bits` bits whose least exponent is `least`, ties to even. */
static double round_real(double x, int bits, int least, double most) {
  int e;
  if (!isfinite(x) || x == 0) return x;
  frexp(x, &e);
  int unit = e - bits < least - bits + 1 ? least - bits + 1 : e - bits;
  double y = ldexp(nearbyint(ldexp(x, -unit)), unit);
  return fabs(y) > most ? copysign(INFINITY, x) : y;
}

ag_number ag_number_of_real(double x, graph_type type) {
  if (type == GRAPH_F32) x = (double)(float)x;
  if (type == GRAPH_F16) x = round_real(x, 11, -14, 65504.0);
  if (type == GRAPH_BF16) x = round_real(x, 8, -126, 0x1.fep127);
  return (ag_number){.type = type, .real = x};
}

/* The number of positive values up to x that have `bits` bits and whose least exponent is
 * `least`. */
static int64_t count_up_to(double x, int bits, int least) {
  int e;
  double m = frexp(x, &e);
  if (x == 0 || e - 1 < least) return (int64_t)ldexp(x, bits - 1 - least);
  return ((int64_t)(e - 1 - least) << (bits - 1)) + (int64_t)ldexp(m, bits);
}

int64_t ag_number_count_ulps(ag_number x, ag_number y) {
  static const struct {
    int bits, least;
    double most;
  } formats[] = {[GRAPH_BF16 - GRAPH_BF16] = {8, -126, 0x1.fep127},
                 [GRAPH_F16 - GRAPH_BF16] = {11, -14, 65504.0},
                 [GRAPH_F32 - GRAPH_BF16] = {24, -126, FLT_MAX},
                 [GRAPH_F64 - GRAPH_BF16] = {53, -1022, DBL_MAX}};
  if (x.type != y.type || x.type < GRAPH_BF16 || isnan(x.real) || isnan(y.real)) return -1;
  int bits = formats[x.type - GRAPH_BF16].bits, least = formats[x.type - GRAPH_BF16].least;
  double values[] = {x.real, y.real}, most = formats[x.type - GRAPH_BF16].most;
  int64_t places[2];
  for (int i = 0; i < 2; i++) {
    double a = fabs(values[i]);
    int64_t place = isinf(a) ? count_up_to(most, bits, least) + 1 : count_up_to(a, bits, least);
    places[i] = values[i] < 0 ? -place : place;
  }
  uint64_t apart = (uint64_t)places[0] - (uint64_t)places[1];
  return places[0] < places[1] ? (int64_t)(0 - apart) : (int64_t)apart;
}

bool ag_number_cast_float8(ag_op op, ag_number *x) {
  bool wide = op == AG_OP_CAST_FLOAT8E5;
  double most = wide ? 57344 : 448, value = ag_number_real(*x);
  if (!wide && op != AG_OP_CAST_FLOAT8E4NV) return false;
  if (fabs(value) > most) return false;
  *x = (ag_number){.type = GRAPH_F8,
                   .real = wide ? round_real(value, 3, -14, most) : round_real(value, 4, -6, most)};
  return true;
}

static int64_t wrap(uint64_t x, graph_type type) {
  switch (type) {
    case GRAPH_U8: return (uint8_t)x;
    case GRAPH_I8: return (int8_t)(uint8_t)x;
    case GRAPH_U16: return (uint16_t)x;
    case GRAPH_I16: return (int16_t)(uint16_t)x;
    case GRAPH_U32: return (uint32_t)x;
    case GRAPH_I32: return (int32_t)(uint32_t)x;
    default: return (int64_t)x;
  }
}

ag_number ag_number_of_whole(int64_t x, graph_type type) {
  return (ag_number){.type = type, .whole = type == GRAPH_BOOL ? x != 0 : wrap((uint64_t)x, type)};
}

double ag_number_real(ag_number x) {
  if (ag_graph_type_is_float(x.type)) return x.real;
  return x.type == GRAPH_U64 ? (double)(uint64_t)x.whole : (double)x.whole;
}

bool ag_number_is_true(ag_number x) {
  return ag_graph_type_is_float(x.type) ? x.real != 0 : x.whole != 0;
}

ag_number ag_number_cast(ag_number x, graph_type type) {
  if (type == GRAPH_ANY || type == x.type) return x;
  if (ag_graph_type_is_float(type)) return ag_number_of_real(ag_number_real(x), type);
  if (!ag_graph_type_is_float(x.type)) return ag_number_of_whole(x.whole, type);
  if (type == GRAPH_BOOL) return ag_number_of_whole(x.real != 0, type);
  double whole = trunc(x.real); /* the result on x86 if it does not fit */
  bool fits = whole >= -0x1p63 && whole < 0x1p63;
  return ag_number_of_whole(fits ? (int64_t)whole : INT64_MIN, type);
}

/* ---- operators ------------------------------------------------------------------------------ */

static bool is_constant(ag_op op) {
  return op == AG_OP_QUIET_NAN || op == AG_OP_INFINITE || op == AG_OP_LOWEST || op == AG_OP_HIGHEST;
}

bool ag_operator_is_known(ag_op op) {
  const ag_operator *o = ag_op_get(op);
  bool bits = o->rule >= AG_RULE_LESS && o->rule <= AG_RULE_SHIFT_RIGHT;
  return o->one || o->two || o->three || o->test || bits || is_constant(op) || op == AG_OP_THREAD;
}

bool ag_operator_reorders(ag_op op) { return op == AG_OP_CASCADE_SUM_FINAL || op == AG_OP_THREAD; }

static graph_type join_types(const ag_number *args, int n) {
  graph_type type = n ? args[0].type : GRAPH_F32;
  for (int i = 1; i < n; i++)
    if (args[i].type > type) type = args[i].type;
  return type;
}

static int compare(ag_number x, ag_number y) {
  if (ag_graph_type_is_float(x.type) || ag_graph_type_is_float(y.type)) {
    double a = ag_number_real(x), b = ag_number_real(y);
    return isnan(a) || isnan(b) ? 2 : (a > b) - (a < b);
  }
  bool is_unsigned = x.type == GRAPH_U64 || y.type == GRAPH_U64;
  if (is_unsigned)
    return ((uint64_t)x.whole > (uint64_t)y.whole) - ((uint64_t)x.whole < (uint64_t)y.whole);
  return (x.whole > y.whole) - (x.whole < y.whole);
}

static bool test(ag_rule rule, int c) {
  switch (rule) {
    case AG_RULE_LESS: return c == -1;
    case AG_RULE_GREATER: return c == 1;
    case AG_RULE_LESS_EQUAL: return c == -1 || c == 0;
    case AG_RULE_GREATER_EQUAL: return c == 1 || c == 0;
    case AG_RULE_EQUAL: return c == 0;
    default: return c != 0;
  }
}

static double get_constant(ag_op op, graph_type type) {
  static const double most[] = {[GRAPH_BF16 - GRAPH_BF16] = 0x1.fep127,
                                [GRAPH_F16 - GRAPH_BF16] = 65504.0,
                                [GRAPH_F32 - GRAPH_BF16] = FLT_MAX,
                                [GRAPH_F64 - GRAPH_BF16] = DBL_MAX};
  if (op == AG_OP_QUIET_NAN) return NAN;
  if (op == AG_OP_INFINITE) return INFINITY;
  double x = most[(type >= GRAPH_BF16 ? type : GRAPH_F32) - GRAPH_BF16];
  return op == AG_OP_LOWEST ? -x : x;
}

static bool compute_bits(ag_rule rule, int64_t x, int64_t y, int64_t *z) {
  bool shifts = rule == AG_RULE_SHIFT_LEFT || rule == AG_RULE_SHIFT_RIGHT;
  if (shifts && (y < 0 || y > 63)) return false;
  switch (rule) {
    case AG_RULE_AND: *z = x & y; break;
    case AG_RULE_OR: *z = x | y; break;
    case AG_RULE_XOR: *z = x ^ y; break;
    case AG_RULE_INVERT: *z = ~x; break;
    case AG_RULE_SHIFT_LEFT: *z = (int64_t)((uint64_t)x << y); break;
    default: *z = x >> y; break;
  }
  return true;
}

/* Applies an operator whose result is a bool to numbers of any type. False for another operator. */
static bool apply_test(ag_op op, const ag_number *args, bool *holds) {
  const ag_operator *o = ag_op_get(op);
  if (o->test)
    *holds = o->test(ag_number_real(args[0]));
  else if (op == AG_OP_NOT)
    *holds = !ag_number_is_true(args[0]);
  else if (ag_op_is_comparison(op))
    *holds = test(o->rule, compare(args[0], args[1]));
  else
    return false;
  return true;
}

/* Divides where both languages agree: the quotient rounds towards zero in C++, down in Triton.
 * False for other operands. */
static bool divide_whole(ag_rule rule, int64_t x, int64_t y, int64_t *z) {
  if (x < 0 || y <= 0) return false;
  *z = rule == AG_RULE_MODULO ? x % y : x / y;
  return true;
}

static bool compute_whole(ag_rule rule, const ag_number *args, int n, int64_t *z) {
  uint64_t x = (uint64_t)args[0].whole, y = n > 1 ? (uint64_t)args[1].whole : 0;
  switch (rule) {
    case AG_RULE_ADD: *z = (int64_t)(x + y); return true;
    case AG_RULE_SUBTRACT: *z = (int64_t)(x - y); return true;
    case AG_RULE_MULTIPLY: *z = (int64_t)(x * y); return true;
    case AG_RULE_NEGATE: *z = (int64_t)(0 - x); return true;
    case AG_RULE_SAME: *z = (int64_t)x; return true;
    case AG_RULE_ABSOLUTE: *z = args[0].whole < 0 ? (int64_t)(0 - x) : args[0].whole; return true;
    case AG_RULE_FLOOR_DIVIDE:
    case AG_RULE_MODULO: return divide_whole(rule, args[0].whole, args[1].whole, z);
    case AG_RULE_MAX: *z = args[compare(args[0], args[1]) > 0 ? 0 : 1].whole; return true;
    case AG_RULE_MIN: *z = args[compare(args[0], args[1]) < 0 ? 0 : 1].whole; return true;
    case AG_RULE_AND:
    case AG_RULE_OR:
    case AG_RULE_XOR:
    case AG_RULE_INVERT:
    case AG_RULE_SHIFT_LEFT:
    case AG_RULE_SHIFT_RIGHT: return compute_bits(rule, (int64_t)x, (int64_t)y, z);
    default: return false;
  }
}

/* Operators without arguments. */
static ag_number make_constant(ag_op op, graph_type type) {
  graph_type real = ag_graph_type_is_float(type) ? type : GRAPH_F32;
  if (op == AG_OP_THREAD) return ag_number_of_whole(0, GRAPH_I64);
  return ag_number_of_real(get_constant(op, real), real);
}

static bool apply_real(const ag_operator *o, graph_type type, const ag_number *args,
                       ag_number *result) {
  double x = ag_number_real(args[0]), z;
  if (!ag_graph_type_is_float(type) || type == GRAPH_F8) return false;
  if (o->one)
    z = o->one(x);
  else if (o->two)
    z = o->two(x, ag_number_real(args[1]));
  else if (o->three)
    z = o->three(x, ag_number_real(args[1]), ag_number_real(args[2]));
  else
    return false;
  *result = ag_number_of_real(z, type);
  return true;
}

bool ag_operator_apply(ag_op op, graph_type type, const ag_number *args, int n, ag_number *result) {
  const ag_operator *o = ag_op_get(op);
  bool holds;
  int64_t whole;
  if (!ag_operator_is_known(op)) return false;
  graph_type joined = join_types(args, n);
  if (type == GRAPH_ANY || type == GRAPH_WEAK || type == GRAPH_WEAK_FLOAT) type = joined;
  if (!n) {
    *result = make_constant(op, type);
    return true;
  }
  if (apply_test(op, args, &holds)) {
    *result = ag_number_of_whole(holds, GRAPH_BOOL);
    return true;
  }
  bool bits = o->rule >= AG_RULE_AND && o->rule <= AG_RULE_SHIFT_RIGHT;
  if (ag_graph_type_is_float(joined) || (ag_graph_type_is_float(type) && !bits))
    return apply_real(o, type, args, result);
  if (!compute_whole(o->rule, args, n, &whole)) return false;
  *result = ag_number_of_whole(whole, type);
  return true;
}
