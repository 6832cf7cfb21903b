/* ops.c - see ops.h. */
#include "shared/ops.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* ---- functions of real numbers -------------------------------------------------------------- */

static double ag_real_negate(double x) { return -x; }
static double ag_real_same(double x) { return x; }
static double ag_real_rsqrt(double x) { return 1 / sqrt(x); }
static double ag_real_reciprocal(double x) { return 1 / x; }
static double ag_real_sigmoid(double x) { return 1 / (1 + exp(-x)); }
static double ag_real_relu(double x) { return x < 0 ? 0 : x; }
static double ag_real_square(double x) { return x * x; }
static double ag_real_sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }

static double ag_real_add(double x, double y) { return x + y; }
static double ag_real_subtract(double x, double y) { return x - y; }
static double ag_real_multiply(double x, double y) { return x * y; }
static double ag_real_divide(double x, double y) { return x / y; }
/* With a NaN the result is one, as in torch. */
static double ag_real_max(double x, double y) { return isnan(x) || x > y ? x : y; }
static double ag_real_min(double x, double y) { return isnan(x) || x < y ? x : y; }
/* Of two zeros, and of a number and a NaN, the result is the first. */
static double ag_real_max_of_first(double x, double y) { return x < y ? y : x; }
static double ag_real_min_of_first(double x, double y) { return y < x ? y : x; }
static double ag_real_modulo(double x, double y) {
  double r = fmod(x, y);
  return r != 0 && (r < 0) != (y < 0) ? r + y : r;
}
static double ag_real_floor_divide(double x, double y) { return floor(x / y); }
/* As c10::div_floor_floating() has it: -1 for a negative number divided by +Inf. */
static double ag_real_div_floor(double x, double y) {
  double r = fmod(x, y), q = (x - r) / y - (r != 0 && (r < 0) != (y < 0));
  return y == 0 ? x / y : q == 0 ? copysign(0, x / y) : nearbyint(q);
}
static double ag_real_fms(double x, double y, double z) { return fma(x, y, -z); }
static double ag_real_clamp(double x, double low, double high) {
  return ag_real_min_of_first(ag_real_max_of_first(x, low), high);
}

static bool ag_real_is_nan(double x) { return isnan(x); }
static bool ag_real_is_inf(double x) { return isinf(x); }
static bool ag_real_is_finite(double x) { return isfinite(x); }
static bool ag_real_is_signed(double x) { return signbit(x); }

/* ---- the rows ------------------------------------------------------------------------------- */

#define UNKNOWN .one = NULL

static const ag_operator operators[AG_OPS] = {
    [AG_OP_OTHER] = {.text = "", .most = AG_OP_ARGS},
#define AG_OPERATOR(constant, name, low, high, ruled, made, ...)                                   \
  [AG_OP_##constant] = {.text = name,                                                              \
                        .least = low,                                                              \
                        .most = high,                                                              \
                        .rule = AG_RULE_##ruled,                                                   \
                        .effect = AG_EFFECT_##made,                                                \
                        __VA_ARGS__},
#include "shared/ops.def"
};

const ag_operator *ag_op_get(ag_op op) { return &operators[op]; }

ag_op ag_op_find(const char *text, int n) {
  for (ag_op op = AG_OP_OTHER + 1; op < AG_OPS; op++) {
    const ag_operator *o = &operators[op];
    if (*o->text == *text && n >= o->least && n <= o->most && strcmp(o->text, text) == 0) return op;
  }
  return AG_OP_OTHER;
}

static bool has_name(const char *list, const char *name) {
  size_t n = strlen(name);
  while (list && *list) {
    size_t length = strcspn(list, " ");
    if (length == n && memcmp(list, name, n) == 0) return true;
    list += length + 1;
  }
  return false;
}

ag_op ag_op_find_renamed(bool python, const char *name) {
  for (ag_op op = AG_OP_OTHER + 1; op < AG_OPS; op++)
    if (has_name(python ? operators[op].python : operators[op].cpp, name)) return op;
  return AG_OP_OTHER;
}

const char *ag_op_skip_function(const char *text) {
  static const char begin[] = "function:";
  size_t n = sizeof begin - 1;
  return strncmp(text, begin, n) == 0 ? text + n : NULL;
}

ag_op ag_op_find_function(const char *text) {
  const char *name = text ? ag_op_skip_function(text) : NULL;
  return name ? ag_op_find(name, 2) : AG_OP_OTHER;
}

bool ag_op_is_comparison(ag_op op) {
  ag_rule rule = operators[op].rule;
  return rule >= AG_RULE_LESS && rule <= AG_RULE_NOT_EQUAL;
}

bool ag_op_is_infix(ag_op op) {
  return operators[op].least == 2 && strchr("+-*/%<>=!&|^", *operators[op].text) != NULL;
}
