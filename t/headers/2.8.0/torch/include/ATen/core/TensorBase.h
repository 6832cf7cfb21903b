#pragma once
#include <c10/core/Device.h>
#include <c10/core/Layout.h>
#include <c10/core/MemoryFormat.h>
#include <c10/core/ScalarType.h>
#include <c10/core/ScalarTypeToTypeMeta.h>
#include <c10/core/Storage.h>
#include <c10/core/SymIntArrayRef.h>
#include <c10/core/TensorImpl.h>
#include <c10/core/TensorOptions.h>
#include <c10/core/UndefinedTensorImpl.h>
#include <c10/core/WrapDimMinimal.h>
#include <c10/util/C++17.h>
#include <c10/util/Exception.h>
#include <c10/util/ExclusivelyOwned.h>
#include <c10/util/ExclusivelyOwnedTensorTraits.h>
#include <c10/util/MaybeOwned.h>
#include <optional>
#include <c10/util/intrusive_ptr.h>
#include <ATen/core/NamedTensor.h>
#include <ATen/core/QuantizerBase.h>
#include <ATen/core/TensorAccessor.h>
#include <ATen/StorageUtils.h>
namespace c10 {
class Scalar;
}
namespace at {
class Tensor;
class TensorBase;
class __attribute__((__visibility__("default"))) TensorBase {
public:
struct unsafe_borrow_t {
explicit unsafe_borrow_t() = default;
};
protected:
explicit TensorBase(unsafe_borrow_t, const TensorBase& rhs);
public:
TensorBase() = default;
explicit TensorBase(
c10::intrusive_ptr<TensorImpl, UndefinedTensorImpl> tensor_impl);
TensorBase(const TensorBase&) = default;
TensorBase(TensorBase&&) noexcept = default;
~TensorBase() noexcept = default;
public:
int64_t dim() const;
int64_t storage_offset() const;
TensorBase contiguous(MemoryFormat memory_format=MemoryFormat::Contiguous) const;
TensorBase to(at::TensorOptions options={}, bool non_blocking=false, bool copy=false, std::optional<at::MemoryFormat> memory_format=std::nullopt) const;
bool is_complex() const;
c10::SymInt sym_size(int64_t dim) const;
int64_t size(int64_t dim) const;
int64_t stride(int64_t dim) const;
void reset();
TensorBase& operator=(const TensorBase& x) & = default;
TensorBase& operator=(TensorBase&& x) & noexcept = default;
TensorBase& operator=(const TensorBase&) && = delete;
TensorBase& operator=(TensorBase&&) && noexcept = delete;
IntArrayRef sizes() const;
IntArrayRef strides() const;
int64_t numel() const;
size_t itemsize() const;
DispatchKeySet key_set() const;
ScalarType scalar_type() const;
const Storage& storage() const;
Layout layout() const;
caffe2::TypeMeta dtype() const;
inline Device device() const;
bool is_cpu() const;
TensorOptions options() const;
void* data_ptr() const;
template <typename T>
T* data_ptr() const;
protected:
public:
TensorBase data() const;
const TensorBase& requires_grad_(bool _requires_grad=true) const;
const std::string& name() const;
protected:
c10::intrusive_ptr<TensorImpl, UndefinedTensorImpl> impl_;
private:
};
}
namespace at {
namespace symint {
template <typename T>
using enable_if_symint = std::enable_if_t<std::is_same_v<T, c10::SymInt>>;
template <typename T>
using enable_if_int = std::enable_if_t<std::is_same_v<T, int64_t>>;
template <typename T, typename = enable_if_symint<T>>
c10::SymIntArrayRef sizes(const TensorBase& t);
template <typename T, typename = enable_if_int<T>>
IntArrayRef sizes(const TensorBase& t);
template <typename T, typename = enable_if_symint<T>>
c10::SymIntArrayRef strides(const TensorBase& t);
template <typename T, typename = enable_if_int<T>>
IntArrayRef strides(const TensorBase& t);
}
}
