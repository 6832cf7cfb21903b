/* operators.c - see operators.h. */
#define _GNU_SOURCE
#include "explain/operators.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- numbers -------------------------------------------------------------------------------- */

bool ag_type_is_real(ag_type t) { return t >= AG_TYPE_WEAK_FLOAT; }

const char *ag_type_name(ag_type t) {
  static const char *const names[] = {
      "?",      "int",   "bool",  "uint8",  "int8",     "uint16",  "int16",   "uint32", "int32",
      "uint64", "int64", "float", "float8", "bfloat16", "float16", "float32", "float64"};
  return names[t];
}

/* To the nearest number of `bits` bits whose least exponent is `least`, ties to even. */
static double round_real(double x, int bits, int least, double most) {
  int e;
  if (!isfinite(x) || x == 0) return x;
  frexp(x, &e);
  int unit = e - bits < least - bits + 1 ? least - bits + 1 : e - bits;
  double y = ldexp(nearbyint(ldexp(x, -unit)), unit);
  return fabs(y) > most ? copysign(INFINITY, x) : y;
}

ag_number ag_number_of_real(double x, ag_type type) {
  if (type == AG_TYPE_F32) x = (double)(float)x;
  if (type == AG_TYPE_F16) x = round_real(x, 11, -14, 65504.0);
  if (type == AG_TYPE_BF16) x = round_real(x, 8, -126, 0x1.fep127);
  return (ag_number){.type = type, .real = x};
}

/* How many positive numbers of `bits` bits, whose least exponent is `least`, are up to x. */
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
  } formats[] = {[AG_TYPE_BF16 - AG_TYPE_BF16] = {8, -126, 0x1.fep127},
                 [AG_TYPE_F16 - AG_TYPE_BF16] = {11, -14, 65504.0},
                 [AG_TYPE_F32 - AG_TYPE_BF16] = {24, -126, FLT_MAX},
                 [AG_TYPE_F64 - AG_TYPE_BF16] = {53, -1022, DBL_MAX}};
  if (x.type != y.type || x.type < AG_TYPE_BF16 || isnan(x.real) || isnan(y.real)) return -1;
  int bits = formats[x.type - AG_TYPE_BF16].bits, least = formats[x.type - AG_TYPE_BF16].least;
  double values[] = {x.real, y.real}, most = formats[x.type - AG_TYPE_BF16].most;
  int64_t places[2];
  for (int i = 0; i < 2; i++) {
    double a = fabs(values[i]);
    int64_t place = isinf(a) ? count_up_to(most, bits, least) + 1 : count_up_to(a, bits, least);
    places[i] = values[i] < 0 ? -place : place;
  }
  uint64_t apart = (uint64_t)places[0] - (uint64_t)places[1];
  return places[0] < places[1] ? (int64_t)(0 - apart) : (int64_t)apart;
}

bool ag_number_cast_float8(const char *name, ag_number *x) {
  bool wide = strcmp(name, "cast_float8e5") == 0;
  double most = wide ? 57344 : 448, value = ag_number_real(*x);
  if (!wide && strcmp(name, "cast_float8e4nv") != 0) return false;
  if (fabs(value) > most) return false;
  *x = (ag_number){.type = AG_TYPE_F8,
                   .real = wide ? round_real(value, 3, -14, most) : round_real(value, 4, -6, most)};
  return true;
}

static int64_t wrap(uint64_t x, ag_type type) {
  switch (type) {
    case AG_TYPE_U8: return (uint8_t)x;
    case AG_TYPE_I8: return (int8_t)(uint8_t)x;
    case AG_TYPE_U16: return (uint16_t)x;
    case AG_TYPE_I16: return (int16_t)(uint16_t)x;
    case AG_TYPE_U32: return (uint32_t)x;
    case AG_TYPE_I32: return (int32_t)(uint32_t)x;
    default: return (int64_t)x;
  }
}

