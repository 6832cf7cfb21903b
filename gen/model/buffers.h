/* buffers.h - the memory that the wrapper allocates for its buffers. Part of the model stage. */
#ifndef GEN_BUFFERS_H
#define GEN_BUFFERS_H

#include "model/model.h"

/* Fills m->buffers, in the order of the text, and sets AOTIGEN_ENDS_IN_RUN. Call it after the sites
 * were read, which fills the storage, and after AOTIGEN_MADE_BY_LIBRARY was set. */
void buffers_read(model *m, arena *a);

#endif
