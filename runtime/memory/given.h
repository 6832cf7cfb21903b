/* given.h - copies of the model's inputs and weights in guarded memory, with --guard=inputs and
 * --guard=weights. Inside the library only.
 *
 * A run has copies of those that its launches only read. Inputs are counted first, then weights:
 * number `given` is the input of that number, or weight `given - ninputs`.
 */
#ifndef AOTIGEN_GIVEN_H
#define AOTIGEN_GIVEN_H

#include "state/run_state.h"

/* The entry of a copy: its name is the C++ one, `given` the Python one or, without one, the C++
 * one. NULL if there is none, or memory ran out. */
const aotigen_buffer *ag_given_row(const aotigen_run *run, uint32_t given);

/* True if a copy may take its place: nothing writes to it or hands it over. */
bool ag_given_is_only_read(const aotigen_run *run, uint32_t given);

#endif
