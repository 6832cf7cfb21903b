/* guard.h - what must be true of a launch's arguments before it may run, and of its outputs before
 * anything uses them. Inside the library only.
 *
 * Before a launch the guard checks the arguments that exist then; after it, those that exist only
 * then, and what the wrapper expects of outputs.
 */
#ifndef AOTIGEN_GUARD_H
#define AOTIGEN_GUARD_H

#include "state/run_state.h"

/* Appends the tensors that the launch was given, each with the call that made it, and the other
 * values that wrapper.json says an operator gets. */
void ag_guard_add_arguments(ag_text *t, const aotigen_model *model, const ag_record *record);

#endif
