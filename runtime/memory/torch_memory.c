/* torch_memory.c - see torch_memory.h. */
#include "memory/torch_memory.h"

#include "tensor/shim.h"

char *ag_torch_memory_take(int32_t device_type, int32_t device_index, size_t bytes, void **handle) {
  int64_t size = (int64_t)bytes, one = 1;
  AtenTensorHandle taken = NULL;
  void *data = NULL;
  *handle = NULL;
  if (!AOTIGEN_SHIM(empty_strided) || !AOTIGEN_SHIM(dtype_uint8)) return NULL;
  if (AOTIGEN_SHIM(empty_strided)(1, &size, &one, AOTIGEN_SHIM(dtype_uint8)(), device_type,
                                  device_index, &taken))
    return NULL;
  *handle = taken;
  return AOTIGEN_SHIM(get_data_ptr)(taken, &data) ? NULL : data;
}

void *ag_torch_memory_share(const void *tensor) {
  AtenTensorHandle handle = NULL;
  if (!AOTIGEN_SHIM(new_tensor_handle) ||
      AOTIGEN_SHIM(new_tensor_handle)((AtenTensorHandle)(uintptr_t)tensor, &handle))
    return NULL;
  return handle;
}

void ag_torch_memory_give(void *handle) {
  if (handle) AOTIGEN_SHIM(delete_tensor_object)(handle);
}
