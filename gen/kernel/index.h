/* index.h - the index of an access as a sum of loop variables with factors. Part of
 * cover.c. */
#ifndef GEN_KERNEL_INDEX_H
#define GEN_KERNEL_INDEX_H

#include "kernel/tree.h"

enum { INDEX_ATOMS = 4, INDEX_TERMS = 8 };

/* A number times texts in the language of extent.h, as "@3", sorted. */
typedef struct index_product {
  int64_t number;
  int n;
  const char *atoms[INDEX_ATOMS];
} index_product;

/* factor * (variable / divisor); the quotient goes from `from` by `step` to below `to`. */
typedef struct index_term {
  int loop; /* its variable */
  index_product divisor, from, to, step, factor;
} index_term;

typedef struct index_form {
  index_product constant;
  int n;
  index_term terms[INDEX_TERMS];
} index_form;

index_product index_number(int64_t n);
index_product index_atom(const char *text);
bool index_is_same(const index_product *x, const index_product *y);
bool index_is_number(const index_product *x, int64_t n);

/* False where the product is not known. */
bool index_multiply(const index_product *x, const index_product *y, index_product *z);

/* In the language of extent.h. */
const char *index_format(const index_product *x, arena *a);

/* All of these give NULL where the result is not of this form; so they do for NULL. */
const index_form *index_constant(index_product x, arena *a);
const index_form *index_loop(int variable, index_product from, index_product to, index_product step,
                             arena *a);
/* op: + - * and, rounding down, / and %. */
const index_form *index_combine(char op, const index_form *x, const index_form *y, arena *a);

/* The constant; NULL where it depends on a loop. */
const index_product *index_get_constant(const index_form *x);

#endif
