/* only_read.h - which inputs and weights of the model its launches only read: a copy serves them as
 * well. Part of the model stage. */
#ifndef GEN_ONLY_READ_H
#define GEN_ONLY_READ_H

#include "model/model.h"

/* Sets only_read of inputs and weights. After the roles of arguments and the buffers are known. An
 * argument that an operator may write to (AOTIGEN_MAYBE_WRITTEN) counts as read: its schema tells.
 */
void only_read_find(model *m, arena *a);

#endif
