#pragma once
#include <cstddef>
#include <memory>
#include <utility>
#include <torch/headeronly/macros/Macros.h>
namespace c10 {
using DeleterFnPtr = void (*)(void*);
namespace detail {
class UniqueVoidPtr {
private:
void* data_;
std::unique_ptr<void, DeleterFnPtr> ctx_;
public:
UniqueVoidPtr();
explicit UniqueVoidPtr(void* data);
UniqueVoidPtr(void* data, void* ctx, DeleterFnPtr ctx_deleter);
[[nodiscard]] void* operator->() const;
void clear();
[[nodiscard]] void* get() const;
[[nodiscard]] operator bool() const;
};
[[nodiscard]] inline bool operator==(
const UniqueVoidPtr& sp,
std::nullptr_t) noexcept;
[[nodiscard]] inline bool operator==(
std::nullptr_t,
const UniqueVoidPtr& sp) noexcept;
[[nodiscard]] inline bool operator!=(
const UniqueVoidPtr& sp,
std::nullptr_t) noexcept;
[[nodiscard]] inline bool operator!=(
std::nullptr_t,
const UniqueVoidPtr& sp) noexcept;
}
}
