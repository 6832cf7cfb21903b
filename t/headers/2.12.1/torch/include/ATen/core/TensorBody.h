#pragma once
#include <c10/core/Device.h>
#include <c10/core/Layout.h>
#include <c10/core/MemoryFormat.h>
#include <c10/core/QScheme.h>
#include <c10/core/Stream.h>
#include <c10/core/Scalar.h>
#include <torch/headeronly/util/BFloat16.h>
#include <c10/util/Exception.h>
#include <torch/headeronly/util/Float4_e2m1fn_x2.h>
#include <torch/headeronly/util/Float8_e4m3fn.h>
#include <torch/headeronly/util/Float8_e4m3fnuz.h>
#include <torch/headeronly/util/Float8_e5m2.h>
#include <torch/headeronly/util/Float8_e5m2fnuz.h>
#include <torch/headeronly/util/Float8_e8m0fnu.h>
#include <torch/headeronly/util/Half.h>
#include <ATen/cpu/vec/vec_half.h>
#include <torch/headeronly/util/bits.h>
#include <c10/util/complex.h>
#include <torch/headeronly/util/qint32.h>
#include <torch/headeronly/util/qint8.h>
#include <torch/headeronly/util/quint2x4.h>
#include <torch/headeronly/util/quint4x2.h>
#include <torch/headeronly/util/quint8.h>
#include <array>
#include <cstddef>
#include <limits>
#include <ostream>
#include <type_traits>
#include <unordered_map>
#include <torch/headeronly/core/ScalarType.h>
#include <c10/core/ScalarTypeToTypeMeta.h>
#include <c10/core/Storage.h>
#include <c10/core/TensorImpl.h>
#include <c10/core/UndefinedTensorImpl.h>
#include <c10/core/SymInt.h>
#include <torch/headeronly/macros/Macros.h>
#include <cstdint>
#include <utility>
#include <memory>
#include <optional>
#include <c10/util/OptionalArrayRef.h>
#include <c10/util/intrusive_ptr.h>
#include <ATen/core/CheckMemoryFormat.h>
#include <ATen/core/DeprecatedTypePropertiesRegistry.h>
#include <ATen/core/DeprecatedTypeProperties.h>
#include <ATen/core/NamedTensor.h>
#include <ATen/core/QuantizerBase.h>
#include <ATen/core/TensorAccessor.h>
#include <ATen/core/TensorBase.h>
#include <ATen/MethodOperators.h>
namespace c10{
template<class T> class List;
template<class T> class IListRef;
}
namespace at {
struct Generator;
class DeprecatedTypeProperties;
class Tensor;
}
namespace at {
namespace indexing {
struct TensorIndex;
}
}
namespace at {
class OptionalTensorRef;
class Tensor;
class __attribute__((__visibility__("default"))) Tensor: public TensorBase {
protected:
explicit Tensor(unsafe_borrow_t, const TensorBase& rhs);
public:
Tensor() = default;
explicit Tensor(
c10::intrusive_ptr<TensorImpl, UndefinedTensorImpl> tensor_impl);
Tensor(const Tensor &tensor) = default;
Tensor(Tensor &&tensor) = default;
explicit Tensor(const TensorBase &base);
Tensor(TensorBase &&base);
Tensor contiguous(MemoryFormat memory_format=MemoryFormat::Contiguous) const;
using TensorBase::size;
using TensorBase::sym_size;
using TensorBase::stride;
Tensor& operator=(const TensorBase& x) & noexcept;
Tensor& operator=(TensorBase&& x) & noexcept;
Tensor& operator=(const Tensor &x) & noexcept;
Tensor& operator=(Tensor &&x) & noexcept;
Tensor& operator=(const Scalar &v) &&;
Tensor& operator=(const Tensor &rhs) &&;
Tensor& operator=(Tensor&& rhs) &&;
[[deprecated("Tensor.type() is deprecated. Instead use Tensor.options(), which in many cases (e.g. in a constructor) is a drop-in replacement. If you were using data from type(), that is now available from Tensor itself, so instead of tensor.type().scalar_type(), use tensor.scalar_type() instead and instead of tensor.type().backend() use tensor.device().")]]
DeprecatedTypeProperties & type() const;
template<typename T>
[[deprecated("Tensor.data<T>() is deprecated. Please use Tensor.data_ptr<T>() instead.")]]
T * data() const;
Tensor operator~() const;
Tensor operator-() const;
Tensor& operator+=(const Tensor & other);
Tensor& operator+=(const Scalar & other);
Tensor& operator-=(const Tensor & other);
Tensor& operator-=(const Scalar & other);
Tensor& operator*=(const Tensor & other);
Tensor& operator*=(const Scalar & other);
Tensor& operator/=(const Tensor & other);
Tensor& operator/=(const Scalar & other);
Tensor& operator&=(const Tensor & other);
Tensor& operator|=(const Tensor & other);
Tensor& operator^=(const Tensor & other);
Tensor operator[](const Scalar & index) const;
Tensor operator[](const Tensor & index) const;
Tensor operator[](int64_t index) const;
Tensor index(ArrayRef<at::indexing::TensorIndex> indices) const;
Tensor index(std::initializer_list<at::indexing::TensorIndex> indices) const;
Tensor cpu() const;
Tensor cuda() const;
Tensor hip() const;
at::Tensor add(const at::Tensor & other, const at::Scalar & alpha=1) const;
at::Tensor add(const at::Scalar & other, const at::Scalar & alpha=1) const;
at::Tensor addr(const at::Tensor & vec1, const at::Tensor & vec2, const at::Scalar & beta=1, const at::Scalar & alpha=1) const;
at::Tensor broadcast_to(at::IntArrayRef size) const;
at::Tensor & copy_(const at::Tensor & src, bool non_blocking=false) const;
at::Tensor divide(const at::Tensor & other) const;
at::Tensor divide(const at::Scalar & other) const;
at::Tensor divide(const at::Tensor & other, ::std::optional<c10::string_view> rounding_mode) const;
at::Tensor divide(const at::Scalar & other, ::std::optional<c10::string_view> rounding_mode) const;
at::Tensor erf() const;
at::Tensor exp() const;
at::Tensor index(const c10::List<::std::optional<at::Tensor>> & indices) const;
at::Tensor pin_memory(::std::optional<at::Device> device=::std::nullopt) const;
int64_t size(at::Dimname dim) const;
int64_t stride(at::Dimname dim) const;
at::Tensor sum(::std::optional<at::ScalarType> dtype=::std::nullopt) const;
at::Tensor sum(at::OptionalIntArrayRef dim, bool keepdim=false, ::std::optional<at::ScalarType> dtype=::std::nullopt) const;
at::Tensor sum(at::DimnameList dim, bool keepdim=false, ::std::optional<at::ScalarType> dtype=::std::nullopt) const;
at::Tensor std(bool unbiased) const;
at::Tensor std(at::OptionalIntArrayRef dim, bool unbiased, bool keepdim=false) const;
at::Tensor std(at::OptionalIntArrayRef dim=::std::nullopt, const ::std::optional<at::Scalar> & correction=::std::nullopt, bool keepdim=false) const;
at::Tensor std(at::DimnameList dim, bool unbiased, bool keepdim=false) const;
at::Tensor std(at::DimnameList dim, const ::std::optional<at::Scalar> & correction=::std::nullopt, bool keepdim=false) const;
at::Tensor t() const;
at::Tensor where(const at::Tensor & condition, const at::Tensor & other) const;
at::Tensor where(const at::Tensor & condition, const at::Scalar & other) const;
at::Tensor positive() const;
at::Tensor indices() const;
at::QScheme qscheme() const;
at::Tensor to(at::TensorOptions options={}, bool non_blocking=false, bool copy=false, ::std::optional<at::MemoryFormat> memory_format=::std::nullopt) const;
at::Tensor to(::std::optional<at::ScalarType> dtype, ::std::optional<at::Layout> layout, ::std::optional<at::Device> device, ::std::optional<bool> pin_memory, bool non_blocking, bool copy, ::std::optional<at::MemoryFormat> memory_format) const;
at::Tensor to(at::Device device, at::ScalarType dtype, bool non_blocking=false, bool copy=false, ::std::optional<at::MemoryFormat> memory_format=::std::nullopt) const;
at::Tensor to(at::ScalarType dtype, bool non_blocking=false, bool copy=false, ::std::optional<at::MemoryFormat> memory_format=::std::nullopt) const;
at::Tensor to(const at::Tensor & other, bool non_blocking=false, bool copy=false, ::std::optional<at::MemoryFormat> memory_format=::std::nullopt) const;
bool equal(const at::Tensor & other) const;
Tensor std(int dim) const;
inline Tensor to(caffe2::TypeMeta type_meta, bool non_blocking=false, bool copy=false) const;
inline Tensor to(Device device, caffe2::TypeMeta type_meta, bool non_blocking=false, bool copy=false) const;
template <typename F, typename... Args>
decltype(auto) m(F func, Args&&... params) const {
return func(*this, std::forward<Args>(params)...);
}
Tensor data() const;
const Tensor& requires_grad_(bool _requires_grad=true) const;
};
}
