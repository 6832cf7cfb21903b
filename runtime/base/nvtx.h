/* nvtx.h - AOTIGEN_NVTX=1: tells a tool that listens by NVTX, such as Nsight Systems or
 * compute-sanitizer, about runs, launches and memory. Inside the library only.
 *
 * Everything is in the domain "aotigen". If no tool listens, a call does next to nothing. Any
 * thread. */
#ifndef AOTIGEN_NVTX_H
#define AOTIGEN_NVTX_H

#include <stdbool.h>
#include <stddef.h>

/* A range of this thread, which encloses what the thread does until the pop. Ranges nest. */
void ag_nvtx_push(const char *text);
void ag_nvtx_pop(void);

/* A whole allocation of the device, from which parts are given out. From then on, an access outside
 * of its regions is an error. NULL if no tool listens. CUDA's context must exist. */
void *ag_nvtx_heap(void *allocation, size_t bytes);

/* Begin and end the use of a part of a heap under this name. */
void ag_nvtx_region(void *heap, void *at, size_t bytes, const char *name);
void ag_nvtx_end_region(void *at);

/* Makes a write to the region an error, or allows it again. */
void ag_nvtx_set_read_only(void *at, bool read_only);

#endif
