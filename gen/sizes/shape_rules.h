/* shape_rules.h - what shape_inference.c gives the rules of operators, which shape_rules.c has;
 * nothing else includes it. An argument is named by its number in the declaration of torch's shim,
 * where a list is two: its address and its length. */
#ifndef GEN_SIZES_SHAPE_RULES_H
#define GEN_SIZES_SHAPE_RULES_H

#include "model/model.h"
#include "sizes/sizes.h"

enum { SHAPE_DIMS = 8, SHAPE_ARGUMENTS = 24 };

typedef struct inference {
  sizes *z;
  symbols *s;
  const model *m;
  const site *op;
  span texts[SHAPE_ARGUMENTS]; /* the text of each argument */
  int n;
  int *left; /* how many more calls may be looked at */
} inference;

/* The dimensions of the tensor that is passed, NULL for each that is not known. Returns their
 * count; -1 where it is not known. */
int shape_of_argument(inference *k, int param, const poly **to);

int shape_of_tensor(inference *k, const argument *x, const poly **to);

/* A literal; false for anything else. */
bool shape_read_integer(const inference *k, int param, int64_t *to);
/* The literals of a list of which the length is `n`; false where it has others, or is longer. */
bool shape_read_integers(const inference *k, int param, int n, int64_t *to);
/* A number, or an expression of sizes; NULL where it is not known. */
const poly *shape_read_size(const inference *k, int param);
/* The sizes of a list, NULL for each that is not known. Returns their count, or -1. */
int shape_read_sizes(const inference *k, int param, const poly **to);

/* The dimensions of output number `output`, from 0, of the operator that the shim calls so, which
 * stores it without gaps; -1 where they are not known. */
int shape_of_output(inference *k, const char *name, int output, const poly **to);

#endif
