/* op_parts.c - see op_parts.h. */
#include "model/op_parts.h"
#include <string.h>

static const op_parts rows[] = {
#define OP(...) {__VA_ARGS__},
#include "model/op_parts.def"
};

const op_parts *op_parts_find(const char *op) {
  size_t n = strlen(op);
  if (n > 1 && op[n - 1] == '_') n--;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (!strncmp(rows[i].name, op, n) && !rows[i].name[n]) return &rows[i];
  return NULL;
}

/* A reduction by another name, and what is the same as an operation of another name. */
static const struct op_word {
  ag_op op;
  const char *word, *reduced;
} words[] = {{AG_OP_ADD, "+", "sum"},
             {AG_OP_MULTIPLY, "*", "product"},
             {AG_OP_TRUEDIV, "/", NULL},
             {AG_OP_DIV_RN, "/", NULL},
             {AG_OP_RECIPROCAL, "/", NULL},
             {AG_OP_NEGATE, "neg", NULL},
             {AG_OP_NEG, "neg", NULL},
             {AG_OP_SQUARE, "*", NULL},
             {AG_OP_MAX, "max", NULL},
             {AG_OP_STD_MAX, "max", NULL},
             {AG_OP_MAXIMUM, "max", NULL},
             {AG_OP_MAX_PROPAGATE_NAN, "max", NULL},
             {AG_OP_CLAMP_MIN, "max", NULL},
             {AG_OP_FMAX, "max", NULL},
             {AG_OP_MAX_MASKED, "max", NULL},
             {AG_OP_BLOCK_MAX, "max", NULL},
             {AG_OP_MAX2, "max", NULL},
             {AG_OP_FMAX2, "max", NULL},
             {AG_OP_MIN, "min", NULL},
             {AG_OP_STD_MIN, "min", NULL},
             {AG_OP_MINIMUM, "min", NULL},
             {AG_OP_MIN_PROPAGATE_NAN, "min", NULL},
             {AG_OP_CLAMP_MAX, "min", NULL},
             {AG_OP_FMIN, "min", NULL},
             {AG_OP_MIN_MASKED, "min", NULL},
             {AG_OP_BLOCK_MIN, "min", NULL},
             {AG_OP_MIN2, "min", NULL},
             {AG_OP_FMIN2, "min", NULL},
             {AG_OP_FABS, "abs", NULL},
             {AG_OP_ABS_, "abs", NULL},
             {AG_OP_EXP_U20, "exp", NULL},
             {AG_OP_FEXP_U20, "exp", NULL},
             {AG_OP_SQRT_RN, "sqrt", NULL},
             {AG_OP_POWF, "pow", NULL},
             {AG_OP_NEARBYINT, "round", NULL},
             {AG_OP_RINT, "round", NULL},
             {AG_OP_IS_NAN, "cmp", NULL},
             {AG_OP_IS_INF, "cmp", NULL},
             {AG_OP_IS_FINITE, "cmp", NULL},
             {AG_OP_SUM_MASKED, "sum", NULL},
             {AG_OP_CASCADE_SUM_COMBINE, "sum", NULL},
             {AG_OP_CASCADE_SUM_FINAL, "sum", NULL},
             {AG_OP_PROD_MASKED, "product", NULL},
             {AG_OP_PROD, "product", NULL},
             {AG_OP_WELFORD_REDUCE, "welford", NULL},
             {AG_OP_WELFORD_COMBINE, "welford", NULL},
             {AG_OP_WELFORD_VEC_REDUCE_ALL, "welford", NULL}};

static bool only_moves(ag_op op) {
  static const ag_op moves[] = {AG_OP_CAST,     AG_OP_CAST_FLOAT8E5, AG_OP_CAST_FLOAT8E4NV,
                                AG_OP_BITCAST,  AG_OP_BIT_CAST,      AG_OP_FLOAT,
                                AG_OP_DOUBLE,   AG_OP_SAME,          AG_OP_FULL,
                                AG_OP_EXPAND,   AG_OP_ITEM,          AG_OP_TRANSPOSE,
                                AG_OP_POSITIVE, AG_OP_LOAD,          AG_OP_LOADU,
                                AG_OP_ATOMIC,   AG_OP_MASKED_LOAD,   AG_OP_VEC_REDUCE_ALL};
  for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
    if (moves[i] == op) return true;
  return false;
}

const char *op_parts_word(const graph_node *node, bool reduces) {
  if (only_moves(node->op)) return NULL;
  if (node->op != AG_OP_OTHER && ag_op_is_comparison(node->op)) return "cmp";
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (words[i].op == node->op)
      return reduces && words[i].reduced ? words[i].reduced : words[i].word;
  return node->text ? node->text : "";
}

bool op_parts_has(const char *list, const char *word) {
  size_t n = strlen(word);
  for (const char *at = list; n && (at = strstr(at, word)); at += n)
    if (at > list && at[-1] == ' ' && at[n] == ' ') return true;
  return false;
}
