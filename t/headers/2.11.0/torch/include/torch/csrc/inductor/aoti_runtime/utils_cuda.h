#pragma once
#include <torch/csrc/inductor/aoti_runtime/utils.h>
#include <cuda.h>
#include <cuda_runtime.h>
namespace torch::aot_inductor {
class AOTICudaGuard {
public:
AOTICudaGuard(int32_t device_index);
private:
std::unique_ptr<CUDAGuardOpaque, DeleterFnPtr> guard_;
};
class AOTICudaStreamGuard {
public:
AOTICudaStreamGuard(cudaStream_t stream, int32_t device_index);
private:
std::unique_ptr<CUDAStreamGuardOpaque, DeleterFnPtr> guard_;
};
}
