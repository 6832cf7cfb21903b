#pragma once
#include <iostream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>
#include <torch/csrc/inductor/aoti_torch/c/shim.h>
#include <torch/headeronly/util/shim_utils.h>
#define AOTI_NOINLINE __attribute__((noinline))
#define AOTI_TORCH_ERROR_CODE_CHECK(call) if ((call) != AOTI_TORCH_SUCCESS) { torch::headeronly::detail::throw_exception(#call, __FILE__, __LINE__); }
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
class MaybeOwningAtenTensorHandle {
public:
MaybeOwningAtenTensorHandle();
MaybeOwningAtenTensorHandle(const MaybeOwningAtenTensorHandle& other) =
delete;
MaybeOwningAtenTensorHandle& operator=(
const MaybeOwningAtenTensorHandle& other) = delete;
MaybeOwningAtenTensorHandle(MaybeOwningAtenTensorHandle&& other) = default;
MaybeOwningAtenTensorHandle& operator=(MaybeOwningAtenTensorHandle&& other) =
default;
MaybeOwningAtenTensorHandle(RAIIAtenTensorHandle&& other);
MaybeOwningAtenTensorHandle& operator=(RAIIAtenTensorHandle&& other);
MaybeOwningAtenTensorHandle(AtenTensorHandle handle);
MaybeOwningAtenTensorHandle(AtenTensorHandle handle, bool user_managed);
~MaybeOwningAtenTensorHandle();
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
AtenTensorHandle handle_;
RAIIAtenTensorHandle raii_handle_;
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
inline AtenTensorHandle wrap_with_raii_handle_if_needed(
const ConstantHandle& handle) = delete;
template <class T>
T& temporary_reference(T&& t);
}
#define CACHE_TORCH_DTYPE(typename) static auto cached_torch_dtype_##typename = aoti_torch_dtype_##typename()
#define CACHE_TORCH_DEVICE(device) static auto cached_torch_device_type_##device = aoti_torch_device_type_##device()
#define CACHE_TORCH_LAYOUT(layout) static auto cached_torch_layout_##layout = aoti_torch_layout_##layout()
