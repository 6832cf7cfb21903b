/* async_device.h - a device by itself, without waiting: backend.h's ag_device_ops, and the pinned
 * memory that run slots need. Messages as in driver.h; any thread.
 */
#ifndef AOTIGEN_CUDA_ASYNC_DEVICE_H
#define AOTIGEN_CUDA_ASYNC_DEVICE_H

#include "cuda/driver.h"
#include "tensor/backend.h"

extern const ag_device_ops ag_cuda_device_ops;

/* Pinned memory of the scope's device, all 0, never freed. p: all 0, or as an attempt for as many
 * bytes that failed left it: then that one's memory is used. */
const char *ag_cuda_pin(ag_cuda_scope *scope, size_t bytes, ag_pinned *p);

#endif