ag_number ag_number_of_whole(int64_t x, ag_type type) {
  return (ag_number){.type = type,
                     .whole = type == AG_TYPE_BOOL ? x != 0 : wrap((uint64_t)x, type)};
}

double ag_number_real(ag_number x) {
  if (ag_type_is_real(x.type)) return x.real;
  return x.type == AG_TYPE_U64 ? (double)(uint64_t)x.whole : (double)x.whole;
}

bool ag_number_is_true(ag_number x) { return ag_type_is_real(x.type) ? x.real != 0 : x.whole != 0; }

ag_number ag_number_cast(ag_number x, ag_type type) {
  if (type == AG_TYPE_ANY || type == x.type) return x;
  if (ag_type_is_real(type)) return ag_number_of_real(ag_number_real(x), type);
  if (!ag_type_is_real(x.type)) return ag_number_of_whole(x.whole, type);
  if (type == AG_TYPE_BOOL) return ag_number_of_whole(x.real != 0, type);
  double whole = trunc(x.real); /* what x86 gives where it does not fit */
  bool fits = whole >= -0x1p63 && whole < 0x1p63;
  return ag_number_of_whole(fits ? (int64_t)whole : INT64_MIN, type);
}

/* ---- functions of real numbers -------------------------------------------------------------- */

static double compute_neg(double x) { return -x; }
static double compute_same(double x) { return x; }
static double compute_rsqrt(double x) { return 1 / sqrt(x); }
static double compute_reciprocal(double x) { return 1 / x; }
static double compute_sigmoid(double x) { return 1 / (1 + exp(-x)); }
static double compute_relu(double x) { return x < 0 ? 0 : x; }
static double compute_square(double x) { return x * x; }
static double compute_sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }

static double compute_add(double x, double y) { return x + y; }
static double compute_sub(double x, double y) { return x - y; }
static double compute_mul(double x, double y) { return x * y; }
static double compute_div(double x, double y) { return x / y; }
/* With a NaN the result is one, as in torch. */
static double compute_max(double x, double y) { return isnan(x) || x > y ? x : y; }
static double compute_min(double x, double y) { return isnan(x) || x < y ? x : y; }
static double compute_mod(double x, double y) {
  double r = fmod(x, y);
  return r != 0 && (r < 0) != (y < 0) ? r + y : r;
}
static double compute_floor_div(double x, double y) { return floor(x / y); }
static double compute_fma(double x, double y, double z) { return fma(x, y, z); }
static double compute_fms(double x, double y, double z) { return fma(x, y, -z); }
static double compute_clamp(double x, double low, double high) {
  return compute_min(compute_max(x, low), high);
}

typedef struct real_function {
  const char *name;
  double (*one)(double);
  double (*two)(double, double);
  double (*three)(double, double, double);
} real_function;

/* The end of a sum in chunks of elements. */
static const char sum_of_chunks[] = "cascade_sum_final";

