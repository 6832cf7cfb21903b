/* fold.h - a reduction's running state, with the arithmetic of Triton. Inside the library only. */
#ifndef AOTIGEN_FOLD_H
#define AOTIGEN_FOLD_H

#include "explain/operators.h"
#include "explain/reduction.h"

typedef struct ag_folding {
  ag_number state[AG_REDUCTION_ARGS];
  bool begun;
} ag_folding;

/* Folds the next element's values, reduction->n of them, which it may convert. False if they have
 * not the reduction's type. */
bool ag_fold_add(ag_folding *f, const ag_reduction *reduction, ag_number *x);

/* An operator with several results, such as triton_helpers.welford_reduce(). `part`: the number of
 * the result. False if the arguments do not have its type. */
bool ag_fold_is_several(ag_op op);
bool ag_fold_several(ag_op op, const ag_number *args, int64_t part, ag_number *value);

#endif
