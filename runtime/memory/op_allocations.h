/* op_allocations.h - AOTIGEN_MEMORY=1: what operators of libraries allocate by torch's allocator of
 * the CPU, and what stays of it from run to run: what they did not return, and what they returned
 * and the model does not. Inside the library only.
 */
#ifndef AOTIGEN_OP_ALLOCATIONS_H
#define AOTIGEN_OP_ALLOCATIONS_H

#include "state/run_state.h"

/* What aotigen_macros.h calls. The allocator may be wrapped: the setting is given, it was not
 * wrapped before, and it has the virtual functions of torch 2.11's. table: of the default
 * allocator's; simple: the fourth of the six. */
int aotigen_counts_allocations(const void *table, const void *simple);
/* Not 0 where the thread is in the call of an operator: then the second is called when the memory
 * is freed, and sets *deleter to what frees it. Any thread. */
int aotigen_operator_allocated(void *at, size_t bytes, void (*deleter)(void *));
void aotigen_operator_freed(void *at, void (**deleter)(void *));

/* The first before the call of a library's operator, the second behind that of any operator, whose
 * results the record has by then. On the run's thread. */
void ag_op_allocations_begin_call(const aotigen_run *run);
void ag_op_allocations_end_call(const aotigen_run *run);

/* The run is over: reports, once, each operator of which as much of every one of the last runs is
 * still there, or the buffers that it returned. */
void ag_op_allocations_end_run(aotigen_run *run);

#endif
