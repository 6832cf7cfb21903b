/* index_copies.h - copies of the tensors that the asserts of a kernel on a device read: a failed
 * assert destroys the device's memory. Inside the library only.
 *
 * Right before a launch, each such tensor of at most 256 KiB is copied to host memory, after the
 * stream's earlier work. An async run does not wait for it. A run that is captured into a graph
 * copies nothing. */
#ifndef AOTIGEN_INDEX_COPIES_H
#define AOTIGEN_INDEX_COPIES_H

#include "state/run_state.h"

/* The device was lost in the launch: adds which index an assert refused, if one of the copies shows
 * it. Does not query the device. */
void ag_index_copies_explain(ag_text *t, const ag_record *record);

#endif
