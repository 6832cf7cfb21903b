/* poly.h - integers that depend on a model's symbols: sums of products of symbols with integer
 * factors, and what can be proved of them for all values that the symbols may have.
 *
 * A symbol is a size that the wrapper reads at run time (s77), or the rounded quotient of two such
 * integers. NULL stands for an integer that is not known, and every function takes it. While
 * `values` is set each symbol is the number that stands there. All of it lives in one arena.
 */
#ifndef GEN_CHECK_POLY_H
#define GEN_CHECK_POLY_H

#include "base/arena.h"
#include <stdint.h>

enum { POLY_TERMS = 24, POLY_FACTORS = 6, POLY_SYMBOLS_MAX = 4096 };

__extension__ typedef __int128 poly_int;

typedef struct poly_term {
  poly_int factor; /* not 0 */
  int n;
  short symbols[POLY_FACTORS]; /* sorted; one of them several times for a power */
} poly_term;

typedef struct poly {
  int n;
  poly_term at[]; /* sorted by their symbols */
} poly;

enum symbol_is { SYMBOL_SIZE, SYMBOL_QUOTIENT };

typedef struct symbol {
  const char *name;
  enum symbol_is is;
  int64_t low, high;   /* high INT64_MAX: nothing bounds it */
  bool declared;       /* SYMBOL_SIZE: `high` is one that the wrapper checks */
  bool measured;       /* SYMBOL_SIZE: not of an input; only a run tells it */
  bool counted;        /* likewise, and it may depend on other sizes, as what nonzero counts */
  const poly *of, *by; /* SYMBOL_QUOTIENT: of // by, rounded down */
  unsigned assumption; /* under which it was made: its bounds hold there; 0: always */
} symbol;

typedef struct symbols {
  struct {
    symbol *at;
    size_t n, cap;
  } list;
  const int64_t *values; /* of each SYMBOL_SIZE, or NULL */
  unsigned assumption, assumptions;
  uint64_t work;                /* that was done with them: forms whose bounds were looked for */
  uint64_t costly, costly_most; /* that part of a walk which is long; 0: any may be */
  arena *a;                     /* of what is computed: its owner may put another in its place */
  arena *lasting;               /* of the symbols themselves; NULL: `a` */
} symbols;

/* Number of a new symbol, which is copied with all that it points to; -1 where there are too many.
 */
int symbols_add(symbols *s, symbol x);
/* The same polynomial, which lives as long as the symbols; NULL of NULL. */
const poly *poly_keep(symbols *s, const poly *x);
/* -1 where none has the name. */
int symbols_find(const symbols *s, const char *name);

/* Call this before the bounds of a size are narrowed for a while, and symbols_release() with its
 * result when they are what they were: a quotient that is made in between is not found later. */
unsigned symbols_assume(symbols *s);
void symbols_release(symbols *s, unsigned before);

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
/* x / y where nothing is left over, else NULL. */
const poly *poly_divide_exactly(symbols *s, const poly *x, const poly *y);

/* The same in another arena. */
const poly *poly_copy(const poly *x, arena *a);

/* x without the terms in which the symbol is a factor. */
const poly *poly_without(symbols *s, const poly *x, int number);

/* Its value where `values` is set; false where it has none that fits. */
bool poly_evaluate(const symbols *s, const poly *x, int64_t *value);

/* Is it a number; *n is its value where it fits. */
bool poly_is_number(const poly *x, int64_t *n);
bool poly_is(const poly *x, int64_t n);
bool poly_is_same(const poly *x, const poly *y);

/* x >= 0, x > 0, x <= y for all values that the symbols may have: false where it is not proved. */
bool poly_is_natural(symbols *s, const poly *x);
bool poly_is_positive(symbols *s, const poly *x);
bool poly_is_at_most(symbols *s, const poly *x, const poly *y);

/* The one that is proved to be the lesser, the greater; of two that cannot be compared the second.
 * Where one is NULL the other. */
const poly *poly_lesser(symbols *s, const poly *x, const poly *y);
const poly *poly_greater(symbols *s, const poly *x, const poly *y);

/* Its least and greatest value, INT64_MIN and INT64_MAX where there is none. */
void poly_bounds(symbols *s, const poly *x, int64_t *low, int64_t *high);

/* "256*s77 + 3" */
const char *poly_format(const symbols *s, const poly *x, arena *a);

#endif
