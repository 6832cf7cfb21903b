/* received.h - bad values that a collective brought. Part of the NaN assert.
 *
 * What a collective writes is there behind the wait that completes it, which computes nothing: the
 * wait's record has it as an output. It is laid to the collective: it came from this rank's input,
 * or from another rank. */
#ifndef AOTIGEN_RECEIVED_H
#define AOTIGEN_RECEIVED_H

#include "state/evaluation.h"

/* Keeps what the arguments of the collective that is evaluated held before it. */
void ag_received_note(ag_evaluation *e);

/* In place of the evaluation of outputs: of a wait. */
void ag_received_evaluate(ag_evaluation *e);

#endif
