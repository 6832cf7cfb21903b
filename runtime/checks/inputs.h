/* inputs.h - the model's inputs against what it was built for. Inside the library only. */
#ifndef AOTIGEN_INPUTS_H
#define AOTIGEN_INPUTS_H

#include "state/run_state.h"

/* The index of the device that the model was loaded for, or else an input is on; -1 where neither
 * tells. */
int32_t ag_inputs_device(const aotigen_run *run, const void *const *handles);

/* Reports every violation; aotigen_inputs_owned() throws. Notes which bytes are inputs. */
void ag_inputs_check(aotigen_run *run, const void *const *handles);

#endif
