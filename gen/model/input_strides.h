/* input_strides.h - which inputs may have other strides than the model was compiled for. Part of
 * the model stage. */
#ifndef GEN_INPUT_STRIDES_H
#define GEN_INPUT_STRIDES_H

#include "model/model.h"
#include "model/storage.h"

/* Sets `any_strides` of the inputs of `m`, whose sites are complete. */
void input_strides_read(model *m, storage *st, arena *a);

#endif
