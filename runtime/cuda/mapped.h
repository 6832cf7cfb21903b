/* mapped.h - device memory of its own pages, between addresses that cannot be accessed, by the
 * driver's virtual-memory functions. Looked up by themselves: a driver may lack them.
 *
 * Pages are mapped once and kept: what is given back is used again by the next call with the same
 * device, stream and number of pages, in the order of the stream, so that nothing is waited for.
 * Any thread.
 */
#ifndef AOTIGEN_MAPPED_H
#define AOTIGEN_MAPPED_H

#include <stddef.h>
#include <stdint.h>

/* *memory: at least `bytes` bytes, *inner of them up to the pages that cannot be accessed. NULL, or
 * why there is none; valid until the thread's next call. */
const char *ag_cuda_map(int32_t device_index, void *stream, size_t bytes, void **memory,
                        size_t *inner);
/* What ag_cuda_map() returned, once all that uses it was given to its stream. Not of a capture: its
 * graph goes on using it. */
void ag_cuda_unmap(void *memory);

#endif
