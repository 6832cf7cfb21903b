#pragma once
#include <cstddef>
#include <memory>
#include <utility>
#include <c10/macros/Macros.h>
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
void* operator->() const;
void clear();
void* get() const;
operator bool() const;
};
inline bool operator==(const UniqueVoidPtr& sp, std::nullptr_t) noexcept;
inline bool operator==(std::nullptr_t, const UniqueVoidPtr& sp) noexcept;
inline bool operator!=(const UniqueVoidPtr& sp, std::nullptr_t) noexcept;
inline bool operator!=(std::nullptr_t, const UniqueVoidPtr& sp) noexcept;
}
}
