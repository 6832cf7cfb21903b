/* constructor.h - what the constructor of the model's class says: inputs, outputs, weights, and the
 * inputs' Python names. */
#ifndef GEN_CONSTRUCTOR_H
#define GEN_CONSTRUCTOR_H

#include "model/model.h"

/* Fills the inputs, outputs and weights of `m` from its constructor. Reads only the text of
 * `m->facts` and the body of `f`, which both exist without a parsed wrapper. */
void constructor_read(model *m, const fact_function *f, arena *a);

#endif
