/* selection.h - which launch sites a filter will select, for a warning about one that selects none.
 *
 * The meaning of patterns is that of runtime/base/filter.h, which selects when the model is loaded,
 * and names are compared as in runtime/base/nearest.h. Neither part of the tree may include the
 * other, so both stand twice: t/253-filter.t and t/332-selection.c expect the same of them.
 */
#ifndef GEN_SELECTION_H
#define GEN_SELECTION_H

#include "model/model.h"

/* Does the filter select a site of the model. */
bool selection_has_any(const model *m, const char *filter, arena *a);

/* "; nearest to 'gelo': 'gelu', 'aten.gelu'" for the first patterns of a filter; "" where no name
 * is like them. */
const char *selection_nearest(const model *m, const char *filter, arena *a);

#endif
