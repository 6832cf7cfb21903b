#pragma once
#include <condition_variable>
#include <memory>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <ATen/core/Dict.h>
#include <ATen/core/List.h>
#include <ATen/core/IListRef.h>
#include <vector>
#include <c10/util/ArrayRef.h>
#include <ATen/core/jit_type.h>
#include <ATen/core/qualified_name.h>
#include <ATen/core/rref_interface.h>
#include <ATen/core/symbol.h>
#include <c10/core/Device.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <c10/core/DeviceType.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <c10/util/Exception.h>
#include <c10/util/Optional.h>
#include <c10/core/Event.h>
#include <c10/core/Scalar.h>
#include <c10/core/Stream.h>
#include <c10/core/impl/InlineStreamGuard.h>
#include <c10/core/TensorImpl.h>
#include <c10/core/UndefinedTensorImpl.h>
#include <cstdint>
#include <c10/util/Logging.h>
#include <c10/util/hash.h>
#include <c10/util/intrusive_ptr.h>
#include <c10/util/irange.h>
namespace torch {
namespace jit {
struct CompilationUnit;
}
}
namespace c10 {
struct IValue;
struct ClassType;
struct TupleType;
struct EnumType;
namespace ivalue {
struct __attribute__((__visibility__("default"))) ConstantString final : c10::intrusive_ptr_target {
private:
const std::string str_;
public:
ConstantString(std::string str);
ConstantString(std::string_view str);
static c10::intrusive_ptr<ConstantString> create(std::string str_);
static c10::intrusive_ptr<ConstantString> create(std::string_view str_);
static c10::intrusive_ptr<ConstantString> create(const char* str_);
const std::string& string() const;
std::string_view string_view() const;
operator const std::string&() const;
};
struct Future;
struct __attribute__((__visibility__("default"))) TupleElements {
private:
size_t inlineSize_;
union {
std::vector<IValue> elementsVector_;
IValue elementsInline_[3];
};
public:
using iterator = IValue*;
using const_iterator = const IValue*;
TupleElements();
explicit TupleElements(std::vector<IValue> elements);
explicit TupleElements(c10::ArrayRef<IValue> elements);
explicit TupleElements(IValue&& e1);
explicit TupleElements(IValue&& e1, IValue&& e2);
explicit TupleElements(IValue&& e1, IValue&& e2, IValue&& e3);
~TupleElements();
TupleElements(const TupleElements& rhs);
TupleElements& operator=(const TupleElements& rhs);
TupleElements(TupleElements&& rhs) noexcept;
TupleElements& operator=(TupleElements&& rhs) noexcept;
operator c10::ArrayRef<IValue>() const;
static size_t hash(const TupleElements& v);
[[nodiscard]] bool empty() const;
[[nodiscard]] size_t size() const;
[[nodiscard]] IValue& operator[](size_t idx);
[[nodiscard]] const IValue& operator[](size_t idx) const;
[[nodiscard]] IValue& at(size_t idx);
[[nodiscard]] const IValue& at(size_t idx) const;
[[nodiscard]] iterator begin();
[[nodiscard]] iterator end();
[[nodiscard]] const_iterator begin() const;
[[nodiscard]] const_iterator end() const;
[[nodiscard]] const_iterator cbegin() const;
[[nodiscard]] const_iterator cend() const;
[[nodiscard]] std::vector<IValue> vec() const&;
[[nodiscard]] std::vector<IValue> vec() &&;
operator std::vector<IValue>() const &;
operator std::vector<IValue>() &&;
};
struct __attribute__((__visibility__("default"))) Tuple : c10::intrusive_ptr_target {
private:
TupleElements elements_;
mutable c10::TypePtr type_;
public:
static c10::intrusive_ptr<Tuple> create(std::initializer_list<IValue> elements_);
static c10::intrusive_ptr<Tuple> create(std::vector<IValue> elements_);
static c10::intrusive_ptr<Tuple> create(TupleElements elements_);
static c10::intrusive_ptr<Tuple> create(c10::ArrayRef<IValue> elements_);
static c10::intrusive_ptr<Tuple> create(IValue e1);
static c10::intrusive_ptr<Tuple> create(IValue e1, IValue e2);
static c10::intrusive_ptr<Tuple> create(IValue e1, IValue e2, IValue e3);
private:
public:
template <typename... Args>
static c10::intrusive_ptr<Tuple> create(Args&&... elements_);
const TupleElements& elements() const&;
TupleElements elements() &&;
size_t size() const;
template <typename T = c10::TupleType>
std::shared_ptr<T> type() const;
static size_t hash(const Tuple& t);
private:
explicit Tuple(std::vector<IValue> elements);
explicit Tuple(std::vector<IValue> elements, c10::TypePtr type);
explicit Tuple(TupleElements&& elements);
explicit Tuple(TupleElements&& elements, std::shared_ptr<TupleType> type);
explicit Tuple(IValue&& e1);
explicit Tuple(IValue&& e1, std::shared_ptr<TupleType> type);
explicit Tuple(IValue&& e1, IValue&& e2);
explicit Tuple(IValue&& e1, IValue&& e2, std::shared_ptr<TupleType> type);
explicit Tuple(IValue&& e1, IValue&& e2, IValue&& e3);
explicit Tuple(IValue&& e1, IValue&& e2, IValue&& e3, std::shared_ptr<TupleType> type);
friend class c10::intrusive_ptr<Tuple>;
};
struct Object;
struct PyObjectHolder;
struct EnumHolder;
}
struct __attribute__((__visibility__("default"))) ivalue::Future final : c10::intrusive_ptr_target {
private:
explicit Future(TypePtr type, std::vector<c10::Device> devices={});
struct FutureCallback {
std::function<void(Future&)> callback;
bool uses_future;
template <typename T>
FutureCallback(T callback, bool uses_future);
};
public:
Future(const Future&) = delete;
Future(Future&&) = delete;
Future& operator=(const Future&) = delete;
Future& operator=(Future&&) = delete;
~Future() override;
using WeakStorage = c10::weak_intrusive_ptr<c10::StorageImpl>;
IValue value();
std::exception_ptr exception_ptr() const;
const TypePtr& elementType() const;
const std::vector<c10::Device>& devices() const;
private:
mutable std::mutex mutex_;
std::atomic_bool completed_ = {false};
std::condition_variable finished_cv_;
IValue value_;
TypePtr type_;
std::vector<FutureCallback> callbacks_;
std::exception_ptr eptr_;
const c10::impl::VirtualGuardImpl impl_;
std::optional<c10::Device> currentDevice_;
std::vector<c10::Event> events_;
std::vector<WeakStorage> storages_;
const std::vector<c10::Device> devices_;
};
struct __attribute__((__visibility__("default"))) ivalue::Await final : c10::intrusive_ptr_target {
private:
explicit Await(TypePtr elType, std::function<IValue()> fn);
explicit Await(TypePtr elType);
public:
Await(const Await&) = delete;
Await(Await&&) = delete;
Await& operator=(const Await&) = delete;
Await& operator=(Await&&) = delete;
~Await() override = default;
IValue value();
const TypePtr& elementType() const;
const TypePtr& type() const;
std::vector<IValue>& args();
private:
TypePtr elType_;
TypePtr type_;
std::vector<IValue> args_;
std::function<IValue()> fn_;
IValue value_;
bool completed_{};
};
struct __attribute__((__visibility__("default"))) ivalue::Object final : c10::intrusive_ptr_target {
public:
Object(WeakOrStrongTypePtr type, size_t numSlots);
Object(StrongTypePtr type, size_t numSlots);
static c10::intrusive_ptr<Object> create(
WeakOrStrongTypePtr type,
size_t numSlots);
static c10::intrusive_ptr<Object> create(
StrongTypePtr type,
size_t numSlots);
static c10::intrusive_ptr<Object> create(ClassTypePtr classType, size_t numSlots);
std::string name() const;
std::shared_ptr<ClassType> type() const;
c10::intrusive_ptr<Object> copy() const;
private:
WeakOrStrongTypePtr type_;
std::vector<IValue> slots_;
};
struct ivalue::PyObjectHolder : c10::intrusive_ptr_target {
public:
~PyObjectHolder() override = default;
};
struct ivalue::EnumHolder : c10::intrusive_ptr_target {
public:
EnumHolder(std::shared_ptr<EnumType> type, std::string name, IValue value);
bool is(const ivalue::EnumHolder& rhs);
friend bool operator==(
const ivalue::EnumHolder& lhs,
const ivalue::EnumHolder& rhs);
const std::string& name() const;
const IValue& value() const;
std::shared_ptr<EnumType> type() const;
private:
std::shared_ptr<EnumType> type_;
std::string name_;
IValue value_;
};
namespace ivalue {
template <typename T>
IValue from(T&& x);
}
}
