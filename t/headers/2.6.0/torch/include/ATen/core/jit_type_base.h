#pragma once
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <ATen/core/qualified_name.h>
#include <ATen/core/type_ptr.h>
#include <c10/core/SymInt.h>
#include <c10/core/SymFloat.h>
#include <c10/core/SymBool.h>
#include <c10/core/SymIntArrayRef.h>
#include <c10/macros/Macros.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/Exception.h>
#include <optional>
namespace c10 {
enum class TypeKind {
AnyType, EnumType, AnyEnumType, TensorType, StorageType, TupleType, ListType, DictType, NumberType, FloatType, ComplexType, FutureType, AwaitType, RRefType, IntType, NoneType, StringType, GeneratorType, QuantizerType, BoolType, OptionalType, VarType, DeviceObjType, StreamObjType, FunctionType, ClassType, PyObjectType, CapsuleType, InterfaceType, QSchemeType, ScalarTypeType, LayoutType, MemoryFormatType, AnyListType, AnyTupleType, AnyClassType, SymIntType, SymFloatType, SymBoolType, UnionType, DynamicType,
};
struct Type;
struct SharedType;
struct __attribute__((__visibility__("default"))) Type {
friend __attribute__((__visibility__("default"))) bool operator==(const Type& lhs, const Type& rhs);
private:
TypeKind kind_;
protected:
Type(TypeKind kind);
Type(const Type&) = default;
Type& operator=(const Type&) = default;
Type(Type&&) noexcept = default;
Type& operator=(Type&&) noexcept = default;
public:
template <typename T>
class SingletonOrSharedTypePtr {
public:
SingletonOrSharedTypePtr() = default;
SingletonOrSharedTypePtr(std::shared_ptr<T> x);
template <typename U, std::enable_if_t<std::is_convertible_v<U*, T*>, bool> = true>
SingletonOrSharedTypePtr(std::shared_ptr<U> x);
SingletonOrSharedTypePtr(std::nullptr_t);
SingletonOrSharedTypePtr(SingletonTypePtr<T> p);
template <typename U, std::enable_if_t<std::is_convertible_v<U*, T*>, bool> = true>
SingletonOrSharedTypePtr(SingletonTypePtr<U> p);
template <typename U = T, std::enable_if_t<std::is_base_of_v<SharedType, U>, bool> = true>
SingletonOrSharedTypePtr(T* p);
template <typename U = T, std::enable_if_t<std::is_same_v<Type, U>, bool> = true>
SingletonOrSharedTypePtr(T* p);
template <typename U = T, std::enable_if_t<!std::is_same_v<Type, U> && !std::is_base_of_v<SharedType, U>, bool> = true>
SingletonOrSharedTypePtr(T* p);
SingletonOrSharedTypePtr(const SingletonOrSharedTypePtr&) = default;
SingletonOrSharedTypePtr(SingletonOrSharedTypePtr&&) noexcept = default;
SingletonOrSharedTypePtr& operator=(const SingletonOrSharedTypePtr&) = default;
SingletonOrSharedTypePtr& operator=(SingletonOrSharedTypePtr&&) noexcept = default;
~SingletonOrSharedTypePtr() = default;
T* get() const;
operator bool() const;
bool operator==(std::nullptr_t) const;
bool operator!=(std::nullptr_t) const;
template <typename U = T, std::enable_if_t<!std::is_same_v<std::remove_const_t<U>, void>, bool> = true>
U& operator*() const;
T* operator->() const;
private:
struct SharedPtrWrapper {
SharedPtrWrapper(std::shared_ptr<T> &&x);
std::shared_ptr<T> repr_;
};
union Repr {
Repr();
explicit Repr(std::shared_ptr<T> x);
explicit Repr(std::nullptr_t);
explicit Repr(SingletonTypePtr<T> p);
~Repr();
Repr(const Repr& rhs);
Repr(Repr&& rhs) noexcept;
Repr& operator=(const Repr& rhs);
Repr& operator=(Repr&& rhs) noexcept;
SharedPtrWrapper shared_;
struct SingletonRepr {
explicit SingletonRepr(T* s);
T* singleton_;
void* unused_ = nullptr;
} singletonRepr_;
private:
} repr_;
};
using TypePtr = SingletonOrSharedTypePtr<Type>;
virtual std::string str() const = 0;
TypeKind kind() const;
virtual ~Type() = default;
};
template <typename T>
using SingletonOrSharedTypePtr = Type::SingletonOrSharedTypePtr<T>;
template <typename T, typename U>
bool operator==(const SingletonOrSharedTypePtr<T>& x, const SingletonOrSharedTypePtr<U>& y);
template <typename T, typename U>
bool operator==(const SingletonOrSharedTypePtr<T>& x, const std::shared_ptr<U>& y);
template <typename T, typename U>
bool operator==(const std::shared_ptr<T>& x, const SingletonOrSharedTypePtr<U>& y);
template <typename T, typename U>
bool operator==(const SingletonOrSharedTypePtr<T>& x, const SingletonTypePtr<U>& y);
template <typename T, typename U>
bool operator==(const SingletonTypePtr<T>& x, const SingletonOrSharedTypePtr<U>& y);
template <typename T, typename U>
bool operator!=(const SingletonOrSharedTypePtr<T>& x, const SingletonOrSharedTypePtr<U>& y);
template <typename T, typename U>
bool operator!=(const SingletonOrSharedTypePtr<T>& x, const std::shared_ptr<U>& y);
template <typename T, typename U>
bool operator!=(const std::shared_ptr<T>& x, const SingletonOrSharedTypePtr<U>& y);
template <typename T, typename U>
bool operator!=(const SingletonOrSharedTypePtr<T>& x, const SingletonTypePtr<U>& y);
template <typename T, typename U>
bool operator!=(const SingletonTypePtr<T>& x, const SingletonOrSharedTypePtr<U>& y);
using TypePtr = SingletonOrSharedTypePtr<Type>;
struct __attribute__((__visibility__("default"))) SharedType : public Type, public std::enable_shared_from_this<SharedType> {
using Type::Type;
};
__attribute__((__visibility__("default"))) inline bool operator==(const Type& lhs, const Type& rhs);
struct NamedType;
struct __attribute__((__visibility__("default"))) NamedType : public SharedType {
NamedType(TypeKind tk, std::optional<QualifiedName> name);
const std::optional<QualifiedName>& name() const;
private:
std::optional<QualifiedName> name_;
};
}
