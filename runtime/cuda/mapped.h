/* mapped.h - device memory on pages of its own, between addresses that cannot be accessed, by the
 * driver's virtual-memory functions. These are looked up separately: a driver may lack them.
 *
 * Pages are mapped once and never unmapped. What is given back is reused by the next call with the
 * same device, stream and number of pages, in the order of the stream, so no call waits. Any
 * thread. */
#ifndef AOTIGEN_MAPPED_H
#define AOTIGEN_MAPPED_H

#include <stddef.h>
#include <stdint.h>

/* memory: at least `bytes` bytes, *inner of them up to the pages that cannot be accessed. Returns
 * NULL, or why there is none; valid until the thread's next call. */
const char *ag_cuda_map(int32_t device_index, void *stream, size_t bytes, void **memory,
                        size_t *inner);
/* Gives back what ag_cuda_map() returned, after all that uses it was launched on its stream. Not
 * for memory of a capture, whose graph goes on using it. */
void ag_cuda_unmap(void *memory);

#endif
