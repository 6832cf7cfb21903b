/* selection.h - which launch sites a filter will select, for a warning about one that selects none.
 *
 * Patterns and names are compared as when the model is loaded: shared/filter.h, shared/nearest.h.
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
