/* shape_inference.h - the number of elements of an operator's output, for operators whose inputs
 * determine it. */
#ifndef GEN_SIZES_SHAPE_INFERENCE_H
#define GEN_SIZES_SHAPE_INFERENCE_H

#include "sizes/sizes.h"

/* The elements of an argument that an earlier site's operator made; NULL where the operator is not
 * known, or the argument is a view. */
const poly *shape_inference_elements(sizes *z, symbols *s, const model *m, const argument *arg);

#endif
