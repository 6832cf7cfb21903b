/* given_index.h - which element of an input or a weight an element of a view of it is. Inside the
 * library only. */
#ifndef AOTIGEN_GIVEN_INDEX_H
#define AOTIGEN_GIVEN_INDEX_H

#include "state/evaluation.h"

typedef struct ag_given_index {
  int32_t ndim;
  int64_t shape[AG_MAX_DIMS]; /* of the input or the weight */
  int64_t index[AG_MAX_DIMS];
  int64_t row_major;
} ag_given_index;

/* a: an argument. Finds its element `flat` in the input or the weight that it is a view of. False
 * where it is none, or is not a view, or its layout is not known. */
bool ag_given_index_find(ag_given_index *to, ag_evaluation *e, const ag_arg *a, int64_t flat);

/* Adds a line with that index; nothing where there is none. */
void ag_given_index_add(ag_text *t, ag_evaluation *e, const ag_arg *a, int64_t flat);

#endif
