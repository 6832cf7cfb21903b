/* ops.h - the operators and functions that a kernel's graph may have, by number: ops.def has a row
 * for each, with what generator and runtime know of it.
 *
 * All of it is constant: any thread may call any function here, and nothing returned is to be
 * freed. An operator that no row has is AG_OP_OTHER: whoever keeps it keeps its text beside it.
 */
#ifndef AG_SHARED_OPS_H
#define AG_SHARED_OPS_H

#include <stdbool.h>

enum { AG_OP_ARGS = 127 }; /* more arguments than any operator has: there may be any number */

typedef enum ag_op {
  AG_OP_OTHER,
#define AG_OPERATOR(constant, ...) AG_OP_##constant,
#include "shared/ops.def"
  AG_OPS
} ag_op;

/* What is known of the result from what is known of the arguments. */
typedef enum ag_rule {
  AG_RULE_NONE,
  /* Of integers each is computed as its name says, and of floats bounded so. */
  AG_RULE_ADD,
  AG_RULE_SUBTRACT,
  AG_RULE_MULTIPLY,
  AG_RULE_FLOOR_DIVIDE, /* of what is negative languages do not agree, nor in the next */
  AG_RULE_MODULO,
  AG_RULE_MIN,
  AG_RULE_MAX,
  AG_RULE_ABSOLUTE,
  AG_RULE_NEGATE,
  AG_RULE_SAME,
  AG_RULE_CAST, /* to the node's type */
  AG_RULE_WHERE,
  /* Truths. */
  AG_RULE_LESS,
  AG_RULE_LESS_EQUAL,
  AG_RULE_GREATER,
  AG_RULE_GREATER_EQUAL,
  AG_RULE_EQUAL,
  AG_RULE_NOT_EQUAL,
  AG_RULE_NOT,
  /* Bits; of truths AND and OR are what they are in logic. */
  AG_RULE_AND,
  AG_RULE_OR,
  AG_RULE_XOR,
  AG_RULE_INVERT,
  AG_RULE_SHIFT_LEFT,
  AG_RULE_SHIFT_RIGHT,
  /* Of the launch's grid, along the axis that the argument says. */
  AG_RULE_PROGRAM_ID,
  AG_RULE_NUM_PROGRAMS,
  /* Functions of floats. */
  AG_RULE_RISES,         /* exact, and never less for a greater argument */
  AG_RULE_RISES_IN_SIZE, /* never less for an argument of greater magnitude, and the same for each
                            sign; near the function's own value, as devices compute it */
} ag_rule;

/* What it makes of a NaN or an infinity among its arguments. "Bad" is a NaN or an infinity. A
 * number that a result may overflow to is not meant. */
typedef enum ag_effect {
  AG_EFFECT_LOSES,        /* it may be lost */
  AG_EFFECT_LOADS,        /* the elements that the first argument points to */
  AG_EFFECT_MOVES,        /* the arguments are handed on as they are */
  AG_EFFECT_CONVERTS,     /* handed on in another type, which may be narrower, or an integer's */
  AG_EFFECT_REINTERPRETS, /* handed on as bits */
  AG_EFFECT_SELECTS,      /* the second or the third argument, as the first says */
  AG_EFFECT_ADDS,         /* bad stays bad, an infinity of its sign or a NaN */
  AG_EFFECT_SUBTRACTS,    /* likewise of the first; of the second any infinity or NaN */
  AG_EFFECT_MULTIPLIES,   /* bad stays bad, an infinity of any sign or NaN */
  AG_EFFECT_DIVIDES,      /* the first likewise; of the second NaN stays, an infinity may be lost */
  AG_EFFECT_NEGATES,      /* bad stays bad, an infinity of the other sign */
  AG_EFFECT_COMPUTES,     /* as AG_EFFECT_MULTIPLIES; but a constant infinity is not handed on */
  AG_EFFECT_ABSOLUTE,     /* an infinity is +Inf */
  AG_EFFECT_EXPONENTIAL,  /* NaN and +Inf stay, -Inf is lost */
  AG_EFFECT_BOUNDED,      /* NaN stays, an infinity may be lost */
  AG_EFFECT_POWER,        /* as AG_EFFECT_BOUNDED; but pow(1, NaN) is 1, and pow(NaN, 0), too */
  AG_EFFECT_MAXIMUM,      /* NaN stays, and +Inf becomes +Inf or NaN; -Inf is lost */
  AG_EFFECT_MINIMUM,
  AG_EFFECT_MAXIMUM_OF_FIRST, /* likewise, but only the first argument's NaN stays */
  AG_EFFECT_MINIMUM_OF_FIRST,
  AG_EFFECT_MAXIMUM_OF_NUMBERS, /* likewise, but NaN is lost */
  AG_EFFECT_MINIMUM_OF_NUMBERS,
  AG_EFFECT_REDUCES, /* as the function does that its first argument is */
  /* A constant, without arguments. */
  AG_EFFECT_IS_NAN,
  AG_EFFECT_IS_INFINITY,
  AG_EFFECT_IS_MINUS_INFINITY
} ag_effect;

typedef struct ag_operator {
  const char *text; /* of AG_OP_OTHER "" */
  unsigned char least, most;
  ag_rule rule;
  ag_effect effect;
  double (*one)(double);
  double (*two)(double, double);
  double (*three)(double, double, double);
  bool (*test)(double);
  const char *python, *cpp; /* each name followed by a space; or NULL */
  ag_op of_integers;        /* AG_OP_OTHER: it is itself */
  const char *reduced;      /* NULL: its text */
} ag_operator;

/* The row of an operator. */
const ag_operator *ag_op_get(ag_op op);

/* The operator of that text with n arguments; AG_OP_OTHER where there is none. */
ag_op ag_op_find(const char *text, int n);

/* The operator that a function of Triton, or of C++, is under another name; AG_OP_OTHER where that
 * is none. */
ag_op ag_op_find_renamed(bool python, const char *name);

/* "+" of "function:+", as a graph has a function that another one is given; NULL of another text.
 */
const char *ag_op_skip_function(const char *text);
/* The operator of two arguments that it applies; AG_OP_OTHER of another text, and of NULL. */
ag_op ag_op_find_function(const char *text);

/* True of < <= > >= == != */
bool ag_op_is_comparison(ag_op op);

/* True where its text stands between two arguments. */
bool ag_op_is_infix(ag_op op);

#endif
