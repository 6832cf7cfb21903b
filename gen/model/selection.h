/* selection.h - the launch sites that a filter will select, for a warning about one that selects
 * none.
 *
 * Patterns and names are compared as when the model is loaded: shared/filter.h, shared/nearest.h.
 */
#ifndef GEN_SELECTION_H
#define GEN_SELECTION_H

#include "model/model.h"

/* True if the filter selects a site of the model. */
bool selection_has_any(const model *m, const char *filter, arena *a);

/* "; nearest to 'gelo': 'gelu', 'aten.gelu'" for the first patterns of a filter; "" if no name is
 * similar. */
const char *selection_nearest(const model *m, const char *filter, arena *a);

#endif
