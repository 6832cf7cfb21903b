/* postfix.h - integers that the generator leaves to a launch to compute, as texts in postfix form:
 * the elements of an argument that a kernel will touch, the ends of an index.
 *
 * The words of a text, with a space between two:
 *
 * - 12: a number of at most 18 digits, -12 too;
 * - @3: the value of argument 3;
 * - #2.0: the size of dimension 0 of argument 2;
 * - + - * / % < > l g = ! & | m M: operators on the two numbers before them. l is <=, g is >=, ! is
 *   "differs", m is the lesser, M the greater; / and % take no negative numbers;
 * - ?: takes one number, and the text ends without a result where that is 0.
 *
 * Texts are separated by ';', and by ',' where each has a meaning of its own. Any thread may call.
 */
#ifndef AOTIGEN_SHARED_POSTFIX_H
#define AOTIGEN_SHARED_POSTFIX_H

#include <stdbool.h>
#include <stdint.h>

/* How many numbers the stack can hold. */
enum { AG_POSTFIX_STACK = 32 };

/* The values of '@' and '#'. Both functions return false if there is no such number. */
typedef struct ag_postfix_values {
  bool (*argument)(const void *of, int64_t argument, int64_t *value);
  bool (*size)(const void *of, int64_t argument, int64_t dim, int64_t *value);
  const void *of;
} ag_postfix_values;

/* Computes x OP y. False if it has no result: it overflows, is a forbidden division, or there is no
 * such operator. */
bool ag_postfix_apply(char op, int64_t x, int64_t y, int64_t *result);

/* Computes the text at *text, up to a ';' or a ',', and advances *text. False if it has no
 * result. */
bool ag_postfix_take(const char **text, const ag_postfix_values *values, int64_t *result);

/* The greatest result of the texts; 0 if none has one, or none is greater. */
int64_t ag_postfix_compute(const char *text, const ag_postfix_values *values);

#endif
