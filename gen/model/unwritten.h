/* unwritten.h - which arguments may hold elements that were never written: memory that was
 * allocated for a launch, or by it, and that the launch reads or need not fill. Part of the model
 * stage. */
#ifndef GEN_UNWRITTEN_H
#define GEN_UNWRITTEN_H

#include "model/model.h"
#include "model/storage.h"

/* True if the launch writes all elements of the argument, whatever they held. A function of torch's
 * shim fills its outputs; a custom op that changes its argument need not. */
bool unwritten_is_filled(const site *s, const argument *arg);

/* Sets AOTIGEN_UNWRITTEN and AOTIGEN_MADE_BY_LIBRARY, once the roles and the kernels' texts are
 * known. */
void unwritten_read(model *m, storage *st);

#endif
