/* poly.h - integers that depend on a model's symbols: sums of products of symbols with integer
 * factors, and what can be proved of them for all values that the symbols may have.
 *
 * NULL stands for an integer that is not known, and every function takes it. Results live in the
 * symbols' arena.
 */
#ifndef GEN_BOUNDS_POLY_H
#define GEN_BOUNDS_POLY_H

#include "bounds/symbols.h"

enum { POLY_TERMS = 24, POLY_FACTORS = 6 };

__extension__ typedef __int128 poly_int;

typedef struct poly_term {
  poly_int factor; /* not 0 */
  int n;
  short symbols[POLY_FACTORS]; /* sorted; a power has the symbol several times */
} poly_term;

struct poly {
  int n;
  poly_term at[]; /* sorted by their symbols */
};

const poly *poly_number(symbols *s, int64_t n);
const poly *poly_symbol(symbols *s, int number);
const poly *poly_add(symbols *s, const poly *x, const poly *y);
const poly *poly_subtract(symbols *s, const poly *x, const poly *y);
const poly *poly_multiply(symbols *s, const poly *x, const poly *y);
/* x - 1 */
const poly *poly_less_one(symbols *s, const poly *x);
/* x // y rounded down, for y of which poly_is_positive() is true; exact where that is a sum of
 * products, else a symbol. */
const poly *poly_divide(symbols *s, const poly *x, const poly *y);
/* x / y if it has no remainder, else NULL. */
const poly *poly_divide_exactly(symbols *s, const poly *x, const poly *y);

/* x without the terms in which the symbol is a factor. */
const poly *poly_without(symbols *s, const poly *x, int number);

/* The value of x in an example; false where it has none that fits. */
bool poly_evaluate(const symbols *s, const symbol_values *example, const poly *x, int64_t *value);

/* True if x is a number; *n is its value, if that fits. */
bool poly_is_number(const poly *x, int64_t *n);
bool poly_is(const poly *x, int64_t n);
bool poly_is_same(const poly *x, const poly *y);

/* x >= 0, x > 0, x <= y for all values that the symbols may have: false where it is not proved. */
bool poly_is_natural(symbols *s, const poly *x);
bool poly_is_positive(symbols *s, const poly *x);
bool poly_is_at_most(symbols *s, const poly *x, const poly *y);

/* The one that is proved to be the lesser, the greater; the second if the two cannot be compared.
 * If one is NULL, the other. */
const poly *poly_lesser(symbols *s, const poly *x, const poly *y);
const poly *poly_greater(symbols *s, const poly *x, const poly *y);

/* The same where it is proved which one that is, or that they are the same; else NULL. */
const poly *poly_extreme(symbols *s, const poly *x, const poly *y, bool least);

/* The least and greatest value of x; INT64_MIN, or INT64_MAX, where it has none. */
void poly_bounds(symbols *s, const poly *x, int64_t *low, int64_t *high);

/* "256*s77 + 3" */
const char *poly_format(const symbols *s, const poly *x, arena *a);

#endif
