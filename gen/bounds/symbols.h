/* symbols.h - the symbols of a model's integers (poly.h), and what is assumed of them.
 *
 * A symbol is a size that the wrapper reads at run time (s77), or the rounded quotient of two such
 * integers.
 */
#ifndef GEN_BOUNDS_SYMBOLS_H
#define GEN_BOUNDS_SYMBOLS_H

#include "base/arena.h"
#include <stdint.h>

enum { SYMBOLS_MAX = 4096, SYMBOLS_POSITIVE_MAX = 8, SYMBOLS_COSTLY_MAX = 100000 };

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
  arena_list(symbol) list;
  unsigned assumption, assumptions;
  uint64_t work;   /* the number of forms whose bounds were computed */
  uint64_t costly; /* the work of the launch's long walks */
  /* The work of a search for examples, in nodes that are evaluated, and its limit; 0: none. */
  uint64_t tried, tried_most;
  arena *a;       /* holds what is computed */
  arena *lasting; /* holds the symbols themselves; NULL: `a` */
} symbols;

/* An example: the value of each SYMBOL_SIZE of the first n. One that was made later has none. */
typedef struct symbol_values {
  int64_t *at;
  size_t n;
} symbol_values;

/* Copies a new symbol, with all that it points to, and returns its number; -1 where there are too
 * many. */
int symbols_add(symbols *s, symbol x);
/* The same polynomial, which lives as long as the symbols; NULL of NULL. */
const poly *symbols_keep(symbols *s, const poly *x);
/* The number of the symbol with this name, -1 for none. */
int symbols_find(const symbols *s, const char *name);

/* What is computed between the two is of no use later: symbols_end() frees it. They nest; it takes
 * what symbols_begin() returned. */
arena *symbols_begin(symbols *s);
void symbols_end(symbols *s, arena *outer);

/* Likewise for all of a launch, whose walks get the work that SYMBOLS_COSTLY_MAX allows. Once it is
 * spent, nothing that takes a long walk is known. */
arena *symbols_begin_launch(symbols *s);
bool symbols_is_spent(const symbols *s);

/* Call this before the bounds of a size are narrowed for a while, and symbols_release() with its
 * result once they are what they were. A quotient that is made in between is not found later. */
unsigned symbols_assume(symbols *s);
void symbols_release(symbols *s, unsigned before);

/* The same for sizes whose least value is 0, and that are taken to be more than 0 for a while.
 * `list` has n of their numbers. */
unsigned symbols_assume_positive(symbols *s, const short *list, int n);
void symbols_release_positive(symbols *s, const short *list, int n, unsigned before);

/* Begins a search for examples that may take this work; and true once it has: nothing is found
 * then. */
void symbols_begin_search(symbols *s, uint64_t most);
bool symbols_search_ends(const symbols *s);

#endif
