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
#define AOTI_RUNTIME_CHECK(EXPR,MSG) do { if (!(EXPR)) { throw std::runtime_error(MSG); } } while (0)
using AOTIRuntimeError = int32_t;
#define AOTI_RUNTIME_SUCCESS 0
#define AOTI_RUNTIME_FAILURE 1
namespace torch::aot_inductor {
using DeleterFnPtr = void (*)(void*);
class RAIIAtenRecordFunctionHandle {
public:
RAIIAtenRecordFunctionHandle();
RAIIAtenRecordFunctionHandle(const RAIIAtenRecordFunctionHandle& other) =
delete;
RAIIAtenRecordFunctionHandle& operator=(
const RAIIAtenRecordFunctionHandle& other) = delete;
RAIIAtenRecordFunctionHandle(const char* name, IValueMapHandle kwargs);
RAIIAtenRecordFunctionHandle(
const char* name,
IValueMapHandle kwargs,
std::vector<C10IValueHandle> inputs);
RAIIAtenRecordFunctionHandle(RAIIAtenRecordFunctionHandle&& other) = default;
RAIIAtenRecordFunctionHandle& operator=(
RAIIAtenRecordFunctionHandle&& other) = default;
RAIIAtenRecordFunctionHandle(AtenRecordFunctionHandle handle);
~RAIIAtenRecordFunctionHandle();
operator AtenRecordFunctionHandle() const;
AtenRecordFunctionHandle release();
AtenRecordFunctionHandle get() const;
void reset();
private:
std::unique_ptr<AtenRecordFunctionOpaque, DeleterFnPtr> handle_;
};
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
class RAIIC10IValueHandle {
public:
RAIIC10IValueHandle();
RAIIC10IValueHandle(const RAIIC10IValueHandle& other) = delete;
RAIIC10IValueHandle& operator=(const RAIIC10IValueHandle& other) = delete;
RAIIC10IValueHandle(RAIIC10IValueHandle&& other) = default;
RAIIC10IValueHandle& operator=(RAIIC10IValueHandle&& other) = default;
RAIIC10IValueHandle(C10IValueHandle handle);
~RAIIC10IValueHandle();
operator C10IValueHandle() const;
C10IValueHandle release();
C10IValueHandle get() const;
void reset();
private:
std::unique_ptr<C10IValueOpaque, DeleterFnPtr> handle_;
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
template <typename DevicePtr>
inline DevicePtr allocate_scratch_tensor(
int64_t numel,
int32_t dtype,
int32_t device_type,
int32_t device_index,
RAIIAtenTensorHandle& scratch_tensor);
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
inline void assert_size_stride(
AtenTensorHandle tensor,
std::initializer_list<int64_t> expected_sizes,
std::initializer_list<int64_t> expected_strides,
const char* op_name = nullptr);
inline void assert_size_stride(
AtenTensorHandle tensor,
std::initializer_list<int64_t> expected_sizes,
std::initializer_list<int64_t> expected_strides,
const char* op_name,
int32_t expected_dtype,
const char* expected_dtype_name);
inline void assert_alignment(
AtenTensorHandle tensor,
size_t alignment,
const char* op_name = nullptr);
inline void* get_data_ptr_wrapper(const ConstantHandle& constant);
inline AtenTensorHandle wrap_with_raii_handle_if_needed(
const ConstantHandle& handle) = delete;
}
#define CACHE_TORCH_DTYPE(typename) static auto cached_torch_dtype_##typename = aoti_torch_dtype_##typename()
#define CACHE_TORCH_DEVICE(device) static auto cached_torch_device_type_##device = aoti_torch_device_type_##device()
#define CACHE_TORCH_LAYOUT(layout) static auto cached_torch_layout_##layout = aoti_torch_layout_##layout()
