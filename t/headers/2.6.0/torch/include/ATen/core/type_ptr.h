#pragma once
#include <memory>
#include <type_traits>
#include <c10/util/Exception.h>
#include <c10/util/MaybeOwned.h>
namespace c10 {
template <typename T>
class SingletonTypePtr {
public:
SingletonTypePtr(T* p);
explicit SingletonTypePtr(std::shared_ptr<T>);
template <typename U = T, std::enable_if_t<!std::is_same_v<std::remove_const_t<U>, void>, bool> = true>
T& operator*() const;
T* get() const;
T* operator->() const;
operator bool() const;
private:
T* repr_{nullptr};
};
template <typename T, typename U>
bool operator==(SingletonTypePtr<T> lhs, SingletonTypePtr<U> rhs);
template <typename T, typename U>
bool operator!=(SingletonTypePtr<T> lhs, SingletonTypePtr<U> rhs);
}
