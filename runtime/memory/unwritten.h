/* unwritten.h - memory that no launch wrote, and that a launch reads or the model hands over.
 * Inside the library only.
 *
 * A poisoned buffer holds the pattern of pattern.h when it is allocated. An element that still
 * holds it when the buffer is read was not written, or was computed from such memory. */
#ifndef AOTIGEN_UNWRITTEN_H
#define AOTIGEN_UNWRITTEN_H

#include "state/evaluation.h"

/* True if a read of unwritten memory proves nothing until an output of the launch shows it: the
 * kernel may omit those elements, or an operator may be given a workspace or a placeholder. Known
 * before the launch. */
bool ag_unwritten_must_show(const ag_record *record, size_t arg);

/* Checks the outputs of the model, in the last record of a run. */
void ag_unwritten_check_outputs(ag_evaluation *e);

#endif
