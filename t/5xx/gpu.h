/* gpu.h - a real GPU for the tests of the CUDA backend: the driver, its primary context as torch
 * would have it, memory.
 *
 * Everything here fails the test that called it.
 */
#ifndef AOTIGEN_T_GPU_H
#define AOTIGEN_T_GPU_H

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../test.h"

#define GPU_FUNCTIONS(X)                                                                           \
  X(cuInit, "cuInit", (unsigned))                                                                  \
  X(cuDeviceGet, "cuDeviceGet", (int *, int))                                                      \
  X(cuDeviceGetName, "cuDeviceGetName", (char *, int, int))                                        \
  X(cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain", (void **, int))                          \
  X(cuCtxSetCurrent, "cuCtxSetCurrent", (void *))                                                  \
  X(cuCtxGetCurrent, "cuCtxGetCurrent", (void **))                                                 \
  X(cuCtxSynchronize, "cuCtxSynchronize", (void))                                                  \
  X(cuMemGetInfo, "cuMemGetInfo_v2", (size_t *, size_t *))                                         \
  X(cuMemAlloc, "cuMemAlloc_v2", (uint64_t *, size_t))                                             \
  X(cuMemFree, "cuMemFree_v2", (uint64_t))                                                         \
  X(cuMemHostAlloc, "cuMemHostAlloc", (void **, size_t, unsigned))                                 \
  X(cuMemcpyHtoD, "cuMemcpyHtoD_v2", (uint64_t, const void *, size_t))                             \
  X(cuMemcpyDtoHAsync, "cuMemcpyDtoHAsync_v2", (void *, uint64_t, size_t, void *))                 \
  X(cuMemsetD8Async, "cuMemsetD8Async", (uint64_t, unsigned char, size_t, void *))                 \
  X(cuMemsetD32Async, "cuMemsetD32Async", (uint64_t, unsigned, size_t, void *))                    \
  X(cuMemcpyDtoDAsync, "cuMemcpyDtoDAsync_v2", (uint64_t, uint64_t, size_t, void *))               \
  X(cuStreamCreate, "cuStreamCreate", (void **, unsigned))                                         \
  X(cuStreamQuery, "cuStreamQuery", (void *))                                                      \
  X(cuStreamSynchronize, "cuStreamSynchronize", (void *))                                          \
  X(cuStreamBeginCapture, "cuStreamBeginCapture_v2", (void *, int))                                \
  X(cuStreamEndCapture, "cuStreamEndCapture", (void *, void **))                                   \
  X(cuModuleLoadData, "cuModuleLoadData", (void **, const void *))                                 \
  X(cuModuleGetFunction, "cuModuleGetFunction", (void **, void *, const char *))                   \
  X(cuLaunchKernel, "cuLaunchKernel",                                                              \
    (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *,         \
     void **, void **))                                                                            \
  X(cuMemAddressReserve, "cuMemAddressReserve",                                                    \
    (uint64_t *, size_t, size_t, uint64_t, unsigned long long))                                    \
  X(cuMemCreate, "cuMemCreate", (unsigned long long *, size_t, const void *, unsigned long long))  \
  X(cuMemMap, "cuMemMap", (uint64_t, size_t, size_t, unsigned long long, unsigned long long))      \
  X(cuMemSetAccess, "cuMemSetAccess", (uint64_t, size_t, const void *, size_t))

static struct {
#define GPU_MEMBER(name, symbol, parameters) int(*name) parameters;
  GPU_FUNCTIONS(GPU_MEMBER)
#undef GPU_MEMBER
  void *context;
  char device_name[128];
} gpu;

#define gpu_ok(call)                                                                               \
  do {                                                                                             \
    int gpu_error_ = (call);                                                                       \
    if (gpu_error_) print_message("# %s: error %d\n", #call, gpu_error_);                          \
    assert_int_equal(gpu_error_, 0);                                                               \
  } while (0)

__attribute__((unused)) static int gpu_open(void) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL), *found;
  int device;
  if (!library) {
    print_message("# %s\n", dlerror());
    return -1;
  }
#define GPU_FIND(name, symbol, parameters)                                                         \
  found = dlsym(library, symbol);                                                                  \
  if (!found) print_message("# no %s\n", symbol);                                                  \
  if (!found) return -1;                                                                           \
  memcpy(&gpu.name, &found, sizeof found);
  GPU_FUNCTIONS(GPU_FIND)
#undef GPU_FIND
  if (gpu.cuInit(0) || gpu.cuDeviceGet(&device, 0) ||
      gpu.cuDevicePrimaryCtxRetain(&gpu.context, device) || gpu.cuCtxSetCurrent(gpu.context))
    return -1;
  gpu.cuDeviceGetName(gpu.device_name, sizeof gpu.device_name, device);
  return 0;
}

__attribute__((unused)) static uint64_t gpu_alloc(size_t bytes) {
  uint64_t address = 0;
  gpu_ok(gpu.cuMemAlloc(&address, bytes));
  return address;
}

__attribute__((unused)) static void *gpu_stream(void) {
  void *stream = NULL;
  gpu_ok(gpu.cuStreamCreate(&stream, 1));
  return stream;
}

#endif
