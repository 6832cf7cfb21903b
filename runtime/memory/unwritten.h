/* unwritten.h - memory that a launch reads, or the model gives away, and that no launch wrote.
 * Inside the library only.
 *
 * A buffer that is poisoned holds the pattern of pattern.h when it is allocated. What still holds
 * it when the buffer is read was not written, or was written with what came from such memory.
 */
#ifndef AOTIGEN_UNWRITTEN_H
#define AOTIGEN_UNWRITTEN_H

#include "state/evaluation.h"

/* Does a read of what nothing wrote tell nothing until an output of the launch shows it: the kernel
 * may leave those elements out; an operator may be given a workspace or a placeholder. Known before
 * the launch. */
bool ag_unwritten_must_show(const ag_record *record, size_t arg);

/* The outputs of the model, in the last record of a run. */
void ag_unwritten_check_outputs(ag_evaluation *e);

#endif
