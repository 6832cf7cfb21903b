/* output_shape.h - the sizes and the strides of a tensor that a call has made, against what the
 * wrapper or the exported program says of it. Inside the library only. */
#ifndef AOTIGEN_OUTPUT_SHAPE_H
#define AOTIGEN_OUTPUT_SHAPE_H

#include "checks/finding.h"

/* Adds to the finding what differs. item: the output; its parameter has an `expected`. */
void ag_output_shape_check(const aotigen_run *run, ag_finding *f, const ag_item *item);

#endif
