#pragma once
#include <c10/util/Exception.h>
#include <c10/util/MaybeOwned.h>
#include <atomic>
#include <climits>
#include <memory>
#include <type_traits>
namespace pybind11 {
template <typename, typename...>
class class_;
}
namespace c10 {
class intrusive_ptr_target;
namespace raw {
struct DontIncreaseRefcount {
};
}
class __attribute__((__visibility__("default"))) intrusive_ptr_target {
mutable std::atomic<uint32_t> refcount_;
mutable std::atomic<uint32_t> weakcount_;
template <typename T, typename NullType>
friend class intrusive_ptr;
template <typename T, typename NullType>
friend class weak_intrusive_ptr;
template <typename T>
friend struct ExclusivelyOwnedTensorTraits;
protected:
virtual ~intrusive_ptr_target();
constexpr intrusive_ptr_target() noexcept : refcount_(0), weakcount_(0) {}
intrusive_ptr_target(intrusive_ptr_target&& ) noexcept;
intrusive_ptr_target& operator=(intrusive_ptr_target&& ) noexcept;
intrusive_ptr_target(const intrusive_ptr_target& ) noexcept;
intrusive_ptr_target& operator=(
const intrusive_ptr_target& ) noexcept;
private:
};
namespace detail {
template <class TTarget>
struct intrusive_target_default_null_type final {
};
}
template <class TTarget, class NullType>
class weak_intrusive_ptr;
template <
class TTarget,
class NullType = detail::intrusive_target_default_null_type<TTarget>>
class intrusive_ptr final {
private:
TTarget* target_;
template <typename T>
friend struct ExclusivelyOwnedTensorTraits;
template <class TTarget2, class NullType2>
friend class intrusive_ptr;
friend class weak_intrusive_ptr<TTarget, NullType>;
template <typename, typename...>
friend class pybind11::class_;
explicit intrusive_ptr(TTarget* target);
public:
intrusive_ptr() noexcept;
intrusive_ptr(std::nullptr_t) noexcept;
explicit intrusive_ptr(TTarget* target, raw::DontIncreaseRefcount) noexcept;
explicit intrusive_ptr(std::unique_ptr<TTarget> rhs) noexcept;
intrusive_ptr(intrusive_ptr&& rhs) noexcept;
template <class From, class FromNullType>
intrusive_ptr(intrusive_ptr<From, FromNullType>&& rhs) noexcept;
intrusive_ptr(const intrusive_ptr& rhs);
template <class From, class FromNullType>
intrusive_ptr(const intrusive_ptr<From, FromNullType>& rhs);
~intrusive_ptr() noexcept;
intrusive_ptr& operator=(intrusive_ptr&& rhs) & noexcept;
template <class From, class FromNullType>
intrusive_ptr& operator=(intrusive_ptr<From, FromNullType>&& rhs) & noexcept;
intrusive_ptr& operator=(const intrusive_ptr& rhs) & noexcept;
template <class From, class FromNullType>
intrusive_ptr& operator=(
const intrusive_ptr<From, NullType>& rhs) & noexcept;
TTarget* get() const noexcept;
TTarget& operator*() const noexcept;
TTarget* operator->() const noexcept;
operator bool() const noexcept;
void reset() noexcept;
TTarget* release() noexcept;
};
template <class TTarget1, class NullType1, class TTarget2, class NullType2>
inline bool operator<(
const intrusive_ptr<TTarget1, NullType1>& lhs,
const intrusive_ptr<TTarget2, NullType2>& rhs) noexcept;
template <class TTarget1, class NullType1, class TTarget2, class NullType2>
inline bool operator==(
const intrusive_ptr<TTarget1, NullType1>& lhs,
const intrusive_ptr<TTarget2, NullType2>& rhs) noexcept;
template <class TTarget1, class NullType1>
inline bool operator==(
const intrusive_ptr<TTarget1, NullType1>& lhs,
std::nullptr_t) noexcept;
template <class TTarget2, class NullType2>
inline bool operator==(
std::nullptr_t,
const intrusive_ptr<TTarget2, NullType2>& rhs) noexcept;
template <class TTarget1, class NullType1, class TTarget2, class NullType2>
inline bool operator!=(
const intrusive_ptr<TTarget1, NullType1>& lhs,
const intrusive_ptr<TTarget2, NullType2>& rhs) noexcept;
template <class TTarget1, class NullType1>
inline bool operator!=(
const intrusive_ptr<TTarget1, NullType1>& lhs,
std::nullptr_t) noexcept;
template <class TTarget2, class NullType2>
inline bool operator!=(
std::nullptr_t,
const intrusive_ptr<TTarget2, NullType2>& rhs) noexcept;
template <
typename TTarget,
class NullType = detail::intrusive_target_default_null_type<TTarget>>
class weak_intrusive_ptr final {
private:
TTarget* target_;
template <class TTarget2, class NullType2>
friend class weak_intrusive_ptr;
constexpr explicit weak_intrusive_ptr(TTarget* target) : target_(target) {}
public:
explicit weak_intrusive_ptr(const intrusive_ptr<TTarget, NullType>& ptr);
weak_intrusive_ptr(weak_intrusive_ptr&& rhs) noexcept;
template <class From, class FromNullType>
weak_intrusive_ptr(
weak_intrusive_ptr<From, FromNullType>&& rhs) noexcept;
weak_intrusive_ptr(const weak_intrusive_ptr& rhs);
template <class From, class FromNullType>
weak_intrusive_ptr(
const weak_intrusive_ptr<From, FromNullType>& rhs);
~weak_intrusive_ptr() noexcept;
weak_intrusive_ptr& operator=(weak_intrusive_ptr&& rhs) & noexcept;
template <class From, class FromNullType>
weak_intrusive_ptr& operator=(
weak_intrusive_ptr<From, FromNullType>&& rhs) & noexcept;
weak_intrusive_ptr& operator=(const weak_intrusive_ptr& rhs) & noexcept;
weak_intrusive_ptr& operator=(
const intrusive_ptr<TTarget, NullType>& rhs) & noexcept;
template <class From, class FromNullType>
weak_intrusive_ptr& operator=(
const weak_intrusive_ptr<From, NullType>& rhs) & noexcept;
void reset() noexcept;
TTarget* release() noexcept;
template <class TTarget1, class NullType1, class TTarget2, class NullType2>
friend bool operator<(
const weak_intrusive_ptr<TTarget1, NullType1>& lhs,
const weak_intrusive_ptr<TTarget2, NullType2>& rhs) noexcept;
template <class TTarget1, class NullType1, class TTarget2, class NullType2>
friend bool operator==(
const weak_intrusive_ptr<TTarget1, NullType1>& lhs,
const weak_intrusive_ptr<TTarget2, NullType2>& rhs) noexcept;
};
template <class TTarget1, class NullType1, class TTarget2, class NullType2>
inline bool operator<(
const weak_intrusive_ptr<TTarget1, NullType1>& lhs,
const weak_intrusive_ptr<TTarget2, NullType2>& rhs) noexcept;
template <class TTarget1, class NullType1, class TTarget2, class NullType2>
inline bool operator==(
const weak_intrusive_ptr<TTarget1, NullType1>& lhs,
const weak_intrusive_ptr<TTarget2, NullType2>& rhs) noexcept;
template <class TTarget1, class NullType1, class TTarget2, class NullType2>
inline bool operator!=(
const weak_intrusive_ptr<TTarget1, NullType1>& lhs,
const weak_intrusive_ptr<TTarget2, NullType2>& rhs) noexcept;
}
