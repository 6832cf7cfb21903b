/* exported_check.h - whether a wrapper was compiled from an exported program, as far as both tell,
 * and whether the program has lines. Part of the model stage.
 */
#ifndef GEN_EXPORTED_CHECK_H
#define GEN_EXPORTED_CHECK_H

#include "model/exported.h"

/* False, with one error in `d`, if the program has less than half of the wrapper's source nodes,
 * weights or inputs, if the number of inputs differs, or if no node has a line. A warning if only
 * the kernels' names can be compared, and they name none of its operators. */
bool exported_check(const exported *x, const model *m, const char *path, arena *a, diags *d);

#endif
