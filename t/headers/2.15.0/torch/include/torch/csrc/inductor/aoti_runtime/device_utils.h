#pragma once
#include <torch/csrc/inductor/aoti_runtime/utils.h>
#include <cuda.h>
#include <cuda_runtime_api.h>
#define AOTI_RUNTIME_CUDA_CHECK(EXPR) do { const cudaError_t code = EXPR; AOTI_RUNTIME_CHECK( code == cudaSuccess, std::string("CUDA error: ") + cudaGetErrorString(code)); } while (0)
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
