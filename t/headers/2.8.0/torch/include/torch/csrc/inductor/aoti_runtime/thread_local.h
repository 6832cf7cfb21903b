#pragma once
#include <torch/csrc/inductor/aoti_runtime/arrayref_tensor.h>
namespace torch::aot_inductor {
template <typename T>
struct ThreadLocalCachedOutputTensor;
template <>
struct ThreadLocalCachedOutputTensor<RAIIAtenTensorHandle> {
explicit ThreadLocalCachedOutputTensor(const RAIIAtenTensorHandle&);
void copy_data_from(const RAIIAtenTensorHandle& handle);
AtenTensorHandle tensor() const;
};
template <>
struct ThreadLocalCachedOutputTensor<AtenTensorHandle> {
explicit ThreadLocalCachedOutputTensor(const AtenTensorHandle&);
void copy_data_from(const AtenTensorHandle& handle);
AtenTensorHandle tensor() const;
};
template <>
struct ThreadLocalCachedOutputTensor<ConstantHandle> {
explicit ThreadLocalCachedOutputTensor(const ConstantHandle&);
void copy_data_from(const ConstantHandle& handle);
AtenTensorHandle tensor() const;
};
template <typename T>
struct ThreadLocalCachedOutputTensor<ArrayRefTensor<T>> {
explicit ThreadLocalCachedOutputTensor(const ArrayRefTensor<T>& t);
void copy_data_from(const ArrayRefTensor<T>& t);
AtenTensorHandle tensor() const;
private:
std::unique_ptr<T[]> storage_;
int64_t capacity_ = 0;
RAIIAtenTensorHandle tensor_;
};
template <typename T>
struct ThreadLocalCachedOutputArray;
template <>
struct ThreadLocalCachedOutputArray<RAIIAtenTensorHandle> {
explicit ThreadLocalCachedOutputArray(const RAIIAtenTensorHandle&);
void copy_data_from(const RAIIAtenTensorHandle&);
template <typename U>
ArrayRefTensor<U> arrayref_tensor() const;
};
template <>
struct ThreadLocalCachedOutputArray<ConstantHandle> {
explicit ThreadLocalCachedOutputArray(const ConstantHandle&);
void copy_data_from(const ConstantHandle&);
template <typename U>
ArrayRefTensor<U> arrayref_tensor() const;
};
template <typename T>
struct ThreadLocalCachedOutputArray<ArrayRefTensor<T>> {
explicit ThreadLocalCachedOutputArray(const ArrayRefTensor<T>& t);
template <
typename U,
std::enable_if_t<
std::is_same_v<std::remove_const_t<T>, std::remove_const_t<U>>,
bool> = true>
ArrayRefTensor<T> arrayref_tensor() const;
void copy_data_from(const ArrayRefTensor<T>& t);
private:
std::unique_ptr<T[]> storage_;
uint32_t capacity_ = 0;
ArrayRefTensor<T> tensor_;
};
}
