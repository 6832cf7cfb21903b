/* async_scan.h - scans of CUDA tensors that wait for nothing: backend.h's ag_batch_ops. */
#ifndef AOTIGEN_CUDA_ASYNC_SCAN_H
#define AOTIGEN_CUDA_ASYNC_SCAN_H

#include "tensor/backend.h"

extern const ag_batch_ops ag_scan_batch_ops;

#endif
