/* expected.h - what a wrapper assumes later of the tensors that its calls make, and which site made
 * and last wrote the tensor of an argument. Part of the model stage. */
#ifndef GEN_EXPECTED_H
#define GEN_EXPECTED_H

#include "model/model.h"
#include "model/storage.h"

/* Fills `expected` of each argument that its call makes and that the text uses afterwards, and
 * `maker` and `writer` of all arguments. The sites and the scopes of `m` are complete:
 * scopes_read(). */
void expected_read(model *m, storage *st, arena *a);

/* True if the call itself makes the tensor, so that nothing is known of it before. */
bool expected_is_made(storage *st, const site *s, const argument *arg);

#endif
