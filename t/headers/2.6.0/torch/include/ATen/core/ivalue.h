#pragma once
#include <ATen/core/DimVector.h>
#include <ATen/core/TensorBody.h>
#include <ATen/core/blob.h>
#include <ATen/core/custom_class.h>
#include <ATen/core/ivalue_to.h>
#include <ATen/core/jit_type_base.h>
#include <ATen/core/type_factory.h>
#include <c10/core/SymBool.h>
#include <c10/core/SymFloat.h>
#include <c10/util/MaybeOwned.h>
#include <c10/util/intrusive_ptr.h>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <utility>
namespace torch {
class __attribute__((__visibility__("default"))) CustomClassHolder : public c10::intrusive_ptr_target {
};
namespace jit {
using ::torch::CustomClassHolder;
struct CompilationUnit;
}
}
namespace c10 {
template <class Key, class Value>
class Dict;
template <class T>
class List;
template <class T>
class IListRef;
struct IValue;
struct ClassType;
struct Type;
class RRefInterface;
struct ClassType;
namespace ivalue {
struct Tuple;
struct Future;
struct Await;
struct ConstantString;
struct Object;
struct PyObjectHolder;
struct EnumHolder;
}
struct __attribute__((__visibility__("default"))) IValue final {
IValue(const IValue& rhs);
IValue(IValue&& rhs) noexcept;
~IValue();
__attribute__((__always_inline__)) inline IValue& operator=(IValue&& rhs) & noexcept;
IValue& operator=(IValue const& rhs) &;
bool is(const IValue& rhs) const;
IValue hash() const;
static size_t hash(const IValue& iv);
private:
public:
IValue(at::TensorBase t);
private:
public:
IValue(at::Storage s);
IValue(intrusive_ptr<caffe2::Blob> blob);
template <
typename T,
std::enable_if_t<std::is_base_of_v<torch::CustomClassHolder, T>, int> = 0>
IValue(intrusive_ptr<T> custom_class);
IValue(c10::intrusive_ptr<ivalue::Tuple> v);
template <
typename... Args,
std::enable_if_t<
!std::disjunction_v<
std::is_lvalue_reference<Args>...,
std::negation<std::is_constructible<IValue, Args>>...>,
std::nullptr_t> = nullptr>
IValue(const std::tuple<Args...>& t);
template <
typename... Args,
std::enable_if_t<
!std::disjunction_v<
std::is_lvalue_reference<Args>...,
std::negation<std::is_constructible<IValue, Args>>...>,
std::nullptr_t> = nullptr>
IValue(std::tuple<Args...>&& t);
IValue(double d);
template <typename T>
IValue(c10::complex<T> c);
IValue(c10::intrusive_ptr<ivalue::Future> v);
IValue(c10::intrusive_ptr<ivalue::Await> v);
IValue(c10::intrusive_ptr<c10::RRefInterface> v);
IValue(c10::intrusive_ptr<at::Quantizer> v);
IValue(int64_t i);
IValue(const c10::SymInt& i);
IValue(const c10::SymFloat& i);
IValue(const c10::SymBool& i);
IValue(int32_t i);
IValue(bool b);
IValue(c10::intrusive_ptr<ivalue::ConstantString> v);
IValue(std::string v);
IValue(const char* v);
IValue(std::string_view v);
IValue(c10::List<IValue> v);
template <class T>
using enable_if_ivalue_constructible =
std::enable_if_t<std::is_constructible_v<IValue, T>, std::nullptr_t>;
template <class T>
using enable_if_list_is_ivalue_constructible = std::enable_if_t<
std::is_constructible_v<IValue, T> && !std::is_same_v<T, c10::SymInt>,
std::nullptr_t>;
template <class T, enable_if_list_is_ivalue_constructible<T> = nullptr>
IValue(c10::List<T>&& v);
template <class T, enable_if_list_is_ivalue_constructible<T> = nullptr>
IValue(const c10::List<T>& v);
template <class T, enable_if_list_is_ivalue_constructible<T> = nullptr>
IValue(at::ArrayRef<T> v);
template <class T, enable_if_list_is_ivalue_constructible<T> = nullptr>
IValue(const std::vector<T>& v);
template <class T, enable_if_list_is_ivalue_constructible<T> = nullptr>
IValue(std::vector<T>&& v);
template <class T, size_t N>
IValue(std::array<T, N> v);
template <class T>
using enable_if_symint =
std::enable_if_t<std::is_same_v<T, c10::SymInt>, std::nullptr_t>;
template <class T, enable_if_symint<T> = nullptr>
IValue(at::ArrayRef<T> v);
template <class T, enable_if_symint<T> = nullptr>
IValue(at::OptionalArrayRef<T> v);
template <class T, enable_if_symint<T> = nullptr>
IValue(const std::vector<T>& v);
template <class T, enable_if_symint<T> = nullptr>
IValue(std::vector<T>&& v);
template <class T>
using enable_if_ilist_is_ivalue_constructible = std::enable_if_t<
std::is_constructible_v<IValue, T> &&
std::is_constructible_v<IValue, typename IListRef<T>::boxed_type> &&
!std::is_same_v<T, c10::SymInt>,
std::nullptr_t>;
template <class T, enable_if_ilist_is_ivalue_constructible<T> = nullptr>
IValue(c10::IListRef<T> v);
IValue(c10::Dict<IValue, IValue> v);
template <class Key, class Value>
IValue(c10::Dict<Key, Value> v);
template <class Key, class Value>
[[deprecated("IValues based on std::unordered_map<K, V> are slow and deprecated. Please use c10::Dict<K, V> instead.")]]
IValue(std::unordered_map<Key, Value> v);
template <class T, enable_if_ivalue_constructible<T> = nullptr>
IValue(std::optional<T> v);
template <class T, enable_if_list_is_ivalue_constructible<T> = nullptr>
IValue(c10::OptionalArrayRef<T> v);
IValue(std::nullopt_t);
IValue(c10::intrusive_ptr<ivalue::Object> v);
IValue(c10::intrusive_ptr<ivalue::PyObjectHolder> v);
explicit IValue(c10::intrusive_ptr<ivalue::EnumHolder> v);
IValue() = default;
static IValue uninitialized();
IValue(const at::Scalar& s);
IValue(c10::Device d);
IValue(c10::Stream s);
IValue(ScalarType t);
IValue(Layout l);
IValue(MemoryFormat m);
IValue(at::QScheme qscheme);
IValue(at::Dimname dimname);
IValue(at::Generator g);
template <typename T>
T to() &&;
template <typename T>
typename c10::detail::ivalue_to_const_ref_overload_return<T>::type to()
const&;
std::ostream& repr(
std::ostream& stream,
std::function<bool(std::ostream&, const IValue& v)> customFormatter)
const;
template <typename T = c10::PlatformType>
TypePtr type() const;
private:
enum class Tag : uint32_t {
None, Tensor, Storage, Double, ComplexDouble, Int, SymInt, SymFloat, SymBool, Bool, Tuple, String, Blob, GenericList, GenericDict, Future, Await, Device, Stream, Object, PyObject, Uninitialized, Capsule, RRef, Quantizer, Generator, Enum,
};
private:
public:
union Payload {
union TriviallyCopyablePayload {
TriviallyCopyablePayload();
int64_t as_int;
double as_double;
bool as_bool;
c10::intrusive_ptr_target* as_intrusive_ptr;
struct {
c10::DeviceType type;
DeviceIndex index;
} as_device;
} u;
at::Tensor as_tensor;
Payload();
Payload(const Payload&) = delete;
Payload(Payload&&) = delete;
Payload& operator=(const Payload&) = delete;
Payload& operator=(Payload&&) = delete;
~Payload();
};
IValue(const Payload& p, Tag t);
Payload payload;
Tag tag{IValue::Tag::None};
friend struct WeakIValue;
};
struct __attribute__((__visibility__("default"))) WeakIValue final {
WeakIValue() = default;
WeakIValue(const WeakIValue& rhs);
WeakIValue(const IValue& rhs);
WeakIValue(WeakIValue&& rhs) noexcept;
~WeakIValue();
WeakIValue& operator=(WeakIValue&& rhs) & noexcept;
WeakIValue& operator=(WeakIValue const& rhs) &;
size_t hash() const;
private:
using Payload = IValue::Payload::TriviallyCopyablePayload;
Payload payload;
IValue::Tag tag{IValue::Tag::None};
bool is_intrusive_ptr{false};
};
struct __attribute__((__visibility__("default"))) StrongTypePtr {
StrongTypePtr(std::shared_ptr<torch::jit::CompilationUnit> cu, TypePtr type);
std::shared_ptr<torch::jit::CompilationUnit> cu_;
TypePtr type_;
};
struct __attribute__((__visibility__("default"))) WeakTypePtr {
WeakTypePtr(std::weak_ptr<torch::jit::CompilationUnit> cu, TypePtr type);
std::weak_ptr<torch::jit::CompilationUnit> cu_;
TypePtr type_;
};
struct WeakOrStrongCompilationUnit {
explicit WeakOrStrongCompilationUnit(
std::shared_ptr<torch::jit::CompilationUnit> shared_cu);
explicit WeakOrStrongCompilationUnit(
std::weak_ptr<torch::jit::CompilationUnit> weak_cu);
std::optional<std::shared_ptr<torch::jit::CompilationUnit>> strong_ptr_;
std::optional<std::weak_ptr<torch::jit::CompilationUnit>> weak_ptr_;
};
struct __attribute__((__visibility__("default"))) WeakOrStrongTypePtr {
explicit WeakOrStrongTypePtr(WeakTypePtr weak);
explicit WeakOrStrongTypePtr(StrongTypePtr strong);
explicit WeakOrStrongTypePtr(WeakOrStrongCompilationUnit cu, TypePtr type);
WeakOrStrongCompilationUnit cu_;
TypePtr type_;
};
}
#include <ATen/core/ivalue_inl.h>
