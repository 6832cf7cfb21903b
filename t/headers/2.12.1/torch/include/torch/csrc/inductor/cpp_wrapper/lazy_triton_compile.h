#pragma once
#include <string>
#include <torch/csrc/inductor/aoti_torch/utils.h>
#include <torch/csrc/inductor/cpp_wrapper/common.h>
#include <torch/csrc/inductor/aoti_runtime/utils_cuda.h>
#include <torch/csrc/inductor/aoti_torch/generated/c_shim_cuda.h>
struct LazyKernelCompileResult {
std::string cubin_path;
std::string mangled_name;
int num_warps;
int shared_mem;
int xblock;
int yblock;
int zblock;
int r0block;
int rsplit;
int rsplit_size;
int config_index;
int global_scratch;
int profile_scratch;
};
static PyObject* _module_pending_kernels = nullptr;
static inline void loadLazyCompileFuncs();
template <typename... Args>
static inline LazyKernelCompileResult runTritonKernelWithAutotune(
PyObject* pending_kernels,
const std::string& kernel_name,
void* stream,
const Args&... kernel_args);
static inline void startKernelCompile(
PyObject* pending_kernels,
const std::string& kernel_name,
const std::string& kernel_source);
