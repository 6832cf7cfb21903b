/* dispatched.h - the tensors that a call of the dispatcher or of Python makes. The wrapper takes
 * them out of the call's result in separate statements. Part of the model stage. */
#ifndef GEN_DISPATCHED_H
#define GEN_DISPATCHED_H

#include "model/model.h"
#include "model/storage.h"

/* Appends these tensors to s->args, and sets s->made if there are any. */
void dispatched_read(site *s, const facts *f, const storage *st, arena *a);

#endif
