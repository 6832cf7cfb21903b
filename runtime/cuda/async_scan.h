/* cuda_watch.h - CUDA tensors looked at without waiting: backend.h's ag_async. */
#ifndef AOTIGEN_CUDA_ASYNC_SCAN_H
#define AOTIGEN_CUDA_ASYNC_SCAN_H

#include "tensor/backend.h"

extern const ag_async ag_cuda_async;

#endif
