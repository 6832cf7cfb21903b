/* sum.h - how an operator of torch's own computed an element by a sum: its terms, and the first one
 * with which it is bad; and the lines of an explanation of a call. Inside the library only. */
#ifndef AOTIGEN_EXPLAIN_SUM_H
#define AOTIGEN_EXPLAIN_SUM_H

#include "explain/call.h"

/* An element of a call's tensor. ag_call_read() reads it from any memory. */
typedef struct ag_term {
  const ag_arg *a;
  int64_t flat;
} ag_term;

/* "  how           buf1[2, 3] WHAT:" */
void ag_term_add_head(ag_text *t, ag_call *c, const char *what);
/* "WHAT = X"; here: the value begins to be bad there. Notes it in c->explained. */
void ag_term_add_line(ag_text *t, ag_call *c, const char *what, double x, bool here);
void ag_term_add(ag_text *t, ag_call *c, ag_term x, double value);
/* Says that the element is not explained, and why. */
void ag_term_fail(ag_text *t, ag_call *c, const char *why);

/* How a convolution goes along a dimension. */
typedef struct ag_steps {
  int64_t stride, padding, dilation;
} ag_steps;

/* How the terms are joined, one after another. */
enum ag_joined { AG_ADDED, AG_MULTIPLIED, AG_EXPONENTIALS, AG_GREATEST, AG_LEAST };

/* The terms of a sum, each with one or two factors. */
typedef struct ag_sum {
  enum ag_joined joined; /* AG_EXPONENTIALS: the logarithm of the sum of their exponentials */
  ag_call *c;
  /* Factor 0 or 1 of term k. A term whose first factor has no argument is left out. */
  ag_term (*find)(const struct ag_sum *s, int factor, int64_t k);
  int factors;
  int64_t n;
  double divisor;              /* divides the sum */
  int dim;                     /* that a running sum goes along */
  ag_steps steps[AG_MAX_DIMS]; /* a convolution's, of each dimension */
  const ag_arg *x, *y;
} ag_sum;

/* Where the sum goes bad: term k, which may be bad itself. */
typedef struct ag_went {
  double factors[2], product, before, after;
  int64_t k;
  bool found;
} ag_went;

/* Adds up until the sum is as the call's element: NaN, or Inf. False if a term cannot be read:
 * s->c->why says why. */
bool ag_sum_add_up(const ag_sum *s, double bad, ag_went *w);
/* Adds what makes the call's element bad. what: what the sum is, in words. */
void ag_sum_explain(ag_text *t, const ag_sum *s, const char *what);

#endif