static const real_function functions[] = {
    {"exp", exp, NULL, NULL},
    {"exp_u20", exp, NULL, NULL},
    {"fexp_u20", exp, NULL, NULL},
    {"exp2", exp2, NULL, NULL},
    {"expm1", expm1, NULL, NULL},
    {"log", log, NULL, NULL},
    {"log2", log2, NULL, NULL},
    {"log10", log10, NULL, NULL},
    {"log1p", log1p, NULL, NULL},
    {"sqrt", sqrt, NULL, NULL},
    {"sqrt_rn", sqrt, NULL, NULL},
    {"rsqrt", compute_rsqrt, NULL, NULL},
    {"reciprocal", compute_reciprocal, NULL, NULL},
    {"abs", fabs, NULL, NULL},
    {"fabs", fabs, NULL, NULL},
    {"abs_", fabs, NULL, NULL},
    {"neg", compute_neg, NULL, NULL},
    {"floor", floor, NULL, NULL},
    {"ceil", ceil, NULL, NULL},
    {"trunc", trunc, NULL, NULL},
    {"round", nearbyint, NULL, NULL},
    {"nearbyint", nearbyint, NULL, NULL},
    {"rint", nearbyint, NULL, NULL},
    {"erf", erf, NULL, NULL},
    {"erfc", erfc, NULL, NULL},
    {"tanh", tanh, NULL, NULL},
    {"sigmoid", compute_sigmoid, NULL, NULL},
    {"sin", sin, NULL, NULL},
    {"cos", cos, NULL, NULL},
    {"tan", tan, NULL, NULL},
    {"asin", asin, NULL, NULL},
    {"acos", acos, NULL, NULL},
    {"atan", atan, NULL, NULL},
    {"sinh", sinh, NULL, NULL},
    {"cosh", cosh, NULL, NULL},
    {"asinh", asinh, NULL, NULL},
    {"acosh", acosh, NULL, NULL},
    {"atanh", atanh, NULL, NULL},
    {"lgamma", lgamma, NULL, NULL},
    {"relu", compute_relu, NULL, NULL},
    {"square", compute_square, NULL, NULL},
    {"sgn", compute_sign, NULL, NULL},
    {"promote_to_tensor", compute_same, NULL, NULL},
    {sum_of_chunks, compute_same, NULL, NULL},
    {"+", compute_same, compute_add, NULL},
    {"-", compute_neg, compute_sub, NULL},
    {"*", NULL, compute_mul, NULL},
    {"/", NULL, compute_div, NULL},
    {"truediv", NULL, compute_div, NULL},
    {"div_rn", NULL, compute_div, NULL},
    {"//", NULL, compute_floor_div, NULL},
    {"%", NULL, compute_mod, NULL},
    {"max", NULL, compute_max, NULL},
    {"maximum", NULL, compute_max, NULL},
    {"max_propagate_nan", NULL, compute_max, NULL},
    {"clamp_min", NULL, compute_max, NULL},
    {"fmax", NULL, fmax, NULL},
    {"min", NULL, compute_min, NULL},
    {"minimum", NULL, compute_min, NULL},
    {"min_propagate_nan", NULL, compute_min, NULL},
    {"clamp_max", NULL, compute_min, NULL},
    {"fmin", NULL, fmin, NULL},
    {"pow", NULL, pow, NULL},
    {"powf", NULL, pow, NULL},
    {"atan2", NULL, atan2, NULL},
    {"fmod", NULL, fmod, NULL},
    {"hypot", NULL, hypot, NULL},
    {"copysign", NULL, copysign, NULL},
    {"remainder", NULL, compute_mod, NULL},
    {"nextafter", NULL, nextafter, NULL},
    {"fma", NULL, NULL, compute_fma},
    {"fmadd", NULL, NULL, compute_fma},
    {"fmsub", NULL, NULL, compute_fms},
    {"clamp", NULL, NULL, compute_clamp},
};

/* ---- tests, and operators that have a meaning of their own for integers ---------------------- */

enum other_operator {
  OTHER_LESS,
  OTHER_GREATER,
  OTHER_LESS_EQUAL,
  OTHER_GREATER_EQUAL,
  OTHER_EQUAL,
  OTHER_NOT_EQUAL,
  OTHER_NOT,
  OTHER_IS_NAN,
  OTHER_IS_INF,
  OTHER_IS_FINITE,
  OTHER_AND,
  OTHER_OR,
  OTHER_XOR,
  OTHER_INVERT,
  OTHER_LEFT,
  OTHER_RIGHT,
  OTHER_NAN,
  OTHER_INFINITY,
  OTHER_LOWEST,
  OTHER_HIGHEST,
  OTHER_THREAD
};

static const struct {
  const char *name;
  int n;
} others[] = {{"<", 2},        {">", 2},         {"<=", 2},
              {">=", 2},       {"==", 2},        {"!=", 2},
              {"!", 1},        {"isnan", 1},     {"isinf", 1},
              {"isfinite", 1}, {"&", 2},         {"|", 2},
              {"^", 2},        {"~", 1},         {"<<", 2},
              {">>", 2},       {"quiet_NaN", 0}, {"infinity", 0},
              {"lowest", 0},   {"max", 0},       {"omp_get_thread_num", 0}};

