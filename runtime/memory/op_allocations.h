/* op_allocations.h - AOTIGEN_MEMORY=1: tracks what libraries' operators allocate by torch's CPU
 * allocator and retain from run to run: what they did not return, and what they returned and the
 * model does not. Inside the library only. */
#ifndef AOTIGEN_OP_ALLOCATIONS_H
#define AOTIGEN_OP_ALLOCATIONS_H

#include "state/run_state.h"

/* Called by aotigen_macros.h. True if the allocator may be wrapped: the setting is given, it was
 * not wrapped before, and it has the virtual functions of torch 2.11's. table: that of the default
 * allocator; simple: the fourth of the six functions. */
int aotigen_counts_allocations(const void *table, const void *simple);
/* Not 0 if the thread is in the call of an operator. Then the second must be called when the memory
 * is freed, and sets *deleter to the function that frees it. Any thread. */
int aotigen_operator_allocated(void *at, size_t bytes, void (*deleter)(void *));
void aotigen_operator_freed(void *at, void (**deleter)(void *));

/* Call the first before the call of a library's operator, and the second after that of any
 * operator, when the record has its results. On the run's thread. */
void ag_op_allocations_begin_call(const aotigen_run *run);
void ag_op_allocations_end_call(const aotigen_run *run);

/* The run is over: reports, once, each operator that retains as much from every one of the last
 * runs, or the buffers that it returned. */
void ag_op_allocations_end_run(aotigen_run *run);

#endif
