/* op_contents.h - with --guard=ops: what the arguments that an op only reads hold before its call
 * and after it. Inside the library only. */
#ifndef AOTIGEN_OP_CONTENTS_H
#define AOTIGEN_OP_CONTENTS_H

#include "state/run_state.h"

/* Around the call that the run's record holds, on the run's thread. Copies of small tensors on the
 * device of an async run are asked for without waiting; the others are made at once. */
void ag_op_contents_before(aotigen_run *run);
void ag_op_contents_after(aotigen_run *run);
/* The call was not made: gives back what was copied. */
void ag_op_contents_drop(ag_record *r);

#endif
