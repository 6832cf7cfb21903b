/* arg_copies.h - copies of the elements of a launch's arguments. Inside the library only. */
#ifndef AOTIGEN_ARG_COPIES_H
#define AOTIGEN_ARG_COPIES_H

#include "state/run_state.h"

size_t ag_arg_copy_bytes(const ag_arg *a);

/* True if pinned memory can hold a copy: the argument has at most 256 KiB. */
bool ag_arg_copy_is_small(const ag_arg *a);

/* Has the device copy the elements, in logical order, after the work that the launch's stream has
 * so far. The copy lives as long as the run's record; its `arrived` tells when it is complete.
 * False if that cannot be done: in a run that is not async, in a capture, and for memory that is
 * not the device's. */
bool ag_arg_copy_later(aotigen_run *run, const ag_arg *a, ag_arg_copy *to);

/* Copies them at once, after the stream's work; free(to->own). False where that fails. */
bool ag_arg_copy_now(const aotigen_run *run, const ag_arg *a, ag_arg_copy *to);

#endif
