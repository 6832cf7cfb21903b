/* index_copies.h - copies of the tensors that the asserts of a kernel on a device read: a failed
 * assert takes the device's memory with it. Inside the library only.
 *
 * Right before a launch each such tensor of at most 256 KiB is copied to host memory, behind what
 * its stream was given so far. A run that is async does not wait for it; in a run that goes into a
 * graph nothing is copied.
 */
#ifndef AOTIGEN_INDEX_COPIES_H
#define AOTIGEN_INDEX_COPIES_H

#include "state/run_state.h"

/* The device was lost in the launch: adds which index an assert refused, if one of the copies tells
 * it. Asks the device nothing. */
void ag_index_copies_explain(ag_text *t, const ag_record *record);

#endif
