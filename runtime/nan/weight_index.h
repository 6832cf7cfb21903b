/* weight_index.h - which element of a weight an element of a view of it is. Inside the library
 * only. */
#ifndef AOTIGEN_WEIGHT_INDEX_H
#define AOTIGEN_WEIGHT_INDEX_H

#include "state/evaluation.h"

/* a: an argument that is a weight or a view of one. Adds a line with the index of element `flat` of
 * the argument within the weight itself, where the two differ. */
void ag_weight_index_add(ag_text *t, ag_evaluation *e, const ag_arg *a, int64_t flat);

#endif
