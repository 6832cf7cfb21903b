/* nvtx.h - AOTIGEN_NVTX=1: what a tool learns that listens by NVTX, such as Nsight Systems or
 * compute-sanitizer. Inside the library only.
 *
 * Everything is in the domain "aotigen". Where no tool listens a call does next to nothing. Any
 * thread.
 */
#ifndef AOTIGEN_NVTX_H
#define AOTIGEN_NVTX_H

#include <stdbool.h>
#include <stddef.h>

/* A range of this thread's, which encloses what the thread does until the pop. Ranges nest. */
void ag_nvtx_push(const char *text);
void ag_nvtx_pop(void);

/* An allocation of the device, whole, from which parts are given out: an access beside its regions
 * is an error from then on. NULL where no tool takes it. CUDA's context must exist. */
void *ag_nvtx_heap(void *allocation, size_t bytes);

/* A part of a heap is in use from now on, under this name; and no more. */
void ag_nvtx_region(void *heap, void *at, size_t bytes, const char *name);
void ag_nvtx_end_region(void *at);

/* From now on a write to the region is an error; or not any more. */
void ag_nvtx_set_read_only(void *at, bool read_only);

#endif
