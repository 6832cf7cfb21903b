/* scan_parts.h - the parts of the scan: scan.c finds the calls. */
#ifndef GEN_SCAN_PARTS_H
#define GEN_SCAN_PARTS_H

#include "parse/facts.h"
#include "parse/translation_unit.h"

/* ---- the tensors and scalars that an expression passes to a call, however they are
 * wrapped.
 *
 * Looks through casts, conversions, wrappers, arrays, addresses and variables in between. Does not
 * look into calls that only query a tensor, such as sizes() and strides(). */

/* The state for reading an expression. The variables in `f` are those declared so far. */
typedef struct operand_reader {
  facts *f;
  const translation_unit *t;
  arena *a;
} operand_reader;

typedef arena_list(operand) operand_list;

/* Appends the operands of expression `e`. */
void operands_collect(const operand_reader *reader, CXCursor e, operand_list *to);

/* The first of the wrapper's variables that expression `e` mentions, or -1. */
int operands_first_variable(const operand_reader *reader, CXCursor e);

/* The kind of value that a type holds. `canonical` becomes its spelling without reference and
 * outer const. */
enum holds operands_type_holds(CXType type, arena *a, const char **canonical);

/* True if this text can be evaluated a second time: it assigns nothing, and calls only casts and
 * functions of std:: and c10::. */
bool operands_is_pure(const char *text, span s);

/* ---- variables that hold tensors and are none: a stack of values, a tuple, a descriptor. What is
 * passed such a variable is passed the tensors. */

/* `holder` holds this operand from here on, if that is a tensor. */
void holders_add(const operand_reader *reader, fact_var *holder, const operand *x);

/* stack.emplace_back(x), PyTuple_SetItem(args, 1, x): from here on `stack` or `args` holds x. False
 * for another call. */
bool holders_read_append(const operand_reader *reader, CXCursor call, const char *callee);

/* A call that launches nothing fills structs, whose addresses it is passed, from its other
 * arguments: init(&descriptor.m, x.data_ptr(), 4, ...). */
void holders_read_filled(const operand_reader *reader, CXCursor call);

/* ---- the statement that holds a call: where lines can be inserted before and after it */

/* Sets the call's statement, braces, checked and skipped. `begin` is the offset of the innermost
 * statement of a block that holds the call; the search stops at `end`. */
void statement_locate(fact_call *c, const char *source, size_t begin, size_t end);

/* ---- the functions by which a host enters the model, and where they catch exceptions.
 * An entry point is a definition of an extern "C" function AOTInductor*, known by
 * that alone. Its `try` is mostly in a macro that the wrapper's text defines. */

/* Adds `function`, which is f->functions.at[index], to the entries if it is one. */
void entry_points_add(facts *f, const translation_unit *t, CXCursor function, int index, arena *a);

#endif
