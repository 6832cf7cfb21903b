#pragma once
#include <torch/csrc/inductor/aoti_runtime/utils.h>
#include <cuda.h>
#include <cuda_runtime_api.h>
#ifdef USE_CUDA
namespace torch::aot_inductor {
#ifdef USE_CUDA
using DeviceStreamType = cudaStream_t;
#endif
}
#endif
#ifndef USE_CUDA
namespace torch::aot_inductor {
#ifndef USE_CUDA
using DeviceStreamType = void*;
#endif
}
#endif
