/* named_memory.h - device memory in an allocation of the library's own, each part known to a tool
 * by a name: base/nvtx.h. Torch's caching allocator does not tell a tool which parts of its
 * allocations are in use.
 *
 * Parts are reused: what is given back serves the next call for as many bytes on the same device
 * and stream. Any thread. */
#ifndef AOTIGEN_NAMED_MEMORY_H
#define AOTIGEN_NAMED_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* *memory: `bytes` bytes for work on `stream`, aligned like torch's; NULL if no tool listens.
 * Returns NULL, or why there is none; valid until the thread's next call. */
const char *ag_cuda_take_named(int32_t device_index, void *stream, size_t bytes, const char *name,
                               void **memory);
/* Gives back what ag_cuda_take_named() returned. Waits for its stream, whose work still uses it.
 * Not for memory of a capture, whose graph goes on using it. */
void ag_cuda_give_named(void *memory);

#endif
