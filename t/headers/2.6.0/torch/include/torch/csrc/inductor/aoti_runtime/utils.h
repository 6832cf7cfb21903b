#pragma once
#include <iostream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>
#include <torch/csrc/inductor/aoti_torch/c/shim.h>
__attribute__((noinline)) static void throw_exception(
const char* call,
const char* file,
int64_t line);
#define AOTI_TORCH_ERROR_CODE_CHECK(call) if ((call) != AOTI_TORCH_SUCCESS) { throw_exception(#call, __FILE__, __LINE__); }
using AOTIRuntimeError = int32_t;
#define AOTI_RUNTIME_SUCCESS 0
#define AOTI_RUNTIME_FAILURE 1
namespace torch::aot_inductor {
using DeleterFnPtr = void (*)(void*);
class RAIIAtenTensorHandle {
public:
RAIIAtenTensorHandle();
RAIIAtenTensorHandle(const RAIIAtenTensorHandle& other) = delete;
RAIIAtenTensorHandle& operator=(const RAIIAtenTensorHandle& other) = delete;
RAIIAtenTensorHandle(RAIIAtenTensorHandle&& other) = default;
RAIIAtenTensorHandle& operator=(RAIIAtenTensorHandle&& other) = default;
RAIIAtenTensorHandle(AtenTensorHandle handle);
~RAIIAtenTensorHandle();
operator AtenTensorHandle() const;
AtenTensorHandle release();
AtenTensorHandle get() const;
void reset();
int64_t size(int64_t d);
int64_t stride(int64_t d);
int64_t storage_offset();
void* data_ptr() const;
int64_t* sizes() const;
int64_t* strides() const;
private:
std::unique_ptr<AtenTensorOpaque, DeleterFnPtr> handle_;
};
inline std::vector<RAIIAtenTensorHandle> steal_from_raw_handles_to_raii_handles(
AtenTensorHandle* handles,
size_t size);
inline AtenTensorHandle reinterpret_tensor_wrapper(
AtenTensorHandle self,
int64_t ndim,
const int64_t* sizes_ptr,
const int64_t* strides_ptr,
int64_t storage_offset);
inline void* get_data_ptr_wrapper(AtenTensorHandle tensor);
inline RAIIAtenTensorHandle wrap_with_raii_handle_if_needed(
AtenTensorHandle handle);
class ConstantHandle {
public:
ConstantHandle() = default;
explicit ConstantHandle(AtenTensorHandle handle);
operator AtenTensorHandle() const;
AtenTensorHandle tensor() const;
AtenTensorHandle get() const;
void* data_ptr() const;
int64_t* sizes() const;
int64_t* strides() const;
private:
AtenTensorHandle handle_{};
void* data_ = nullptr;
};
inline void* get_data_ptr_wrapper(const ConstantHandle& constant);
inline AtenTensorHandle wrap_with_raii_handle_if_needed(
const ConstantHandle& handle) = delete;
}
#define CACHE_TORCH_DTYPE(typename) static auto cached_torch_dtype_##typename = aoti_torch_dtype_##typename()
#define CACHE_TORCH_DEVICE(device) static auto cached_torch_device_type_##device = aoti_torch_device_type_##device()
#define CACHE_TORCH_LAYOUT(layout) static auto cached_torch_layout_##layout = aoti_torch_layout_##layout()