enum { FUNCTIONS = sizeof functions / sizeof *functions, OTHERS = sizeof others / sizeof *others };

int ag_operator_find(const char *name, int n) {
  const char *last = strpbrk(name, ".:") ? strrchr(name, '.') : NULL;
  if (last && last[1]) name = last + 1;
  for (int i = 0; i < FUNCTIONS; i++) {
    const real_function *f = &functions[i];
    bool fits = (n == 1 && f->one) || (n == 2 && f->two) || (n == 3 && f->three);
    if (fits && strcmp(f->name, name) == 0) return i;
  }
  for (int i = 0; i < OTHERS; i++)
    if (others[i].n == n && strcmp(others[i].name, name) == 0) return FUNCTIONS + i;
  return -1;
}

bool ag_operator_reorders(int op) {
  if (op >= FUNCTIONS) return op == FUNCTIONS + OTHER_THREAD;
  return op >= 0 && functions[op].name == sum_of_chunks;
}

static ag_type join_types(const ag_number *args, int n) {
  ag_type type = n ? args[0].type : AG_TYPE_F32;
  for (int i = 1; i < n; i++)
    if (args[i].type > type) type = args[i].type;
  return type;
}

static int compare(ag_number x, ag_number y) {
  if (ag_type_is_real(x.type) || ag_type_is_real(y.type)) {
    double a = ag_number_real(x), b = ag_number_real(y);
    return isnan(a) || isnan(b) ? 2 : (a > b) - (a < b);
  }
  bool is_unsigned = x.type == AG_TYPE_U64 || y.type == AG_TYPE_U64;
  if (is_unsigned)
    return ((uint64_t)x.whole > (uint64_t)y.whole) - ((uint64_t)x.whole < (uint64_t)y.whole);
  return (x.whole > y.whole) - (x.whole < y.whole);
}

static bool test(enum other_operator op, const ag_number *args, int n) {
  int c = n == 2 ? compare(args[0], args[1]) : 2;
  switch (op) {
    case OTHER_LESS: return c == -1;
    case OTHER_GREATER: return c == 1;
    case OTHER_LESS_EQUAL: return c == -1 || c == 0;
    case OTHER_GREATER_EQUAL: return c == 1 || c == 0;
    case OTHER_EQUAL: return c == 0;
    case OTHER_NOT_EQUAL: return c != 0;
    case OTHER_NOT: return !ag_number_is_true(args[0]);
    case OTHER_IS_NAN: return isnan(ag_number_real(args[0]));
    case OTHER_IS_INF: return isinf(ag_number_real(args[0]));
    default: return isfinite(ag_number_real(args[0]));
  }
}

static double get_constant(enum other_operator op, ag_type type) {
  static const double most[] = {[AG_TYPE_BF16 - AG_TYPE_BF16] = 0x1.fep127,
                                [AG_TYPE_F16 - AG_TYPE_BF16] = 65504.0,
                                [AG_TYPE_F32 - AG_TYPE_BF16] = FLT_MAX,
                                [AG_TYPE_F64 - AG_TYPE_BF16] = DBL_MAX};
  if (op == OTHER_NAN) return NAN;
  if (op == OTHER_INFINITY) return INFINITY;
  double x = most[(type >= AG_TYPE_BF16 ? type : AG_TYPE_F32) - AG_TYPE_BF16];
  return op == OTHER_LOWEST ? -x : x;
}

