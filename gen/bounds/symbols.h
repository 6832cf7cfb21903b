/* symbols.h - the symbols of a model's integers (poly.h), and what is assumed of them.
 *
 * A symbol is a size that the wrapper reads at run time (s77), or the rounded quotient of two such
 * integers.
 */
#ifndef GEN_BOUNDS_SYMBOLS_H
#define GEN_BOUNDS_SYMBOLS_H

#include "base/arena.h"
#include <stdint.h>

enum { SYMBOLS_MAX = 4096, SYMBOLS_POSITIVE_MAX = 8 };

typedef struct poly poly; /* poly.h */

enum symbol_kind { SYMBOL_SIZE, SYMBOL_QUOTIENT };

typedef struct symbol {
  const char *name;
  enum symbol_kind kind;
  int64_t low, high; /* high INT64_MAX: nothing bounds it */
  bool declared;     /* SYMBOL_SIZE: `high` is one that the wrapper checks */
  bool measured;     /* SYMBOL_SIZE: no input has it; only a run tells it */
  bool counted;      /* likewise, and it may depend on other sizes, as the count of nonzero does */
  const poly *of, *by; /* SYMBOL_QUOTIENT: of // by, rounded down */
  unsigned assumption; /* the one under which its bounds hold; 0: always */
} symbol;

typedef struct symbols {
  struct {
    symbol *at;
    size_t n, cap;
  } list;
  const int64_t *values; /* the value of each SYMBOL_SIZE, or NULL */
  unsigned assumption, assumptions;
  uint64_t work;                /* the number of forms whose bounds were computed */
  uint64_t costly, costly_most; /* the work of long walks, and its limit; 0: no limit */
  arena *a;       /* holds what is computed; its owner may replace it by another for a while */
  arena *lasting; /* holds the symbols themselves; NULL: `a` */
} symbols;

/* Copies a new symbol, with all that it points to, and returns its number; -1 where there are too
 * many, and while `values` is set. */
int symbols_add(symbols *s, symbol x);
/* The same polynomial, which lives as long as the symbols; NULL of NULL. */
const poly *symbols_keep(symbols *s, const poly *x);
/* The number of the symbol with this name, -1 for none. */
int symbols_find(const symbols *s, const char *name);

/* Call this before the bounds of a size are narrowed for a while, and symbols_release() with its
 * result once they are what they were. A quotient that is made in between is not found later. */
unsigned symbols_assume(symbols *s);
void symbols_release(symbols *s, unsigned before);

/* The same for sizes whose least value is 0, and that are taken to be more than 0 for a while.
 * `list` has n of their numbers. */
unsigned symbols_assume_positive(symbols *s, const short *list, int n);
void symbols_release_positive(symbols *s, const short *list, int n, unsigned before);

#endif
