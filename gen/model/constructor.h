/* constructor.h - what the model's constructor says: inputs, outputs, weights, the tree of the
 * inputs' Python names; and the kernel files that the wrapper loads. Reads text; part of the model
 * stage.
 */
#ifndef GEN_CONSTRUCTOR_H
#define GEN_CONSTRUCTOR_H

#include "model/model.h"

void constructor_read(model *m, const fact_function *f, arena *a);

/* Every path that loadKernel is given as a literal. */
void constructor_cubins(model *m, arena *a);

/* A C or raw string literal at `at`, decoded; NULL where there is none. `*past` is the offset
 * behind it. */
const char *literal_read(const char *source, size_t at, size_t end, size_t *past, arena *a);

#endif
