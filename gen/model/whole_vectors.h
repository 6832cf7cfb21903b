/* whole_vectors.h - the memory from which a C++ kernel loads vectors without a count of elements.
 * The last vector may go past its end, where the process must have memory to load. Part of the
 * model stage.
 */
#ifndef GEN_WHOLE_VECTORS_H
#define GEN_WHOLE_VECTORS_H

#include "model/model.h"

/* Sets `vectors` of buffers, inputs and weights, once the kernels' texts and the buffers are
 * known. */
void whole_vectors_find(model *m, arena *a);

#endif
