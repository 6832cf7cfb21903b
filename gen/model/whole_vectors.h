/* whole_vectors.h - of which memory a C++ kernel loads vectors without a count of elements: the
 * last one may go beyond its end, where there must be something to load. Part of the model stage.
 */
#ifndef GEN_WHOLE_VECTORS_H
#define GEN_WHOLE_VECTORS_H

#include "model/model.h"

/* Sets `vectors` of buffers, inputs and weights. After the kernels' texts and the buffers are
 * known. */
void whole_vectors_find(model *m, arena *a);

#endif
