/* async_device.h - functions of a device that do not wait: backend.h's ag_device_ops, and the
 * pinned memory that run slots need. Messages as in driver.h; any thread. */
#ifndef AOTIGEN_CUDA_ASYNC_DEVICE_H
#define AOTIGEN_CUDA_ASYNC_DEVICE_H

#include "cuda/driver.h"
#include "tensor/backend.h"

extern const ag_device_ops ag_cuda_device_ops;

/* Pinned memory of the scope's device, all 0, never freed. p: all 0, or as a failed attempt for as
 * many bytes left it, whose memory is then used. */
const char *ag_cuda_pin(ag_cuda_scope *scope, size_t bytes, ag_pinned *p);

#endif
