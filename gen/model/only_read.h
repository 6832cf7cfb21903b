/* only_read.h - which inputs and weights of the model the launches only read, so that a copy would
 * serve as well. Part of the model stage. */
#ifndef GEN_ONLY_READ_H
#define GEN_ONLY_READ_H

#include "model/model.h"

/* Sets only_read of inputs and weights, once the roles of arguments and the buffers are known. An
 * argument that an operator may write to (AOTIGEN_MAYBE_WRITTEN) counts as read: the operator's
 * schema decides.
 */
void only_read_find(model *m, arena *a);

#endif