static bool compute_bits(enum other_operator op, int64_t x, int64_t y, int64_t *z) {
  bool shifts = op == OTHER_LEFT || op == OTHER_RIGHT;
  if (shifts && (y < 0 || y > 63)) return false;
  switch (op) {
    case OTHER_AND: *z = x & y; break;
    case OTHER_OR: *z = x | y; break;
    case OTHER_XOR: *z = x ^ y; break;
    case OTHER_INVERT: *z = ~x; break;
    case OTHER_LEFT: *z = (int64_t)((uint64_t)x << y); break;
    default: *z = x >> y; break;
  }
  return true;
}

static bool apply_other(enum other_operator op, ag_type type, const ag_number *args, int n,
                        ag_number *result) {
  int64_t z;
  if (op <= OTHER_IS_FINITE) {
    *result = ag_number_of_whole(test(op, args, n), AG_TYPE_BOOL);
    return true;
  }
  if (op == OTHER_THREAD) {
    *result = ag_number_of_whole(0, AG_TYPE_I64);
    return true;
  }
  if (op >= OTHER_NAN) {
    ag_type real = ag_type_is_real(type) ? type : AG_TYPE_F32;
    *result = ag_number_of_real(get_constant(op, real), real);
    return true;
  }
  for (int i = 0; i < n; i++)
    if (ag_type_is_real(args[i].type)) return false;
  if (!compute_bits(op, args[0].whole, n == 2 ? args[1].whole : 0, &z)) return false;
  *result = ag_number_of_whole(z, type);
  return true;
}

/* The quotient rounds towards zero in C++, down in Triton: only where both agree. */
static bool divide_whole(char op, int64_t x, int64_t y, int64_t *z) {
  if (x < 0 || y <= 0) return false;
  *z = op == '%' ? x % y : x / y;
  return true;
}

static bool apply_whole(const char *name, ag_type type, const ag_number *args, int n,
                        ag_number *result) {
  uint64_t x = (uint64_t)args[0].whole, y = n > 1 ? (uint64_t)args[1].whole : 0;
  int64_t z;
  if (strcmp(name, "+") == 0)
    z = (int64_t)(n == 1 ? x : x + y);
  else if (strcmp(name, "-") == 0 || strcmp(name, "neg") == 0)
    z = (int64_t)(n == 1 ? 0 - x : x - y);
  else if (strcmp(name, "*") == 0)
    z = (int64_t)(x * y);
  else if (strcmp(name, "//") == 0 || strcmp(name, "%") == 0) {
    if (!divide_whole(*name, args[0].whole, args[1].whole, &z)) return false;
  } else if (n == 2 && strncmp(name, "max", 3) == 0)
    z = compare(args[0], args[1]) > 0 ? args[0].whole : args[1].whole;
  else if (n == 2 && strncmp(name, "min", 3) == 0)
    z = compare(args[0], args[1]) < 0 ? args[0].whole : args[1].whole;
  else if (strcmp(name, "abs") == 0)
    z = args[0].whole < 0 ? (int64_t)(0 - x) : args[0].whole;
  else
    return false;
  *result = ag_number_of_whole(z, type);
  return true;
}

bool ag_operator_apply(int op, ag_type type, const ag_number *args, int n, ag_number *result) {
  if (op < 0 || op >= FUNCTIONS + OTHERS) return false;
  ag_type joined = join_types(args, n);
  if (type == AG_TYPE_ANY || type == AG_TYPE_WEAK || type == AG_TYPE_WEAK_FLOAT) type = joined;
  if (op >= FUNCTIONS)
    return apply_other((enum other_operator)(op - FUNCTIONS), type, args, n, result);
  const real_function *f = &functions[op];
  if (!ag_type_is_real(joined) && !ag_type_is_real(type))
    return apply_whole(f->name, type, args, n, result);
  if (!ag_type_is_real(type) || type == AG_TYPE_F8) return false;
  double x = ag_number_real(args[0]), y = n > 1 ? ag_number_real(args[1]) : 0;
  double z = n == 1 ? f->one(x) : n == 2 ? f->two(x, y) : f->three(x, y, ag_number_real(args[2]));
  *result = ag_number_of_real(z, type);
  return true;
}
