/* index_copies.h - copies of the tensors that the asserts of a kernel on a device read: a failed
 * assert takes the device's memory with it. Inside the library only. */
#ifndef AOTIGEN_INDEX_COPIES_H
#define AOTIGEN_INDEX_COPIES_H

#include "state/run_state.h"

/* Before the launch that the run's record holds: has each such tensor of at most 256 KiB copied to
 * host memory, behind what its stream was given so far. A run that is async does not wait for it;
 * in a run that goes into a graph nothing is copied. */
void ag_index_copies_make(aotigen_run *run);
/* Gives back what a run that waits has copied. */
void ag_index_copies_end(aotigen_run_state *s);

/* The device was lost in the launch: adds which index an assert refused, if one of the copies tells
 * it. Asks the device nothing. */
void ag_index_copies_explain(ag_text *t, const ag_record *r);

#endif
