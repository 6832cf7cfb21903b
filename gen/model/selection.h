/* selection.h - the launch sites that a filter will select, for `aotigen list` and a warning about
 * one that selects none, and the kernels of names that are similar to one.
 *
 * Patterns and names are compared as when the model is loaded: shared/filter.h, shared/nearest.h.
 */
#ifndef GEN_SELECTION_H
#define GEN_SELECTION_H

#include "model/model.h"

bool selection_has(const site *s, const char *filter, arena *a);
/* The number of sites that the filter selects. */
size_t selection_count(const model *m, const char *filter, arena *a);

/* "; nearest to 'gelo': 'gelu', 'aten.gelu'" for the first patterns of a filter; "" if no name is
 * similar. */
const char *selection_nearest(const model *m, const char *filter, arena *a);

/* "; the nearest are 'cpp_fused_gelu_0', 'cpp_fused_gelu_1'": kernels of which a part is similar to
 * `name`. "" if there is none. */
const char *selection_nearest_kernels(const model *m, const char *name, arena *a);

#endif
