/* exported_check.h - whether an exported program is the one that a wrapper was compiled from, as
 * far as the two tell, and knows lines. Part of the model stage.
 */
#ifndef GEN_EXPORTED_CHECK_H
#define GEN_EXPORTED_CHECK_H

#include "model/exported.h"

/* False with one error in `d` where less than half of the wrapper's source nodes, weights or inputs
 * are the program's, where the number of inputs differs, or where no node has a line. A warning
 * where there is nothing to compare but the kernels' names, and they name none of its operators. */
bool exported_check(const exported *x, const model *m, const char *path, arena *a, diags *d);

#endif
