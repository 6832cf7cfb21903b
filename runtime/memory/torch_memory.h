/* torch_memory.h - memory of torch's allocators, owned by a handle of ours: an AtenTensorHandle, or
 * NULL. Inside the library only. */
#ifndef AOTIGEN_TORCH_MEMORY_H
#define AOTIGEN_TORCH_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* What torch's allocators align to, in bytes. */
enum { AG_TORCH_ALIGNED = 512 };

static inline size_t ag_torch_round_up(size_t bytes) {
  return (bytes + AG_TORCH_ALIGNED - 1) / AG_TORCH_ALIGNED * AG_TORCH_ALIGNED;
}

/* Uninitialised memory, ordered on torch's current stream; NULL if torch has none, even if *handle
 * is set. */
char *ag_torch_memory_take(int32_t device_type, int32_t device_index, size_t bytes, void **handle);
/* One more handle of the tensor's memory, or NULL. */
void *ag_torch_memory_share(const void *tensor);
/* Deletes the handle, which may be NULL. */
void ag_torch_memory_give(void *handle);

#endif
