/* op_allocations.h - AOTIGEN_MEMORY=1: tracks what libraries' operators allocate by torch's CPU
 * allocator and retain from run to run: what they did not return, and what they returned and the
 * model does not. The wrapper's macros tell it by aotigen_operator_allocated() and its neighbours
 * in aotigen.h. Inside the library only. */
#ifndef AOTIGEN_OP_ALLOCATIONS_H
#define AOTIGEN_OP_ALLOCATIONS_H

#include "state/run_state.h"

/* Call the first before the call of a library's operator, and the second after that of any
 * operator, when the record has its results. On the run's thread. */
void ag_op_allocations_begin_call(const aotigen_run *run);
void ag_op_allocations_end_call(const aotigen_run *run);

/* The run is over: reports, once, each operator that retains as much from every one of the last
 * runs, or the buffers that it returned. */
void ag_op_allocations_end_run(aotigen_run *run);

#endif
