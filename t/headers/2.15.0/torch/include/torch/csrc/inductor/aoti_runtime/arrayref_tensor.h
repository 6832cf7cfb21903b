#pragma once
#include <torch/csrc/inductor/aoti_runtime/mini_array_ref.h>
#include <torch/csrc/inductor/aoti_runtime/utils.h>
#include <torch/csrc/inductor/aoti_torch/c/shim.h>
#include <cassert>
#include <cstdint>
#include <cstring>
namespace torch::aot_inductor {
template <typename T>
class ArrayRefTensor {
public:
using value_type = T;
ArrayRefTensor() = default;
explicit ArrayRefTensor(
MiniArrayRef<T> arr,
MiniArrayRef<const int64_t> sizes,
MiniArrayRef<const int64_t> strides,
int32_t device_type,
int32_t device_idx);
AtenTensorHandle release();
void reset();
auto sizes() const {
return sizes_;
}
auto strides() const {
return strides_;
}
auto device_type() const {
return device_type_;
}
auto device_idx() const {
return device_idx_;
}
T* data() const;
auto numel() const {
return arrayRef_.size();
}
private:
MiniArrayRef<T> arrayRef_;
MiniArrayRef<const int64_t> sizes_;
MiniArrayRef<const int64_t> strides_;
int32_t device_type_ = 0;
int32_t device_idx_ = 0;
int32_t unusedDoNotRemoveForABICompatibility_ = 0;
};
template <typename T>
inline ArrayRefTensor<T> reinterpret_tensor_wrapper(
const ArrayRefTensor<T>& self,
int64_t ndim,
const int64_t* sizes_ptr,
const int64_t* strides_ptr,
int64_t storage_offset);
template <typename T>
inline T* get_data_ptr_wrapper(ArrayRefTensor<T>& tensor);
template <typename T>
inline T* get_data_ptr_wrapper(const MiniArrayRef<T>& arr);
template <typename T>
inline const ArrayRefTensor<T>& wrap_with_raii_handle_if_needed(
const ArrayRefTensor<T>& tensor);
template <typename T>
inline ArrayRefTensor<T>& wrap_with_raii_handle_if_needed(
ArrayRefTensor<T>& tensor);
template <typename T>
inline ArrayRefTensor<T> wrap_with_raii_handle_if_needed(
ArrayRefTensor<T>&& tensor);
template <typename T>
const T& borrow_arrayref_tensor_as_tensor(const T& t);
template <typename T>
RAIIAtenTensorHandle borrow_arrayref_tensor_as_tensor(
const ArrayRefTensor<T>& art);
}
