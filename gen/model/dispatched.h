/* dispatched.h - the tensors that a call of the dispatcher or of Python makes: the wrapper takes
 * them out of the call's result in statements of their own. Part of the model stage. */
#ifndef GEN_DISPATCHED_H
#define GEN_DISPATCHED_H

#include "model/model.h"
#include "model/storage.h"

/* Appends these tensors to s->args, and sets s->made, where there are any. */
void dispatched_read(site *s, const facts *f, const storage *st, arena *a);

#endif
