#pragma once
#include <c10/macros/Macros.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>
namespace c10 {
namespace detail {
template <typename T>
inline constexpr T e() {
return static_cast<T>(2.718281828459045235360287471352662);
}
}
template <typename T>
constexpr T e = c10::detail::e<T>();
}
