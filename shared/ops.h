/* ops.h - the operators and functions of a kernel's graph, by number: ops.def has an entry for
 * each, with what the generator and the runtime know of it.
 *
 * All data is constant: any thread may call any function here, and no result is to be freed. An
 * operator without an entry is AG_OP_OTHER: its text must be stored with it. */
#ifndef AG_SHARED_OPS_H
#define AG_SHARED_OPS_H

#include <stdbool.h>

enum { AG_OP_ARGS = 127 }; /* more arguments than any operator has: stands for any number */

typedef enum ag_op {
  AG_OP_OTHER,
#define AG_OPERATOR(constant, ...) AG_OP_##constant,
#include "shared/ops.def"
  AG_OPS
} ag_op;

/* How the result is derived from the arguments. */
typedef enum ag_rule {
  AG_RULE_NONE,
  /* Integers are computed as the name says, and floats are bounded accordingly. */
  AG_RULE_ADD,
  AG_RULE_SUBTRACT,
  AG_RULE_MULTIPLY,
  AG_RULE_FLOOR_DIVIDE, /* C++ and Triton differ for negative operands, here and in the next rule */
  AG_RULE_MODULO,
  AG_RULE_MIN,
  AG_RULE_MAX,
  AG_RULE_ABSOLUTE,
  AG_RULE_NEGATE,
  AG_RULE_SAME,
  AG_RULE_CAST, /* to the node's type */
  AG_RULE_WHERE,
  /* Results that are bools. */
  AG_RULE_LESS,
  AG_RULE_LESS_EQUAL,
  AG_RULE_GREATER,
  AG_RULE_GREATER_EQUAL,
  AG_RULE_EQUAL,
  AG_RULE_NOT_EQUAL,
  AG_RULE_NOT,
  /* Bits; for bools, AND and OR are the logical operators. */
  AG_RULE_AND,
  AG_RULE_OR,
  AG_RULE_XOR,
  AG_RULE_INVERT,
  AG_RULE_SHIFT_LEFT,
  AG_RULE_SHIFT_RIGHT,
  /* A property of the launch's grid, along the axis that the argument gives. */
  AG_RULE_PROGRAM_ID,
  AG_RULE_NUM_PROGRAMS,
  /* Functions of floats. */
  AG_RULE_RISES,         /* exact, and not decreasing */
  AG_RULE_RISES_IN_SIZE, /* not decreasing in the magnitude of an argument, and the same for each
                            sign; close to the function's own value, as devices compute it */
} ag_rule;

/* The effect of a NaN or an infinity among the arguments. "Bad" is a NaN or an infinity. Overflow
 * is not considered. */
typedef enum ag_effect {
  AG_EFFECT_LOSES,    /* it may be lost */
  AG_EFFECT_LOADS,    /* loads the elements that the first argument points to */
  AG_EFFECT_MOVES,    /* propagates the arguments unchanged */
  AG_EFFECT_CONVERTS, /* propagates them in another type, which may be narrower, or an integer's */
  AG_EFFECT_REINTERPRETS, /* propagates their bits */
  AG_EFFECT_SELECTS,      /* selects the second or the third argument by the first */
  AG_EFFECT_ADDS,         /* bad stays bad, an infinity of its sign or a NaN */
  AG_EFFECT_SUBTRACTS,    /* so for the first argument; the second: any infinity or NaN */
  AG_EFFECT_MULTIPLIES,   /* bad stays bad, an infinity of any sign or NaN */
  AG_EFFECT_DIVIDES,      /* so for the first; of the second NaN stays, an infinity may be lost */
  AG_EFFECT_NEGATES,      /* bad stays bad, an infinity of the other sign */
  AG_EFFECT_COMPUTES,    /* like AG_EFFECT_MULTIPLIES, but does not propagate a constant infinity */
  AG_EFFECT_ABSOLUTE,    /* an infinity is +Inf */
  AG_EFFECT_EXPONENTIAL, /* NaN and +Inf stay, -Inf is lost */
  AG_EFFECT_BOUNDED,     /* NaN stays, an infinity may be lost */
  AG_EFFECT_POWER,       /* like AG_EFFECT_BOUNDED; but pow(1, NaN) is 1, and pow(NaN, 0), too */
  AG_EFFECT_MAXIMUM,     /* NaN stays, and +Inf becomes +Inf or NaN; -Inf is lost */
  AG_EFFECT_MINIMUM,
  AG_EFFECT_MAXIMUM_OF_FIRST, /* the same, but only the first argument's NaN stays */
  AG_EFFECT_MINIMUM_OF_FIRST,
  AG_EFFECT_MAXIMUM_OF_NUMBERS, /* the same, but NaN is lost */
  AG_EFFECT_MINIMUM_OF_NUMBERS,
  AG_EFFECT_REDUCES, /* like the function that is its first argument */
  /* A constant, without arguments. */
  AG_EFFECT_IS_NAN,
  AG_EFFECT_IS_INFINITY,
  AG_EFFECT_IS_MINUS_INFINITY
} ag_effect;

typedef struct ag_operator {
  const char *text; /* "" for AG_OP_OTHER */
  unsigned char least, most;
  ag_rule rule;
  ag_effect effect;
  double (*one)(double);
  double (*two)(double, double);
  double (*three)(double, double, double);
  bool (*test)(double);
  const char *python, *cpp; /* each name followed by a space; or NULL */
  ag_op of_integers;        /* AG_OP_OTHER: itself */
  const char *reduced;      /* NULL: its text */
} ag_operator;

/* The entry of an operator. */
const ag_operator *ag_op_get(ag_op op);

/* The operator with that text and n arguments; AG_OP_OTHER if there is none. */
ag_op ag_op_find(const char *text, int n);

/* The operator for which a function of Triton, or of C++, is another name; AG_OP_OTHER if it is
 * none. */
ag_op ag_op_find_renamed(bool python, const char *name);

/* The "+" in "function:+", the graph's form of a function that is an argument; NULL for another
 * text. */
const char *ag_op_skip_function(const char *text);
/* The operator of two arguments that it applies; AG_OP_OTHER for another text, and for NULL. */
ag_op ag_op_find_function(const char *text);

/* True of < <= > >= == != */
bool ag_op_is_comparison(ag_op op);

/* True if its text stands between two arguments. */
bool ag_op_is_infix(ag_op op);

#endif
